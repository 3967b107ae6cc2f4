// add, sub, mul, div, vmax, vmin, vand, vor: dst = f(src0, src1); muladddst: dst = src0 * src1 + dst;
// fusedmuladd: dst = src0 * dst + src1.
#include "fuzz/simulator/arithmetic.h"
#include "fuzz/simulator/elementwise.h"
#include "fuzz/simulator/types.h"

namespace lanecheck::simulator {
namespace {

template <class List, class F>
void apply(const Machine& machine, const Instruction& i, F f) {
  with_type_in(List{}, i.dst_type, [&]<class T>(T) {
    elementwise<T>(machine, i, f, machine.strided<T>(i, 1), machine.strided<T>(i, 2));
  });
}

/// Two roundings, both to Dst. The mixed form computes in f32, where a product of halves is exact.
template <class Dst, class Src>
void multiply_add(const Machine& machine, const Instruction& i) {
  elementwise<Dst>(
      machine, i, [](float a, float b, float sum) { return rounded<Dst>(a * b) + sum; },
      machine.strided<Src>(i, 1), machine.strided<Src>(i, 2), machine.strided<Dst>(i, 0));
}

}  // namespace

void binary(Machine& machine, const Instruction& i) {
  switch (i.op) {
    case Op::add:
      return apply<Arithmetic>(machine, i, kPlus);
    case Op::sub:
      return apply<Arithmetic>(machine, i, kMinus);
    case Op::mul:
      return apply<Arithmetic>(machine, i, kTimes);
    case Op::div:
      return apply<Floats>(machine, i, kQuotient);
    case Op::vmax:
      return apply<Arithmetic>(machine, i, kGreater);
    case Op::vmin:
      return apply<Arithmetic>(machine, i, kLesser);
    case Op::vand:
      return apply<Logic>(machine, i, kAnd);
    case Op::vor:
      return apply<Logic>(machine, i, kOr);
    default:
      return;
  }
}

void multiply_add(Machine& machine, const Instruction& i) {
  if (i.op == Op::fusedmuladd)
    return with_type_in(Floats{}, i.dst_type, [&]<class T>(T) {
      elementwise<T>(
          machine, i, [](float a, float dst, float b) { return rounded<T>(a * dst) + b; },
          machine.strided<T>(i, 1), machine.strided<T>(i, 0), machine.strided<T>(i, 2));
    });
  if (i.dst_type == Element::f16) return multiply_add<Half, Half>(machine, i);
  if (i.src_type == Element::f16) return multiply_add<float, Half>(machine, i);
  multiply_add<float, float>(machine, i);
}

}  // namespace lanecheck::simulator
