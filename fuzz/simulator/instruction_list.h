// The instructions that the example simulator knows: its own list, not the table of spec/program.
#pragma once

#include "fuzz/simulator/machine.h"

namespace lanecheck::simulator {

/// What a mask slot of 0 does.
enum class MaskRole : std::uint8_t {
  sets,               ///< nothing: the instruction sets the mask or its mode (VMC 2, SVM)
  gates,              ///< the element keeps its old dst (VMC 3.1)
  neutral,            ///< the source element reads as the neutral element (VMC 3.2, 3.3)
  ignores,            ///< nothing (VMC 4)
  gates_in_ascend_c,  ///< nothing in VMC (4), the element keeps its old dst in Ascend C
};

struct KnownInstruction {
  Op op;
  void (*compute)(Machine& machine, const Instruction& insn);
  MaskRole mask;
};

/// Throws std::logic_error if the simulator does not know `op`.
const KnownInstruction& known(Op op);

/// For the end of a switch over the instructions or types of a family: throws std::logic_error.
[[noreturn]] void unknown(const Instruction& insn);

}  // namespace lanecheck::simulator
