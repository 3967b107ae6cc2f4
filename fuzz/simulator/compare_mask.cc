// The compare mask of 128 bits: set_cmpmask, get_cmpmask, compare_cmpmask, and the selects that take their
// bits from it or leave theirs in it.
#include <functional>

#include "fuzz/simulator/elementwise.h"
#include "fuzz/simulator/packed_bits.h"
#include "fuzz/simulator/types.h"

namespace lanecheck::simulator {
namespace {

template <class T>
bool compares(Compare semantics, T a, T b) {
  switch (semantics) {
    case Compare::eq:
      return a == b;
    case Compare::ne:
      return a != b;
    case Compare::lt:
      return a < b;
    case Compare::le:
      return a <= b;
    case Compare::gt:
      return a > b;
    default:
      return a >= b;
  }
}

/// One repeat; a lane whose slot is 0 keeps its bit.
template <class T>
void compare_to_mask(const Machine& machine, const Instruction& insn) {
  constexpr std::size_t P = kLanes<T>;
  const auto a = widen_lanes<T>(machine.strided<T>(insn, 0).template read<P>(0));
  const auto b = widen_lanes<T>(machine.strided<T>(insn, 1).template read<P>(0));
  auto bits = unpack<P>(machine.state.cmpmask.data());
  for (std::size_t l = 0; l < P; ++l)
    if (machine.state.mask[l] != 0) bits[l] = compares(insn.compare, a[l], b[l]) ? 1 : 0;
  pack(bits, machine.state.cmpmask.data());
}

/// dst = bit ? chosen : other, gated by the mask. `bits` of repeat r start `step` bytes after those of r - 1.
template <class Bits, class Other>
void select_with(const Machine& machine, const Instruction& insn, const std::byte* bits, std::size_t step,
                 unsigned chosen, Other other) {
  constexpr std::size_t P = kLanes<Bits>;
  const auto dst = machine.strided<Bits>(insn, 0), src = machine.strided<Bits>(insn, chosen);
  for (unsigned r = 0; r < insn.repeat; ++r, bits += step) {
    const auto gate = gate_of<Bits, P>(unpack<P>(bits).data());
    dst.write(r, blend<Bits, P>(gate, src.template read<P>(r), other(r)), machine.gate<Bits, P>());
  }
}

}  // namespace

void compare_mask(Machine& machine, const Instruction& insn) {
  auto& cmpmask = machine.state.cmpmask;
  const Form form = row_of(insn.op).form;
  if (form == Form::set_cmpmask) {
    std::memcpy(cmpmask.data(), machine.start_of(insn.operands[0]), cmpmask.size());
    return;
  }
  if (form == Form::get_cmpmask) {
    std::memcpy(machine.start_of(insn.operands[0]), cmpmask.data(), cmpmask.size());
    return;
  }
  if (form == Form::compare_cmpmask)
    return insn.src_type == Element::f16 ? compare_to_mask<Half>(machine, insn)
                                         : compare_to_mask<float>(machine, insn);
  if (form == Form::select_bits)
    std::memcpy(cmpmask.data(), machine.start_of(insn.operands[1]), cmpmask.size());
  with_bits_of(insn.dst_type, [&]<class Bits>(Bits) {
    constexpr std::size_t P = kLanes<Bits>;
    if (form == Form::select_scalar) {
      Lanes<Bits, P> scalar;
      scalar.fill(static_cast<Bits>(insn.scalar.bits));
      return select_with<Bits>(machine, insn, machine.start_of(insn.operands[1]), P / 8, 2,
                               [&](unsigned) { return scalar; });
    }
    const unsigned first = form == Form::select_bits ? 2 : 1;
    const auto other = machine.strided<Bits>(insn, first + 1);
    select_with<Bits>(machine, insn, cmpmask.data(), 0, first,
                      [&](unsigned r) { return other.template read<P>(r); });
  });
}

}  // namespace lanecheck::simulator
