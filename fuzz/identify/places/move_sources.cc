#include "fuzz/identify/places/move_sources.h"

#include <algorithm>
#include <bit>
#include <map>

#include "fuzz/identify/places/linear_steps.h"
#include "fuzz/identify/places/move_walks.h"
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
  if (walk == Walk::bits || walk == Walk::sixteen) return "bit";
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

constexpr std::string_view kSameRepeat = " of the same repeat";

/// Which offset, bit or lane is used in place of which: `to` of repeat `read` for `from` of repeat `repeats`.
struct Uses {
  Numbers from, to, repeats, read;
  unsigned count = 0;      ///< numbers of one repeat
  std::string unit, name;  ///< "offset", "L"
};

std::optional<Uses> uses_of(const MoveComparison& all, const std::vector<Item>& wrong) {
  const auto lanes = lanes_of_operand(all.insn(), all.operand);
  const Row& row = row_of(all.insn().op);
  Uses uses;
  for (const Item& item : wrong) {
    const auto actual = source_lane(all, lanes, item.actual);
    const auto expected = source_lane(all, lanes, item.expected);
    if (!actual || !expected) return {};
    uses.from.push_back(expected->lane);
    uses.to.push_back(actual->lane);
    uses.repeats.push_back(expected->repeat);
    uses.read.push_back(actual->repeat);
  }
  uses.count = lanes_of(all.insn());
  uses.unit = row.operands[all.operand].walk == Walk::indexed ? "offset" : source_noun(all);
  uses.name = "L";
  if (!row.moves_blocks) return uses;
  const unsigned per = per_block(all.insn().src_type);  // an offset for each data block
  for (std::size_t n = 0; n < wrong.size(); ++n) {
    if (uses.from[n] % per != uses.to[n] % per) return {};
    uses.from[n] /= per;
    uses.to[n] /= per;
  }
  uses.count = kRepeatBlocks;
  uses.name = "B";
  return uses;
}

/// Are repeats taken in reverse order?
bool are_reversed(const MoveComparison& all, const Uses& uses) {
  const unsigned last = repeats_of(all.insn()) - 1;
  if (last < 2) return false;  // of two repeats, each may as well be exchanged with its neighbour
  if (sorted_unique(uses.repeats).size() < last) return false;  // all but the middle one are wrong
  return std::ranges::equal(uses.repeats, uses.read,
                            [last](unsigned own, unsigned read) { return read == last - own; });
}

/// "lanes 0..127 of gather.f16 use offset lane of repeat 0 instead of their own"
std::optional<Difference> by_formula(const MoveComparison& all, const std::vector<Item>& wrong) {
  const auto uses = uses_of(all, wrong);
  if (!uses) return {};
  const Where at = where(all, wrong);
  const bool same = uses->from == uses->to;
  std::string which = same ? "the same " + uses->unit : "";
  if (!same) {
    const auto formula = index_formula(uses->from, uses->to, uses->count, uses->name);
    if (!formula) return {};
    which = uses->unit + " " + *formula;
  }
  const Walk walk = row_of(all.insn().op).operands[all.operand].walk;
  std::string of(walk == Walk::sixteen ? "" : kSameRepeat);  // else all repeats have the same bits
  if (uses->repeats != uses->read) {
    const auto formula = index_formula(uses->repeats, uses->read, repeats_of(all.insn()), "R");
    if (!formula) return {};
    of = " of repeat " + *formula;
    if (are_reversed(all, *uses)) of = " of repeat n - 1 - R (n: the repeat times)";
  }
  const std::string role = walk == Walk::indexed ? "operand offsets" : all.role;
  const bool one = at.lanes.size() == 1;
  std::string own = one ? "its own" : "their own";
  if (!same && !one) own = uses->unit + " " + uses->name;
  if (of.find('R') != std::string::npos) own += " of repeat R";
  if (row_of(all.insn().op).mask == MaskUse::neutral_source && group_size(all.insn()) > 1)
    own += " (each result has one active lane)";  // other masks were not tried
  const auto sentence = [&](const std::string& repeat) {
    return these(all, at) + (one ? " uses " : " use ") + which + " of " + role + repeat + " instead of " +
           own;
  };
  Difference difference{all.map(), sentence(of), in_repeats(at.repeats, repeats_of(all.insn()))};
  if (of == kSameRepeat)
    difference.general = sentence("");  // selects of one code read other parts of control
  return difference;
}

/// In reverse order of repeats, for which strides would have to be negative.
std::optional<Difference> by_reversed_repeats(const MoveComparison& all, const std::vector<Item>& wrong) {
  const auto uses = uses_of(all, wrong);
  return uses && are_reversed(all, *uses) ? by_formula(all, wrong) : std::nullopt;
}

/// "data block B of repeat R of gatherb.u16 uses offset R + B of operand offsets instead of offset 8 * R + B"
std::optional<Difference> by_steps(const MoveComparison& all, const std::vector<Item>& wrong) {
  const bool copies = row_of(all.insn().op).operands[all.operand].walk == Walk::elements;
  const auto uses = copies ? std::nullopt : uses_of(all, wrong);
  if (!copies && !uses) return {};
  std::vector<StepItem> is, should;
  for (std::size_t n = 0; n < wrong.size(); ++n) {
    if (copies) {  // brcb: one element to each data block
      const std::int64_t repeat = wrong[n].at.repeat,
                         place = wrong[n].at.lane / per_block(all.insn().dst_type);
      is.push_back({repeat, place, wrong[n].actual});
      should.push_back({repeat, place, wrong[n].expected});
      continue;
    }
    const std::int64_t repeat = uses->repeats[n], place = uses->from[n];
    is.push_back({repeat, place, std::int64_t{uses->read[n]} * uses->count + uses->to[n]});
    should.push_back({repeat, place, repeat * uses->count + place});
  }
  const std::string name = copies ? "B" : uses->name, unit = copies ? "element" : uses->unit;
  const auto actual = linear_steps(is, name), expected = linear_steps(should, name);
  if (!actual || !expected) return {};
  const bool indexed = row_of(all.insn().op).operands[all.operand].walk == Walk::indexed;
  std::string behind;
  const std::string taken = with_named_stride(all.insn(), *actual, behind);
  const std::string part = copies ? part_of_block(wrong, per_block(all.insn().dst_type)) : "";
  const bool several = part.find("elements ") != std::string::npos;
  return Difference{all.map(),
                    part + (name == "B" ? "data block " : std::string(noun(all.insn())) + " ") + name +
                        " of repeat R of " + all.name() + (several ? " use " : " uses ") + unit + " " +
                        taken + " of " + (indexed ? "operand offsets" : all.role) + " instead of " + unit +
                        " " + *expected + behind,
                    {}};
}

/// "data block b of repeat R of brcb.f32 is filled with element 8 * R + (b + 1) mod 8 of src": `elements` of
/// the repeat, for `lanes` of dst.
std::optional<Difference> by_block_of_dst(const MoveComparison& all, const Numbers& lanes,
                                          const Numbers& elements) {
  Numbers blocks;
  for (const unsigned lane : lanes) blocks.push_back(lane / per_block(all.insn().dst_type));
  const auto formula = index_formula(blocks, elements, kRepeatBlocks, "b");
  if (!formula) return {};
  const std::string filled = " is filled with element 8 * R + " + *formula + " of " + all.role;
  Difference difference{
      all.map(), "data block b of repeat R of " + all.name() + filled + " instead of element 8 * R + b", {}};
  difference.general = "data block b of repeat R" + filled;
  return difference;
}

/// "lane l of repeat R of brcb.u16 uses element 8 * R + l mod 8 of src instead of element 8 * R + l / 16"
std::optional<Difference> by_lane(const MoveComparison& all) {
  const Instruction& insn = all.insn();
  if (row_of(insn.op).operands[all.operand].walk != Walk::elements) return {};
  Numbers lanes, elements;
  for (const Item& item : all.items) {
    const auto first = static_cast<std::int32_t>(kRepeatBlocks * item.at.repeat);
    if (item.actual < first) return {};
    lanes.push_back(item.at.lane);
    elements.push_back(static_cast<unsigned>(item.actual - first));
  }
  const auto formula = index_formula(lanes, elements, lanes_of(insn), "l");
  if (!formula) return by_block_of_dst(all, lanes, elements);
  const std::string uses = " uses element 8 * R + " + *formula + " of " + all.role;
  Difference difference{all.map(),
                        "lane l of repeat R of " + all.name() + uses + " instead of element 8 * R + l / " +
                            std::to_string(per_block(insn.dst_type)),
                        {}};
  difference.general = "lane l of repeat R" + uses;
  return difference;
}

/// "select.f32 starts at bit 128 * R of control in repeat R instead of bit 64 * R"
std::optional<Difference> by_start_of_bits(const MoveComparison& all) {
  const Walk walk = row_of(all.insn().op).operands[all.operand].walk;
  if (walk != Walk::bits && walk != Walk::sixteen) return {};
  const auto start_of_repeat = [](const Item& item) {
    return item.actual - static_cast<std::int32_t>(item.at.lane);
  };
  Numbers repeats, starts;
  for (const Item& item : all.items) {
    if (item.actual <= kAlwaysZero || start_of_repeat(item) < 0) return {};
    repeats.push_back(item.at.repeat);
    starts.push_back(static_cast<unsigned>(start_of_repeat(item)));
  }
  const unsigned most = *std::ranges::max_element(starts);
  const auto formula = index_formula(repeats, starts, most + 1, "R");
  if (!formula) return {};
  const std::string in = " of " + all.role + " in repeat R instead of bit ";
  const unsigned lanes = lanes_of(all.insn());
  Difference difference{all.map(),
                        all.name() + " starts at bit " + *formula + in +
                            (walk == Walk::bits ? std::to_string(lanes) + " * R" : "0"),
                        {}};
  bool goes_on = true;
  for (std::size_t n = 0; n < starts.size(); ++n) goes_on = goes_on && starts[n] == lanes * repeats[n];
  if (goes_on) difference.general = "goes on in " + all.role + " from repeat to repeat";
  return difference;
}

/// Do all `wrong` items tell, in place of a number, its complement? Then each bit that was asked is inverted.
bool are_inverted(const MoveComparison& all, const std::vector<Item>& wrong) {
  const auto layout = lay_out(all.subject);
  if (!layout) return false;
  const Region& region = layout->regions[all.operand];
  const bool in_bits = source_noun(all) == "bit";
  const unsigned per_byte = in_bits ? 8 : 1, size = in_bits ? 1 : size_of(all.insn().src_type);
  const auto sum = [&](const Item& item) {  // of the two numbers, counted from the start of the region
    const unsigned margin = region.margin * per_byte / size;
    return static_cast<std::uint32_t>(item.actual + item.expected) + 2 * margin;
  };
  return std::has_single_bit(sum(wrong[0]) + 1) && sum(wrong[0]) + 1 >= region.bytes * per_byte / size &&
         std::ranges::all_of(wrong, [&](const Item& each) { return sum(each) == sum(wrong[0]); });
}

/// "select.f16 takes src0 where the bit of control is 0, and src1 where it is 1", or "lanes 112..127 of
/// select.f16 take ..."
std::optional<Difference> by_inversion(const MoveComparison& all, const std::vector<Item>& wrong) {
  const Row& row = row_of(all.insn().op);
  const bool selects = row.operands[all.operand].role == "control";
  if ((!selects && !row.compares) || !are_inverted(all, wrong)) return {};
  const Where at = where(all, wrong);
  const std::string other = row.has_scalar ? "the scalar" : "src1";
  const bool in_all = at.lanes.size() == lanes_of(all.insn());
  const std::string subject =
      in_all ? all.name() + " takes" : these(all, at) + (at.lanes.size() == 1 ? " takes" : " take");
  const std::string text =
      selects ? subject + " src0 where the bit of control is 0, and " + other + " where it is 1"
              : these(all, at) + " are the complement of what the comparison gives";
  Difference difference{selects ? all.map() : MapKind::values, text,
                        in_repeats(at.repeats, repeats_of(all.insn()))};
  difference.key =
      std::string(name_of(difference.map)) + ": inverted bits" + (in_all ? "" : " of some lanes");
  return difference;
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

/// "for example lane 3 of repeat 0 uses number 8 instead of 3"
std::string example_of_source(const MoveComparison& all, const Item& item) {
  const bool blocks = row_of(all.insn().op).moves_blocks;
  const auto per = static_cast<std::int32_t>(blocks ? per_block(all.insn().src_type) : 1);
  return "for example " + std::string(blocks ? "data block" : noun(all.insn())) + " " +
         std::to_string(item.at.lane / static_cast<unsigned>(per)) + " of repeat " +
         std::to_string(item.at.repeat) + " uses number " + std::to_string(item.actual / per) +
         " instead of " + (item.expected <= kAlwaysZero ? "none" : std::to_string(item.expected / per));
}

void wrong_sources(const MoveComparison& all, std::vector<Difference>& list) {
  for (const std::int32_t constant : {kAlwaysZero, kAlwaysOne}) {
    const auto same = select_items(
        all.items, [=](const Item& i) { return i.actual == constant && i.expected != constant; });
    if (same.empty()) continue;
    if (have_offset_0(all, same)) {
      const std::string value = constant == kAlwaysZero ? "0" : "1";
      list.push_back({all.map(), all.name() + " gives " + value + " where an offset is 0", {}});
      continue;
    }
    const Where at = where(all, same);
    const bool selects = row_of(all.insn().op).operands[all.operand].role == "control";
    const bool indexed = row_of(all.insn().op).operands[all.operand].walk == Walk::indexed;
    const std::string always = std::string(indexed ? " " : " always ") +
                               (constant == kAlwaysZero ? "0" : "1") +
                               (indexed ? " under offsets that are all different" : "");
    list.push_back({all.map(),
                    these(all, at) + (at.lanes.size() == 1 ? " is" : " are") +
                        (selects ? std::string(constant == kAlwaysZero ? " never" : " always") +
                                       " taken from src0, whatever control says"
                                 : always),
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
    list.back().matter = Matter::unexplained;
  }
  const auto wrong =
      select_items(all.items, [](const Item& i) { return i.actual > kAlwaysZero && i.actual != i.expected; });
  if (wrong.empty()) return;
  if (auto blocks = by_blocks(all, wrong)) return list.push_back(*blocks);
  if (auto reversed = by_reversed_repeats(all, wrong)) return list.push_back(*reversed);
  if (auto strides = by_strides(all)) return list.push_back(*strides);
  if (auto modulo = by_modulo(all)) return list.push_back(*modulo);
  if (auto inverted = by_inversion(all, wrong)) return list.push_back(*inverted);
  if (auto formula = by_formula(all, wrong)) return list.push_back(*formula);
  if (auto start = by_start_of_bits(all)) return list.push_back(*start);
  if (auto partial = by_partial_strides(all)) return list.push_back(*partial);
  if (auto steps = by_steps(all, wrong)) return list.push_back(*steps);
  if (auto lanes = by_lane(all)) return list.push_back(*lanes);
  const Where at = where(all, wrong);
  list.push_back({all.map(),
                  these(all, at) + (at.lanes.size() == 1 ? " uses another " : " use other ") +
                      source_noun(all) + (at.lanes.size() == 1 ? "" : "s") + " of " + all.role + ", " +
                      example_of_source(all, wrong[0]),
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
