// The nearest program that passes: the minimized program of a finding with one thing changed.
#pragma once

#include <string>
#include <vector>

#include "fuzz/explain/suspects.h"
#include "reports/report.h"

namespace lanecheck {

struct Neighbour {
  std::string change;  ///< "with bit 1 of low set"
  Program program;
};

/// The programs one step away from the finding's, those closest to its cause first: a mask bit, a repeat
/// time, a stride, the element types, a number, an instruction less, the data. Some are illegal.
std::vector<Neighbour> neighbours(const Finding& finding);

/// The change after which the backend was asked and conformed. Empty if no change of those asked did it.
std::string passing_change(const Finding& finding, const Hypothesis* suspect, AskedBackend& asked,
                           const Documented& documented);

}  // namespace lanecheck
