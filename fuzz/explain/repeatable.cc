#include "fuzz/explain/repeatable.h"

#include "oracle/compare/compare.h"
#include "spec/legality/find_fault.h"

namespace lanecheck {
namespace {

constexpr unsigned kRounds = 6;

/// The program with other data in all of its allocations.
Program with_data(Program program, unsigned round) {
  std::uint32_t word = 0x9e3779b9U + round;
  for (const Allocation& each : program.allocations)
    for (std::uint32_t n = 0; n < each.bytes; ++n) {
      word = word * 1664525U + 1013904223U;
      program.ub[each.offset + n] = static_cast<std::byte>(word >> 24 & 0x3f);  // no NaN, no large offset
    }
  return program;
}

}  // namespace

bool depends_on_earlier_programs(const Program& program, const AskedBackend& asked) {
  State first, state;
  if (!std::holds_alternative<Ran>(asked.backend().run(program, first))) return false;
  for (unsigned round = 0; round < kRounds; ++round) {
    const Program between = with_data(program, round);
    if (find_fault(between)) return false;
    asked.backend().run(between, state);
    if (!std::holds_alternative<Ran>(asked.backend().run(program, state))) return false;
    if (!identical(first, state, asked.shown())) return true;
  }
  return false;
}

}  // namespace lanecheck
