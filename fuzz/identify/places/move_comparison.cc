#include "fuzz/identify/places/move_comparison.h"

#include <algorithm>

#include "fuzz/identify/probes/intervals.h"
#include "fuzz/identify/probes/move_map.h"
#include "spec/mask/footprint.h"
#include "spec/text/program_text.h"

namespace lanecheck {

std::string MoveComparison::name() const {
  return mnemonic(insn());
}

MapKind MoveComparison::map() const {
  return map_of_role(row_of(insn().op).operands[operand].role);
}

std::map<std::int32_t, Lane> lanes_of_operand(const Instruction& insn, unsigned k) {
  std::map<std::int32_t, Lane> lanes;
  const OperandColumn& column = row_of(insn.op).operands[k];
  const Element type = operand_type(insn, column);
  unsigned count = lanes_of(insn);
  if (column.walk == Walk::results) count = results_per_repeat(insn);
  if (column.walk == Walk::elements) count = column.per_repeat;
  // The last lane that writes a place stays there; of a source, the first lane that reads a place is as good.
  const auto put = [&](std::uint64_t unit, unsigned r, unsigned lane) {
    const auto place = static_cast<std::int32_t>(unit);
    if (k == 0)
      lanes.insert_or_assign(place, Lane{r, lane});
    else
      lanes.emplace(place, Lane{r, lane});
  };
  for (unsigned r = 0; r < repeats_of(insn); ++r)
    for (unsigned lane = 0; lane < count; ++lane) switch (column.walk) {
        case Walk::bits:
          put(std::uint64_t{r} * count + lane, r, lane);
          break;
        case Walk::results:
        case Walk::elements:
          put(repeat_step(insn, k) / size_of(type) * r + lane, r, lane);
          break;
        case Walk::blocks:
        case Walk::rows:
          put(lane_offset(insn, k, r, lane) / size_of(type), r, lane);
          break;
        case Walk::sixteen:  // every repeat reads the same bits
          put(lane, r, lane);
          break;
        case Walk::indexed:  // the offsets say where
        case Walk::records:
        case Walk::pattern:
        case Walk::packed:
        case Walk::returned:
          break;
      }
  return lanes;
}

namespace {

/// The lane of scatter whose offset in the probes names this place of dst. Several lanes may read one
/// element.
std::optional<Lane> scattered_to(const Subject& subject, std::int32_t place) {
  if (place < 0) return {};
  const unsigned lanes = lanes_of(subject.insn);
  const unsigned number = number_of_place(subject.insn, static_cast<unsigned>(place));
  if (number >= repeats_of(subject.insn) * lanes) return {};
  return Lane{number / lanes, number % lanes};
}

std::optional<Lane> found_in(const std::map<std::int32_t, Lane>& lanes, std::int32_t place) {
  const auto at = lanes.find(place);
  return at == lanes.end() ? std::nullopt : std::optional(at->second);
}

}  // namespace

MoveComparison compare_maps(const Subject& subject, const SourceMap& measured, const SourceMap& documented) {
  MoveComparison all{subject, documented.operand, {}, {}, {}};
  all.role = row_of(subject.insn.op).operands[documented.operand].role;
  const Instruction& insn = subject.insn;
  const bool scatters = row_of(insn.op).operands[0].walk == Walk::indexed;
  const auto lanes = lanes_of_operand(insn, 0);
  for (std::size_t n = 0; n < documented.sources.size(); ++n) {
    const std::int32_t unit = documented.first + static_cast<std::int32_t>(n);
    const std::int32_t expected = documented.sources[n], actual = measured.sources[n];
    const auto at = scatters ? scattered_to(subject, unit) : found_in(lanes, unit);
    if (expected != kKept && at)
      all.items.push_back({*at, unit, expected, actual});
    else if (expected == kKept && actual != kKept)
      all.extra.push_back(unit);
  }
  std::ranges::sort(all.items, {}, &Item::at);
  return all;
}

Where where(const MoveComparison& all, const std::vector<Item>& some) {
  Where where;
  for (const Item& item : some) {
    where.lanes.push_back(item.at.lane);
    where.repeats.push_back(item.at.repeat);
  }
  where.lanes = sorted_unique(where.lanes);
  where.repeats = sorted_unique(where.repeats);
  where.whole_repeats =
      some.size() == static_cast<std::size_t>(std::ranges::count_if(all.items, [&](auto& i) {
        return std::ranges::binary_search(where.repeats, i.at.repeat);
      }));
  return where;
}

bool have_offset_0(const MoveComparison& all, const std::vector<Item>& some) {
  const Row& row = row_of(all.insn().op);
  const auto indexed = indexed_operand(row);
  if (!indexed || some.empty() || some.size() == all.items.size()) return false;
  const auto per = static_cast<std::int32_t>(row.moves_blocks ? per_block(all.insn().src_type) : 1);
  const auto holds = [&](const Item& item) {
    const std::int32_t place = *indexed == 0 ? item.unit : item.expected;
    return place >= 0 && place < per;
  };
  return std::ranges::all_of(some, holds) &&
         std::ranges::count_if(all.items, holds) == static_cast<std::ptrdiff_t>(some.size());
}

Numbers whole_blocks(const Numbers& lanes, unsigned per) {
  Numbers blocks;
  for (const unsigned lane : lanes) blocks.push_back(lane / per);
  blocks = sorted_unique(blocks);
  return blocks.size() * per == lanes.size() ? blocks : Numbers{};
}

/// Lanes of dst are groups of a reduction, blocks or lanes.
std::string_view noun(const Instruction& insn) {
  const Row& row = row_of(insn.op);
  if (row.mask == MaskUse::neutral_source) return "result";
  return row.compares ? "bit" : "lane";
}

std::string these(const MoveComparison& all, const Where& at) {
  const unsigned per = per_block(all.insn().dst_type);
  const auto each = [&](unsigned element) {
    return row_of(all.insn().op).whole_blocks && at.lanes.size() == kRepeatBlocks &&
           std::ranges::all_of(at.lanes, [&](unsigned lane) { return lane % per == element; });
  };
  if (each(0)) return "the first elements of all data blocks of " + all.name();
  if (each(per - 1)) return "the last elements of all data blocks of " + all.name();
  if (row_of(all.insn().op).moves_blocks)
    if (const Numbers blocks = whole_blocks(at.lanes, per); !blocks.empty())
      return counted_noun("data block", blocks) + " of " + all.name();
  return counted_noun(std::string(noun(all.insn())), at.lanes) + " of " + all.name();
}

std::string part_of_block(const std::vector<Item>& wrong, unsigned per) {
  Numbers places;
  for (const Item& item : wrong) places.push_back(item.at.lane % per);
  places = sorted_unique(std::move(places));
  if (places.size() == per) return "";
  const auto all_are = [&](auto holds) {
    return 2 * places.size() == per && std::ranges::all_of(places, holds);
  };
  if (all_are([](unsigned place) { return place % 2 == 1; })) return "the odd elements of ";
  if (all_are([](unsigned place) { return place % 2 == 0; })) return "the even elements of ";
  if (all_are([per](unsigned place) { return place < per / 2; })) return "the first half of ";
  if (all_are([per](unsigned place) { return place >= per / 2; })) return "the second half of ";
  return counted_noun("element", places) + " of ";
}

}  // namespace lanecheck
