// A part of all results, of repeats or of lanes, outside of which no result is wrong.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fuzz/identify/values/judge_program.h"

namespace lanecheck {

struct ResultPart {
  std::string where;  ///< "in every repeat after the first", "in lanes 64..127"
  std::function<bool(std::uint32_t number)> has;
};

/// The repeats and the lanes that have all wrong results, if they are not most of them.
std::vector<ResultPart> parts_with_wrong_results(const std::vector<JudgedResult>& results);

std::vector<JudgedResult> results_in(const ResultPart& part, const std::vector<JudgedResult>& results);

}  // namespace lanecheck
