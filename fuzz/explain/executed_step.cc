#include "fuzz/explain/executed_step.h"

#include <algorithm>
#include <limits>

#include "spec/legality/find_fault.h"
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

/// Replaces the masked-off source elements of a reduction by the neutral element. False if an element is both
/// masked off and active, or if an active element equals the neutral one, because then the index of the
/// extreme is ambiguous.
bool neutralise(const Program& program, const relation::Walked& walked, std::vector<std::byte>& ub) {
  const Instruction& insn = walked.here.insn;
  const Element type = insn.src_type;
  const unsigned size = size_of(type), per = per_block(type), lanes = lanes_of(insn);
  const std::uint64_t neutral = neutral_bits(type, row_of(insn.op).neutral);
  std::vector<std::uint8_t> verdict(ub.size(), 2);
  for (unsigned repeat = 0; repeat < insn.repeat; ++repeat)
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const std::size_t at = start_of(program, insn.operands[1]) +
                             kBlockBytes * (std::size_t{repeat} * insn.operands[1].repeat_stride +
                                            std::size_t{lane / per} * insn.operands[1].block_stride) +
                             lane % per * size;
      const std::uint8_t active = walked.is_on(repeat, lane) ? 1 : 0;
      if (verdict[at] != 2 && verdict[at] != active) return false;
      verdict[at] = active;
      if (active != 0 && row_of(insn.op).form == Form::reduce_extreme &&
          std::memcmp(ub.data() + at, &neutral, size) == 0)
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
  if (!full) {
    Instruction set;
    set.op = profile == Profile::vmc ? Op::set_mask : Op::set_vector_mask;
    if (profile != Profile::vmc) set.dst_type = set.src_type = Element::f16;
    set.low = mask_word(before.mask, 0);
    set.high = mask_word(before.mask, 1);
    setup.push_back(set);
  }
  return setup;
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
  const Form form = row_of(step.insn.op).form;
  if (form == Form::gather_mask || form == Form::gather_mask_user) return {};
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

std::optional<ExecutedStep> run_step(const Backend& backend, const Program& program, const Instruction& insn,
                                     const State& before) {
  const Profile profile = program.profile;
  const Form form = row_of(insn.op).form;
  if (form == Form::select_cmpmask || form == Form::compare_cmpmask || form == Form::get_cmpmask)
    return {};  // a program cannot restore the compare mask of `before`
  ExecutedStep step{{profile, program.allocations, {}, before.ub}, before, {}, {}};
  const auto setup = profile == Profile::tik ? std::vector<Instruction>{} : mask_setup(profile, before);
  if (!setup) return {};
  step.program.instructions = *setup;
  step.program.instructions.push_back(insn);
  if (find_fault(step.program)) return {};
  const relation::Walked walked(step.view());
  Program full{profile, program.allocations, {insn}, before.ub};
  if (row_of(insn.op).mask != MaskUse::is_mask_state) {
    if (walked.here.insn.repeat > kMaxRepeat) return {};
    const bool gathers = form == Form::gather_mask || form == Form::gather_mask_user;
    full.instructions = {gathers ? insn : under_full_mask(profile, walked.here.insn)};
    if (profile == Profile::tik) full.instructions[0].scalar_repeat = true;
  }
  if (row_of(insn.op).mask == MaskUse::neutral_source && !neutralise(program, walked, full.ub)) return {};
  if (!std::holds_alternative<Ran>(backend.run(step.program, step.after))) return {};
  if (find_fault(full) || !std::holds_alternative<Ran>(backend.run(full, step.unmasked))) return {};
  return step;
}

}  // namespace lanecheck
