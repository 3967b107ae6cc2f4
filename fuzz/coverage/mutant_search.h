// The search for the first generated case on which a mutant leaves what the documents forbid under every
// reading that they leave open.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "fuzz/generate/generate.h"
#include "oracle/mutants/mutant.h"
#include "spec/legality/legality_rule.h"
#include "spec/program/reading.h"

namespace lanecheck {

struct CaughtMutant {
  std::uint64_t cases;  ///< how many were tried; the last one caught the mutant
  Program program;
  std::string reading = {};  ///< the open reading that allows what the mutant does on every case; else empty
};

/// Tries the cases 0 .. `most_cases` - 1 of `seed`, with the readings that a user has: all that the profile
/// leaves open. If some reading allows each case on which the mutant differs, the first of them comes with
/// its reading. Nothing if the mutant never differs.
std::optional<CaughtMutant> catch_mutant(const Mutant& mutant, const Readings& readings, const Mix& mix,
                                         std::uint64_t seed, std::uint64_t most_cases);

/// The same for the mutant that does not refuse what breaks `rule`: the first program at the edge that breaks
/// it under every open reading, or the first that breaks it at all, with the reading that allows it.
std::optional<CaughtMutant> break_rule(const LegalityRule& rule, const Mix& mix, std::uint64_t seed,
                                       std::uint64_t most_cases);

}  // namespace lanecheck
