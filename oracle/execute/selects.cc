// The selects (VMC 4, SVM): src0 where a bit of control is 1, else src1 or a scalar. Those that have no mask
// operand ignore the vector mask.
#include "oracle/execute/kernel.h"
#include "oracle/execute/packed_bits.h"
#include "oracle/execute/repeat.h"

namespace lanecheck {
namespace {

/// The walk of all selects: lanes of operand `src0` where `control(repeat)` says 1, else lanes of
/// `b(repeat)`.
template <class T, class Bits, class Other>
void select_with(Machine& m, const Instruction& insn, unsigned src0, Bits control, Other b) {
  each_repeat<T>(m, insn, lanes_of(insn), [&](unsigned repeat, T* results) {
    Lanes<T> a;
    read_repeat(m.at(insn.operands[src0]), insn.operands[src0], repeat, lanes_of(insn), a.data());
    const Mask ones = control(repeat).slots(lanes_of(insn));
    const Lanes<T> other = b(repeat);
    for (unsigned lane = 0; lane < a.size(); ++lane) results[lane] = ones[lane] != 0 ? a[lane] : other[lane];
  });
}

/// Operand `k` as the second source of a select.
template <class T>
auto source(const Machine& m, const Instruction& insn, unsigned k) {
  return [&m, &insn, k](unsigned repeat) {
    Lanes<T> lanes;
    read_repeat(m.at(insn.operands[k]), insn.operands[k], repeat, lanes_of(insn), lanes.data());
    return lanes;
  };
}

/// Control bits that every repeat uses: those of the compare mask.
auto compare_mask(const Machine& m) {
  return [&m](unsigned) { return Control{m.cmpmask, m.semantics.seams.control}; };
}

/// Control bits that the repeats consume one after the other.
auto consumed_control(const Machine& m, const Instruction& insn) {
  return [&](unsigned repeat) { return control_of(m, insn, repeat); };
}

/// Mode 2, and VMC: a bit of control for each element of the instruction.
void select(Machine& m, const Instruction& insn) {
  with_bits(insn, insn.src_type, [&]<class T>(T) {
    select_with<T>(m, insn, 2, consumed_control(m, insn), source<T>(m, insn, 3));
  });
}

/// Mode 0 with its mask operand: the 16 bytes of control go into the compare mask, which every repeat uses.
void select_bits(Machine& m, const Instruction& insn) {
  with_bits(insn, insn.src_type, [&]<class T>(T) {
    if (loads_compare_mask(insn, m.semantics.readings))
      std::memcpy(m.cmpmask.data(), m.at(insn.operands[1]), m.cmpmask.size());
    select_with<T>(m, insn, 2, compare_mask(m), source<T>(m, insn, 3));
  });
}

/// Mode 0 without a mask operand: what the compare mask holds.
void select_cmpmask(Machine& m, const Instruction& insn) {
  with_bits(insn, insn.src_type,
            [&]<class T>(T) { select_with<T>(m, insn, 1, compare_mask(m), source<T>(m, insn, 2)); });
}

/// Mode 1, and VMC with a number as its second source: src0 where the bit is 1, else the scalar.
void select_scalar(Machine& m, const Instruction& insn) {
  with_bits(insn, insn.src_type, [&]<class T>(T) {
    Lanes<T> scalar;
    scalar.fill(from_bits<T>(insn.scalar.bits));
    select_with<T>(m, insn, 2, consumed_control(m, insn), [&](unsigned) { return scalar; });
  });
}

constexpr KernelRow kSelectKernels[] = {
    {Op::select, select},
    {Op::select_number, select_scalar},
    {Op::select_bits, select_bits},
    {Op::select_cmpmask, select_cmpmask},
    {Op::select_scalar, select_scalar},
};

}  // namespace

std::span<const KernelRow> select_kernels() {
  return kSelectKernels;
}

}  // namespace lanecheck
