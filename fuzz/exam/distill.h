// Chooses the programs of an exam: a greedy cover of the goals by generated cases, and programs that must be
// refused.
#pragma once

#include "fuzz/exam/exam.h"
#include "fuzz/exam/goals.h"
#include "fuzz/exam/refusals.h"
#include "fuzz/generate/generate.h"

namespace lanecheck {

struct DistillOptions {
  std::uint64_t seed = 1;
  Mix mix;
  std::size_t programs = 100;        ///< at most
  unsigned times = 1;                ///< how many programs should tell each goal apart
  std::vector<Op> only = {};         ///< the instructions that the machine has; empty: all
  bool for_easyasc = false;          ///< only instructions that easyasc has a function for
  bool refusals = true;              ///< also programs that a machine must refuse
  std::uint64_t most_cases = 5'000;  ///< that are tried for a goal which no program tells apart
};

/// How a goal fared.
struct GoalResult {
  unsigned programs = 0;  ///< of the exam that tell it apart
  std::string reading;    ///< of a mutant: the option that allows what it does, if that is why there are none
  bool is_allowed = false;  ///< of a pair: one option allows what the other leaves
  bool left_out = false;    ///< further programs were found, but there was no room for them
};

struct Distilled {
  Exam exam;
  std::vector<GoalResult> goals;  ///< in the order of Goals::list
  std::vector<RuleResult> rules;  ///< every rule of legality of the profile
};

/// The same seed gives the same exam.
Distilled distill(const Goals& goals, const DistillOptions& options);

}  // namespace lanecheck
