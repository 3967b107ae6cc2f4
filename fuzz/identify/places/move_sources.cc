#include "fuzz/identify/places/move_sources.h"

#include <algorithm>
#include <map>

#include "fuzz/identify/places/measured_strides.h"
#include "fuzz/identify/places/partial_strides.h"
#include "fuzz/identify/probes/index_formula.h"
#include "fuzz/identify/probes/intervals.h"
#include "fuzz/identify/probes/move_map.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace {

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
  const std::string role = indexed ? "operand offsets" : all.role;
  std::string own = at.lanes.size() == 1 ? "its own" : "their own";
  if (from != to && at.lanes.size() > 1) own = unit + " L";
  if (of.find('R') != std::string::npos) own += " of repeat R";
  return Difference{all.map(),
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
  return Difference{all.map(),
                    "elements of " + all.name() + " take " + element_in_block(*element, per) + " of " + of +
                        " of " + all.role + " instead of " + element_in_block(*documented, per) +
                        (block == from ? "" : " of their own data block b"),
                    in_repeats(where(all, wrong).repeats, repeats_of(all.insn()))};
}

/// The lane of its group that a result of a reduction reads by the documents. Other lanes may share its
/// place.
std::optional<Lane> lane_of_result(const MoveComparison& all, const Item& item) {
  const Instruction& insn = all.insn();
  const std::uint64_t size = size_of(insn.src_type);
  for (unsigned n = 0; n < group_size(insn); ++n) {
    const Lane lane{item.at.repeat, item.at.lane * group_size(insn) + n};
    const std::uint64_t place = lane_offset(insn, all.operand, lane.repeat, lane.lane) / size;
    if (static_cast<std::int64_t>(place) == item.expected) return lane;
  }
  return {};
}

/// Where the lanes of a source were found. A result of a reduction reads the lane of its group that is on,
/// and padding another lane.
std::vector<Found> found_of_source(const MoveComparison& all) {
  const Row& row = row_of(all.insn().op);
  const Walk walk = row.operands[all.operand].walk;
  const bool reduces = row.mask == MaskUse::neutral_source;
  const bool reads_others = row.whole_blocks || walk == Walk::elements;
  const auto lanes = lanes_of_operand(all.insn(), all.operand);
  std::vector<Found> found;
  for (const Item& item : all.items) {
    if (item.actual <= kAlwaysZero) continue;
    Lane reads = item.at;
    if (reduces) {
      const auto lane = lane_of_result(all, item);
      if (!lane) continue;
      reads = *lane;
    } else if (reads_others) {
      const auto at = lanes.find(item.expected);
      if (at == lanes.end()) continue;
      reads = at->second;
    }
    found.push_back({reads.repeat, reads.lane, item.actual});
  }
  return found;
}

std::optional<Difference> by_strides(const MoveComparison& all) {
  const Walk walk = row_of(all.insn().op).operands[all.operand].walk;
  if (walk != Walk::blocks && walk != Walk::rows) return {};
  const auto strides = measured_strides(all.insn(), all.operand, found_of_source(all));
  if (!strides) return {};
  Difference difference{all.map(), all.role + " of " + all.name() + " " + strides->text, {}};
  difference.places = strides->law;
  return difference;
}

std::optional<Difference> by_partial_strides(const MoveComparison& all) {
  const Walk walk = row_of(all.insn().op).operands[all.operand].walk;
  if (walk != Walk::blocks && walk != Walk::rows && walk != Walk::elements) return {};
  return partial_strides(all.insn(), all.operand, found_of_source(all));
}

/// "select.f16 reads control modulo one data block": every place is the documented one modulo a power of two.
std::optional<Difference> by_modulo(const MoveComparison& all) {
  constexpr unsigned kMostBytes = 1U << 16;
  const OperandColumn& column = row_of(all.insn().op).operands[all.operand];
  if (column.walk == Walk::indexed) return {};
  const Element type = operand_type(all.insn(), column);
  for (unsigned bytes = kBlockBytes; bytes <= kMostBytes; bytes *= 2) {
    const auto places =
        static_cast<std::int32_t>(column.walk == Walk::bits ? 8 * bytes : bytes / size_of(type));
    const bool holds = std::ranges::all_of(all.items, [&](const Item& i) {
      return i.expected > kAlwaysZero && i.actual == i.expected % places;
    });
    if (holds)
      return Difference{all.map(),
                        all.name() + " reads " + all.role + " modulo " +
                            (bytes == kBlockBytes ? "one data block" : std::to_string(bytes) + " bytes") +
                            ": behind them it starts again at the first ones",
                        {}};
  }
  return {};
}

void wrong_sources(const MoveComparison& all, std::vector<Difference>& list) {
  const auto zero = select_items(
      all.items, [](const Item& i) { return i.actual == kAlwaysZero && i.expected != kAlwaysZero; });
  if (!zero.empty()) {
    const Where at = where(all, zero);
    list.push_back({all.map(),
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
    list.push_back({all.map(),
                    these(all, at) + (one ? " holds a value" : " hold values") + " that no single " +
                        source_noun(all) + " of " + all.role + " explains",
                    in_repeats(at.repeats, repeats_of(all.insn())), true});
    if (source_noun(all) == "element") list.back().matter = Matter::unexplained;
  }
  const auto wrong =
      select_items(all.items, [](const Item& i) { return i.actual > kAlwaysZero && i.actual != i.expected; });
  if (wrong.empty()) return;
  if (auto blocks = by_blocks(all, wrong)) return list.push_back(*blocks);
  if (auto strides = by_strides(all)) return list.push_back(*strides);
  if (auto modulo = by_modulo(all)) return list.push_back(*modulo);
  if (auto formula = by_formula(all, wrong)) return list.push_back(*formula);
  if (auto partial = by_partial_strides(all)) return list.push_back(*partial);
  const Where at = where(all, wrong);
  const Item& first = wrong[0];
  list.push_back({all.map(),
                  these(all, at) + (at.lanes.size() == 1 ? " uses another " : " use other ") +
                      source_noun(all) + (at.lanes.size() == 1 ? "" : "s") + " of " + all.role +
                      ", for example " + std::string(noun(all.insn())) + " " + std::to_string(first.at.lane) +
                      " of repeat " + std::to_string(first.at.repeat) + " uses number " +
                      std::to_string(first.actual) + " instead of " +
                      (first.expected <= kAlwaysZero ? "none" : std::to_string(first.expected)),
                  in_repeats(at.repeats, repeats_of(all.insn())), true});
}

/// What is said of one source, which is called `role`.
std::vector<Difference> named(MoveComparison all, const std::string& role) {
  std::vector<Difference> list;
  all.role = role;
  wrong_sources(all, list);
  return list;
}

bool say_the_same(const std::vector<Difference>& a, const std::vector<Difference>& b) {
  return !a.empty() && std::ranges::equal(a, b, [](const Difference& x, const Difference& y) {
    return x.what == y.what && x.where == y.where;
  });
}

}  // namespace

std::vector<Difference> source_differences(const std::vector<MoveComparison>& sources) {
  const auto of = [&](std::string_view role) {
    return std::ranges::find(sources, role, &MoveComparison::role);
  };
  const auto src0 = of("src0"), src1 = of("src1");
  if (src0 != sources.end() && src1 != sources.end()) {
    auto both = named(*src0, "src0 and src1");
    if (say_the_same(both, named(*src1, "src0 and src1")) && sources.size() == 2) return both;
  }
  std::vector<Difference> list;
  for (const MoveComparison& each : sources) wrong_sources(each, list);
  return list;
}

}  // namespace lanecheck
