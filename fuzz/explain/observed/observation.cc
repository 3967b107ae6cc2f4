#include "fuzz/explain/observed/observation.h"

#include <algorithm>

#include "fuzz/explain/questions/variation.h"

namespace lanecheck {
namespace {

/// May several lanes write to one place? Then a row stands for the first of them only.
bool shares_places(const std::vector<LaneRow>& lanes) {
  unsigned repeats = 0, per_repeat = 0;
  for (const LaneRow& lane : lanes) {
    repeats = std::max(repeats, lane.repeat + 1);
    per_repeat = std::max(per_repeat, lane.lane + 1);
  }
  return lanes.size() != std::size_t{repeats} * per_repeat;
}

/// Is the element written in no case? If it is written, its expected value may be its old one by chance.
bool must_stay(const Finding& finding, const LaneRow& lane, const Semantics& semantics) {
  if (lane.expected != lane.old_bits) return false;
  const Row& row = row_of(finding.program.instructions[finding.instruction].op);
  const auto op = static_cast<std::size_t>(finding.program.instructions[finding.instruction].op);
  switch (semantics.use[op]) {
    case MaskUse::gates_writeback:
      return !lane.active;
    case MaskUse::neutral_source:
      return !lane.active && semantics.empty[op] == EmptyResult::keeps_dst;
    case MaskUse::ignores:
      return row.compacts;
    case MaskUse::is_mask_state:
      return true;
  }
  return true;
}

/// How many lanes are wrong, by what they show.
struct Tally {
  unsigned wrong = 0;
  unsigned stayed = 0;   ///< must change, and hold their old value
  unsigned changed = 0;  ///< must hold their old value, and do not
  unsigned others = 0;   ///< hold another value than they must, which shows nothing more

  Tally(const Finding& finding, const Semantics& semantics) {
    const bool in_place =
        !finding.lanes.empty() && works_in_place(finding.program.instructions[finding.instruction]);
    for (const LaneRow& lane : finding.lanes) {
      if (lane.agrees) continue;
      ++wrong;
      if (must_stay(finding, lane, semantics))
        ++changed;
      else
        ++(lane.actual == lane.old_bits && !in_place ? stayed : others);
    }
  }
};

/// Do all wrong lanes satisfy `has`, of those that satisfy `of`?
template <class Of, class Has>
bool all_wrong(const std::vector<LaneRow>& lanes, Of of, Has has) {
  return std::ranges::all_of(lanes,
                             [&](const LaneRow& lane) { return lane.agrees || !of(lane) || has(lane); });
}

/// If exactly the last repeats are left out: how many. Else 0. All wrong lanes hold their old value.
unsigned repeats_left_out(const std::vector<LaneRow>& lanes) {
  unsigned last = 0, first_wrong = ~0u;
  for (const LaneRow& lane : lanes) {
    last = std::max(last, lane.repeat);
    if (!lane.agrees) first_wrong = std::min(first_wrong, lane.repeat);
  }
  bool written_before = false;
  for (const LaneRow& lane : lanes) {
    if (lane.expected == lane.old_bits) continue;
    if (lane.repeat >= first_wrong && lane.agrees) return 0;
    written_before |= lane.repeat < first_wrong;
  }
  return written_before && first_wrong <= last ? last - first_wrong + 1 : 0;
}

/// The words for the elements of dst that an instruction must write, or must leave.
struct Words {
  std::string_view changed_kind, changed, stayed_kind, stayed;
  Matter matter;
};

constexpr Words kGated = {"writes-masked-off", "writes lanes that are masked off", "leaves-active",
                          "leaves active lanes unwritten", Matter::mask};
constexpr Words kReduces = {"writes-empty", "writes results that have no active lane", "leaves-result",
                            "leaves results unwritten that have active lanes", Matter::mask};
constexpr Words kWritesEmpty = {"changes-elements", "changes elements of dst that must stay as they are",
                                "leaves-empty", "leaves results unwritten that have no active lane",
                                Matter::mask};
constexpr Words kPlain = {"changes-elements", "changes elements of dst that must stay as they are",
                          "leaves-elements", "leaves elements of dst unwritten", Matter::unexplained};

/// The words that are true of the wrong lanes.
const Words& words_for(const Finding& finding, const Semantics& semantics) {
  if (finding.lanes.empty() || shares_places(finding.lanes)) return kPlain;
  const auto op = static_cast<std::size_t>(finding.program.instructions[finding.instruction].op);
  const auto changed = [&](const LaneRow& lane) { return must_stay(finding, lane, semantics); };
  const auto stayed = [](const LaneRow& lane) {
    return lane.expected != lane.old_bits && lane.actual == lane.old_bits;
  };
  const auto active = [](const LaneRow& lane) { return lane.active; };
  const auto off = [](const LaneRow& lane) { return !lane.active; };
  const bool active_stay = all_wrong(finding.lanes, stayed, active);
  if (!all_wrong(finding.lanes, changed, off)) return kPlain;
  if (semantics.use[op] == MaskUse::gates_writeback) return active_stay ? kGated : kPlain;
  if (semantics.use[op] != MaskUse::neutral_source) return kPlain;
  if (active_stay) return kReduces;
  return all_wrong(finding.lanes, stayed, off) ? kWritesEmpty : kPlain;
}

void add(Observation& seen, std::string_view kind, std::string_view what) {
  if (!seen.kind.empty()) seen.kind += "-and-";
  if (!seen.what.empty()) seen.what += ", and ";
  seen.kind += kind;
  seen.what += what;
}

/// The last repeats are missing, and nothing else is wrong.
bool add_left_out(Observation& seen, const Finding& finding, const Tally& tally) {
  if (tally.stayed != tally.wrong || !finding.outside.empty() || shares_places(finding.lanes)) return false;
  const unsigned left_out = repeats_left_out(finding.lanes);
  if (left_out == 0) return false;
  add(seen, "leaves-last-repeats",
      left_out == 1 ? "leaves the elements of the last repeat of this program unwritten"
                    : "leaves the elements of the last " + std::to_string(left_out) +
                          " repeats of this program unwritten");
  seen.matter = Matter::address;
  return true;
}

/// Are all wrong bytes outside dst those of the count that a GatherMask returns?
bool only_count_differs(const Finding& finding) {
  const Instruction& insn = finding.program.instructions[finding.instruction];
  const Row& row = row_of(insn.op);
  if (!row.compacts || finding.outside.empty()) return false;
  constexpr std::uint32_t kCountBytes = 8;
  const std::uint32_t begin = start_of(finding.program, insn.operands[row.operands.size() - 1]);
  return std::ranges::all_of(finding.outside, [&](const OutsideByte& each) {
    return each.offset >= begin && each.offset < begin + kCountBytes;
  });
}

/// Other bytes than those between the allocations: a wrong source may be read there.
constexpr std::byte for_dst(std::size_t at) {
  return static_cast<std::byte>(0x35 ^ (at * 7 & 3));
}
constexpr std::byte for_gap(std::size_t at) {
  return static_cast<std::byte>(0x4a ^ (at * 5 & 7));
}

}  // namespace

Program with_other_dst(Program program, bool also_gaps) {
  Instruction& insn = program.instructions.back();
  std::vector<bool> owned(program.ub.size(), false);
  for (const Allocation& each : program.allocations)
    std::fill_n(owned.begin() + each.offset, each.bytes, true);
  for (std::size_t at = 0; at < owned.size(); ++at)
    if (also_gaps && !owned[at]) program.ub[at] = for_gap(at);
  if (works_in_place(insn) && !row_of(insn.op).reads_dst) {
    Allocation apart = program.allocations[insn.operands[0].allocation];
    apart.name += "_apart";
    apart.offset = static_cast<std::uint32_t>(in_whole_blocks(program.ub.size()));
    program.ub.resize(apart.offset + apart.bytes + kBlockBytes);
    insn.operands[0].allocation = static_cast<std::uint16_t>(program.allocations.size());
    program.allocations.push_back(std::move(apart));
  }
  const Allocation& dst = program.allocations[insn.operands[0].allocation];
  for (std::uint32_t n = 0; n < dst.bytes; ++n) program.ub[dst.offset + n] = for_dst(n);
  return program;
}

Observation observe(const Finding& finding, const Semantics& semantics) {
  Observation seen;
  const Tally tally(finding, semantics);
  if (tally.wrong > 0 && add_left_out(seen, finding, tally)) return seen;
  const Words& words = words_for(finding, semantics);
  if (tally.changed > 0) add(seen, words.changed_kind, words.changed);
  if (tally.stayed > 0) add(seen, words.stayed_kind, words.stayed);
  if (tally.changed + tally.stayed > 0) seen.matter = words.matter;
  if (only_count_differs(finding)) {
    add(seen, "returns-count", "returns a wrong count of the elements that it keeps");
    seen.matter = Matter::unexplained;
  } else if (!finding.outside.empty()) {
    add(seen, "writes-outside", "changes bytes of UB outside the elements of dst");
    seen.matter = Matter::address;
  }
  if (tally.others > 0) {
    seen.values_alone = seen.what.empty();
    if (!seen.what.empty()) seen.what += "; other elements hold another value than expected";
    if (seen.values_alone)
      seen.what = words.matter == Matter::mask ? "active lanes hold another value than expected"
                                               : "elements of dst hold another value than expected";
  }
  if (seen.what.empty() && finding.mask_differs) {
    add(seen, "leaves-mask", "leaves another mask or mode");
    seen.matter = Matter::mask;
  }
  if (seen.what.empty()) seen.what = "leaves another state than expected";
  return seen;
}

}  // namespace lanecheck
