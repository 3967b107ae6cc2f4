#include "fuzz/identify/gates/gate_differences.h"

#include <algorithm>
#include <map>

#include "fuzz/identify/gates/active_runs.h"
#include "fuzz/identify/gates/edge_lane.h"
#include "fuzz/identify/gates/mask_condition.h"
#include "fuzz/identify/gates/masked_off.h"
#include "fuzz/identify/gates/moving_mask.h"
#include "fuzz/identify/gates/part_of_mask.h"
#include "fuzz/identify/gates/several_slots.h"
#include "fuzz/identify/probes/gate_map.h"
#include "fuzz/identify/probes/index_formula.h"
#include "fuzz/identify/probes/intervals.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

Numbers slots_of(const GateGroup& group, const GateMap& map) {
  Numbers slots;
  for (const unsigned lane : group.lanes) slots.push_back(map.at(group.repeats[0], lane).slot);
  return slots;
}

std::string subject_of(const GateGroup& group) {
  // More lanes than slots: "all lanes" is true of other types too.
  if (group.kind == GateKind::several && group.lanes.size() == group.measured.lanes &&
      group.measured.lanes > kMaskSlots / 2)
    return "all lanes of " + mnemonic(group.subject.insn);
  return counted_noun("lane", group.lanes) + " of " + mnemonic(group.subject.insn);
}

std::string_view verb(const GateGroup& group) {
  return group.lanes.size() == 1 ? " is " : " are ";
}

std::string of_slots(const GateGroup& group) {
  return group.lanes.size() == 1 ? "its slot were" : "their slots were";
}

/// Of lanes with slots of their own, and of lanes behind the last slot.
std::string instead_of_both(const GateGroup& group) {
  Numbers own, always;
  for (const unsigned lane : group.lanes) {
    const Gate& gate = group.documented_gate(lane);
    if (gate.kind == GateKind::slot && gate.slot == lane) own.push_back(lane);
    if (gate.kind == GateKind::always) always.push_back(lane);
  }
  if (own.size() + always.size() != group.lanes.size()) return "against the documents";
  return "instead of " + counted_noun("lane", own) + " by " +
         (own.size() == 1 ? "its own slot" : "their own slots") + " and " + counted_noun("lane", always) +
         " being " + written(group) + " under every mask";
}

/// What the documents say of these lanes: "instead of slots 64..127".
std::string instead(const GateGroup& group) {
  const GateKind kind = group.documented_gate(group.lanes[0]).kind;
  if (std::ranges::any_of(group.lanes, [&](unsigned l) { return group.documented_gate(l).kind != kind; }))
    return instead_of_both(group);
  if (kind == GateKind::always) return "instead of being " + written(group) + " under every mask";
  if (kind == GateKind::never) return "instead of never being " + written(group);
  Numbers slots = slots_of(group, group.documented);
  if (slots == group.lanes && slots.size() > 1) return "instead of each by its own slot";
  std::ranges::sort(slots);
  return "instead of " + counted_noun("slot", slots);
}

/// Is each lane gated by the slot of the lane beside it?
bool is_neighbour(const GateGroup& group, const Numbers& slots) {
  return group.lanes.size() > 1 && std::ranges::all_of(slots, [&](const unsigned& slot) {
           const unsigned lane = group.lanes[static_cast<std::size_t>(&slot - slots.data())];
           return slot == lane + 1 || slot + 1 == lane;
         });
}

/// Frequent formulas in words: a neighbour's slot, the first slot of a data block.
std::optional<std::string> in_words(const GateGroup& group, const Numbers& slots) {
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
std::string by_slots(const GateGroup& group) {
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
  auto formula = index_formula(group.lanes, slots, group.measured.lanes);
  if (!formula) formula = block_formula(group.lanes, slots, group.measured.lanes);
  if (formula) return gated + "slot " + *formula + " " + instead(group);
  return gated + "other slots, for example lane " + std::to_string(group.lanes[0]) + " by slot " +
         std::to_string(slots[0]) + ", " + instead(group);
}

/// A mask under which a lane is not what the documents say: "for example lane 3 of repeat 0 is written under
/// the mask 0x0:0x1 (high:low), in which its slot is 0".
std::string example(const GateGroup& group) {
  const unsigned lane = group.lanes[0];
  const std::string &is = group.seen(group.measured, lane), &should = group.seen(group.documented, lane);
  for (std::size_t m = 0; m < is.size(); ++m) {
    if (is[m] == should[m]) continue;
    std::string text = ", for example lane " + std::to_string(lane);
    if (row_of(group.subject.insn.op).mask != MaskUse::neutral_source)
      text += " of repeat " + std::to_string(group.repeats[0]);
    // A lane that is left out may keep its old dst, or receive another value.
    text += " is " + (is[m] == 'w' ? written(group) : "left out") + " under the mask " +
            show_words(group.measured.masks[m]) + " (high:low)";
    if (group.documented_gate(lane).kind == GateKind::slot)
      text += std::string(", in which its slot is ") + (is[m] == 'w' ? "0" : "1");
    return text;
  }
  return {};
}

SlotLaw by_several(const GateGroup& group) {
  if (auto said = by_condition(group)) return *said;
  const bool own = std::ranges::all_of(
      group.lanes, [&](unsigned lane) { return group.documented_gate(lane).kind == GateKind::slot; });
  if (auto said = own ? by_two_slots(group) : std::nullopt) return *said;
  if (auto said = by_range(group)) return *said;
  if (auto said = by_edge_lane(group)) return *said;
  if (auto said = by_active_run(group)) return *said;
  if (auto said = by_edge_block(group)) return *said;
  if (auto said = by_empty_block(group)) return *said;
  if (auto said = by_tail(group)) return *said;
  if (auto said = by_pair_of_slots(group)) return *said;
  if (auto said = by_count(group)) return *said;
  if (auto said = by_part(group)) return *said;
  return {"not gated by any single slot" + example(group), {}, true};
}

/// The lanes that are never written where the other lanes are gated by slot a * lane + b, and by this formula
/// none of the masks that were tried sets the slots of these: it is illegal for the instruction's own.
/// Empty if others are never written too.
Numbers lanes_of_unsettable_slots(const GateGroup& group) {
  constexpr std::size_t kFewest = 4;  // lanes that show the formula
  if (group.kind != GateKind::slot || group.lanes.size() < kFewest) return {};
  const Numbers slots = slots_of(group, group.measured);
  const auto difference = [](unsigned to, unsigned from) {
    return static_cast<int>(to) - static_cast<int>(from);
  };
  const int step = difference(slots[1], slots[0]), lanes = difference(group.lanes[1], group.lanes[0]);
  const auto slot_of = [&](unsigned lane) {
    return static_cast<int>(slots[0]) + difference(lane, group.lanes[0]) * step / lanes;
  };
  for (std::size_t n = 0; n < slots.size(); ++n)
    if (slot_of(group.lanes[n]) != static_cast<int>(slots[n])) return {};
  Numbers never;
  for (unsigned lane = 0; lane < group.measured.lanes; ++lane) {
    if (group.gate(lane).kind != GateKind::never || group.documented_gate(lane).kind != GateKind::slot)
      continue;
    if (slot_of(lane) < static_cast<int>(settable_slots(group.subject))) return {};
    never.push_back(lane);
  }
  return never;
}

/// What the group's sentence says of its lanes; nothing if it gives an example only.
std::optional<GateLaw> law_of(const GateGroup& group, const SlotLaw& said) {
  if (group.kind == GateKind::several && !said.on) return {};
  std::map<unsigned, Gate> gates;
  for (const unsigned lane : group.lanes) gates[lane] = group.gate(lane);
  for (const unsigned lane : lanes_of_unsettable_slots(group)) gates[lane] = group.gate(lane);
  return GateLaw{repeat_law(group.repeats, group.measured.repeats),
                 [=, on = said.on](unsigned, unsigned lane, const MaskWords& mask) -> std::optional<bool> {
                   const auto gate = gates.find(lane);
                   if (gate == gates.end()) return {};
                   return on ? on(lane, mask) : is_on(gate->second, mask);
                 }};
}

/// Are these all the lanes that the mask gates by the documents?
bool are_all_gated(const GateGroup& group) {
  const unsigned repeat = group.repeats[0];
  unsigned gated = 0;
  for (unsigned lane = 0; lane < group.documented.lanes; ++lane)
    gated += group.documented.at(repeat, lane).kind == GateKind::slot ? 1 : 0;
  return group.lanes.size() == gated;
}

/// A law of a condition may hold for all lanes, and change what few of them do under the masks that were
/// tried. Of a type whose upper lanes no mask switches off by the documents, these follow it if they are in
/// the group.
GateGroup with_all_lanes(GateGroup group) {
  if (group.kind != GateKind::several) return group;
  const bool any_ungated = std::ranges::any_of(
      group.lanes, [&](unsigned lane) { return group.documented_gate(lane).kind == GateKind::always; });
  GateGroup all = group;
  all.lanes.clear();
  for (unsigned lane = 0; lane < group.documented.lanes; ++lane) {
    const GateKind kind = group.documented_gate(lane).kind;
    if (kind == GateKind::slot || (any_ungated && kind == GateKind::always)) all.lanes.push_back(lane);
  }
  const bool of_all = by_condition(all) || by_edge_lane(all) || by_active_run(all) || by_edge_block(all) ||
                      by_empty_block(all) || by_tail(all) || by_count(all) || by_part(all);
  return !all.lanes.empty() && of_all ? all : group;
}

/// ", as if their slots were 0". Not of a reduction: what it writes if no other lane is on was not asked.
std::string as_if_slots(const GateGroup& group, const std::string& bit) {
  if (row_of(group.subject.insn.op).mask == MaskUse::neutral_source) return {};
  return ", as if " + of_slots(group) + " " + bit;
}

std::string what_of(const GateGroup& group, const SlotLaw& said) {
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
      return start + written(group) + " whatever the mask is" + as_if_slots(group, "1");
    case GateKind::never:
      return start + "never " + written(group) + ", whatever the mask is" + as_if_slots(group, "0");
    case GateKind::several:
      break;
  }
  return start + said.text;
}

Difference difference_of(const GateGroup& group, const SlotLaw& said) {
  auto law = law_of(group, said);
  Difference difference{MapKind::gate, what_of(group, said),
                        in_repeats(group.repeats, group.measured.repeats), !law, std::move(law)};
  difference.says_slots = group.kind == GateKind::slot || said.says_slots;
  const Numbers unsettable = lanes_of_unsettable_slots(group);
  if (!unsettable.empty()) {
    difference.general = "lanes are " + by_slots(group);
    difference.what += "; " + counted_noun("lane", unsettable) + " are not " + written(group) +
                       " under masks that are 0 from slot " + std::to_string(settable_slots(group.subject)) +
                       " on";
  }
  if (row_of(group.subject.insn.op).mask == MaskUse::neutral_source) return difference;
  difference.gates = group.kind;
  if (group.kind != GateKind::always || !are_all_gated(group)) difference.lanes = group.lanes;
  std::ranges::copy(unsettable, std::back_inserter(difference.lanes));
  return difference;
}

/// Are many lanes in a row gated by slots at one distance from them? No accident of the masks makes that.
bool lie_at_one_distance(const GateGroup& group) {
  constexpr std::ptrdiff_t kInARow = 8;
  std::ptrdiff_t rows = 1;
  for (std::size_t n = 1; n < group.lanes.size(); ++n)
    rows += group.lanes[n] == group.lanes[n - 1] + 1 ? 0 : 1;
  return group.kind == GateKind::slot && std::ssize(group.lanes) >= kInARow * rows &&
         is_shift(group.lanes, slots_of(group, group.measured));
}

/// If several slots decide about lanes and no law is found, a slot that seems to decide alone about other
/// lanes of these repeats does so by an accident of the masks that were tried: all become one group. So do a
/// few lanes that were written under all of these masks, or under none.
std::vector<GateGroup> without_accidents(std::vector<GateGroup> groups) {
  for (std::size_t n = 0; n < groups.size(); ++n) {
    if (groups[n].lanes.empty() || groups[n].kind != GateKind::several || by_several(groups[n]).on) continue;
    for (std::size_t other = groups.size(); other-- > 0;) {
      GateGroup& accident = groups[other];
      if (other == n || accident.repeats != groups[n].repeats || accident.kind == GateKind::several ||
          lie_at_one_distance(accident))
        continue;
      const bool is_constant = accident.kind == GateKind::always || accident.kind == GateKind::never;
      if (is_constant && accident.lanes.size() >= groups[n].lanes.size()) continue;
      groups[n].lanes.insert(groups[n].lanes.end(), accident.lanes.begin(), accident.lanes.end());
      accident.lanes.clear();
    }
    groups[n].lanes = sorted_unique(groups[n].lanes);
  }
  std::vector<GateGroup> kept;
  for (GateGroup& group : groups)
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
  if (measured.masked_off && !documented.masked_off) {
    say_received(subject, show_element(subject.insn.dst_type, *measured.masked_off),
                 differences.emplace_back());
    differences.back().where = in_repeats(measured.masked_off_in, measured.repeats);
    differences.back().received_in = repeat_law(measured.masked_off_in, measured.repeats);
  }
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
  std::vector<GateGroup> groups;
  for (const auto& [gates, repeats] : alike) {
    groups.push_back({subject, measured, documented, static_cast<GateKind>(gates[0][0]), {}, repeats});
    for (const auto& gate : gates) groups.back().lanes.push_back(gate[1]);
  }
  if (groups.size() > 1)  // several sentences, or one law
    if (auto law = moving_mask(subject, gates_in(measured, skipped))) return {*std::move(law)};
  const std::vector<GateGroup> all = without_accidents(std::move(groups));
  std::vector<GateGroup> whole;
  for (const GateGroup& wrong : all) whole.push_back(with_all_lanes(wrong));
  for (std::size_t n = 0; n < all.size(); ++n) {
    const GateGroup &wrong = all[n], &group = whole[n];
    const bool follows =
        wrong.kind == GateKind::never && std::ranges::any_of(all, [&](const GateGroup& other) {
          return lanes_of_unsettable_slots(other) == wrong.lanes;
        });
    const bool in_law_of_all = std::ranges::any_of(whole, [&](const GateGroup& other) {
      return &other != &group && other.kind == GateKind::several && other.repeats == wrong.repeats &&
             std::ranges::includes(other.lanes, wrong.lanes);
    });
    if (follows || in_law_of_all) continue;
    const SlotLaw said = group.kind == GateKind::several ? by_several(group) : SlotLaw{};
    differences.push_back(difference_of(group, said));
  }
  // The mask would come back to a repeat that is right again.
  const bool may_come_back = all.size() == 1 && differences.size() == 1 && all[0].kind == GateKind::always &&
                             all[0].repeats.back() + 1 < measured.repeats;
  if (may_come_back && moving_mask(subject, gates_in(measured, skipped)))
    differences[0].where +=
        "; a mask that moves on from repeat to repeat, to slots that are 1, would show the same";
  return differences;
}

}  // namespace lanecheck
