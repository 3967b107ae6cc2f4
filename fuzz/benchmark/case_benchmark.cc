// The per-case pipeline, whole and in parts. A memcpy and memcmp of the same bytes is the baseline, so that
// the figures of different machines can be compared. Programs have 1 to 8 instructions of all element types
// under fresh masks.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstring>

#include "fuzz/coverage/cell_counts.h"
#include "fuzz/generate/generate.h"
#include "fuzz/run/find_backend.h"
#include "fuzz/simulator/refuse.h"
#include "fuzz/simulator/simulator.h"
#include "oracle/compare/compare.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/program/profile.h"

namespace lanecheck {
namespace {

constexpr std::uint64_t kSeed = 1;
constexpr std::size_t kKept = 512;  // programs on which the parts are measured

Mix bench_mix() {
  Mix mix;
  mix.most_instructions = 8;
  mix.with_boundaries = false;
  return mix;
}

std::uint64_t slots_of(const Program& program) {
  std::uint64_t slots = 0;
  for (const Instruction& insn : program.instructions) slots += element_slots(insn);
  return slots;
}

const std::vector<Program>& kept() {
  static const std::vector<Program> programs = [] {
    std::vector<Program> list(kKept);
    for (std::size_t n = 0; n < kKept; ++n) generate(kSeed, n, bench_mix(), list[n]);
    return list;
  }();
  return programs;
}

void write_counters(benchmark::State& state, std::uint64_t slots) {
  state.SetItemsProcessed(state.iterations());
  state.counters["element checks/s"] =
      benchmark::Counter(static_cast<double>(slots), benchmark::Counter::kIsRate);
  state.counters["slots/case"] = static_cast<double>(slots) / static_cast<double>(state.iterations());
}

/// The work of a run for each case: generate, run the oracle, run the backend (which checks legality),
/// compare, count cells.
void whole_pipeline(benchmark::State& state, Profile profile, Family family) {
  Mix mix = bench_mix();
  mix.profile = profile;
  mix.family = family;
  const Readings readings = default_readings(profile);
  Semantics semantics(readings);
  semantics.seams.clips_repeats = false;
  const Backend example = find_backend("example");
  const Shown shown = example.shown(profile);
  CellCounts cells;
  Program program;
  State expected, actual;
  std::uint64_t index = 0, slots = 0, wrong = 0;
  for (auto _ : state) {
    generate(kSeed, index++, mix, program);
    execute(program, semantics, expected);
    const Outcome outcome = example.run(program, actual);
    const bool ran = std::holds_alternative<Ran>(outcome);
    wrong += ran && agrees(program, semantics, expected, actual, shown) ? 0 : 1;
    cells.add(program, readings);
    slots += slots_of(program);
  }
  if (wrong > 0) state.SkipWithError("the two implementations differ");
  write_counters(state, slots);
}

/// Adds a benchmark for each profile and each family of instructions that the profile offers.
[[maybe_unused]] const bool registered = [] {
  for (const Profile profile : kEveryProfile)
    for (std::size_t n = 0; n < kFamilies; ++n) {
      const auto family = static_cast<Family>(n);
      const bool has =
          family == Family::any || std::ranges::any_of(instruction_table(), [&](const Row& row) {
            return row.in(profile).offered && row.mask != MaskUse::is_mask_state && row.family == family;
          });
      const std::string name =
          std::string("WholePipeline/").append(row_of(profile).name).append("/").append(kFamilyNames[n]);
      if (has)
        benchmark::RegisterBenchmark(
            name.c_str(), [=](benchmark::State& state) { whole_pipeline(state, profile, family); });
    }
  return true;
}();

void Generate(benchmark::State& state) {
  Program program;
  std::uint64_t index = 0, slots = 0;
  for (auto _ : state) {
    generate(kSeed, index++, bench_mix(), program);
    slots += slots_of(program);
  }
  write_counters(state, slots);
}
BENCHMARK(Generate);

template <class Part>
void over_kept(benchmark::State& state, Part part) {
  std::size_t n = 0;
  std::uint64_t slots = 0;
  for (auto _ : state) {
    const Program& program = kept()[n++ % kKept];
    part(program);
    slots += slots_of(program);
  }
  write_counters(state, slots);
}

void Oracle(benchmark::State& state) {
  State result;
  const Semantics semantics;
  over_kept(state, [&](const Program& program) { execute(program, semantics, result); });
}
BENCHMARK(Oracle);

void ExampleSimulator(benchmark::State& state) {
  State result;
  over_kept(state, [&](const Program& program) { simulator::run(program, result); });
}
BENCHMARK(ExampleSimulator);

void Legality(benchmark::State& state) {
  over_kept(state, [&](const Program& program) { benchmark::DoNotOptimize(find_fault(program)); });
}
BENCHMARK(Legality);

void ExampleLegality(benchmark::State& state) {
  over_kept(state, [&](const Program& program) { benchmark::DoNotOptimize(simulator::refusal(program)); });
}
BENCHMARK(ExampleLegality);

void Coverage(benchmark::State& state) {
  CellCounts cells;
  over_kept(state, [&](const Program& program) { cells.add(program, Readings{}); });
}
BENCHMARK(Coverage);

/// The baseline: copy a program's UB once and compare it once.
void MemcpyMemcmp(benchmark::State& state) {
  std::vector<std::byte> copy(kMaxUbBytes);
  over_kept(state, [&](const Program& program) {
    std::memcpy(copy.data(), program.ub.data(), program.ub.size());
    benchmark::DoNotOptimize(std::memcmp(copy.data(), program.ub.data(), program.ub.size()));
  });
}
BENCHMARK(MemcpyMemcmp);

}  // namespace
}  // namespace lanecheck

BENCHMARK_MAIN();
