// Values under a full mask, asked if all maps are as documented: which results are wrong, and what explains
// all of them.
#pragma once

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

bool has_value_probes(const Row& row);

/// One sentence, or nothing if all values are allowed. A relation is named only if it holds for every probed
/// input; else the sentence is an example.
std::vector<Difference> value_differences(const Subject& subject, const Ask& ask);

/// The mistake that gives all results, or all of some repeats or lanes; nothing if no mistake by name does.
std::optional<Difference> value_law(const Subject& subject, const Ask& ask);
/// Is one of these results wrong, whether a law is found or not?
bool any_wrong_value(const Subject& subject, const Ask& ask);

/// The same for a mistake in the scalar alone.
std::optional<Difference> scalar_law(const Subject& subject, const Ask& ask);

/// Of an instruction that the mask gates: how active lanes are wrong under a mask with gaps, if they are
/// right under a full one. Nothing if they are right, or wrong under both.
std::optional<Difference> values_under_gaps(const Subject& subject, const Ask& ask);

/// What is said if nothing more is known of a wrong function.
Difference another_function(const Instruction& insn);

}  // namespace lanecheck
