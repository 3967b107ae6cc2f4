// exp, ln, abs, rec, sqrt, rsqrt, vnot, relu: dst = f(src).
#include "fuzz/simulator/arithmetic.h"
#include "fuzz/simulator/elementwise.h"
#include "fuzz/simulator/types.h"

namespace lanecheck::simulator {
namespace {

template <class List, class F>
void apply(const Machine& machine, const Instruction& i, F f) {
  with_type_in(List{}, i.dst_type,
               [&]<class T>(T) { elementwise<T>(machine, i, f, machine.strided<T>(i, 1)); });
}

}  // namespace

void unary(Machine& machine, const Instruction& i) {
  switch (i.op) {
    case Op::exp:
      return apply<Floats>(machine, i, kExponential);
    case Op::ln:
      return apply<Floats>(machine, i, kLogarithm);
    case Op::abs:
      return apply<SignedNumbers>(machine, i, kMagnitude);
    case Op::rec:
      return apply<Floats>(machine, i, kReciprocal);
    case Op::sqrt:
      return apply<Floats>(machine, i, kSquareRoot);
    case Op::rsqrt:
      return apply<Floats>(machine, i, kInverseRoot);
    case Op::vnot:
      return apply<Logic>(machine, i, kNot);
    case Op::relu:
      return apply<SignedNumbers>(machine, i, kRectify);
    default:
      return;
  }
}

}  // namespace lanecheck::simulator
