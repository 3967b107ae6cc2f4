// Minimization through a RapidCheck shrink tree, in the domain's own directions: fewer instructions, fewer
// repeats, contiguous strides, fewer masked-off slots, simpler data, less UB.
#pragma once

#include <functional>

#include "spec/program/program.h"
#include "spec/program/reading.h"

namespace lanecheck {

struct Minimized {
  Program program;
  unsigned tries = 0;     ///< candidates that `still` was asked about
  bool complete = false;  ///< no single step makes it smaller (false: the budget ran out)
};

using ProgramTest = std::function<bool(const Program&)>;

/// Is a program legal under these readings?
ProgramTest legal_under(const Readings& readings);

/// `still(candidate)`: does the candidate show the same fault? Only candidates that are `allowed` are
/// offered.
Minimized minimize(const Program& program, const ProgramTest& allowed, const ProgramTest& still,
                   unsigned most_tries = 20000);

}  // namespace lanecheck
