#include "fuzz/simulator/simulator.h"

#include "fuzz/simulator/machine.h"

namespace lanecheck::simulator {
namespace {

/// What instruction `insn` computes; its lanes are gated by the mask as it stands.
void compute(Machine& machine, const Instruction& insn) {
  switch (row_of(insn.op).form) {
    case Form::set_mask:
    case Form::reset_mask:
    case Form::set_length:
    case Form::set_mode:
      return set_register(machine.state, insn);
    case Form::set_cmpmask:
    case Form::get_cmpmask:
    case Form::compare_cmpmask:
    case Form::select_bits:
    case Form::select_cmpmask:
    case Form::select_scalar:
      return compare_mask(machine, insn);
    case Form::unary:
      return unary(machine, insn);
    case Form::binary:
      return binary(machine, insn);
    case Form::multiply_add:
      return multiply_add(machine, insn);
    case Form::scalar:
      return scalar(machine, insn);
    case Form::shift:
      return shift(machine, insn);
    case Form::axpy:
      return axpy(machine, insn);
    case Form::dup:
      return dup(machine, insn);
    case Form::cast:
      return cast(machine, insn);
    case Form::reduce_repeat:
    case Form::reduce_block:
    case Form::reduce_pair:
      return reduce(machine, insn);
    case Form::reduce_extreme:
      return extreme_and_index(machine, insn);
    case Form::select:
      return select(machine, insn);
    case Form::compare:
      return compare(machine, insn);
    case Form::compare_scalar:
      return compare_scalar(machine, insn);
    case Form::gather:
      return gather(machine, insn);
    case Form::gather_blocks:
      return gatherb(machine, insn);
    case Form::gather_mask:
    case Form::gather_mask_user:
      return collect(machine, insn);
    case Form::padding:
      return pad(machine, insn);
    case Form::scatter:
      return scatter(machine, insn);
    case Form::sort32:
      return sort32(machine, insn);
    case Form::merge4:
      return mergesort4(machine, insn);
    case Form::merge2:
      return mergesort_2seq(machine, insn);
    case Form::brcb:
      return brcb(machine, insn);
  }
}

/// Counter mode is full repeats under a full mask, then one repeat of what is left (SVM): `insn` on the first
/// elements, then on the place where the last repeat starts.
void compute_counted(Machine& machine, Instruction insn) {
  const Mask mask = machine.state.mask;
  const std::uint32_t total = machine.total();
  const unsigned lanes = lanes_of(insn);
  insn.repeat = total / lanes;
  machine.state.mask.fill(1);
  compute(machine, insn);
  if (const unsigned left = total % lanes; left > 0) {
    for (unsigned k = 0; k < row_of(insn.op).operands.size(); ++k)
      insn.operands[k].offset += insn.repeat * bytes_to_next_repeat(insn, k);
    insn.repeat = 1;
    std::fill(machine.state.mask.begin() + left, machine.state.mask.end(), std::uint8_t{0});
    compute(machine, insn);
  }
  machine.state.mask = mask;
}

void execute(Machine& machine, const Instruction& insn) {
  take_operand(machine.state, insn);
  if (machine.state.mode == Mode::counter && obeys_count(insn))
    compute_counted(machine, insn);
  else
    compute(machine, insn);
  leave_register(machine.state, machine.readings, insn);
}

}  // namespace

void run(const Program& program, State& state) {
  state.ub.assign(program.ub.begin(), program.ub.end());
  state.mask.fill(1);
  state.mode = Mode::normal;
  state.cmpmask.fill(std::byte{0});
  Machine machine{program, state, default_readings(program.profile)};
  for (const Instruction& insn : program.instructions) execute(machine, insn);
}

}  // namespace lanecheck::simulator
