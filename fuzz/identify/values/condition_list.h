// What can be said of one result: its operands, its scalar, its documented value, its lane and repeat.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fuzz/identify/values/value_conditions.h"

namespace lanecheck {

struct Condition {
  std::string of;    ///< "src0"
  std::string what;  ///< "is negative"
  std::function<bool(const JudgedResult&)> holds;
  bool is_mode = false;

  std::string text() const { return of + " " + what; }
};

/// The conditions of an instruction; limits of numbers and sets of lanes and repeats are those of the wrong
/// results.
std::vector<Condition> conditions_of(const std::vector<JudgedResult>& results);

}  // namespace lanecheck
