// Minimization: a walk down a RapidCheck shrink tree whose edges are the moves of
// fuzz/explain/smallest/moves.h.
#pragma once

#include <functional>

#include "spec/program/program.h"
#include "spec/program/reading.h"

namespace lanecheck {

struct Minimized {
  Program program;
  unsigned tries = 0;     ///< how many candidates were tested with `still`
  bool complete = false;  ///< no single move makes the program smaller; false if the budget ran out
};

using ProgramTest = std::function<bool(const Program&)>;

/// Is a program legal under these readings?
ProgramTest legal_under(const Readings& readings);

inline constexpr unsigned kMostTries = 20000;

/// The smallest program that can be reached from `program`. A candidate is tested only if it is `allowed`,
/// and taken if `still` holds, that is, if it shows the same fault. Ends early if `ends` returns true.
Minimized minimize(const Program& program, const ProgramTest& allowed, const ProgramTest& still,
                   unsigned most_tries = kMostTries, const std::function<bool()>& ends = {});

}  // namespace lanecheck
