// Which results of a reduction are written and which are kept, beside what is documented.
#pragma once

#include "fuzz/identify/probes/reduction_map.h"

namespace lanecheck {

/// What a reduction computes one result of: "repeat", "data block" or "pair".
std::string group_noun(const Subject& subject);

/// Which results are written or kept against the documents, in the repeats where some are. Nothing if all are
/// as documented.
std::optional<Difference> wrong_results(const Subject& subject, ReductionMap measured,
                                        const ReductionMap& documented);

}  // namespace lanecheck
