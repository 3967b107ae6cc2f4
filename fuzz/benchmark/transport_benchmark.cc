// The cost of a backend that lives outside this process. A small case is one instruction on a UB of 4 KiB, so
// 4 KiB travel in each direction. The per-case pipeline is oracle, backend and comparison. Every row gives
// its rate as a ratio to the pipeline inside this process, measured in the same run. Arguments that are not
// benchmark options name further backends to measure, for example 'cmd: python3 example_simulator.py'.
#include <benchmark/benchmark.h>

#include <iostream>
#include <memory>

#include "fuzz/backend/stopwatch.h"
#include "fuzz/generate/generate.h"
#include "fuzz/run/find_backend.h"
#include "oracle/compare/compare.h"
#include "oracle/execute/execute.h"

namespace lanecheck {
namespace {

constexpr std::size_t kBatch = 64, kUbBytes = 4096;

/// `count` drawn programs with one instruction that computes, on a UB of 4 KiB.
std::vector<Program> small_programs(std::size_t count) {
  Mix mix;
  mix.with_boundaries = false;
  mix.most_instructions = 1;
  std::vector<Program> programs;
  Program program;
  for (std::uint64_t index = 0; programs.size() < count; ++index) {
    generate(1, index, mix, program);
    if (program.ub.size() > kUbBytes) continue;
    program.ub.resize(kUbBytes);
    programs.push_back(program);
  }
  return programs;
}

std::vector<Program> drawn_programs(std::size_t count) {
  Mix mix;
  mix.with_boundaries = false;
  mix.most_instructions = 8;
  std::vector<Program> programs(count);
  for (std::size_t n = 0; n < count; ++n) generate(1, n, mix, programs[n]);
  return programs;
}

/// Runs oracle, backend and comparison for one batch after the other.
class Pipeline {
 public:
  Pipeline(Backend backend, const std::vector<Program>& programs)
      : backend_(std::move(backend)),
        programs_(programs),
        expected_(kBatch),
        actual_(kBatch),
        outcomes_(kBatch) {}

  void run_batch() {
    const std::span programs(programs_.data() + at_, kBatch);
    at_ = (at_ + kBatch) % (programs_.size() - kBatch + 1);
    for (std::size_t n = 0; n < kBatch; ++n) execute(programs[n], documented_, expected_[n]);
    run_all(backend_, {programs, actual_, outcomes_});
    for (std::size_t n = 0; n < kBatch; ++n) {
      if (std::holds_alternative<Skipped>(outcomes_[n])) continue;
      if (!std::holds_alternative<Ran>(outcomes_[n]) ||
          !agrees(programs[n], documented_, expected_[n], actual_[n], true))
        ++wrong_;
    }
  }
  std::size_t wrong() const { return wrong_; }

 private:
  Backend backend_;
  const std::vector<Program>& programs_;
  Semantics documented_;
  std::vector<State> expected_, actual_;
  std::vector<Outcome> outcomes_;
  std::size_t at_ = 0, wrong_ = 0;
};

double seconds_of(Pipeline& pipeline) {
  const Stopwatch watch;
  pipeline.run_batch();
  return watch.seconds();
}

/// Measures both pipelines in turn, so that other load on the machine affects both.
void compare_pipelines(benchmark::State& state, const std::string& name,
                       const std::vector<Program>& programs) {
  Pipeline here(find_backend("example"), programs);
  std::unique_ptr<Pipeline> there;
  try {
    there = std::make_unique<Pipeline>(find_backend(name), programs);
  } catch (const std::exception& error) {
    state.SkipWithError(error.what());
    return;
  }
  for (int n = 0; n < 12; ++n) {  // because the batches of an attached backend grow
    there->run_batch();
    here.run_batch();
  }
  double own = 0, attached = 0;
  for (auto _ : state) {
    own += seconds_of(here);
    const double seconds = seconds_of(*there);
    attached += seconds;
    state.SetIterationTime(seconds);
  }
  if (here.wrong() + there->wrong() > 0) state.SkipWithError("results differ");
  const auto cases = static_cast<double>(state.iterations()) * kBatch;
  state.counters["cases/s"] = cases / attached;
  state.counters["in-process cases/s"] = cases / own;
  state.counters["ratio"] = own / attached;
}

void add_rows(const std::string& title, const std::string& backend) {
  static const std::vector<Program> small = small_programs(1024), drawn = drawn_programs(1024);
  for (const auto& [mix, programs] :
       {std::pair{"4 KiB, 1 instruction", &small}, std::pair{"drawn, 1 to 8", &drawn}})
    benchmark::RegisterBenchmark(
        (title + " / " + mix).c_str(),
        [backend, list = programs](benchmark::State& state) { compare_pipelines(state, backend, *list); })
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
}

}  // namespace
}  // namespace lanecheck

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  using lanecheck::add_rows;
  add_rows("plug-in in a worker", "plugin:" LANECHECK_EXAMPLE_PLUGIN);
  add_rows("C++ child, bytes", "cmd: '" LANECHECK_BINARY "' serve");
  add_rows("C++ child, hex lines", "cmd: '" LANECHECK_BINARY "' serve --hex-only");
  for (int n = 1; n < argc; ++n) add_rows(argv[n], argv[n]);
  benchmark::RunSpecifiedBenchmarks();
}
