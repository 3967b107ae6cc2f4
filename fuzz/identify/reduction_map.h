// Measures a reduction: what a masked-off element acts like, and what a result does whose lanes are all off.
#pragma once

#include "fuzz/identify/probe.h"

namespace lanecheck {

struct ReductionMap {
  /// What masked-off elements act like, if that shows in a result. Nothing is documented: they never win.
  std::optional<std::uint64_t> neutral;
  bool takes_in_masked_off = false;         ///< no mask that leaves a lane on changes a result
  bool writes_empty = false;                ///< a result whose lanes are all off is written
  bool keeps_others = false;                ///< a result with a lane that is on is not written
  std::vector<std::uint64_t> empty_values;  ///< what is written into results whose lanes are all off
};

bool has_reduction_probes(const Row& row);
Measured<ReductionMap> measure_reduction(const Subject& subject, const Ask& ask);
std::vector<Difference> reduction_differences(const Subject& subject, const ReductionMap& measured,
                                              const ReductionMap& documented);

}  // namespace lanecheck
