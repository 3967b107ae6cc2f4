// The programs of an exam that a machine has to refuse, or has to refuse under one option of a reading. They
// tell what no byte of UB shows: whether a machine knows what a rule of legality forbids.
#pragma once

#include <string>
#include <vector>

#include "fuzz/exam/goals.h"
#include "fuzz/generate/edge.h"

namespace lanecheck {

struct RefusalOptions {
  std::uint64_t seed = 1;
  Mix mix;
  unsigned times = 1;      ///< how many programs there should be for each rule and each pair of options
  std::size_t room = 100;  ///< at most so many programs
  BeforeStep before = {};  ///< leaves out the instructions that the machine lacks
};

/// How a rule of legality fared.
struct RuleResult {
  const LegalityRule* rule = nullptr;
  unsigned programs = 0;     ///< that break this rule, whatever the open readings say
  std::string reading = {};  ///< if there are none: the option that allows what the rule forbids
  bool left_out = false;     ///< programs were found, but there was no room for them
};

/// How a pair of options fared that differs in what is legal alone.
struct PairResult {
  std::size_t goal = 0;   ///< index in Goals::list
  unsigned programs = 0;  ///< that one option forbids and the other allows
  bool left_out = false;
};

struct Refusals {
  std::vector<Program> programs;
  std::vector<RuleResult> rules;  ///< every rule of the profile
  std::vector<PairResult> pairs;
};

/// Small programs, each just outside of one rule; then programs that one option of a reading forbids and
/// another allows.
Refusals find_refusals(const Goals& goals, const RefusalOptions& options);

}  // namespace lanecheck
