#include "fuzz/explain/questions/executed_step.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "oracle/compare/compare.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/mask/footprint.h"
#include "spec/program/profile.h"
#include "spec/rules/relation.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

std::uint64_t neutral_bits(Element type, Neutral neutral) {
  if (neutral == Neutral::zero) return 0;
  constexpr double infinity = std::numeric_limits<double>::infinity();  // of an integer type: its limit
  return nearest(type, neutral == Neutral::lowest ? -infinity : infinity);
}

/// Beside the neutral element, the index of the extreme is ambiguous if an active element equals it, or is a
/// NaN: which of the two then counts as the extreme is open.
bool makes_index_ambiguous(Element type, std::uint64_t neutral, const std::byte* element) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, element, size_of(type));
  return bits == neutral || (is_float(type) && std::isnan(value_of(type, bits)));
}

/// Replaces the masked-off source elements of a reduction by the neutral element. False if an element is both
/// masked off and active, or if the index of the extreme becomes ambiguous.
bool neutralise(const Program& program, const relation::Walked& walked, std::vector<std::byte>& ub) {
  const Instruction& insn = walked.here.insn;
  const Element type = insn.src_type;
  const unsigned size = size_of(type), lanes = lanes_of(insn);
  const std::uint64_t neutral = neutral_bits(type, row_of(insn.op).neutral);
  std::vector<std::uint8_t> verdict(ub.size(), 2);
  for (unsigned repeat = 0; repeat < insn.repeat; ++repeat)
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const std::size_t at = start_of(program, insn.operands[1]) + lane_offset(insn, 1, repeat, lane);
      const std::uint8_t active = walked.is_on(repeat, lane) ? 1 : 0;
      if (verdict[at] != 2 && verdict[at] != active) return false;
      verdict[at] = active;
      if (active != 0 && row_of(insn.op).results == ResultRule::indexed &&
          makes_index_ambiguous(type, neutral, ub.data() + at))
        return false;
      if (active == 0) std::memcpy(ub.data() + at, &neutral, size);
    }
  return true;
}

/// The instructions that make the mask of `before`. Nothing if no instructions can.
std::optional<std::vector<Instruction>> mask_setup(Profile profile, const State& before) {
  std::vector<Instruction> setup;
  const bool full = before.mask == kFullMask;
  if (!full && std::count(before.mask.begin() + 128, before.mask.end(), 1) != 128) return {};
  if (before.mode == Mode::counter) setup.emplace_back().op = Op::set_mask_count;
  const MaskWords words{mask_word(before.mask, 1), mask_word(before.mask, 0)};
  if (!full) setup.push_back(mask_setter(*row_of(profile).sets_mask, words));
  return setup;
}

/// Inverts the bytes of dst, so that the run under a full mask shows a dst that is never written. Not where a
/// source shares bytes with dst or the instruction reads its dst, because the results would differ.
void invert_dst(const Program& program, const Instruction& insn, std::vector<std::byte>& ub) {
  const Row& row = row_of(insn.op);
  const bool writes_all = row.mask == MaskUse::gates_writeback || row.mask == MaskUse::neutral_source;
  if (!writes_all || row.operands.empty() || row.reads_dst) return;
  const auto shared = sources_that_share_dst(program, insn);
  if (!shared || !shared->empty()) return;
  std::vector<bool> is_dst(ub.size(), false);
  for_each_piece(insn, 0, [&](std::uint64_t offset, std::uint64_t bytes) {
    const std::size_t at = start_of(program, insn.operands[0]) + offset;
    std::fill_n(is_dst.begin() + static_cast<std::ptrdiff_t>(at), bytes, true);
  });
  for (std::size_t byte = 0; byte < ub.size(); ++byte)
    if (is_dst[byte]) ub[byte] = ~ub[byte];
}

}  // namespace

Instruction under_full_mask(Profile profile, Instruction insn) {
  const Row& row = row_of(insn.op);
  insn.mask_from = MaskFrom::reg;
  insn.high = insn.low = 0;
  const std::uint8_t forms = mask_forms(row, profile);
  if (row.mask == MaskUse::is_mask_state || has_form(forms, MaskFrom::reg)) return insn;
  insn.mask_from = MaskFrom::contiguous;
  insn.low = lanes_of(insn);
  return insn;
}

std::optional<bool> relation_holds(const Step& step, const Semantics& semantics) {
  const auto op = static_cast<std::size_t>(step.insn.op);
  if (row_of(step.insn.op).compacts) return {};
  switch (semantics.use[op]) {
    case MaskUse::gates_writeback:
      return relation::gates_writeback(step);
    case MaskUse::neutral_source:
      return relation::neutralises_masked_off(step) &&
             (semantics.empty[op] == EmptyResult::keeps_dst ? relation::keeps_empty_results(step)
                                                            : relation::writes_empty_results(step));
    case MaskUse::ignores:
      return relation::ignores_mask(step);
    case MaskUse::is_mask_state:
      return {};
  }
  return {};
}

Instruction under_register(Profile profile, Instruction insn, const State& state) {
  const bool takes_register = has_form(mask_forms(row_of(insn.op), profile), MaskFrom::reg);
  insn.mask_from = takes_register ? MaskFrom::reg : MaskFrom::bitwise;
  insn.high = takes_register ? 0 : mask_word(state.mask, 1);
  insn.low = takes_register ? 0 : mask_word(state.mask, 0);
  return insn;
}

std::optional<Program> alone(const Program& program, const Instruction& insn, const State& before) {
  const Profile profile = program.profile;
  const Row& row = row_of(insn.op);
  if (row.compare_mask == CompareMaskUse::reads || row.compare_mask == CompareMaskUse::writes)
    return {};  // a program cannot restore the compare mask of `before`
  const auto setup = !row_of(profile).sets_mask ? std::vector<Instruction>{} : mask_setup(profile, before);
  if (!setup) return {};
  Program single{profile, program.allocations, *setup, before.ub};
  single.instructions.push_back(insn);
  if (!find_fault(single)) return single;
  const bool has_own_mask = insn.mask_from == MaskFrom::bitwise || insn.mask_from == MaskFrom::contiguous;
  if (!row.compacts && (!has_own_mask || before.mode == Mode::counter)) return {};
  single.instructions = {insn};  // no instruction sets an empty mask, and GatherMask brings all that it needs
  return find_fault(single) ? std::nullopt : std::optional(std::move(single));
}

void load_compare_mask(Program& program, const std::array<std::byte, 16>& cmpmask) {
  const auto offset = static_cast<std::uint32_t>(in_whole_blocks(program.ub.size()));
  Instruction load;
  load.op = Op::set_cmpmask;
  load.dst_type = load.src_type = Element::u8;
  load.operands[0].allocation = static_cast<std::uint16_t>(program.allocations.size());
  program.allocations.push_back(
      {"compare_mask", Element::u8, offset, static_cast<std::uint32_t>(cmpmask.size())});
  program.ub.resize(offset + kBlockBytes);
  std::ranges::copy(cmpmask, program.ub.begin() + offset);
  program.instructions.push_back(load);
}

std::optional<Program> alone_with_compare_mask(const Program& program, const Instruction& insn,
                                               const State& before) {
  const auto setup = mask_setup(program.profile, before);
  if (!setup || in_whole_blocks(before.ub.size()) + kBlockBytes > kMaxUbBytes) return {};
  Program single{program.profile, program.allocations, *setup, before.ub};
  load_compare_mask(single, before.cmpmask);
  single.instructions.push_back(insn);
  return find_fault(single) ? std::nullopt : std::optional(std::move(single));
}

bool leaves_ub(const Program& program, const State& actual, const Semantics& semantics, Shown shown) {
  if (compare(program, semantics, actual, shown).bytes.empty()) return true;
  State expected;
  execute(program, semantics, expected);
  return identical_but_for_nans(program, expected, actual, false);
}

std::optional<ExecutedStep> run_step(AskedBackend& asked, const Program& program, const Instruction& insn,
                                     const State& before) {
  const Profile profile = program.profile;
  const Row& row = row_of(insn.op);
  auto single = alone(program, insn, before);
  if (!single) return {};
  ExecutedStep step{std::move(*single), before, {}, {}};
  const relation::Walked walked(step.view());
  Program full{profile, program.allocations, {insn}, before.ub};
  if (row_of(insn.op).mask != MaskUse::is_mask_state) {
    if (walked.here.insn.repeat > kMaxRepeat) return {};
    full.instructions = {row.compacts ? insn : under_full_mask(profile, walked.here.insn)};
    if (row_of(profile).repeat_by_scalar) full.instructions[0].scalar_repeat = true;
  }
  if (row_of(insn.op).mask == MaskUse::neutral_source && !neutralise(program, walked, full.ub)) return {};
  if (find_fault(full)) return {};
  invert_dst(full, full.instructions[0], full.ub);
  BackendAnswer after = asked.ask(step.program), unmasked = asked.ask(full);
  if (!after.ran() || !unmasked.ran()) return {};
  State expected;
  execute(step.program, Semantics(default_readings(profile)), expected);
  step.after = as_shown(std::move(after.state), expected, asked.shown());
  step.unmasked = std::move(unmasked.state);
  return step;
}

}  // namespace lanecheck
