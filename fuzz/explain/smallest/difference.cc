#include "fuzz/explain/smallest/difference.h"

#include <algorithm>
#include <utility>

#include "fuzz/explain/smallest/minimize.h"
#include "fuzz/generate/edge.h"
#include "oracle/compare/compare.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"

namespace lanecheck {
namespace {

constexpr std::uint64_t kMostDrawn = 150'000, kMostAtEdge = 6'000;
/// After the first program that differs, minimization starts from others too: it does not always lead to the
/// smallest one.
constexpr std::uint64_t kMoreDrawn = 10'000;
constexpr unsigned kMostMinimized = 12;

/// What a reader must follow: how many instructions, and how many repeats of them.
std::pair<std::size_t, std::uint64_t> size_of_program(const Program& program) {
  std::uint64_t repeats = 0;
  for (const Instruction& insn : program.instructions) repeats += std::max(insn.repeat, 1u);
  return {program.instructions.size(), repeats};
}

/// A program that is legal under both readings and ends in different states.
std::optional<Program> by_outcome(std::uint64_t seed, const Mix& mix, const Readings& one,
                                  const Readings& other, const Capabilities& offers,
                                  const std::function<bool()>& stop) {
  const Semantics semantics(one), believed(other);
  const auto differ = [&](const Program& program) {
    State state;
    execute(program, believed, state);
    return !agrees(program, semantics, state, true);
  };
  const auto legal = [&](const Program& candidate) {
    return !find_fault(candidate, one) && !find_fault(candidate, other);
  };
  std::optional<Program> smallest;
  Program program;
  std::uint64_t end = kMostDrawn;
  unsigned minimized = 0;
  for (std::uint64_t index = 0; index < end && minimized < kMostMinimized; ++index) {
    if (stop && index % 64 == 0 && stop()) return {};
    generate(seed, index, mix, program);
    const bool reduced = !restrict_to(offers, program).empty();
    if ((reduced && find_fault(program, one)) || !differ(program) || find_fault(program, other)) continue;
    if (!smallest) end = std::min(end, index + kMoreDrawn);
    ++minimized;
    Program found = minimize(program, legal, differ).program;
    if (!smallest || size_of_program(found) < size_of_program(*smallest)) smallest = std::move(found);
  }
  return smallest;
}

/// A program that is legal under one of the two readings only.
std::optional<Program> by_legality(std::uint64_t seed, const Mix& mix, const Readings& one,
                                   const Readings& other, const Capabilities& offers,
                                   const std::function<bool()>& stop) {
  const auto differ = [&](const Program& program) {
    return find_fault(program, one).has_value() != find_fault(program, other).has_value();
  };
  Program program;
  for (std::uint64_t index = 0; index < kMostAtEdge; ++index) {
    if (stop && index % 64 == 0 && stop()) return {};
    generate_at_edge(seed, index, mix, program);
    if (!offers.include_all_of(program) || !differ(program)) continue;
    return minimize(program, differ, [](const Program&) { return true; }).program;
  }
  return {};
}

}  // namespace

std::optional<Program> smallest_difference(std::uint64_t seed, Mix mix, const Readings& one,
                                           const Readings& other, const Capabilities& offers,
                                           const std::function<bool()>& stop) {
  mix.with_boundaries = false;
  return differ_in(Decides::legality, one, other) ? by_legality(seed, mix, one, other, offers, stop)
                                                  : by_outcome(seed, mix, one, other, offers, stop);
}

}  // namespace lanecheck
