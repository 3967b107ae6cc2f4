#include "fuzz/identify/places/lane_formula.h"

#include "fuzz/identify/places/misread.h"
#include "fuzz/identify/probes/index_formula.h"
#include "fuzz/identify/probes/intervals.h"
#include "fuzz/identify/probes/place_map.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// The element of operand `k` that each lane takes or writes, counted from the start of its repeat.
struct InRepeat {
  Numbers lanes, elements, documented;
};

std::optional<InRepeat> in_repeat(const Subject& subject, unsigned k, const std::vector<Found>& found) {
  InRepeat all;
  for (const Found& each : found) {
    const std::int32_t start = element_at(subject.insn, k, each.repeat, 0);
    if (each.element < start) return {};
    all.lanes.push_back(each.lane);
    all.elements.push_back(static_cast<unsigned>(each.element - start));
    all.documented.push_back(
        static_cast<unsigned>(element_at(subject.insn, k, each.repeat, each.lane) - start));
  }
  return all;
}

/// The blocks of an operand are taken to hold as many elements as those of an operand with another type. If
/// they are fewer, the blocks may be as short as these elements.
std::optional<Difference> with_blocks_of_other(const Subject& subject, unsigned k, const InRepeat& all) {
  const Instruction& insn = subject.insn;
  const auto operands = row_of(insn.op).operands;
  const unsigned other = k == 0 ? 1 : 0, stride = insn.operands[k].block_stride;
  const unsigned own = per_block(operand_type(insn, operands[k])),
                 of_other = per_block(operand_type(insn, operands[other]));
  if (of_other == own || all.lanes.empty()) return {};
  const auto are_apart = [&](unsigned unit) {
    for (std::size_t n = 0; n < all.lanes.size(); ++n)
      if (all.elements[n] != all.lanes[n] / of_other * stride * unit + all.lanes[n] % of_other) return false;
    return true;
  };
  Difference difference{map_of_role(bare_role(subject, k)), {}, {}};
  difference.of_block_size = true;
  const std::string held = "as many elements as those of ";
  if (are_apart(own)) {
    difference.what = mnemonic(insn) + " takes data blocks of ";
    if (of_other < own)  // said alike of sources and dst, which may share the code
      difference.what += "the operand with the narrower type (" + bare_role(subject, k) + ") to hold only " +
                         held + "the wider one";
    else
      difference.what += bare_role(subject, k) + " to hold " + held + bare_role(subject, other) + ": " +
                         std::to_string(of_other) + " instead of " + std::to_string(own);
    difference.key = "places: blocks hold " + held + "another type";
    return difference;
  }
  if (of_other > own || stride == 1 || !are_apart(of_other)) return {};
  difference.what =
      "the operand of " + mnemonic(insn) + " with the narrower type (" + bare_role(subject, k) +
      ") is addressed as if its data blocks had " + std::to_string(kBlockBytes / own * of_other) +
      " bytes: its block stride counts " + std::to_string(of_other) +
      " elements, as many as a data block of the other operand holds, instead of " + std::to_string(own);
  difference.key = "places: a block stride counts " + held + "a wider type";
  return difference;
}

/// "element 16 * (lane / 8) + lane mod 8 of src instead of lane": which element of its repeat each lane
/// takes.
std::optional<std::string> by_element(const Subject& subject, unsigned k, const InRepeat& wrong) {
  const auto formula = block_formula(wrong.lanes, wrong.elements, lanes_of(subject.insn));
  const auto documented = index_formula(wrong.lanes, wrong.documented, lanes_of(subject.insn));
  if (!formula || !documented || sorted_unique(wrong.lanes).size() < 3) return {};
  return "element " + *formula + " of " + bare_role(subject, k) + " instead of " + *documented;
}

}  // namespace

std::string role_of(const Subject& subject, unsigned k) {
  return bare_role(subject, k) + " of " + mnemonic(subject.insn);
}

std::optional<Difference> moved_lanes(const Subject& subject, const std::vector<Found>& found) {
  const auto all = in_repeat(subject, 0, found);
  if (!all) return {};
  if (auto blocks = with_blocks_of_other(subject, 0, *all)) return blocks;
  const auto formula = block_formula(all->lanes, all->elements, lanes_of(subject.insn)),
             documented = index_formula(all->lanes, all->documented, lanes_of(subject.insn));
  if (!formula || !documented) return {};
  return Difference{MapKind::dst,
                    mnemonic(subject.insn) + " writes each lane to element " + *formula +
                        " of dst instead of " + *documented + ", counted from the start of each repeat",
                    {}};
}

void name_both_sources(const Subject& subject, std::vector<Difference>& differences) {
  const auto is_of_blocks = [](const Difference& each) { return each.of_block_size && is_source(each.map); };
  const auto first = std::ranges::find_if(differences, is_of_blocks);
  if (first == differences.end()) return;
  const auto second = std::find_if(first + 1, differences.end(), is_of_blocks);
  if (second == differences.end()) return;
  const std::string roles = bare_role(subject, 1) + " and " + bare_role(subject, 2);
  const auto say_both = [&](std::string& text) {
    const auto put = [&](std::string_view one, std::string_view both) {
      if (const std::size_t at = text.find(one); at != std::string::npos) text.replace(at, one.size(), both);
    };
    put("(" + bare_role(subject, 1) + ")", "(" + roles + ")");
    put("the operand with", "the operands with");
    if (text.starts_with(bare_role(subject, 1))) put(bare_role(subject, 1), roles);
    put(" is read as if its ", " are read as if their ");
    put(": its block stride counts ", ": their block strides count ");
  };
  say_both(first->what);
  differences.erase(second);
}

std::optional<Difference> misread_lanes(const Subject& subject, unsigned k, const std::vector<Found>& wrong) {
  const auto all = in_repeat(subject, k, wrong);
  if (!all) return {};
  if (auto blocks = with_blocks_of_other(subject, k, *all)) return blocks;
  const auto element = by_element(subject, k, *all);
  if (!element) return {};
  Numbers repeats;
  for (const Found& each : wrong) repeats.push_back(each.repeat);
  return Difference{map_of_role(bare_role(subject, k)),
                    lanes_with_verb(subject, sorted_unique(all->lanes), "is", "are") + " computed from " +
                        *element + ", counted from the start of each repeat",
                    in_repeats(sorted_unique(repeats), repeats_of(subject.insn))};
}

}  // namespace lanecheck
