#include "fuzz/simulator/simulator.h"

#include "fuzz/simulator/machine.h"

namespace lanecheck::simulator {
namespace {

/// What instruction `i` computes; its lanes are gated by the mask as it stands.
void compute(Machine& machine, const Instruction& i) {
  switch (row_of(i.op).form) {
    case Form::set_mask:
    case Form::reset_mask:
    case Form::set_length:
    case Form::set_mode:
      return set_register(machine.state, i);
    case Form::set_cmpmask:
    case Form::get_cmpmask:
    case Form::compare_cmpmask:
    case Form::select_bits:
    case Form::select_cmpmask:
    case Form::select_scalar:
      return compare_mask(machine, i);
    case Form::unary:
      return unary(machine, i);
    case Form::binary:
      return binary(machine, i);
    case Form::multiply_add:
      return multiply_add(machine, i);
    case Form::scalar:
      return scalar(machine, i);
    case Form::shift:
      return shift(machine, i);
    case Form::axpy:
      return axpy(machine, i);
    case Form::dup:
      return dup(machine, i);
    case Form::cast:
      return cast(machine, i);
    case Form::reduce_repeat:
    case Form::reduce_block:
    case Form::reduce_pair:
      return reduce(machine, i);
    case Form::reduce_extreme:
      return extreme_and_index(machine, i);
    case Form::select:
      return select(machine, i);
    case Form::compare:
      return compare(machine, i);
    case Form::compare_scalar:
      return compare_scalar(machine, i);
    case Form::gather:
      return gather(machine, i);
    case Form::gather_blocks:
      return gatherb(machine, i);
    case Form::gather_mask:
    case Form::gather_mask_user:
      return collect(machine, i);
    case Form::padding:
      return pad(machine, i);
    case Form::scatter:
      return scatter(machine, i);
    case Form::sort32:
      return sort32(machine, i);
    case Form::merge4:
      return mergesort4(machine, i);
    case Form::merge2:
      return mergesort_2seq(machine, i);
    case Form::brcb:
      return brcb(machine, i);
  }
}

/// Counter mode is full repeats under a full mask, then one repeat of what is left (SVM): `i` on the first
/// elements, then on the place where the last repeat starts.
void compute_counted(Machine& machine, Instruction i) {
  const Mask mask = machine.state.mask;
  const std::uint32_t total = machine.total();
  const unsigned lanes = lanes_of(i);
  i.repeat = total / lanes;
  machine.state.mask.fill(1);
  compute(machine, i);
  if (const unsigned left = total % lanes; left > 0) {
    for (unsigned k = 0; k < row_of(i.op).operands.size(); ++k)
      i.operands[k].offset += i.repeat * bytes_to_next_repeat(i, k);
    i.repeat = 1;
    std::fill(machine.state.mask.begin() + left, machine.state.mask.end(), std::uint8_t{0});
    compute(machine, i);
  }
  machine.state.mask = mask;
}

void execute(Machine& machine, const Instruction& i) {
  take_operand(machine.state, i);
  if (machine.state.mode == Mode::counter && obeys_count(i))
    compute_counted(machine, i);
  else
    compute(machine, i);
  leave_register(machine.state, machine.readings, i);
}

}  // namespace

void run(const Program& program, State& state) {
  state.ub.assign(program.ub.begin(), program.ub.end());
  state.mask.fill(1);
  state.mode = Mode::normal;
  state.cmpmask.fill(std::byte{0});
  Machine machine{program, state, default_readings(program.profile)};
  for (const Instruction& i : program.instructions) execute(machine, i);
}

}  // namespace lanecheck::simulator
