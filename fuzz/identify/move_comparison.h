// A measured source map beside the documented one, for the instructions of move_map.h: item by item.
#pragma once

#include <map>

#include "fuzz/probes/maps.h"

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

/// The place of each lane of operand `k`, in elements or bits; empty for indexed operands.
std::map<std::int32_t, Lane> lanes_of_operand(const Instruction& insn, unsigned k);

struct MoveComparison {
  const Subject& subject;
  unsigned operand;
  std::vector<Item> items;
  std::vector<std::int32_t> extra;  ///< places of dst that must not be written

  const Instruction& insn() const { return subject.insn; }
  std::string name() const;
  std::string role() const;
};

MoveComparison compare_maps(const Subject& subject, const SourceMap& measured, const SourceMap& documented);

/// The lanes and repeats of some items.
struct Where {
  Numbers lanes, repeats;
  bool whole_repeats = false;
};

Where where(const MoveComparison& all, const std::vector<Item>& some);

}  // namespace lanecheck
