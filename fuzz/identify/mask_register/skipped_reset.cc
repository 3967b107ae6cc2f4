#include "fuzz/identify/mask_register/skipped_reset.h"

#include <algorithm>

#include "fuzz/identify/gates/mask_condition.h"
#include "fuzz/identify/probes/gate_map.h"
#include "fuzz/identify/probes/shapes.h"
#include "spec/legality/find_fault.h"
#include "spec/mask/footprint.h"
#include "spec/program/profile.h"

namespace lanecheck {
namespace {

/// One mask that was set before the reset, and which lanes an addition wrote after it.
struct AfterReset {
  MaskWords mask;
  bool is_full = true, is_mask = true;  ///< all lanes, or those of the mask
};

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

/// Under the first `most` masks, each before `resets`.
std::vector<AfterReset> after_resets(const Subject& subject, const std::vector<Instruction>& resets,
                                     std::size_t most, const Ask& ask) {
  const auto layout = lay_out(subject);
  if (!layout) return {};
  std::vector<Program> programs;
  std::vector<AfterReset> all;
  for (const MaskWords& mask : gate_masks(subject)) {
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
      const bool written =
          get_element(answers.states[n].ub, dst, type, at) != get_element(programs[n].ub, dst, type, at);
      all[n].is_full &= written;
      all[n].is_mask &= written == has_slot(all[n].mask, lane);
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

std::optional<Difference> skipped_reset(Profile profile, const Ask& ask) {
  if (!row_of(Op::reset_mask).in(profile).offered || !row_of(Op::add).in(profile).offered) return {};
  const Subject subject = addition(profile);
  constexpr std::size_t kFew = 1, kAll = 64;
  Instruction reset;
  reset.op = Op::reset_mask;
  const Op set = row_of(profile).sets_mask.value_or(Op::set_mask);
  const auto known = [](const AfterReset& each) { return each.is_full != each.is_mask; };
  if (!std::ranges::all_of(after_resets(subject, {reset}, kFew, ask), known)) return {};
  const auto seen = after_resets(subject, {reset}, kAll, ask);
  if (seen.empty() || !std::ranges::all_of(seen, known) || std::ranges::all_of(seen, &AfterReset::is_full))
    return {};
  if (std::ranges::all_of(seen, &AfterReset::is_mask))
    return Difference{MapKind::state,
                      std::string("reset_mask has no effect") +
                          (is_reset_once_used(subject, reset, ask)
                               ? ", unless an instruction has used the mask that was set before it"
                               : ""),
                      {}};
  const auto by_ones = after_resets(subject, {mask_instruction(set, {kOnes, kOnes})}, kAll,
                                    ask);  // then it is no law of reset_mask
  if (std::ranges::any_of(by_ones, [](const AfterReset& each) { return !each.is_full; })) return {};
  const MaskWords full = full_mask(subject);
  for (const MaskCondition& condition : mask_conditions())
    for (const bool when : {true, false}) {
      const bool gives = std::ranges::all_of(seen, [&](const AfterReset& each) {
        return each.is_mask == (condition.holds(each.mask, full) == when);
      });
      if (gives)
        return Difference{
            MapKind::state, "reset_mask has no effect if, before it, " + condition.text(when), {}};
    }
  return {};
}

}  // namespace lanecheck
