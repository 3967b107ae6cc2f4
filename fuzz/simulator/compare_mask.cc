// The compare mask of 128 bits: set_cmpmask, get_cmpmask, compare_cmpmask, the selects that take their bits
// from it or leave theirs in it, and those with a scalar.
#include "fuzz/simulator/elementwise.h"
#include "fuzz/simulator/packed_bits.h"
#include "fuzz/simulator/predicate.h"
#include "fuzz/simulator/types.h"

namespace lanecheck::simulator {
namespace {

/// One repeat; a lane whose slot is 0 keeps its bit.
template <class T>
void compare_lanes_to_mask(const Machine& machine, const Instruction& insn) {
  constexpr std::size_t P = kLanes<T>;
  const auto a = widen_lanes<T>(machine.strided<T>(insn, 0).template read<P>(0));
  const auto b = widen_lanes<T>(machine.strided<T>(insn, 1).template read<P>(0));
  auto bits = unpack<P>(machine.state.cmpmask.data());
  with_predicate(insn.compare, [&](auto predicate) {
    for (std::size_t l = 0; l < P; ++l)
      if (machine.state.mask[l] != 0) bits[l] = predicate(a[l], b[l]) ? 1 : 0;
  });
  pack(bits, machine.state.cmpmask.data());
}

/// The lanes that a select may write: VMC's select with a number ignores the mask (VMC 4).
template <class Bits, std::size_t P>
Gate<Bits, P> open_lanes(const Machine& machine, const Instruction& insn) {
  if (insn.op == Op::select_number) return gate_of<Bits, P>(kFullMask.data());
  return machine.gate<Bits, P>();
}

/// dst = bit ? chosen : other in the open lanes. `bits` of repeat r start `step` bytes after those of r - 1.
template <class Bits, class Other>
void select_with(const Machine& machine, const Instruction& insn, const std::byte* bits, std::size_t step,
                 unsigned chosen, Other other) {
  constexpr std::size_t P = kLanes<Bits>;
  const auto dst = machine.strided<Bits>(insn, 0), src = machine.strided<Bits>(insn, chosen);
  for (unsigned r = 0; r < insn.repeat; ++r, bits += step) {
    const auto gate = gate_of<Bits, P>(unpack<P>(bits).data());
    dst.write(r, blend<Bits, P>(gate, src.template read<P>(r), other(r)), open_lanes<Bits, P>(machine, insn));
  }
}

}  // namespace

void set_compare_mask(Machine& machine, const Instruction& insn) {
  auto& cmpmask = machine.state.cmpmask;
  std::memcpy(cmpmask.data(), machine.start_of(insn.operands[0]), cmpmask.size());
}

void get_compare_mask(Machine& machine, const Instruction& insn) {
  const auto& cmpmask = machine.state.cmpmask;
  std::memcpy(machine.start_of(insn.operands[0]), cmpmask.data(), cmpmask.size());
}

void compare_to_mask(Machine& machine, const Instruction& insn) {
  with_type_in(Floats{}, insn.src_type, [&]<class T>(T) { compare_lanes_to_mask<T>(machine, insn); });
}

void select_by_mask(Machine& machine, const Instruction& insn) {
  auto& cmpmask = machine.state.cmpmask;
  const bool brings_bits = insn.op == Op::select_bits;  // and leaves them in the compare mask
  if (brings_bits) std::memcpy(cmpmask.data(), machine.start_of(insn.operands[1]), cmpmask.size());
  with_bits_of(insn.dst_type, [&]<class Bits>(Bits) {
    constexpr std::size_t P = kLanes<Bits>;
    const unsigned first = brings_bits ? 2 : 1;
    const auto other = machine.strided<Bits>(insn, first + 1);
    select_with<Bits>(machine, insn, cmpmask.data(), 0, first,
                      [&](unsigned r) { return other.template read<P>(r); });
  });
}

void select_with_scalar(Machine& machine, const Instruction& insn) {
  with_bits_of(insn.dst_type, [&]<class Bits>(Bits) {
    constexpr std::size_t P = kLanes<Bits>;
    Lanes<Bits, P> scalar;
    scalar.fill(static_cast<Bits>(insn.scalar.bits));
    select_with<Bits>(machine, insn, machine.start_of(insn.operands[1]), P / 8, 2,
                      [&](unsigned) { return scalar; });
  });
}

}  // namespace lanecheck::simulator
