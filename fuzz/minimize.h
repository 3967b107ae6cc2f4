// Minimization through a RapidCheck shrink tree, in the domain's own directions: fewer instructions, fewer
// repeats, contiguous strides, fewer masked-off slots, simpler data, less UB.
#pragma once

#include <functional>

#include "spec/program.h"
#include "spec/reading.h"

namespace lanecheck {

struct Minimized {
  Program program;
  unsigned tries = 0;     ///< candidates that `still` was asked about
  bool complete = false;  ///< no single step makes it smaller (false: the budget ran out)
};

/// `still(candidate)`: does the candidate show the same fault? Only legal candidates are offered.
Minimized minimize(const Program& program, const Readings& readings,
                   const std::function<bool(const Program&)>& still, unsigned most_tries = 20000);

}  // namespace lanecheck
