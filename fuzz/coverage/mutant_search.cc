#include "fuzz/coverage/mutant_search.h"

#include <algorithm>

#include "fuzz/generate/edge.h"
#include "oracle/compare/compare.h"
#include "oracle/execute/execute.h"
#include "oracle/mutants/blame.h"
#include "spec/legality/find_fault.h"
#include "spec/program/profile.h"

namespace lanecheck {

std::optional<CaughtMutant> catch_mutant(const Mutant& mutant, const Readings& readings, const Mix& mix,
                                         std::uint64_t seed, std::uint64_t most_cases) {
  const Semantics documented(readings), mutated = mutant.semantics(readings);
  const bool shown = row_of(mix.profile).shows_mask;
  std::vector<Hypothesis> open = hypotheses(mix.profile, readings, {});
  std::erase_if(open, [](const Hypothesis& each) { return each.is_wrong(); });
  std::optional<CaughtMutant> as_reading;
  Program program;
  State expected, actual;
  for (std::uint64_t index = 0; index < most_cases; ++index) {
    generate(seed, index, mix, program);
    execute(program, documented, expected);
    execute(program, mutated, actual);
    if (agrees(program, documented, expected, actual, shown)) continue;
    const auto allowed = std::ranges::find_if(
        open, [&](const Hypothesis& each) { return explains(each, program, actual, shown); });
    if (allowed == open.end()) return CaughtMutant{index + 1, std::move(program)};
    if (!as_reading) as_reading = CaughtMutant{index + 1, program, allowed->id};
  }
  return as_reading;
}

namespace {

/// The open reading under which the program is legal, as "reading=option"; "" if no reading allows it.
std::string reading_that_allows(const Program& program) {
  for (const Reading& reading : readings()) {
    if (reading.decides != Decides::legality || !reading.open_in(program.profile)) continue;
    for (unsigned option = 0; option < reading.options.size(); ++option) {
      Readings other = default_readings(program.profile);
      reading.set(other, option);
      if (find_fault(program, other)) continue;
      return std::string(reading.id) + '=' + std::string(reading.options[option].name);
    }
  }
  return {};
}

}  // namespace

std::optional<CaughtMutant> break_rule(const LegalityRule& rule, const Mix& mix, std::uint64_t seed,
                                       std::uint64_t most_cases) {
  std::optional<CaughtMutant> as_reading;
  Program program;
  for (std::uint64_t index = 0; index < most_cases; ++index) {
    const EdgeCase edge = generate_at_edge(seed, index, mix, program);
    if (!edge.outside || edge.rule != &rule) continue;
    std::string allowed = reading_that_allows(program);
    if (allowed.empty()) return CaughtMutant{index + 1, std::move(program)};
    if (!as_reading) as_reading = CaughtMutant{index + 1, program, std::move(allowed)};
  }
  return as_reading;
}

}  // namespace lanecheck
