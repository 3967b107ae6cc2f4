#include "fuzz/identify/gates/several_slots.h"

#include <map>

#include "fuzz/identify/gates/mask_condition.h"
#include "fuzz/identify/probes/gate_map.h"
#include "fuzz/identify/probes/index_formula.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace {

bool is_reduction(const Subject& subject) {
  return row_of(subject.insn.op).mask == MaskUse::neutral_source;
}

/// Is the lane of this gate on? Written ('w'), kept ('k') or by the same slot of the other word ('x').
bool becomes(char then, const Gate& gate, const MaskWords& mask) {
  return then == 'x' ? gate.kind == GateKind::slot && has_slot(mask, gate.slot ^ 64u) : then == 'w';
}

/// The slots of `mask` that gate the lanes of a full repeat.
MaskWords for_lanes(MaskWords mask, unsigned lanes) {
  if (lanes < 128) mask.high = lanes > 64 ? mask.high & (~std::uint64_t{0} >> (128 - lanes)) : 0;
  if (lanes < 64) mask.low &= ~std::uint64_t{0} >> (64 - lanes);
  return mask;
}

/// Does `then` hold for every lane of the group if the condition is `when`, and the documents otherwise?
bool fits(const GateGroup& group, const MaskCondition& condition, bool when, char then, unsigned lanes) {
  const MaskWords full = for_lanes(full_mask(group.subject), lanes);
  for (const unsigned lane : group.lanes)
    for (std::size_t m = 0; m < group.measured.masks.size(); ++m) {
      const MaskWords& mask = group.measured.masks[m];
      const bool right = group.seen(group.documented, lane)[m] == 'w';
      const bool on = condition.holds(for_lanes(mask, lanes), full) == when
                          ? becomes(then, group.documented_gate(lane), mask)
                          : right;
      if ((group.seen(group.measured, lane)[m] == 'w') != on) return false;
    }
  return true;
}

/// `asked`: the slots that the condition looks at; `all`: the lanes of the type. The low word has the slots
/// of 64 lanes.
std::string text_of(const MaskCondition& condition, bool when, unsigned asked, unsigned all) {
  const std::string part = "the part of the mask for these lanes";
  std::string text = condition.text(when);
  if (asked < 128 && condition.subject == "the mask") text.replace(0, condition.subject.size(), part);
  if (all != 64 || condition.subject != "the low word") return text;
  return part + " is " + (when ? "" : "not ") + (condition.yes == "is 0" ? "empty" : "full");
}

/// "written whatever their slots are if the low word is 0". `lanes`: the condition asks the slots before it.
std::optional<SlotLaw> by_condition(const GateGroup& group, unsigned lanes) {
  const std::string slots = group.lanes.size() == 1 ? "its slot is" : "their slots are";
  for (const MaskCondition& condition : mask_conditions())
    for (const bool when : {true, false})
      for (const char then : {'w', 'k', 'x'}) {
        if (!fits(group, condition, when, then, lanes)) continue;
        std::map<unsigned, Gate> gates;
        for (const unsigned lane : group.lanes) gates[lane] = group.documented_gate(lane);
        std::string text = (then == 'w' ? written(group) : kept(group)) + ", whatever " + slots;
        if (then == 'x') text = "gated by the slot of the other word (slot lane xor 64)";
        const std::string asked = text_of(condition, when, lanes, group.measured.lanes);
        return SlotLaw{
            text + ", if " + asked,
            [=, full = for_lanes(full_mask(group.subject), lanes)](unsigned lane, const MaskWords& mask) {
              return condition.holds(for_lanes(mask, lanes), full) == when
                         ? std::optional(becomes(then, gates.at(lane), mask))
                         : is_on(gates.at(lane), mask);
            },
            then == 'x'};
      }
  return {};
}

/// The slots that decide together about a lane: those of its data block, or all that gate a repeat.
struct SlotsTogether {
  std::string_view name;
  unsigned slots;
};

/// How the number of active slots in a region decides: at least one, all of them, or more than `place`, which
/// is the lane's place in the region.
struct ByCount {
  std::string_view text;
  bool (*is_written)(unsigned active, unsigned slots, unsigned place);
};

constexpr ByCount kByCount[] = {
    {"if any slot of their @ is 1", [](unsigned active, unsigned, unsigned) { return active > 0; }},
    {"only if all slots of their @ are 1",
     [](unsigned active, unsigned slots, unsigned) { return active == slots; }},
    {"by the number of active slots of their @: the first n lanes, if n slots are 1",
     [](unsigned active, unsigned, unsigned place) { return place < active; }},
    {"by the number of active slots of their @: the last n lanes, if n slots are 1",
     [](unsigned active, unsigned slots, unsigned place) { return place >= slots - active; }},
};

}  // namespace

std::string written(const GateGroup& group) {
  return is_reduction(group.subject) ? "counted" : "written";
}
std::string kept(const GateGroup& group) {
  return is_reduction(group.subject) ? "left out" : "kept";
}

std::optional<SlotLaw> by_condition(const GateGroup& group) {
  if (auto said = by_condition(group, 128)) return said;
  return group.measured.lanes < 128 ? by_condition(group, group.measured.lanes) : std::nullopt;
}

namespace {

/// How a lane's own slot and one more decide together.
struct OfTwoSlots {
  std::string_view before, behind;  ///< the formula of the second slot stands between them
  bool (*is_on)(bool own, bool second);
};

constexpr OfTwoSlots kOfTwoSlots[] = {
    {" only if both their own slot and ", " are 1", [](bool own, bool second) { return own && second; }},
    {" also if ", " is 1", [](bool own, bool second) { return own || second; }},
    {" only if their own slot is 1 and ", " is 0", [](bool own, bool second) { return own && !second; }},
    {" also if ", " is 0", [](bool own, bool second) { return own || !second; }},
};

/// The slot that decides together with the own slot of `lane`; nothing if none does.
std::optional<unsigned> second_slot(const GateGroup& group, unsigned lane, const OfTwoSlots& of) {
  const unsigned own = group.documented_gate(lane).slot;
  const std::string& seen = group.seen(group.measured, lane);
  for (unsigned second = 0; second < settable_slots(group.subject); ++second) {
    bool fits = second != own;
    for (std::size_t m = 0; fits && m < group.measured.masks.size(); ++m) {
      const MaskWords& mask = group.measured.masks[m];
      fits = of.is_on(has_slot(mask, own), has_slot(mask, second)) == (seen[m] == 'w');
    }
    if (fits) return second;
  }
  return {};
}

/// "slot 7 of their data block", counted from 0, if this is the second slot of every lane; else a formula.
std::optional<std::string> name_of_seconds(const GateGroup& group, const Numbers& seconds) {
  if (const auto formula = index_formula(group.lanes, seconds, group.measured.lanes))
    return "slot " + *formula;
  const unsigned block = group.measured.lanes / kRepeatBlocks;
  for (std::size_t n = 0; n < seconds.size(); ++n)
    if (block == 0 || seconds[n] / block != group.lanes[n] / block ||
        seconds[n] % block != seconds[0] % block)
      return {};
  return "slot " + std::to_string(seconds[0] % block) + " of their data block";
}

}  // namespace

std::optional<SlotLaw> by_two_slots(const GateGroup& group) {
  for (const OfTwoSlots& of : kOfTwoSlots) {
    Numbers seconds;
    std::map<unsigned, std::pair<unsigned, unsigned>> slots_of_lane;
    for (const unsigned lane : group.lanes) {
      const auto second = second_slot(group, lane, of);
      if (!second) break;
      seconds.push_back(*second);
      slots_of_lane[lane] = {group.documented_gate(lane).slot, *second};
    }
    if (seconds.size() != group.lanes.size()) continue;
    const auto name = name_of_seconds(group, seconds);
    if (!name) continue;
    return SlotLaw{written(group) + std::string(of.before) + *name + std::string(of.behind),
                   [=, is_on = of.is_on](unsigned lane, const MaskWords& mask) -> std::optional<bool> {
                     const auto [own, second] = slots_of_lane.at(lane);
                     return is_on(has_slot(mask, own), has_slot(mask, second));
                   }};
  }
  return {};
}

namespace {

/// Is any slot active among those up to a lane's own slot, are all, and the same from it on?
struct SlotsOfARange {
  bool any_below, all_below, any_above, all_above;
};

struct OfARange {
  std::string_view text;
  bool (*is_on)(const SlotsOfARange&);
};

constexpr OfARange kRanges[] = {
    {"if their own slot or any slot above it is 1",
     [](const SlotsOfARange& slots) { return slots.any_above; }},
    {"if their own slot or any slot below it is 1",
     [](const SlotsOfARange& slots) { return slots.any_below; }},
    {"only if their own slot and all slots above it are 1",
     [](const SlotsOfARange& slots) { return slots.all_above; }},
    {"only if their own slot and all slots below it are 1",
     [](const SlotsOfARange& slots) { return slots.all_below; }},
    {"also if a slot below theirs and a slot above it are 1: all from the first active lane to the last",
     [](const SlotsOfARange& slots) { return slots.any_below && slots.any_above; }},
};

/// `lanes`: as many slots decide.
SlotsOfARange slots_around(unsigned lane, const MaskWords& mask, unsigned lanes) {
  SlotsOfARange slots{false, true, false, true};
  for (unsigned slot = 0; slot < lanes; ++slot) {
    const bool active = has_slot(mask, slot);
    if (slot <= lane) {
      slots.any_below |= active;
      slots.all_below &= active;
    }
    if (slot >= lane) {
      slots.any_above |= active;
      slots.all_above &= active;
    }
  }
  return slots;
}

}  // namespace

std::optional<SlotLaw> by_range(const GateGroup& group) {
  const unsigned lanes = std::min(group.measured.lanes, 128u);
  for (const OfARange& range : kRanges) {
    const auto on = [=, is_on = range.is_on](unsigned lane, const MaskWords& mask) -> std::optional<bool> {
      return is_on(slots_around(lane, mask, lanes));
    };
    if (gives(group, lanes, on)) return SlotLaw{written(group) + " " + std::string(range.text), on};
  }
  return {};
}

std::optional<SlotLaw> by_edge_block(const GateGroup& group) {
  const unsigned lanes = std::min(group.measured.lanes, 128u), block = group.measured.lanes / kRepeatBlocks;
  if (block == 0) return {};
  const MaskWords full = for_lanes(full_mask(group.subject), lanes);
  for (const bool first : {false, true})
    for (const bool unless_full : {true, false}) {
      const auto on = [=](unsigned lane, const MaskWords& given) -> std::optional<bool> {
        const MaskWords mask = for_lanes(given, lanes);
        if (!has_slot(mask, lane)) return false;
        if (unless_full && mask == full) return true;
        const unsigned from = first ? 0 : lane - lane % block + block,
                       to = first ? lane - lane % block : lanes;
        for (unsigned slot = from; slot < to; ++slot)
          if (has_slot(mask, slot)) return true;
        return false;
      };
      if (!gives(group, lanes, on)) continue;
      return SlotLaw{kept(group) + " if they lie in the data block of the " + (first ? "first" : "last") +
                         " active lane" + (unless_full ? ", unless the mask is full" : ""),
                     on};
    }
  return {};
}

std::optional<SlotLaw> by_empty_block(const GateGroup& group) {
  const unsigned lanes = group.measured.lanes, block = lanes / kRepeatBlocks;
  if (block == 0) return {};
  const auto on = [=](unsigned lane, const MaskWords& mask) -> std::optional<bool> {
    for (unsigned from = 0; from + block <= lane; from += block) {
      bool any = false;
      for (unsigned each = from; each < from + block; ++each) any |= is_active(mask, each);
      if (!any) return false;
    }
    return is_active(mask, lane);
  };
  if (!gives(group, lanes, on)) return {};
  return SlotLaw{kept(group) + " if a data block before theirs has no active lane", on};
}

std::optional<SlotLaw> by_tail(const GateGroup& group) {
  const unsigned lanes = group.measured.lanes;
  for (const unsigned together : {2U, 4U, 8U, 16U, 32U, 64U}) {
    const auto on = [=](unsigned lane, const MaskWords& mask) -> std::optional<bool> {
      unsigned last = lanes;
      while (last > 0 && !is_active(mask, last - 1)) --last;  // one behind the last active lane
      return is_active(mask, lane) && lane < last / together * together;
    };
    if (!gives(group, lanes, on)) continue;
    const std::string those = "the " + std::to_string(together) + " lanes";
    return SlotLaw{kept(group) + " if they lie in " + those +
                       " around the last active one, unless this is the last of " + those,
                   on};
  }
  return {};
}

/// Two slots of the next narrower type, as if the mask had a bit for each of its lanes.
std::optional<SlotLaw> by_pair_of_slots(const GateGroup& group) {
  for (const bool both : {false, true}) {
    const auto on = [both](unsigned lane, const MaskWords& mask) -> std::optional<bool> {
      const bool first = has_slot(mask, 2 * lane), second = has_slot(mask, 2 * lane + 1);
      return both ? first && second : first || second;
    };
    if (gives(group, settable_slots(group.subject) / 2, on))
      return SlotLaw{written(group) + (both ? " only if both slots 2 * lane and 2 * lane + 1 are 1"
                                            : " if slot 2 * lane or slot 2 * lane + 1 is 1"),
                     on};
  }
  return {};
}

namespace {

/// Under which condition the number of active slots of a region decides; else each lane obeys its own slot.
struct CountsIf {
  std::string_view text;
  bool (*holds)(bool first, bool last_of_count);  ///< slots 0 and n - 1 of the region, if n slots are 1
};

constexpr CountsIf kCountsIf[] = {
    {"", [](bool, bool) { return true; }},
    {"; so if the first of these slots is 1, and else each by its own slot",
     [](bool first, bool) { return first; }},
    {"; so if the first and the n-th of these slots are 1, and else each by its own slot",
     [](bool first, bool last_of_count) { return first && last_of_count; }},
};

bool is_written_by_count(const ByCount& rule, const CountsIf& counts_if, unsigned slots, unsigned lane,
                         const MaskWords& mask) {
  const unsigned first = lane - lane % slots;
  unsigned active = 0;
  for (unsigned n = 0; n < slots; ++n) active += is_active(mask, first + n) ? 1 : 0;
  if (!counts_if.holds(is_active(mask, first), active > 0 && is_active(mask, first + active - 1)))
    return is_active(mask, lane);
  return rule.is_written(active, slots, lane % slots);
}

}  // namespace

std::optional<SlotLaw> by_count(const GateGroup& group) {
  const unsigned lanes = group.measured.lanes, block = lanes / kRepeatBlocks;
  for (const SlotsTogether& region :
       {SlotsTogether{"pair of lanes", 2}, SlotsTogether{"data block", block},
        SlotsTogether{"half of the repeat", lanes / 2}, SlotsTogether{"repeat", lanes}})
    for (const ByCount& rule : kByCount)
      for (const CountsIf& counts_if : kCountsIf) {
        const auto on = [=, slots = region.slots](unsigned lane,
                                                  const MaskWords& mask) -> std::optional<bool> {
          return is_written_by_count(rule, counts_if, slots, lane, mask);
        };
        if (region.slots == 0 || !gives(group, lanes, on)) continue;
        std::string text(rule.text);
        text.replace(text.find('@'), 1, region.name);
        return SlotLaw{written(group) + " " + text + std::string(counts_if.text), on};
      }
  return {};
}

}  // namespace lanecheck
