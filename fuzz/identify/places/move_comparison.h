// A measured source map beside the documented one, for the instructions of move_map.h: item by item.
#pragma once

#include <algorithm>
#include <iterator>
#include <map>
#include <string>

#include "fuzz/identify/probes/maps.h"

namespace lanecheck {

using Numbers = std::vector<unsigned>;

/// One place of an operand, as the documents count it.
struct Lane {
  unsigned repeat, lane;

  auto operator<=>(const Lane&) const = default;
};

struct Item {
  Lane at;                        ///< of dst (of scatter: of the source)
  std::int32_t unit;              ///< the place in dst
  std::int32_t expected, actual;  ///< places in the source, kKept, kNoElement or kAlwaysZero
};

/// The lane of each place of operand `k`, in elements or bits; empty for indexed operands. If several lanes
/// write one place of dst, the last of them.
std::map<std::int32_t, Lane> lanes_of_operand(const Instruction& insn, unsigned k);

struct MoveComparison {
  const Subject& subject;
  unsigned operand;
  std::vector<Item> items;
  std::vector<std::int32_t> extra;  ///< places of dst that must not be written
  std::string role;                 ///< what the sentences call the operand

  const Instruction& insn() const { return subject.insn; }
  std::string name() const;
  MapKind map() const;
};

MoveComparison compare_maps(const Subject& subject, const SourceMap& measured, const SourceMap& documented);

/// The items of which `holds` is true.
std::vector<Item> select_items(const std::vector<Item>& items, auto&& holds) {
  std::vector<Item> some;
  std::ranges::copy_if(items, std::back_inserter(some), holds);
  return some;
}

/// The lanes and repeats of some items.
struct Where {
  Numbers lanes, repeats;      ///< in order, each number once
  bool whole_repeats = false;  ///< the items are all items of these repeats
};

/// Where `some` of the items of `all` are.
Where where(const MoveComparison& all, const std::vector<Item>& some);

/// Are these the items whose offset is 0, and no others? The probes give each lane an offset of its own:
/// which lane has it says nothing.
bool have_offset_0(const MoveComparison& all, const std::vector<Item>& some);

/// What the places of dst hold: "result", "bit" or "lane".
std::string_view noun(const Instruction& insn);

/// The data blocks, of `per` lanes each, of which `lanes` are all lanes; empty if they are not whole ones.
Numbers whole_blocks(const Numbers& lanes, unsigned per);

/// "lanes 0..63 of select.i32", "data blocks 1, 3 of gatherb.u16"
std::string these(const MoveComparison& all, const Where& at);

/// "the odd elements of " a data block of `per` elements, if these places in it alone are wrong; empty if all
/// are.
std::string part_of_block(const std::vector<Item>& wrong, unsigned per);

}  // namespace lanecheck
