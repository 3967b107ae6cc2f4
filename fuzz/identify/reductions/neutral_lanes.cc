#include "fuzz/identify/reductions/neutral_lanes.h"

#include <algorithm>

#include "fuzz/identify/probes/intervals.h"
#include "fuzz/identify/probes/reduction_map.h"
#include "fuzz/identify/probes/shapes.h"
#include "spec/legality/find_fault.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

/// Lanes `lanes` of every group.
std::vector<unsigned> of_all_groups(const Subject& subject, const std::vector<unsigned>& lanes) {
  std::vector<unsigned> all;
  for (unsigned group = 0; group < results_per_repeat(subject.insn); ++group)
    for (const unsigned lane : lanes) all.push_back(group * group_size(subject.insn) + lane);
  return all;
}

/// Those of lanes `lanes` of every group that act like `neutral`: each is off alone in its group, and all
/// elements are `data`.
std::vector<unsigned> lanes_that_act(const Subject& given, std::uint64_t neutral, std::uint64_t data,
                                     const std::vector<unsigned>& lanes, const Ask& ask) {
  const Subject subject = in_a_row(given, 1);
  const Instruction& insn = subject.insn;
  const auto layout = lay_out(subject);
  if (!layout) return {};
  const MaskWords full = full_mask(subject);
  std::vector<Program> programs;
  for (const unsigned lane : lanes) {
    const MaskWords one = one_of_each_group(subject, lane);
    auto program = probe_program(subject, *layout, {full.high & ~one.high, full.low & ~one.low});
    if (!program || find_fault(*program)) return {};
    fill_region(*program, layout->regions[1], insn.src_type, data);
    programs.push_back(*std::move(program));
  }
  const Answers answers = ask_all(ask, programs);
  if (!answers.why_not.empty()) return {};
  const Region& dst = layout->regions[0];
  std::vector<unsigned> acting;
  for (unsigned group = 0; group < results_per_repeat(insn); ++group)
    for (std::size_t n = 0; n < lanes.size(); ++n)
      if (get_element(answers.states[n].ub, dst, insn.dst_type,
                      dst.margin / size_of(insn.dst_type) + group) == neutral)
        acting.push_back(group * group_size(insn) + lanes[n]);
  return acting;
}

}  // namespace

void say_neutral_lanes(const Subject& subject, std::uint64_t neutral, const Ask& ask,
                       Difference& difference) {
  const unsigned size = group_size(subject.insn);
  const Element type = subject.insn.src_type;
  const std::vector<unsigned> some = {0, size / 2, size - 1};
  std::vector<unsigned> all;
  for (unsigned lane = 0; lane < size; ++lane) all.push_back(lane);
  const bool lowest = row_of(subject.insn.op).neutral == Neutral::lowest;
  const double losing = is_extreme(row_of(subject.insn.op)) ? (lowest ? -1e300 : 1e300) : 0;
  const std::uint64_t data = nearest(type, losing);
  if (lanes_that_act(subject, neutral, data, some, ask) == of_all_groups(subject, some)) return;
  const auto acting = lanes_that_act(subject, neutral, data, all, ask);
  if (acting == of_all_groups(subject, all)) return;
  difference.general.clear();
  if (acting.empty()) {
    difference.what += ", but not where one element alone is off";
    return;
  }
  difference.what += ", if it is in " + counted_noun("lane", acting);
}

}  // namespace lanecheck
