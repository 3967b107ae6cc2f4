#include "fuzz/run/mutant_search.h"

#include "fuzz/generate/edge.h"
#include "oracle/compare/compare.h"
#include "oracle/execute/execute.h"
#include "spec/program/profile.h"

namespace lanecheck {

std::optional<CaughtMutant> catch_mutant(const Mutant& mutant, const Readings& readings, const Mix& mix,
                                         std::uint64_t seed, std::uint64_t most_cases) {
  const Semantics documented(readings), mutated = mutant.semantics(readings);
  const bool shown = row_of(mix.profile).shows_mask;
  Program program;
  State expected, actual;
  for (std::uint64_t index = 0; index < most_cases; ++index) {
    generate(seed, index, mix, program);
    execute(program, documented, expected);
    execute(program, mutated, actual);
    if (!identical(expected, actual, shown) && !compare(program, documented, actual, shown).agrees)
      return CaughtMutant{index + 1, std::move(program)};
  }
  return {};
}

std::optional<CaughtMutant> break_rule(const LegalityRule& rule, const Mix& mix, std::uint64_t seed,
                                       std::uint64_t most_cases) {
  Program program;
  for (std::uint64_t index = 0; index < most_cases; ++index) {
    const EdgeCase edge = generate_at_edge(seed, index, mix, program);
    if (edge.outside && edge.rule == &rule) return CaughtMutant{index + 1, std::move(program)};
  }
  return {};
}

}  // namespace lanecheck
