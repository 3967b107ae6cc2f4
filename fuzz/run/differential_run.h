// Two backends against each other, for users who replace an old simulator by a new one. The oracle does not
// decide what differs. It only says afterwards which of the two results the documents allow.
#pragma once

#include <span>
#include <utility>

#include "fuzz/backend/backend.h"
#include "fuzz/run/options.h"

namespace lanecheck {

/// Runs both backends on the same programs. There is one finding for each instruction on which they differ in
/// more than the documents leave open: there one of them is wrong, or both are. If the documents allow both
/// results (NaN payloads, an ULP, a sum in another order), the case is `undecided` and only counted; with
/// `bitwise` every differing bit is a finding. In the findings, "expected" is what `other` left.
/// `jobs` are further instances of both backends, as for run().
Report run_differential(const RunOptions& options, const Backend& backend, const Backend& other, bool bitwise,
                        const RunHooks& hooks = {}, std::span<const std::pair<Backend, Backend>> jobs = {});

}  // namespace lanecheck
