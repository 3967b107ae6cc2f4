#include "fuzz/identify/gates/part_of_mask.h"

#include <algorithm>
#include <string_view>

#include "fuzz/identify/probes/probe.h"
#include "fuzz/identify/probes/shapes.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace {

/// Slots in a row, from `from` to before `to`.
struct Part {
  unsigned from, to;
};

/// Which part of the mask has a say about a lane; `block`: the lanes of a data block, `lanes`: of a repeat.
struct PartOf {
  std::string_view name;
  std::optional<Part> (*of)(unsigned lane, unsigned block, unsigned lanes);
};

template <unsigned Size>
std::optional<Part> group_of(unsigned lane, unsigned, unsigned lanes) {
  const unsigned from = lane - lane % Size;
  return from + Size > lanes ? std::nullopt : std::optional(Part{from, from + Size});
}

template <unsigned From, unsigned To>
std::optional<Part> fixed(unsigned, unsigned, unsigned lanes) {
  return To > lanes ? std::nullopt : std::optional(Part{From, To});
}

/// Half of a data block of `block` lanes, which begins at `from`.
std::optional<Part> half_at(unsigned from, unsigned block) {
  return block < 2 ? std::nullopt : std::optional(Part{from, from + block / 2});
}

constexpr PartOf kParts[] = {
    {"their data block",
     [](unsigned lane, unsigned block, unsigned) {
       return std::optional(Part{lane - lane % block, lane - lane % block + block});
     }},
    {"the first half of their data block",
     [](unsigned lane, unsigned block, unsigned) { return half_at(lane - lane % block, block); }},
    {"the second half of their data block",
     [](unsigned lane, unsigned block, unsigned) { return half_at(lane - lane % block + block / 2, block); }},
    {"the first data block",
     [](unsigned, unsigned block, unsigned) {
       return std::optional(Part{0, block});
     }},
    {"the last data block",
     [](unsigned, unsigned block, unsigned lanes) {
       return std::optional(Part{lanes - block, lanes});
     }},
    {"the data block before theirs",
     [](unsigned lane, unsigned block, unsigned) {
       return lane < block ? std::nullopt
                           : std::optional(Part{lane - lane % block - block, lane - lane % block});
     }},
    {"the data block behind theirs",
     [](unsigned lane, unsigned block, unsigned lanes) {
       const unsigned from = lane - lane % block + block;
       return from >= lanes ? std::nullopt : std::optional(Part{from, from + block});
     }},
    {"their half of the repeat",
     [](unsigned lane, unsigned, unsigned lanes) {
       return std::optional(lane < lanes / 2 ? Part{0, lanes / 2} : Part{lanes / 2, lanes});
     }},
    {"the first half of the repeat",
     [](unsigned, unsigned, unsigned lanes) {
       return std::optional(Part{0, lanes / 2});
     }},
    {"the second half of the repeat",
     [](unsigned, unsigned, unsigned lanes) {
       return std::optional(Part{lanes / 2, lanes});
     }},
    {"their pair of lanes", group_of<2>},
    {"their group of 4 lanes", group_of<4>},
    {"their group of 8 lanes", group_of<8>},
    {"their group of 16 lanes", group_of<16>},
    {"their group of 32 lanes", group_of<32>},
    {"the first 8 lanes", fixed<0, 8>},
    {"the first 16 lanes", fixed<0, 16>},
    {"the first 32 lanes", fixed<0, 32>},
};

/// What a part of the mask shows.
struct Shown {
  bool first, last, all, any, one;
};

struct PartCondition {
  std::string_view before, behind;  ///< the name of the part stands between them
  bool (*holds)(const Shown&);
};

constexpr PartCondition kPartConditions[] = {
    {"all slots of ", " are 1", [](const Shown& part) { return part.all; }},
    {"all slots of ", " are 0", [](const Shown& part) { return !part.any; }},
    {"not all slots of ", " are 1", [](const Shown& part) { return !part.all; }},
    {"a slot of ", " is 1", [](const Shown& part) { return part.any; }},
    {"the first slot of ", " is 1", [](const Shown& part) { return part.first; }},
    {"the first slot of ", " is 0", [](const Shown& part) { return !part.first; }},
    {"the last slot of ", " is 1", [](const Shown& part) { return part.last; }},
    {"the last slot of ", " is 0", [](const Shown& part) { return !part.last; }},
    {"the first and the last slot of ", " are 1", [](const Shown& part) { return part.first && part.last; }},
    {"the first and the last slot of ", " are 0",
     [](const Shown& part) { return !part.first && !part.last; }},
    {"the first or the last slot of ", " is 1", [](const Shown& part) { return part.first || part.last; }},
    {"the first or the last slot of ", " is 0", [](const Shown& part) { return !part.first || !part.last; }},
    {"exactly one slot of ", " is 1", [](const Shown& part) { return part.one; }},
    {"some slots of ", " are 1 and others 0", [](const Shown& part) { return part.any && !part.all; }},
};

Shown shown_by(const MaskWords& mask, const Part& part) {
  unsigned active = 0;
  for (unsigned slot = part.from; slot < part.to; ++slot) active += has_slot(mask, slot) ? 1 : 0;
  return {has_slot(mask, part.from), has_slot(mask, part.to - 1), active == part.to - part.from, active > 0,
          active == 1};
}

}  // namespace

std::optional<SlotLaw> by_part(const GateGroup& group) {
  constexpr unsigned kGated = 128;  // lanes behind them have no slot
  const unsigned lanes = group.measured.lanes, block = lanes / kRepeatBlocks;
  if (block == 0) return {};
  for (const PartOf& part : kParts)
    for (const PartCondition& condition : kPartConditions)
      for (const bool then : {true, false}) {
        const auto on = [=, of = part.of, holds = condition.holds](
                            unsigned lane, const MaskWords& mask) -> std::optional<bool> {
          const auto slots = of(lane, block, lanes);
          const bool decides = slots && slots->to <= kGated && holds(shown_by(mask, *slots));
          return decides ? then : has_slot(mask, lane);
        };
        if (!gives(group, std::min(lanes, kGated), on)) continue;
        return SlotLaw{(then ? written(group) : kept(group)) + ", whatever their slots are, if " +
                           std::string(condition.before) + std::string(part.name) +
                           std::string(condition.behind),
                       on};
      }
  return {};
}

namespace {

/// What stands in the slots of one part.
constexpr std::string_view kPatterns[] = {"all",  "none",      "first",    "last",
                                          "ends", "not first", "not last", "inside"};

bool slot_in(std::string_view pattern, unsigned place, unsigned size) {
  const bool first = place == 0, last = place + 1 == size;
  if (pattern == "none") return false;
  if (pattern == "first") return first;
  if (pattern == "last") return last;
  if (pattern == "ends") return first || last;
  if (pattern == "not first") return !first;
  if (pattern == "not last") return !last;
  if (pattern == "inside") return !first && !last;
  return true;
}

}  // namespace

std::vector<MaskWords> masks_of_parts(const Subject& subject) {
  const unsigned lanes = std::min(lanes_of(subject.insn), 128u),
                 block = lanes_of(subject.insn) / kRepeatBlocks;
  const auto patterns = static_cast<unsigned>(std::size(kPatterns));
  const MaskWords full = full_mask(subject);
  std::vector<MaskWords> masks;
  for (const unsigned size : {block, 4u}) {
    if (size == 0) continue;
    for (unsigned turn = 0; turn < patterns; ++turn) {
      MaskWords mask{0, 0};
      for (unsigned slot = 0; slot < lanes; ++slot) {
        const unsigned part = slot / size, pattern = (part * part + turn + part / patterns) % patterns;
        if (slot_in(kPatterns[pattern], slot % size, size))
          (slot < 64 ? mask.low : mask.high) |= std::uint64_t{1} << (slot % 64);
      }
      masks.push_back({mask.high & full.high, mask.low & full.low});
    }
  }
  return masks;
}

}  // namespace lanecheck
