// exp, ln, abs, rec, sqrt, rsqrt, vnot, relu: dst = f(src).
#include "fuzz/simulator/arithmetic.h"
#include "fuzz/simulator/elementwise.h"
#include "fuzz/simulator/instruction_list.h"
#include "fuzz/simulator/types.h"

namespace lanecheck::simulator {
namespace {

template <class List, class F>
void for_each_element(const Machine& machine, const Instruction& insn, F f) {
  with_type_in(List{}, insn.dst_type,
               [&]<class T>(T) { elementwise<T>(machine, insn, f, machine.strided<T>(insn, 1)); });
}

}  // namespace

void unary(Machine& machine, const Instruction& insn) {
  switch (insn.op) {
    case Op::exp:
      return for_each_element<Floats>(machine, insn, kExponential);
    case Op::ln:
      return for_each_element<Floats>(machine, insn, kLogarithm);
    case Op::abs:
      return for_each_element<SignedNumbers>(machine, insn, kMagnitude);
    case Op::rec:
      return for_each_element<Floats>(machine, insn, kReciprocal);
    case Op::sqrt:
      return for_each_element<Floats>(machine, insn, kSquareRoot);
    case Op::rsqrt:
      return for_each_element<Floats>(machine, insn, kInverseRoot);
    case Op::vnot:
      return for_each_element<Logic>(machine, insn, kNot);
    case Op::relu:
      return for_each_element<SignedNumbers>(machine, insn, kRectify);
    default:
      unknown(insn);
  }
}

}  // namespace lanecheck::simulator
