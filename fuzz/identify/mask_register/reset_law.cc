#include "fuzz/identify/mask_register/reset_law.h"

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/identify/gates/mask_condition.h"
#include "fuzz/identify/probes/gate_map.h"
#include "fuzz/identify/probes/shapes.h"
#include "spec/legality/find_fault.h"
#include "spec/mask/footprint.h"
#include "spec/program/profile.h"

namespace lanecheck {
namespace {

/// One mask that was set before the reset, and the lanes that an addition wrote after it.
struct AfterReset {
  MaskWords mask;
  std::vector<bool> written{};

  bool is_full() const { return std::ranges::count(written, false) == 0; }
};

/// Slots that the reset may not set.
struct ResetSlots {
  std::string_view text;
  unsigned begin, end;
};

constexpr ResetSlots kSlotsOfReset[] = {
    {"all slots", 0, 128}, {"slots 64..127", 64, 128}, {"slots 0..63", 0, 64}};

/// What becomes of them.
enum class ResetFate : std::uint8_t { kept, off };

using HoldsBefore = std::function<bool(const MaskWords& mask)>;

bool gives(const ResetSlots& slots, ResetFate fate, const HoldsBefore& holds,
           const std::vector<AfterReset>& seen) {
  return std::ranges::all_of(seen, [&](const AfterReset& each) {
    const bool applies = holds(each.mask);
    for (unsigned slot = 0; slot < each.written.size(); ++slot) {
      const bool reset = !applies || slot < slots.begin || slot >= slots.end;
      if (each.written[slot] != (reset || (fate == ResetFate::kept && has_slot(each.mask, slot))))
        return false;
    }
    return true;
  });
}

/// An addition with a lane for each slot of two words.
Subject addition(Profile profile) {
  const Row& add = row_of(Op::add);
  const auto& pairs = add.in(profile).pairs;
  const auto wide =
      std::ranges::find_if(pairs, [](const TypePair& types) { return size_of(types.dst) == 2; });
  Subject subject = in_a_row(default_subject(profile, add, wide == pairs.end() ? pairs.front() : *wide), 1);
  subject.from_register = true;
  return subject;
}

/// Masks of many kinds, with empty words too.
std::vector<MaskWords> masks_before(const Subject& subject) {
  std::vector<MaskWords> all = gate_masks(subject);
  for (const MaskWords& mask : {kEarlierMask, MaskWords{0, kEarlierMask.low}, MaskWords{kEarlierMask.high, 0},
                                MaskWords{0, kOnes}, MaskWords{kOnes, 0}, MaskWords{0, 0}})
    if (std::ranges::count(all, mask) == 0) all.push_back(mask);
  return all;
}

/// Under the first `most` masks, each before `resets`.
std::vector<AfterReset> after_resets(const Subject& subject, const std::vector<Instruction>& resets,
                                     std::size_t most, const Ask& ask) {
  const auto layout = lay_out(subject);
  if (!layout) return {};
  std::vector<Program> programs;
  std::vector<AfterReset> all;
  for (const MaskWords& mask : masks_before(subject)) {
    auto program = probe_program(subject, *layout, mask);
    if (!program || mask == full_mask(subject) || all.size() == most) continue;
    program->instructions.insert(program->instructions.end() - 1, resets.begin(), resets.end());
    for (unsigned k = 0; k < 3; ++k)
      fill_region(*program, layout->regions[k], subject.insn.dst_type, plain_bits(subject.insn.dst_type, k));
    if (find_fault(*program)) continue;
    programs.push_back(std::move(*program));
    all.push_back({mask});
  }
  const Answers answers = ask_all(ask, programs);
  if (!answers.why_not.empty()) return {};
  const Element type = subject.insn.dst_type;
  const Region& dst = layout->regions[0];
  for (std::size_t n = 0; n < all.size(); ++n)
    for (unsigned lane = 0; lane < lanes_of(subject.insn); ++lane) {
      const std::uint32_t at = dst.margin / size_of(type) + lane;
      all[n].written.push_back(get_element(answers.states[n].ub, dst, type, at) !=
                               get_element(programs[n].ub, dst, type, at));
    }
  return all;
}

/// An addition between the mask and the reset, at the same places as the one behind it: is the mask reset
/// then?
bool is_reset_once_used(const Subject& subject, const Instruction& reset, const Ask& ask) {
  const auto layout = lay_out(subject);
  const auto program = layout ? probe_program(subject, *layout, full_mask(subject)) : std::nullopt;
  if (!program) return false;
  const auto seen = after_resets(subject, {program->instructions.back(), reset}, 4, ask);
  return !seen.empty() && std::ranges::all_of(seen, &AfterReset::is_full);
}

}  // namespace

std::optional<Difference> reset_law(Profile profile, const Ask& ask) {
  if (!row_of(Op::reset_mask).in(profile).offered || !row_of(Op::add).in(profile).offered) return {};
  const Subject subject = addition(profile);
  constexpr std::size_t kAll = 64;
  Instruction reset;
  reset.op = Op::reset_mask;
  const auto seen = after_resets(subject, {reset}, kAll, ask);
  if (seen.empty() || std::ranges::all_of(seen, &AfterReset::is_full)) return {};
  const auto said = [](std::string what) { return Difference{MapKind::state, std::move(what), {}}; };
  const HoldsBefore always = [](const MaskWords&) { return true; };
  if (gives(kSlotsOfReset[0], ResetFate::kept, always, seen))
    return said(std::string("reset_mask has no effect") +
                (is_reset_once_used(subject, reset, ask)
                     ? ", unless an instruction has used the mask that was set before it"
                     : ""));
  const Op set = row_of(profile).sets_mask.value_or(Op::set_mask);
  const auto by_ones = after_resets(subject, {mask_instruction(set, {kOnes, kOnes})}, kAll, ask);
  if (!std::ranges::all_of(by_ones, &AfterReset::is_full)) return {};  // then it is no law of reset_mask
  std::vector<std::pair<std::string, HoldsBefore>> conditions = {{"", always}};
  for (const MaskCondition& condition : mask_conditions())
    for (const bool when : {true, false})
      conditions.emplace_back(" if, before it, " + condition.text(when),
                              [&condition, when, full = full_mask(subject)](const MaskWords& mask) {
                                return condition.holds(mask, full) == when;
                              });
  for (const auto& [text, holds] : conditions)
    for (const ResetSlots& slots : kSlotsOfReset)
      for (const ResetFate fate : {ResetFate::kept, ResetFate::off}) {
        if (!gives(slots, fate, holds, seen)) continue;
        if (slots.text == kSlotsOfReset[0].text && fate == ResetFate::kept)
          return said("reset_mask has no effect" + text);
        return said("reset_mask leaves " + std::string(slots.text) +
                    (fate == ResetFate::kept ? " as they were" : " at 0") + text);
      }
  return {};
}

}  // namespace lanecheck
