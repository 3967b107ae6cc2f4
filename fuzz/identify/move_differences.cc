#include "fuzz/identify/move_differences.h"

#include <algorithm>
#include <map>

#include "fuzz/identify/index_formula.h"
#include "fuzz/identify/later_repeats.h"
#include "fuzz/identify/measured_strides.h"
#include "fuzz/identify/move_comparison.h"
#include "fuzz/probes/intervals.h"
#include "fuzz/probes/move_map.h"
#include "spec/mask/footprint.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// Lanes of dst are groups of a reduction, blocks or lanes.
std::string_view noun(const Instruction& insn) {
  const Row& row = row_of(insn.op);
  if (row.mask == MaskUse::neutral_source) return "result";
  return row.compares ? "bit" : "lane";
}

/// "data block 7 of each repeat", if the lanes are those of whole data blocks of dst, and not all of them.
std::optional<std::string> as_blocks(const MoveComparison& all, const Where& at) {
  const Instruction& insn = all.insn();
  if (row_of(insn.op).operands[0].walk != Walk::blocks) return {};
  const unsigned per = per_block(insn.dst_type);
  Numbers blocks;
  for (const unsigned lane : at.lanes)
    if (lane % per == 0) blocks.push_back(lane / per);
  if (blocks.empty() || blocks.size() == kRepeatBlocks || blocks.size() * per != at.lanes.size()) return {};
  for (const unsigned lane : at.lanes)
    if (!std::ranges::binary_search(blocks, lane / per)) return {};
  return counted_noun("data block", blocks) + " of " + all.name() + (blocks.size() == 1 ? " is" : " are");
}

std::string these(const MoveComparison& all, const Where& at) {
  const unsigned per = per_block(all.insn().dst_type);
  const auto each = [&](unsigned element) {
    return row_of(all.insn().op).whole_blocks && at.lanes.size() == kRepeatBlocks &&
           std::ranges::all_of(at.lanes, [&](unsigned lane) { return lane % per == element; });
  };
  if (each(0)) return "the first elements of all data blocks of " + all.name();
  if (each(per - 1)) return "the last elements of all data blocks of " + all.name();
  return counted_noun(std::string(noun(all.insn())), at.lanes) + " of " + all.name();
}

Difference missing(const MoveComparison& all, const std::vector<Item>& some) {
  const Where at = where(all, some);
  const unsigned count = repeats_of(all.insn());
  if (some.size() == all.items.size()) return {"dst", all.name() + " writes nothing", {}};
  if (at.whole_repeats) {
    const bool last = at.repeats.size() == 1 && at.repeats[0] + 1 == count;
    return {"dst",
            (last ? "the last repeat of " : counted_noun("repeat", at.repeats) + " (counted from 0) of ") +
                all.name() + (at.repeats.size() == 1 ? " is" : " are") + " left out",
            {}};
  }
  if (const auto blocks = as_blocks(all, at))
    return {"dst", *blocks + " not written", in_repeats(at.repeats, count)};
  return {"dst", these(all, at) + (at.lanes.size() == 1 ? " is" : " are") + " not written",
          in_repeats(at.repeats, count)};
}

/// ", as if the repeat stride counted data blocks of 32 bytes": what may stand behind a wrong distance of
/// repeats, in bytes, if the instruction has a repeat stride for it.
std::string as_if(const MoveComparison& all, std::int32_t distance, std::int32_t documented) {
  const auto stride = static_cast<std::int32_t>(all.insn().operands[0].repeat_stride);
  if (row_of(all.insn().op).operands[0].walk != Walk::results || stride < 2) return {};
  if (distance * stride == documented) return ": they are packed, as if the repeat stride were 1";
  if (distance == stride * static_cast<std::int32_t>(kBlockBytes))
    return ", as if the repeat stride of dst counted data blocks of 32 bytes";
  return {};
}

/// The strides with which dst walks, if every source element belongs to one lane.
std::optional<WrongStrides> strides_of_dst(const MoveComparison& all, const SourceMap& measured) {
  const Walk walk = row_of(all.insn().op).operands[0].walk;
  if (walk != Walk::blocks && walk != Walk::rows) return {};
  std::map<std::int32_t, std::vector<std::int32_t>> places;
  for (std::size_t n = 0; n < measured.sources.size(); ++n)
    if (measured.sources[n] > kAlwaysZero)
      places[measured.sources[n]].push_back(measured.first + static_cast<std::int32_t>(n));
  std::map<std::int32_t, std::size_t> next;
  std::vector<Found> found;
  for (const Item& item : all.items) {
    const auto at = places.find(item.expected);
    if (at == places.end() || next[item.expected] >= at->second.size()) return {};
    found.push_back({item.at.repeat, item.at.lane, at->second[next[item.expected]++]});
  }
  return measured_strides(all.insn(), 0, found);
}

/// "the results of repeat 1 start at byte 32 of dst instead of 16": all results of a repeat lie the same
/// distance from their documented place.
std::optional<std::string> spacing(const MoveComparison& all, const SourceMap& measured) {
  std::map<std::int32_t, std::vector<std::int32_t>> places;  // of each source
  for (std::size_t n = 0; n < measured.sources.size(); ++n)
    if (measured.sources[n] > kAlwaysZero)
      places[measured.sources[n]].push_back(measured.first + static_cast<std::int32_t>(n));
  const unsigned repeats = repeats_of(all.insn());
  std::vector<std::optional<std::int32_t>> starts(repeats);
  std::vector<std::int32_t> documented(repeats);
  for (const Item& item : all.items) {
    const auto found = places.find(item.expected);
    if (found == places.end()) continue;
    if (found->second.size() != 1) return {};
    const std::int32_t moved = found->second[0] - item.unit;
    if (item.at.lane == 0) documented[item.at.repeat] = item.unit;
    if (!starts[item.at.repeat]) starts[item.at.repeat] = moved;
    if (*starts[item.at.repeat] != moved) return {};
  }
  if (repeats < 2 || !starts[0] || !starts[1]) return {};
  const std::int32_t from = *starts[0], step = documented[1] - documented[0], moved = *starts[1] - from;
  for (unsigned r = 0; r < repeats; ++r)
    if (starts[r] && *starts[r] != from + static_cast<std::int32_t>(r) * moved) return {};
  const bool bits = row_of(all.insn().op).operands[0].walk == Walk::bits;
  const std::int32_t size = bits ? 1 : static_cast<std::int32_t>(size_of(all.insn().dst_type));
  const auto bytes = [&](std::int32_t units) {
    return std::to_string(units * size / (bits ? 8 : 1)) + (bits && units % 8 != 0 ? " and a part" : "");
  };
  std::string text;
  if (moved != 0)
    text = "the results of consecutive repeats of " + all.name() + " lie " + bytes(step + moved) +
           " bytes apart instead of " + bytes(step) + as_if(all, (step + moved) * size, step * size);
  if (from != 0)
    text += (text.empty() ? "dst of " + all.name() + " starts " : ", and dst starts ") +
            bytes(std::abs(from)) + " bytes " + (from > 0 ? "later" : "earlier");
  if (text.empty()) return {};
  return text;
}

/// What the places of a source are called.
std::string source_noun(const MoveComparison& all) {
  const Row& row = row_of(all.insn().op);
  const Walk walk = row.operands[all.operand].walk;
  if (walk == Walk::bits) return "bit";
  return walk == Walk::elements ? "element" : "lane";
}

/// A lane of an indexed source is the number of its offset.
std::optional<Lane> source_lane(const MoveComparison& all, const std::map<std::int32_t, Lane>& lanes,
                                std::int32_t place) {
  const Instruction& insn = all.insn();
  const Row& row = row_of(insn.op);
  if (row.operands[all.operand].walk != Walk::indexed) {
    const auto at = lanes.find(place);
    return at == lanes.end() ? std::nullopt : std::optional(at->second);
  }
  if (place < 0) return {};
  const auto element = static_cast<unsigned>(place);
  const unsigned per = row.moves_blocks ? per_block(insn.src_type) : 1;
  const unsigned number = number_of_place(insn, element / per) * per + element % per;
  if (number >= repeats_of(insn) * lanes_of(insn)) return {};
  return Lane{number / lanes_of(insn), number % lanes_of(insn)};
}

/// "lanes 0..127 of gather.f16 use offset lane of repeat 0 instead of their own"
std::optional<Difference> by_formula(const MoveComparison& all, const std::vector<Item>& wrong) {
  const auto lanes = lanes_of_operand(all.insn(), all.operand);
  Numbers from, to, repeats, read, expected_lanes, expected_repeats;
  for (const Item& item : wrong) {
    const auto actual = source_lane(all, lanes, item.actual);
    const auto expected = source_lane(all, lanes, item.expected);
    if (!actual || !expected) return {};
    from.push_back(expected->lane);
    to.push_back(actual->lane);
    repeats.push_back(expected->repeat);
    read.push_back(actual->repeat);
  }
  const Where at = where(all, wrong);
  const bool indexed = row_of(all.insn().op).operands[all.operand].walk == Walk::indexed;
  const std::string unit = indexed ? "offset" : source_noun(all);
  std::string which = from == to ? "the same " + unit : "";
  if (which.empty()) {
    const auto formula = index_formula(from, to, lanes_of(all.insn()), "L");
    if (!formula) return {};
    which = unit + " " + *formula;
  }
  std::string of = "the same repeat";
  if (repeats != read) {
    const auto formula = index_formula(repeats, read, repeats_of(all.insn()), "R");
    if (!formula) return {};
    of = "repeat " + *formula;
  }
  const std::string role = indexed ? "operand offsets" : all.role();
  std::string own = at.lanes.size() == 1 ? "its own" : "their own";
  if (from != to && at.lanes.size() > 1) own = unit + " L";
  if (of.find('R') != std::string::npos) own += " of repeat R";
  return Difference{all.role(),
                    these(all, at) + (at.lanes.size() == 1 ? " uses " : " use ") + which + " of " + role +
                        " of " + of + " instead of " + own,
                    in_repeats(at.repeats, repeats_of(all.insn()))};
}

/// "the last element", "element 3"
std::string element_in_block(const std::string& formula, unsigned per) {
  if (formula == "0") return "the first element";
  return formula == std::to_string(per - 1) ? "the last element" : "element " + formula;
}

/// "elements of vpadding.f32 take the last element of their data block instead of the first element": for
/// instructions that fill one data block from another one.
std::optional<Difference> by_blocks(const MoveComparison& all, const std::vector<Item>& wrong) {
  if (!row_of(all.insn().op).whole_blocks) return {};
  const auto lanes = lanes_of_operand(all.insn(), all.operand);
  const unsigned per = per_block(all.insn().src_type);
  Numbers at, is, should, block, from;
  for (const Item& item : wrong) {
    const auto actual = lanes.find(item.actual), expected = lanes.find(item.expected);
    if (actual == lanes.end() || expected == lanes.end() || actual->second.repeat != item.at.repeat)
      return {};
    at.push_back(item.at.lane % per);
    is.push_back(actual->second.lane % per);
    should.push_back(expected->second.lane % per);
    block.push_back(item.at.lane / per);
    from.push_back(actual->second.lane / per);
  }
  const auto element = index_formula(at, is, per, "e"), documented = index_formula(at, should, per, "e");
  const auto source = index_formula(block, from, kRepeatBlocks, "b");
  if (!element || !documented || !source) return {};
  const std::string of = block == from ? "their data block" : "data block " + *source;
  return Difference{all.role(),
                    "elements of " + all.name() + " take " + element_in_block(*element, per) + " of " + of +
                        " of " + all.role() + " instead of " + element_in_block(*documented, per) +
                        (block == from ? "" : " of their own data block b"),
                    in_repeats(where(all, wrong).repeats, repeats_of(all.insn()))};
}

std::vector<Item> select_items(const std::vector<Item>& items, auto&& holds) {
  std::vector<Item> some;
  std::ranges::copy_if(items, std::back_inserter(some), holds);
  return some;
}

std::optional<Difference> by_strides(const MoveComparison& all) {
  const Walk walk = row_of(all.insn().op).operands[all.operand].walk;
  if (walk != Walk::blocks && walk != Walk::rows) return {};
  // A result of a reduction reads the lane of its group that is on, and padding another lane.
  const bool reads_others =
      row_of(all.insn().op).mask == MaskUse::neutral_source || row_of(all.insn().op).whole_blocks;
  const auto lanes = lanes_of_operand(all.insn(), all.operand);
  std::vector<Found> found;
  for (const Item& item : all.items) {
    if (item.actual <= kAlwaysZero) continue;
    Lane reads = item.at;
    if (reads_others) {
      const auto at = lanes.find(item.expected);
      if (at == lanes.end()) continue;
      reads = at->second;
    }
    found.push_back({reads.repeat, reads.lane, item.actual});
  }
  const auto strides = measured_strides(all.insn(), all.operand, found);
  if (!strides) return {};
  Difference difference{all.role(), all.role() + " of " + all.name() + " " + strides->text, {}};
  difference.places = strides->law;
  return difference;
}

void wrong_sources(const MoveComparison& all, std::vector<Difference>& list) {
  const auto zero = select_items(
      all.items, [](const Item& i) { return i.actual == kAlwaysZero && i.expected != kAlwaysZero; });
  if (!zero.empty()) {
    const Where at = where(all, zero);
    list.push_back({all.role(),
                    these(all, at) + (at.lanes.size() == 1 ? " is" : " are") +
                        (row_of(all.insn().op).operands[all.operand].role == "control"
                             ? " never taken from src0, whatever control says"
                             : " always 0"),
                    in_repeats(at.repeats, repeats_of(all.insn()))});
  }
  const auto unknown = select_items(
      all.items, [](const Item& i) { return i.actual == kNoElement && i.expected != kNoElement; });
  if (!unknown.empty()) {
    const Where at = where(all, unknown);
    const bool one = at.lanes.size() == 1;
    list.push_back({all.role(),
                    these(all, at) + (one ? " holds a value" : " hold values") + " that no single " +
                        source_noun(all) + " of " + all.role() + " explains",
                    in_repeats(at.repeats, repeats_of(all.insn())), true});
  }
  const auto wrong =
      select_items(all.items, [](const Item& i) { return i.actual > kAlwaysZero && i.actual != i.expected; });
  if (wrong.empty()) return;
  if (auto blocks = by_blocks(all, wrong)) return list.push_back(*blocks);
  if (auto strides = by_strides(all)) return list.push_back(*strides);
  if (auto formula = by_formula(all, wrong)) return list.push_back(*formula);
  const Where at = where(all, wrong);
  const Item& first = wrong[0];
  list.push_back({all.role(),
                  these(all, at) + (at.lanes.size() == 1 ? " uses another " : " use other ") +
                      source_noun(all) + (at.lanes.size() == 1 ? "" : "s") + " of " + all.role() +
                      ", for example " + std::string(noun(all.insn())) + " " + std::to_string(first.at.lane) +
                      " of repeat " + std::to_string(first.at.repeat) + " uses number " +
                      std::to_string(first.actual) + " instead of " +
                      (first.expected <= kAlwaysZero ? "none" : std::to_string(first.expected)),
                  in_repeats(at.repeats, repeats_of(all.insn())), true});
}

/// False if the places of dst are not those of the documents, so that nothing can be said about sources.
bool right_places(const MoveComparison& all, const SourceMap& measured, std::vector<Difference>& list) {
  const auto lost = select_items(all.items, [](const Item& i) { return i.actual == kKept; });
  if (!all.extra.empty() && repeats_of(all.insn()) == 0) {
    list.push_back({"dst", all.name() + " performs a repeat although its repeat times are 0", {}});
    list.back().places = once_if_repeat_is_0;
    return false;
  }
  if (!all.extra.empty()) {
    if (const auto strides = strides_of_dst(all, measured)) {
      list.push_back({"dst", "dst of " + all.name() + " " + strides->text, {}});
      list.back().places = strides->law;
      return false;
    }
    if (auto text = spacing(all, measured)) {
      list.push_back({"dst", *text, {}});
      return false;
    }
    const std::string units = row_of(all.insn().op).operands[0].walk == Walk::bits ? "bits" : "elements";
    const bool one = all.extra.size() == 1;
    std::string text = all.name() + " writes " + std::to_string(all.extra.size()) + " " +
                       (one ? units.substr(0, units.size() - 1) : units) +
                       " of dst that it must not write, " +
                       (one ? "number " + std::to_string(all.extra.front())
                            : "between number " + std::to_string(all.extra.front()) + " and number " +
                                  std::to_string(all.extra.back()));
    if (!lost.empty()) text += ", and does not write " + std::to_string(lost.size()) + " that it must write";
    const Operand& dst = all.insn().operands[0];
    text += " (with repeat time " + std::to_string(all.insn().repeat) + " and a repeat stride of " +
            std::to_string(dst.repeat_stride) + ")";
    list.push_back({"dst", std::move(text), {}, true});
    return lost.empty();
  }
  if (lost.empty()) return true;
  list.push_back(missing(all, lost));
  return lost.size() < all.items.size();
}

}  // namespace

std::vector<Difference> move_differences(const Subject& subject, const PlaceMaps& measured,
                                         const PlaceMaps& documented) {
  const auto &is = measured.destination.map, &should = documented.destination.map;
  if (is && should && is->written != should->written)
    if (auto later = later_repeats_moved(subject, measured, documented)) return {std::move(*later)};
  std::vector<Difference> list;
  bool first = true;
  for (std::size_t n = 0; n < measured.sources.size(); ++n) {
    if (!measured.sources[n].map || !documented.sources[n].map) continue;
    const MoveComparison all = compare_maps(subject, *measured.sources[n].map, *documented.sources[n].map);
    if (first && !right_places(all, *measured.sources[n].map, list)) break;
    first = false;
    wrong_sources(all, list);
  }
  if (list.size() == 2) {  // src0 and src1 in the same way
    std::string other = list[0].what;
    const std::size_t role = other.find("src0");
    if (role != std::string::npos && other.replace(role, 4, "src1") == list[1].what &&
        list[0].where == list[1].where) {
      list.pop_back();
      list[0].what.replace(role, 4, "src0 and src1");
    }
  }
  return list;
}

}  // namespace lanecheck
