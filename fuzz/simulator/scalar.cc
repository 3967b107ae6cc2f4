// adds, muls, vmaxs, vmins, lrelu: dst = f(src, scalar); axpy: dst = scalar * src + dst; dup: dst = scalar.
#include "fuzz/simulator/arithmetic.h"
#include "fuzz/simulator/elementwise.h"
#include "fuzz/simulator/types.h"

namespace lanecheck::simulator {
namespace {

template <class List, class F>
void apply(const Machine& machine, const Instruction& i, F f) {
  with_type_in(List{}, i.dst_type, [&]<class T>(T) {
    const Computed<T> scalar = scalar_of<T>(i);
    elementwise<T>(
        machine, i, [f, scalar](Computed<T> x) { return f(x, scalar); }, machine.strided<T>(i, 1));
  });
}

/// Rounds twice, as multiply_add does. The scalar has the source type.
template <class Dst, class Src>
void axpy(const Machine& machine, const Instruction& i) {
  const float scalar = scalar_of<Src>(i);
  elementwise<Dst>(
      machine, i, [scalar](float x, float sum) { return rounded<Dst>(scalar * x) + sum; },
      machine.strided<Src>(i, 1), machine.strided<Dst>(i, 0));
}

}  // namespace

void scalar(Machine& machine, const Instruction& i) {
  switch (i.op) {
    case Op::adds:
      return apply<Arithmetic>(machine, i, kPlus);
    case Op::muls:
      return apply<Arithmetic>(machine, i, kTimes);
    case Op::vmaxs:
      return apply<Arithmetic>(machine, i, kGreater);
    case Op::vmins:
      return apply<Arithmetic>(machine, i, kLesser);
    case Op::lrelu:
      return apply<Floats>(machine, i, kLeaky);
    default:
      return;
  }
}

void axpy(Machine& machine, const Instruction& i) {
  if (i.dst_type == Element::f16) return axpy<Half, Half>(machine, i);
  if (i.src_type == Element::f16) return axpy<float, Half>(machine, i);
  axpy<float, float>(machine, i);
}

void dup(Machine& machine, const Instruction& i) {
  with_bits_of(i.dst_type, [&]<class Bits>(Bits) {
    constexpr std::size_t P = kLanes<Bits>;
    Lanes<Bits, P> lanes;
    lanes.fill(static_cast<Bits>(i.scalar.bits));
    const auto dst = machine.strided<Bits>(i, 0);
    const auto gate = machine.gate<Bits, P>();
    for (unsigned r = 0; r < i.repeat; ++r) dst.write(r, lanes, gate);
  });
}

}  // namespace lanecheck::simulator
