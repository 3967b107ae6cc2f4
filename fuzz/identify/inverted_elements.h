// A reduction that counts the elements whose slot is 0. Its results under a full mask are wrong, so that the
// probes of reduction_map.h mean nothing.
#pragma once

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// Empty if the inverted mask does not give every byte of trials with scattered data.
std::vector<Difference> inverted_elements(const Subject& subject, const Ask& ask);

}  // namespace lanecheck
