#include "fuzz/identify/gate_differences.h"

#include <algorithm>
#include <map>

#include "fuzz/identify/mask_condition.h"
#include "fuzz/probes/gate_map.h"
#include "fuzz/probes/index_formula.h"
#include "fuzz/probes/intervals.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

using Numbers = std::vector<unsigned>;

/// Lanes of some repeats whose measured gates have one kind, and differ from the documented ones.
struct Group {
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

/// What several slots decide together, as text and as a law of the group's lanes.
struct Said {
  std::string text;
  std::function<std::optional<bool>(unsigned lane, const MaskWords& mask)> on{};
};

bool is_reduction(const Subject& subject) {
  return row_of(subject.insn.op).mask == MaskUse::neutral_source;
}

/// What happens to a lane that is on: a reduction counts it.
std::string written(const Group& g) {
  return is_reduction(g.subject) ? "counted" : "written";
}
std::string kept(const Group& g) {
  return is_reduction(g.subject) ? "left out" : "kept";
}

Numbers slots_of(const Group& group, const GateMap& map) {
  Numbers slots;
  for (const unsigned lane : group.lanes) slots.push_back(map.at(group.repeats[0], lane).slot);
  return slots;
}

std::string subject_of(const Group& group) {
  return counted_noun("lane", group.lanes) + " of " + mnemonic(group.subject.insn);
}

std::string_view verb(const Group& group) {
  return group.lanes.size() == 1 ? " is " : " are ";
}

std::string of_slots(const Group& group) {
  return group.lanes.size() == 1 ? "its slot were" : "their slots were";
}

/// What the documents say of these lanes: "instead of slots 64..127".
std::string instead(const Group& group) {
  const GateKind kind = group.documented_gate(group.lanes[0]).kind;
  if (std::ranges::any_of(group.lanes, [&](unsigned l) { return group.documented_gate(l).kind != kind; }))
    return "against the documents";
  if (kind == GateKind::always) return "instead of being " + written(group) + " under every mask";
  if (kind == GateKind::never) return "instead of never being " + written(group);
  Numbers slots = slots_of(group, group.documented);
  if (slots == group.lanes && slots.size() > 1) return "instead of each by its own slot";
  std::ranges::sort(slots);
  return "instead of " + counted_noun("slot", slots);
}

/// Is each lane gated by the slot of the lane beside it?
bool is_neighbour(const Group& group, const Numbers& slots) {
  return group.lanes.size() > 1 && std::ranges::all_of(slots, [&](const unsigned& slot) {
           const unsigned lane = group.lanes[static_cast<std::size_t>(&slot - slots.data())];
           return slot == lane + 1 || slot + 1 == lane;
         });
}

/// Frequent formulas in words: a neighbour's slot, the first slot of a data block.
std::optional<std::string> in_words(const Group& group, const Numbers& slots) {
  const unsigned lanes = group.measured.lanes, block = std::max(lanes / kRepeatBlocks, 1u);
  const auto all = [&](auto&& slot_of) {
    for (std::size_t n = 0; n < slots.size(); ++n)
      if (slots[n] != slot_of(group.lanes[n])) return false;
    return slots.size() > 1;
  };
  if (all([&](unsigned lane) { return (lane + 1) % lanes; }))
    return "the next slot (slot (lane + 1) mod " + std::to_string(lanes) + ") instead of their own";
  if (all([&](unsigned lane) { return (lane + lanes - 1) % lanes; }))
    return "the slot of the neighbour before them (slot lane - 1) instead of their own";
  if (all([&](unsigned lane) { return lane ^ 1; }))
    return "the slot of the other lane of their pair (slot lane xor 1) instead of their own";
  if (all([&](unsigned lane) { return lane - lane % block; }))
    return "the first slot of their data block (slot lane - lane mod " + std::to_string(block) +
           ") instead of their own";
  return {};
}

/// "gated by slots 0..63 instead of 64..127"
std::string by_slots(const Group& group) {
  const Numbers slots = slots_of(group, group.measured);
  const std::string gated = group.kind == GateKind::inverted
                                ? "gated, inverted (" + written(group) + " if the slot is 0), by "
                                : "gated by ";
  Numbers sorted = slots;
  std::ranges::sort(sorted);
  const bool own = group.documented_gate(group.lanes[0]).kind == GateKind::slot &&
                   slots_of(group, group.documented) == group.lanes;
  if (own && slots == group.lanes) return gated + (slots.size() == 1 ? "its own slot" : "their own slots");
  if (is_shift(group.lanes, slots) && !is_neighbour(group, slots))
    return gated + counted_noun("slot", sorted) +
           (own ? " instead of " + intervals(group.lanes) : " " + instead(group));
  if (const auto words = in_words(group, slots)) return gated + *words;
  if (const auto formula = index_formula(group.lanes, slots, group.measured.lanes))
    return gated + "slot " + *formula + " " + instead(group);
  return gated + "other slots, for example lane " + std::to_string(group.lanes[0]) + " by slot " +
         std::to_string(slots[0]) + ", " + instead(group);
}

/// Is the lane of this gate on? Written ('w'), kept ('k') or by the same slot of the other word ('x').
bool becomes(char then, const Gate& gate, const MaskWords& mask) {
  return then == 'x' ? gate.kind == GateKind::slot && has_slot(mask, gate.slot ^ 64u) : then == 'w';
}

/// Does `then` hold for every lane of the group if the condition is `when`, and the documents otherwise?
bool fits(const Group& group, const MaskCondition& condition, bool when, char then) {
  const MaskWords full = full_mask(group.subject);
  for (const unsigned lane : group.lanes)
    for (std::size_t m = 0; m < group.measured.masks.size(); ++m) {
      const MaskWords& mask = group.measured.masks[m];
      const bool right = group.seen(group.documented, lane)[m] == 'w';
      const bool on =
          condition.holds(mask, full) == when ? becomes(then, group.documented_gate(lane), mask) : right;
      if ((group.seen(group.measured, lane)[m] == 'w') != on) return false;
    }
  return true;
}

/// "written whatever their slots are if the low word is 0"
std::optional<Said> by_condition(const Group& group) {
  const std::string slots = group.lanes.size() == 1 ? "its slot is" : "their slots are";
  for (const MaskCondition& condition : mask_conditions())
    for (const bool when : {true, false})
      for (const char then : {'w', 'k', 'x'}) {
        if (!fits(group, condition, when, then)) continue;
        std::map<unsigned, Gate> gates;
        for (const unsigned lane : group.lanes) gates[lane] = group.documented_gate(lane);
        std::string text = (then == 'w' ? written(group) : kept(group)) + ", whatever " + slots;
        if (then == 'x') text = "gated by the slot of the other word (slot lane xor 64)";
        return Said{text + ", if " + condition.text(when),
                    [=, full = full_mask(group.subject)](unsigned lane, const MaskWords& mask) {
                      return condition.holds(mask, full) == when
                                 ? std::optional(becomes(then, gates.at(lane), mask))
                                 : is_on(gates.at(lane), mask);
                    }};
      }
  return {};
}

/// "written only if slot 0 is 1 as well": the lane's own slot and one more.
std::optional<Said> by_two_slots(const Group& group) {
  for (const bool both : {true, false}) {
    Numbers seconds;
    for (const unsigned lane : group.lanes) {
      const unsigned own = group.documented_gate(lane).slot, slots = settable_slots(group.subject);
      unsigned second = 0;
      for (; second < slots; ++second) {
        bool fits = second != own;
        for (std::size_t m = 0; fits && m < group.measured.masks.size(); ++m) {
          const bool a = has_slot(group.measured.masks[m], own);
          const bool b = has_slot(group.measured.masks[m], second);
          fits = (both ? a && b : a || b) == (group.seen(group.measured, lane)[m] == 'w');
        }
        if (fits) break;
      }
      if (second == slots) break;
      seconds.push_back(second);
    }
    if (seconds.size() != group.lanes.size()) continue;
    const auto formula = index_formula(group.lanes, seconds, group.measured.lanes);
    if (!formula) continue;
    std::map<unsigned, std::pair<unsigned, unsigned>> slots_of_lane;
    for (std::size_t n = 0; n < seconds.size(); ++n)
      slots_of_lane[group.lanes[n]] = {group.documented_gate(group.lanes[n]).slot, seconds[n]};
    return Said{both ? written(group) + " only if both their own slot and slot " + *formula + " are 1"
                     : "also " + written(group) + " if slot " + *formula + " is 1",
                [=](unsigned lane, const MaskWords& mask) -> std::optional<bool> {
                  const auto [own, second] = slots_of_lane.at(lane);
                  const bool a = has_slot(mask, own), b = has_slot(mask, second);
                  return both ? a && b : a || b;
                }};
  }
  return {};
}

/// The slots that decide together about a lane: those of its data block, or all that gate a repeat.
struct Region {
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

/// "written if any slot of their data block is 1": the number of active slots decides, not their places.
std::optional<Said> by_count(const Group& group) {
  const unsigned lanes = std::min(group.measured.lanes, 128u), block = group.measured.lanes / kRepeatBlocks;
  for (const Region& region : {Region{"pair of lanes", 2}, Region{"data block", block},
                               Region{"half of the repeat", lanes / 2}, Region{"repeat", lanes}})
    for (const ByCount& rule : kByCount) {
      const auto on = [slots = region.slots, is_written = rule.is_written](
                          unsigned lane, const MaskWords& mask) -> std::optional<bool> {
        unsigned active = 0;
        for (unsigned n = 0; n < slots; ++n) active += has_slot(mask, lane - lane % slots + n) ? 1 : 0;
        return is_written(active, slots, lane % slots);
      };
      const auto fits = [&](unsigned lane, std::size_t m) {
        return on(lane, group.measured.masks[m]) == (group.seen(group.measured, lane)[m] == 'w');
      };
      const bool all = std::ranges::all_of(group.lanes, [&](unsigned lane) {
        if (lane >= 128 || region.slots == 0) return false;
        for (std::size_t m = 0; m < group.measured.masks.size(); ++m)
          if (!fits(lane, m)) return false;
        return true;
      });
      if (!all) continue;
      std::string text(rule.text);
      text.replace(text.find('@'), 1, region.name);
      return Said{written(group) + " " + text, on};
    }
  return {};
}

/// A mask under which a lane is not what the documents say: "for example lane 3 of repeat 0 is written under
/// the mask 0x0:0x1 (high:low), in which its slot is 0".
std::string example(const Group& group) {
  const unsigned lane = group.lanes[0];
  const std::string &is = group.seen(group.measured, lane), &should = group.seen(group.documented, lane);
  for (std::size_t m = 0; m < is.size(); ++m) {
    if (is[m] == should[m]) continue;
    std::string text = ", for example lane " + std::to_string(lane);
    if (!is_reduction(group.subject)) text += " of repeat " + std::to_string(group.repeats[0]);
    text += " is " + (is[m] == 'w' ? written(group) : kept(group)) + " under the mask " +
            show_words(group.measured.masks[m]) + " (high:low)";
    if (group.documented_gate(lane).kind == GateKind::slot)
      text += std::string(", in which its slot is ") + (is[m] == 'w' ? "0" : "1");
    return text;
  }
  return {};
}

Said by_several(const Group& group) {
  if (auto said = by_condition(group)) return *said;
  const bool own = std::ranges::all_of(
      group.lanes, [&](unsigned lane) { return group.documented_gate(lane).kind == GateKind::slot; });
  if (auto said = own ? by_two_slots(group) : std::nullopt) return *said;
  if (auto said = by_count(group)) return *said;
  return {"not gated by any single slot" + example(group)};
}

/// What the group's sentence says of its lanes; nothing if it gives an example only.
std::optional<GateLaw> law_of(const Group& group, const Said& said) {
  if (group.kind == GateKind::several && !said.on) return {};
  std::map<unsigned, Gate> gates;
  for (const unsigned lane : group.lanes) gates[lane] = group.gate(lane);
  return GateLaw{repeat_law(group.repeats, group.measured.repeats),
                 [=, on = said.on](unsigned lane, const MaskWords& mask) -> std::optional<bool> {
                   const auto gate = gates.find(lane);
                   if (gate == gates.end()) return {};
                   return on ? on(lane, mask) : is_on(gate->second, mask);
                 }};
}

/// Are these all the lanes that the mask gates by the documents?
bool are_all_gated(const Group& group) {
  const unsigned repeat = group.repeats[0];
  unsigned gated = 0;
  for (unsigned lane = 0; lane < group.documented.lanes; ++lane)
    gated += group.documented.at(repeat, lane).kind == GateKind::slot ? 1 : 0;
  return group.lanes.size() == gated;
}

std::string what_of(const Group& group, const Said& said) {
  const std::string start = subject_of(group) + std::string(verb(group));
  if (const auto text = reversed_word(group.lanes, slots_of(group, group.measured), group.measured.lanes);
      text && group.kind == GateKind::slot)
    return text->before + mnemonic(group.subject.insn) + text->behind;
  switch (group.kind) {
    case GateKind::slot:
    case GateKind::inverted:
      return start + by_slots(group);
    case GateKind::always:
      if (are_all_gated(group))
        return mnemonic(group.subject.insn) + " ignores the mask: all lanes are " + written(group) +
               " whatever it is";
      return start + written(group) + " whatever the mask is, as if " + of_slots(group) + " 1";
    case GateKind::never:
      return start + "never " + written(group) + ", whatever the mask is, as if " + of_slots(group) + " 0";
    case GateKind::several:
      break;
  }
  return start + said.text;
}

/// If several slots decide about lanes and no law is found, a slot that seems to decide alone about other
/// lanes of these repeats does so by an accident of the masks that were tried: all become one group.
std::vector<Group> without_accidents(std::vector<Group> groups) {
  for (std::size_t n = 0; n < groups.size(); ++n) {
    if (groups[n].lanes.empty() || groups[n].kind != GateKind::several || by_several(groups[n]).on) continue;
    for (std::size_t other = groups.size(); other-- > 0;) {
      Group& accident = groups[other];
      const bool same = other != n && accident.repeats == groups[n].repeats &&
                        (accident.kind == GateKind::slot || accident.kind == GateKind::inverted);
      if (!same) continue;
      groups[n].lanes.insert(groups[n].lanes.end(), accident.lanes.begin(), accident.lanes.end());
      accident.lanes.clear();
    }
    groups[n].lanes = sorted_unique(groups[n].lanes);
  }
  std::vector<Group> kept;
  for (Group& group : groups)
    if (!group.lanes.empty()) kept.push_back(std::move(group));
  return kept;
}

}  // namespace

std::string show_words(const MaskWords& words) {
  return show_hex(words.high) + ":" + show_hex(words.low);
}

std::vector<Difference> gate_differences(const Subject& subject, const GateMap& measured,
                                         const GateMap& documented, const std::vector<bool>& skipped) {
  std::vector<Difference> differences;
  if (measured.masked_off && !documented.masked_off)
    differences.push_back({"gate",
                           std::string(kMaskedOff) + mnemonic(subject.insn) + " receive " +
                               show_element(subject.insn.dst_type, *measured.masked_off) +
                               " instead of keeping their old dst",
                           {}});
  // The repeats in which the same lanes have the same wrong gates, by kind.
  std::map<std::vector<std::array<unsigned, 3>>, Numbers> alike;
  for (unsigned repeat = 0; repeat < measured.repeats; ++repeat) {
    std::map<GateKind, std::vector<std::array<unsigned, 3>>> wrong;
    for (unsigned lane = 0; lane < measured.lanes; ++lane) {
      const Gate& gate = measured.at(repeat, lane);
      if (gate == documented.at(repeat, lane) || skipped[repeat * measured.lanes + lane]) continue;
      wrong[gate.kind].push_back({static_cast<unsigned>(gate.kind), lane, gate.slot});
    }
    for (auto& [kind, lanes] : wrong) alike[std::move(lanes)].push_back(repeat);
  }
  std::vector<Group> groups;
  for (const auto& [gates, repeats] : alike) {
    groups.push_back({subject, measured, documented, static_cast<GateKind>(gates[0][0]), {}, repeats});
    for (const auto& gate : gates) groups.back().lanes.push_back(gate[1]);
  }
  for (const Group& group : without_accidents(std::move(groups))) {
    const Said said = group.kind == GateKind::several ? by_several(group) : Said{};
    auto law = law_of(group, said);
    differences.push_back(
        {"gate", what_of(group, said), in_repeats(group.repeats, measured.repeats), !law, std::move(law)});
  }
  return differences;
}

}  // namespace lanecheck
