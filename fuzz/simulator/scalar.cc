// adds, muls, vmaxs, vmins, lrelu: dst = f(src, scalar); axpy: dst = scalar * src + dst; dup: dst = scalar.
#include "fuzz/simulator/arithmetic.h"
#include "fuzz/simulator/elementwise.h"
#include "fuzz/simulator/instruction_list.h"
#include "fuzz/simulator/types.h"

namespace lanecheck::simulator {
namespace {

template <class List, class F>
void with_scalar(const Machine& machine, const Instruction& insn, F f) {
  with_type_in(List{}, insn.dst_type, [&]<class T>(T) {
    const Computed<T> scalar = scalar_of<T>(insn);
    elementwise<T>(
        machine, insn, [f, scalar](Computed<T> x) { return f(x, scalar); }, machine.strided<T>(insn, 1));
  });
}

/// Rounds twice, as multiply_add does. The scalar has the source type.
template <class Dst, class Src>
void axpy(const Machine& machine, const Instruction& insn) {
  const float scalar = scalar_of<Src>(insn);
  elementwise<Dst>(
      machine, insn, [scalar](float x, float sum) { return rounded<Dst>(scalar * x) + sum; },
      machine.strided<Src>(insn, 1), machine.strided<Dst>(insn, 0));
}

}  // namespace

void scalar(Machine& machine, const Instruction& insn) {
  switch (insn.op) {
    case Op::adds:
      return with_scalar<Arithmetic>(machine, insn, kPlus);
    case Op::muls:
      return with_scalar<Arithmetic>(machine, insn, kTimes);
    case Op::vmaxs:
      return with_scalar<Arithmetic>(machine, insn, kGreater);
    case Op::vmins:
      return with_scalar<Arithmetic>(machine, insn, kLesser);
    case Op::lrelu:
      return with_scalar<Floats>(machine, insn, kLeaky);
    default:
      unknown(insn);
  }
}

void axpy(Machine& machine, const Instruction& insn) {
  if (insn.dst_type == Element::f16) return axpy<Half, Half>(machine, insn);
  if (insn.src_type == Element::f16) return axpy<float, Half>(machine, insn);
  axpy<float, float>(machine, insn);
}

void dup(Machine& machine, const Instruction& insn) {
  with_bits_of(insn.dst_type, [&]<class Bits>(Bits) {
    constexpr std::size_t P = kLanes<Bits>;
    Lanes<Bits, P> lanes;
    lanes.fill(static_cast<Bits>(insn.scalar.bits));
    const auto dst = machine.strided<Bits>(insn, 0);
    const auto gate = machine.gate<Bits, P>();
    for (unsigned r = 0; r < insn.repeat; ++r) dst.write(r, lanes, gate);
  });
}

}  // namespace lanecheck::simulator
