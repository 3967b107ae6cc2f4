// Laws of lanes about which several mask slots decide together.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/identify/probes/maps.h"

namespace lanecheck {

using Numbers = std::vector<unsigned>;

/// Lanes of some repeats whose measured gates have one kind, and differ from the documented ones.
struct GateGroup {
  const Subject& subject;
  const GateMap &measured, &documented;
  GateKind kind;
  Numbers lanes, repeats;

  const Gate& gate(unsigned lane) const { return measured.at(repeats[0], lane); }
  const Gate& documented_gate(unsigned lane) const { return documented.at(repeats[0], lane); }
  const std::string& seen(const GateMap& map, unsigned lane) const {
    return map.seen[repeats[0] * map.lanes + lane];
  }
};

/// No mask switches the lanes of 8-bit types from 128 on off.
inline bool is_active(const MaskWords& mask, unsigned lane) {
  return lane >= 128 || has_slot(mask, lane);
}

/// What several slots decide together, as text and as a law of the group's lanes.
struct SlotLaw {
  std::string text;
  std::function<std::optional<bool>(unsigned lane, const MaskWords& mask)> on{};
  bool says_slots = false;
};

/// Does the law give what was seen of all lanes of the group under all masks? It says nothing of lanes from
/// `end` on.
template <class On>
bool gives(const GateGroup& group, unsigned end, const On& on) {
  return std::ranges::all_of(group.lanes, [&](unsigned lane) {
    if (lane >= end) return false;
    for (std::size_t m = 0; m < group.measured.masks.size(); ++m)
      if (on(lane, group.measured.masks[m]) != (group.seen(group.measured, lane)[m] == 'w')) return false;
    return true;
  });
}

/// What happens to a lane that is on: "written"; a reduction has "counted".
std::string written(const GateGroup& group);
/// What happens to a lane that is off: "kept", of a reduction "left out".
std::string kept(const GateGroup& group);

/// "written, whatever their slots are, if the low word is 0": nothing if no condition on the mask fits.
std::optional<SlotLaw> by_condition(const GateGroup& group);
/// "written only if both their own slot and slot 0 are 1": the lane's own slot and one more.
std::optional<SlotLaw> by_two_slots(const GateGroup& group);
/// "written if their own slot or any slot above it is 1"; or a slot on both sides of it
std::optional<SlotLaw> by_range(const GateGroup& group);
/// "kept if they lie in the data block of the last active lane, unless the mask is full"
std::optional<SlotLaw> by_edge_block(const GateGroup& group);
/// "kept if a data block before theirs has no active lane"
std::optional<SlotLaw> by_empty_block(const GateGroup& group);
/// "kept if they lie in the 16 lanes around the last active one, unless this is the last of the 16 lanes":
/// groups of lanes from lane 0 on, of which an incomplete one is left out
std::optional<SlotLaw> by_tail(const GateGroup& group);
/// "written if slot 2 * lane or slot 2 * lane + 1 is 1"
std::optional<SlotLaw> by_pair_of_slots(const GateGroup& group);
/// "written if any slot of their data block is 1": the number of active slots decides, not their places.
std::optional<SlotLaw> by_count(const GateGroup& group);

}  // namespace lanecheck
