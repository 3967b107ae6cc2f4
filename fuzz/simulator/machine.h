// The machine: UB and the mask of 256 slots, and one function for each form of instruction.
#pragma once

#include "fuzz/simulator/strided.h"
#include "spec/program.h"
#include "spec/state.h"

namespace lanecheck::simulator {

struct Machine {
  const Program& program;
  State& state;

  std::byte* start_of(const Operand& operand) const {
    return state.ub.data() + lanecheck::start_of(program, operand);
  }

  /// Operand `k` of `i` as elements of type T.
  template <class T>
  Strided<T> strided(const Instruction& i, unsigned k) const {
    const Operand& operand = i.operands[k];
    return {start_of(operand), std::size_t{operand.block_stride} * kBlockBytes,
            std::size_t{operand.repeat_stride} * kBlockBytes};
  }

  /// The active prefix of the mask, the same for every repeat (VMC 1).
  template <class T, std::size_t P>
  Gate<T, P> gate() const {
    return gate_of<T, P>(state.mask.data());
  }
};

// Elementwise: the mask gates the writeback (VMC 3.1).
void unary(Machine& machine, const Instruction& i);
void binary(Machine& machine, const Instruction& i);
void scalar(Machine& machine, const Instruction& i);
void multiply_add(Machine& machine, const Instruction& i);
void axpy(Machine& machine, const Instruction& i);
void dup(Machine& machine, const Instruction& i);
void cast(Machine& machine, const Instruction& i);

// Reductions: a masked-off source element reads as the neutral element (VMC 3.2, 3.3).
void reduce(Machine& machine, const Instruction& i);

// These ignore the mask and leave it as it is (VMC 4).
void select(Machine& machine, const Instruction& i);
void compare(Machine& machine, const Instruction& i);
void compare_scalar(Machine& machine, const Instruction& i);
void gather(Machine& machine, const Instruction& i);
void scatter(Machine& machine, const Instruction& i);
void sort32(Machine& machine, const Instruction& i);
void mergesort4(Machine& machine, const Instruction& i);
void mergesort_2seq(Machine& machine, const Instruction& i);
void brcb(Machine& machine, const Instruction& i);

}  // namespace lanecheck::simulator
