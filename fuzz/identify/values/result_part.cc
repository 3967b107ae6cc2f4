#include "fuzz/identify/values/result_part.h"

#include <algorithm>
#include <iterator>

#include "fuzz/identify/probes/gate_law.h"
#include "fuzz/identify/probes/intervals.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace {

/// The places that wrong results have, if there are others too.
std::vector<unsigned> wrong_places(const std::vector<JudgedResult>& results, unsigned count,
                                   const std::function<unsigned(std::uint32_t)>& place) {
  std::vector<unsigned> wrong;
  for (const JudgedResult& each : results)
    if (each.is_wrong) wrong.push_back(place(each.number));
  wrong = sorted_unique(std::move(wrong));
  if (wrong.size() == count) wrong.clear();
  return wrong;
}

}  // namespace

std::vector<ResultPart> parts_with_wrong_results(const std::vector<JudgedResult>& results) {
  const Instruction& insn = results.front().program->instructions.back();
  const bool compares = row_of(insn.op).compares;
  const bool of_lanes = compares || has_result_of_each_lane(insn);
  const unsigned in_repeat = of_lanes ? lanes_of(insn) : results_per_repeat(insn), count = repeats_of(insn);
  std::vector<ResultPart> parts;
  const auto in_repeats =
      wrong_places(results, count, [=](std::uint32_t number) { return number / in_repeat; });
  if (!in_repeats.empty()) {
    const RepeatLaw law = repeat_law(in_repeats, count);
    if (law.kind != RepeatLaw::Kind::listed)
      parts.push_back(
          {law.text(), [=](std::uint32_t number) { return law.holds(number / in_repeat, count); }});
  }
  const auto in_lanes =
      wrong_places(results, in_repeat, [=](std::uint32_t number) { return number % in_repeat; });
  if (!compares && !in_lanes.empty() && 2 * in_lanes.size() <= in_repeat)
    parts.push_back(
        {"in " + counted_noun(of_lanes ? "lane" : "result", in_lanes) + (of_lanes ? "" : " of a repeat"),
         [=](std::uint32_t number) {
           return std::ranges::find(in_lanes, number % in_repeat) != in_lanes.end();
         }});
  return parts;
}

std::vector<JudgedResult> results_in(const ResultPart& part, const std::vector<JudgedResult>& results) {
  std::vector<JudgedResult> kept;
  std::ranges::copy_if(results, std::back_inserter(kept),
                       [&](const JudgedResult& each) { return part.has(each.number); });
  return kept;
}

}  // namespace lanecheck
