// The search for the first generated case on which a mutant leaves what the documents forbid.
#pragma once

#include <cstdint>
#include <optional>

#include "fuzz/generate/generate.h"
#include "oracle/mutants/mutant.h"
#include "spec/legality/legality_rule.h"
#include "spec/program/reading.h"

namespace lanecheck {

struct CaughtMutant {
  std::uint64_t cases;  ///< how many were tried; the last one caught the mutant
  Program program;
};

/// Tries the cases 0 .. `most_cases` - 1 of `seed`. Nothing if none of them catches the mutant.
std::optional<CaughtMutant> catch_mutant(const Mutant& mutant, const Readings& readings, const Mix& mix,
                                         std::uint64_t seed, std::uint64_t most_cases);

/// The same for the mutant that does not refuse what breaks `rule`: the first program at the edge that breaks
/// it.
std::optional<CaughtMutant> break_rule(const LegalityRule& rule, const Mix& mix, std::uint64_t seed,
                                       std::uint64_t most_cases);

}  // namespace lanecheck
