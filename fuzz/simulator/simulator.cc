#include "fuzz/simulator/simulator.h"

#include "fuzz/simulator/instruction_list.h"

namespace lanecheck::simulator {
namespace {

/// What instruction `insn` computes; its lanes are gated by the mask as it stands.
void compute(Machine& machine, const Instruction& insn) {
  known(insn.op).compute(machine, insn);
}

/// Counter mode (SVM): computes the full repeats under a full mask, then one more repeat for the elements
/// that are left, which starts where the full ones end.
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
  leave_register(machine, insn);
}

}  // namespace

void run(const Program& program, State& state) {
  state.ub.assign(program.ub.begin(), program.ub.end());
  state.mask.fill(1);
  state.mode = Mode::normal;
  state.cmpmask.fill(std::byte{0});
  Machine machine{program, state, choices_of(program.profile)};
  for (const Instruction& insn : program.instructions) execute(machine, insn);
}

}  // namespace lanecheck::simulator
