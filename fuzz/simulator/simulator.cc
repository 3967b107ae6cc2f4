#include "fuzz/simulator/simulator.h"

#include "fuzz/simulator/machine.h"
#include "fuzz/simulator/packed_bits.h"

namespace lanecheck::simulator {
namespace {

/// Bit i of `low` is slot i, bit i of `high` slot 64 + i; slots 128 to 255 stay (VMC 2).
void set_mask(Mask& mask, const Instruction& i) {
  const std::array words = {i.low, i.high};
  const auto slots = unpack<128>(reinterpret_cast<const std::byte*>(words.data()));
  std::copy(slots.begin(), slots.end(), mask.begin());
}

void execute(Machine& machine, const Instruction& i) {
  switch (row_of(i.op).form) {
    case Form::set_mask:
      return set_mask(machine.state.mask, i);
    case Form::reset_mask:
      machine.state.mask.fill(1);
      return;
    case Form::set_cmpmask:  // loads a register that nothing reads (VMC 5)
      return;
    case Form::unary:
      return unary(machine, i);
    case Form::binary:
      return binary(machine, i);
    case Form::multiply_add:
      return multiply_add(machine, i);
    case Form::scalar:
      return scalar(machine, i);
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
    case Form::select:
      return select(machine, i);
    case Form::compare:
      return compare(machine, i);
    case Form::compare_scalar:
      return compare_scalar(machine, i);
    case Form::gather:
      return gather(machine, i);
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

}  // namespace

void run(const Program& program, State& state) {
  state.ub.assign(program.ub.begin(), program.ub.end());
  state.mask.fill(1);
  Machine machine{program, state};
  for (const Instruction& i : program.instructions) execute(machine, i);
}

}  // namespace lanecheck::simulator
