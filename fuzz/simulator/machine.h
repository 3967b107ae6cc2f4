// The machine: UB and the mask of 256 slots, and one function for each family of instructions.
#pragma once

#include "fuzz/simulator/strided.h"
#include "spec/program/program.h"
#include "spec/program/state.h"

namespace lanecheck::simulator {

/// Where the documents of the profiles differ. The default is what VMC says.
struct Choices {
  bool keeps_empty_pairs = false;            ///< cpadd: a pair without an active lane keeps its dst
  bool select_and_gather_obey_mask = false;  ///< a masked-off element of select and gather keeps its dst
  bool fills_mask_after_brcb = false;        ///< brcb and gatherb leave a full mask
  bool read_dst_may_meet = true;             ///< repeats of a dst that is also read may meet
  bool gathers_in_all = false;  ///< gather_mask in counter mode: the mask counts the whole call, not a repeat
};
Choices choices_of(Profile profile);

struct Machine {
  const Program& program;
  State& state;
  Choices choices;  ///< of the program's profile

  /// Elements of the whole computation, in counter mode.
  std::uint32_t total() const {
    std::uint32_t bits = 0;
    for (unsigned slot = 0; slot < 32; ++slot) bits |= std::uint32_t{state.mask[slot]} << slot;
    return bits;
  }

  std::byte* start_of(const Operand& operand) const {
    return state.ub.data() + lanecheck::start_of(program, operand);
  }

  /// Operand `k` of `insn` as elements of type T.
  template <class T>
  Strided<T> strided(const Instruction& insn, unsigned k) const {
    const Operand& operand = insn.operands[k];
    return {start_of(operand), std::size_t{operand.block_stride} * kBlockBytes,
            std::size_t{operand.repeat_stride} * kBlockBytes};
  }

  /// The active prefix of the mask, the same for every repeat (VMC 1).
  template <class T, std::size_t P>
  Gate<T, P> gate() const {
    return gate_of<T, P>(state.mask.data());
  }
};

// The mask register and its mode (register.cc).
void set_register(Machine& machine,
                  const Instruction& insn);                ///< SetVectorMask, SetMaskCount, ResetMask, ...
void take_operand(State& state, const Instruction& insn);  ///< puts the instruction's own mask in place
bool obeys_count(const Instruction& insn);                 ///< does the count of counter mode limit it?
void leave_register(Machine& machine, const Instruction& insn);  ///< sets what stays in the mask
/// Bytes from one repeat of operand `k` to the next.
std::uint32_t bytes_to_next_repeat(const Instruction& insn, unsigned k);
/// Bytes of a reduction's results of one repeat.
std::uint32_t result_bytes(const Instruction& insn);

// Elementwise: the mask gates the writeback (VMC 3.1).
void unary(Machine& machine, const Instruction& insn);
void binary(Machine& machine, const Instruction& insn);
void scalar(Machine& machine, const Instruction& insn);
void multiply_add(Machine& machine, const Instruction& insn);
void axpy(Machine& machine, const Instruction& insn);
void dup(Machine& machine, const Instruction& insn);
void shift(Machine& machine, const Instruction& insn);
void pad(Machine& machine, const Instruction& insn);  ///< vpadding
void cast(Machine& machine, const Instruction& insn);

// Reductions: a masked-off source element reads as the neutral element (VMC 3.2, 3.3).
void reduce(Machine& machine, const Instruction& insn);
void extreme_and_index(Machine& machine, const Instruction& insn);

// The compare mask, and the instructions that read or write it.
void set_compare_mask(Machine& machine, const Instruction& insn);
void get_compare_mask(Machine& machine, const Instruction& insn);
void compare_to_mask(Machine& machine, const Instruction& insn);     ///< compare_cmpmask
void select_by_mask(Machine& machine, const Instruction& insn);      ///< select_bits, select_cmpmask
void select_with_scalar(Machine& machine, const Instruction& insn);  ///< select_scalar, select_number

// These ignore the mask and leave it as it is (VMC 4); in Ascend C select and gather obey it.
void select(Machine& machine, const Instruction& insn);
void compare(Machine& machine, const Instruction& insn);
void compare_scalar(Machine& machine, const Instruction& insn);
void gather(Machine& machine, const Instruction& insn);
void scatter(Machine& machine, const Instruction& insn);
void sort32(Machine& machine, const Instruction& insn);
void mergesort4(Machine& machine, const Instruction& insn);
void mergesort_2seq(Machine& machine, const Instruction& insn);
void brcb(Machine& machine, const Instruction& insn);
void gatherb(Machine& machine, const Instruction& insn);
void collect(Machine& machine, const Instruction& insn);  ///< gather_mask

}  // namespace lanecheck::simulator
