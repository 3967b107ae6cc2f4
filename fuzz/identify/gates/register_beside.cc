#include "fuzz/identify/gates/register_beside.h"

#include <algorithm>

#include "fuzz/identify/gates/mask_condition.h"
#include "fuzz/identify/probes/gate_map.h"
#include "fuzz/identify/probes/intervals.h"
#include "spec/program/profile.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// When the register counts in place of the own mask.
struct Rule {
  std::string text;
  std::function<bool(const MaskWords& own)> holds;
};

std::vector<Rule> rules_for(const MaskWords& full) {
  std::vector<Rule> rules = {{"", [](const MaskWords&) { return true; }}};
  for (const MaskCondition& condition : mask_conditions())
    for (const bool when : {true, false})
      rules.push_back({" if " + condition.text(when),
                       [=](const MaskWords& own) { return condition.holds(own, full) == when; }});
  return rules;
}

/// Does `lane` follow the register wherever the rule holds, and its own mask elsewhere?
bool fits(const Rule& rule, const GateMap& map, const MaskWords& in_register, unsigned lane) {
  for (std::size_t m = 0; m < map.masks.size(); ++m) {
    const MaskWords& decides = rule.holds(map.masks[m]) ? in_register : map.masks[m];
    if ((map.seen[lane][m] == 'w') != has_slot(decides, lane)) return false;
  }
  return true;
}

}  // namespace

std::optional<Difference> register_beside_own_mask(const Subject& subject, const GateMap& alone,
                                                   const Ask& ask) {
  const std::uint8_t forms = mask_forms(row_of(subject.insn.op), subject.profile);
  if (row_of(subject.profile).sets_mask != Op::set_vector_mask || !has_form(forms, MaskFrom::bitwise))
    return {};
  const MaskWords full = full_mask(subject);
  const MaskWords earlier = {kEarlierMask.high & full.high, kEarlierMask.low & full.low};
  const auto beside = measure_gates(subject, ask, {mask_instruction(Op::set_vector_mask, earlier)});
  if (!beside.map || beside.map->masks != alone.masks) return {};
  const Rule own = {"", [](const MaskWords&) { return false; }};
  std::vector<unsigned> lanes;
  for (unsigned lane = 0; lane < std::min(alone.lanes, 128U); ++lane)
    if (!fits(own, alone, {kOnes, kOnes}, lane)) lanes.push_back(lane);
  const auto shows_register = [&](unsigned lane) { return beside.map->seen[lane] != alone.seen[lane]; };
  if (std::ranges::none_of(lanes, shows_register)) return {};
  for (const Rule& rule : rules_for(full)) {
    const auto follows = [&](unsigned lane) {
      return fits(rule, *beside.map, earlier, lane) && fits(rule, alone, {kOnes, kOnes}, lane);
    };
    if (std::ranges::all_of(lanes, follows))
      return Difference{MapKind::gate,
                        counted_noun("lane", lanes) + " of " + mnemonic(subject.insn) +
                            " are gated by the mask register instead of by its own mask" + rule.text,
                        {}};
  }
  return {};
}

}  // namespace lanecheck
