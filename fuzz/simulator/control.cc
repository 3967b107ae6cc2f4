// select, compare, compare_scalar: elements against packed bits, P / 8 bytes for each repeat, one repeat
// right after the other. None of them looks at the mask in VMC (4); in Ascend C select does.
#include "fuzz/simulator/elementwise.h"
#include "fuzz/simulator/packed_bits.h"
#include "fuzz/simulator/predicate.h"
#include "fuzz/simulator/types.h"

namespace lanecheck::simulator {
namespace {

/// f takes one computed value of each source and returns whether the bit is set.
template <class T, class F, class... Src>
void compare_lanes(const Machine& machine, const Instruction& insn, F f, const Src&... sources) {
  constexpr std::size_t P = kLanes<T>;
  std::byte* dst = machine.start_of(insn.operands[0]);
  const auto slot = [f](auto... values) { return std::uint8_t{f(values...)}; };
  for (unsigned r = 0; r < insn.repeat; ++r, dst += P / 8)
    pack(map_lanes(slot, widen_lanes<T>(sources.template read<P>(r))...), dst);
}

}  // namespace

void select(Machine& machine, const Instruction& insn) {
  with_bits_of(insn.dst_type, [&]<class Bits>(Bits) {
    constexpr std::size_t P = kLanes<Bits>;
    const auto dst = machine.strided<Bits>(insn, 0);
    const auto src0 = machine.strided<Bits>(insn, 2), src1 = machine.strided<Bits>(insn, 3);
    const std::byte* control = machine.start_of(insn.operands[1]);
    const bool masked = machine.choices.select_and_gather_obey_mask;
    const auto open = masked ? machine.gate<Bits, P>() : gate_of<Bits, P>(kFullMask.data());
    for (unsigned r = 0; r < insn.repeat; ++r, control += P / 8) {
      const auto gate = gate_of<Bits, P>(unpack<P>(control).data());
      dst.write(r, blend<Bits, P>(gate, src0.template read<P>(r), src1.template read<P>(r)), open);
    }
  });
}

void compare(Machine& machine, const Instruction& insn) {
  with_type_in(Numeric{}, insn.src_type, [&]<class T>(T) {
    with_predicate(insn.compare, [&](auto predicate) {
      compare_lanes<T>(machine, insn, predicate, machine.strided<T>(insn, 1), machine.strided<T>(insn, 2));
    });
  });
}

void compare_scalar(Machine& machine, const Instruction& insn) {
  with_type_in(Numeric{}, insn.src_type, [&]<class T>(T) {
    const Computed<T> scalar = scalar_of<T>(insn);
    with_predicate(insn.compare, [&](auto predicate) {
      compare_lanes<T>(
          machine, insn, [predicate, scalar](Computed<T> x) { return predicate(x, scalar); },
          machine.strided<T>(insn, 1));
    });
  });
}

}  // namespace lanecheck::simulator
