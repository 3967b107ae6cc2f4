// A program on which the backend does not always do the same: does it depend on the programs before, or on
// chance?
#pragma once

#include "fuzz/explain/over_programs/trigger.h"
#include "reports/report.h"

namespace lanecheck {

/// How many programs asking about one such finding may cost.
inline constexpr unsigned kMostUnstablePrograms = 4000;

/// Is the backend wrong about `program` each of kAsks times in its present process, or with `afresh`, as the
/// first program of a new one? It was wrong about it once already. Costs at most kAsks programs.
bool is_stable(const Program& program, AskAgain& ask, bool afresh);

/// The finding of a program that was wrong in the run (`first`) and is not stable: state-dependent with the
/// programs before it, or random with its rate; or unknown; or stable after all, if it is always wrong when
/// asked again: then the finding says nothing of its cause. With `shrink` the programs become smaller. Costs
/// at most kMostUnstablePrograms programs.
Finding explain_unstable(const Program& program, const BackendAnswer& first, const History& history,
                         AskedBackend& asked, const Documented& documented, bool shrink);

}  // namespace lanecheck
