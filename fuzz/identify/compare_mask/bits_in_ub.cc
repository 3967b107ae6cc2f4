#include "fuzz/identify/compare_mask/bits_in_ub.h"

#include <algorithm>

#include "fuzz/identify/probes/one_repeat.h"
#include "fuzz/identify/probes/shapes.h"

namespace lanecheck {
namespace {

/// A probe in its longer form.
struct Passed {
  Program program;
  std::uint32_t dst = 0, bytes = 0;    ///< of compare: where its bits lie, and those of one repeat
  std::uint32_t spare = 0, count = 0;  ///< where get_cmpmask puts them, kCopyBytes for each repeat
};

/// The bits of compare stand in dst before it runs, so they stand in the compare mask, too.
std::optional<Passed> compare_passed(const Program& probe) {
  Passed passed{probe, 0, 0, 0, 0};
  const Instruction compare = probe.instructions.back();
  passed.count = repeats_of(compare);
  passed.bytes = lanes_of(compare) / 8;
  passed.dst = start_of(probe, compare.operands[0]);
  passed.spare = static_cast<std::uint32_t>(in_whole_blocks(probe.ub.size()));
  const auto more = static_cast<std::uint32_t>(in_whole_blocks(passed.count * kCopyBytes));
  if (passed.spare + more > kMaxUbBytes) return {};
  Program& program = passed.program;
  program.ub.resize(passed.spare + more, std::byte(0x5a));
  program.allocations.push_back({"compare_mask", Element::u8, passed.spare, more});
  program.instructions.clear();  // a mask that compare does not obey
  for (std::uint32_t r = 0; r < passed.count; ++r) {
    const auto allocation = static_cast<std::uint16_t>(program.allocations.size() - 1);
    const Operand bits{allocation, r * kCopyBytes, 1, 8};
    std::copy_n(probe.ub.begin() + passed.dst + r * passed.bytes, passed.bytes,
                program.ub.begin() + passed.spare + r * kCopyBytes);
    Instruction insn = one_repeat(compare, r);
    insn.op = Op::compare_cmpmask;
    insn.mask_from = MaskFrom::reg;
    insn.operands = {insn.operands[1], insn.operands[2]};
    for (const Instruction& each :
         {compare_mask_copy(Op::set_cmpmask, bits), insn, compare_mask_copy(Op::get_cmpmask, bits)})
      program.instructions.push_back(each);
  }
  return passed;
}

/// Nothing if the probe counts elements: select_cmpmask takes no count.
std::optional<Passed> select_passed(const Program& probe) {
  if (probe.instructions.back().mask_from == MaskFrom::count) return {};
  Passed passed{probe, 0, 0, 0, 0};
  const Instruction select = probe.instructions.back();
  Instruction insn = select;
  insn.op = Op::select_cmpmask;
  insn.mask_from = MaskFrom::reg;
  insn.high = insn.low = 0;
  insn.operands = {select.operands[0], select.operands[2], select.operands[3]};
  auto& list = passed.program.instructions;
  list.pop_back();
  if (select.mask_from == MaskFrom::bitwise)
    list.push_back(mask_instruction(Op::set_vector_mask, {select.high, select.low}));
  if (select.mask_from == MaskFrom::contiguous)
    list.push_back(mask_instruction(Op::set_vector_mask,
                                    contiguous_words(select.low, lanes_of(select), FullLength::its_lanes)));
  list.push_back(compare_mask_copy(Op::set_cmpmask, select.operands[1]));
  list.push_back(insn);
  return passed;
}

/// The probe of select_cmpmask itself, behind a set_cmpmask: without one its results are open.
std::optional<Passed> behind_set_cmpmask(const Program& probe) {
  Passed passed{probe};
  Program& program = passed.program;
  const auto spare = static_cast<std::uint32_t>(in_whole_blocks(probe.ub.size()));
  if (spare + kBlockBytes > kMaxUbBytes) return {};
  program.ub.resize(spare + kBlockBytes, std::byte(0x5a));
  program.allocations.push_back({"compare_mask", Element::u8, spare, kBlockBytes});
  const auto allocation = static_cast<std::uint16_t>(program.allocations.size() - 1);
  program.instructions.insert(program.instructions.begin(),
                              compare_mask_copy(Op::set_cmpmask, {allocation, 0, 1, 8}));
  return passed;
}

/// The state as the probe itself would have left it.
void take_back(const Passed& passed, const Program& probe, State& state) {
  if (state.ub.size() != passed.program.ub.size()) return;  // the answer is too short
  for (std::uint32_t r = 0; r < passed.count; ++r)
    std::copy_n(state.ub.begin() + passed.spare + r * kCopyBytes, passed.bytes,
                state.ub.begin() + passed.dst + r * passed.bytes);
  state.ub.resize(probe.ub.size());
}

}  // namespace

Instruction compare_mask_copy(Op op, const Operand& operand) {
  Instruction insn;
  insn.op = op;
  insn.dst_type = insn.src_type = Element::u8;
  insn.operands[0] = operand;
  return insn;
}

std::optional<Subject> with_bits_in_ub(const Subject& subject) {
  const bool compares = subject.insn.op == Op::compare_cmpmask;
  if (!compares && subject.insn.op != Op::select_cmpmask) return {};
  const Row& row = row_of(compares ? Op::compare : Op::select_bits);
  for (const TypePair& types : row.in(subject.profile).pairs) {
    if (types.src != subject.insn.src_type) continue;
    Subject other = default_subject(subject.profile, row, types);
    other.insn.compare = subject.insn.compare;
    other.insn.repeat = repeats_of(subject.insn);
    const auto& from = subject.insn.operands;
    auto& to = other.insn.operands;
    if (compares)
      std::copy_n(from.begin(), 2, to.begin() + 1);
    else
      to = {from[0], to[1], from[1], from[2]};
    return other;
  }
  return {};
}

Ask through_compare_mask(const Ask& ask) {
  return [ask](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      const Program& probe = batch.programs[n];
      const Op op = probe.instructions.back().op;
      std::optional<Passed> passed;  // nothing: "not run"
      if (op == Op::compare) passed = compare_passed(probe);
      if (op == Op::select_bits) passed = select_passed(probe);
      if (op == Op::select_cmpmask) passed = behind_set_cmpmask(probe);
      if (!passed) continue;
      ask({{&passed->program, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
      if (std::holds_alternative<Ran>(batch.outcomes[n])) take_back(*passed, probe, batch.states[n]);
    }
  };
}

}  // namespace lanecheck
