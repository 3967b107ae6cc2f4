// add, sub, mul, div, vmax, vmin, vand, vor: dst = f(src0, src1); muladddst: dst = src0 * src1 + dst;
// fusedmuladd: dst = src0 * dst + src1.
#include "fuzz/simulator/arithmetic.h"
#include "fuzz/simulator/elementwise.h"
#include "fuzz/simulator/instruction_list.h"
#include "fuzz/simulator/types.h"

namespace lanecheck::simulator {
namespace {

template <class List, class F>
void for_pairs(const Machine& machine, const Instruction& insn, F f) {
  with_type_in(List{}, insn.dst_type, [&]<class T>(T) {
    elementwise<T>(machine, insn, f, machine.strided<T>(insn, 1), machine.strided<T>(insn, 2));
  });
}

/// Two roundings, both to Dst. The mixed form computes in f32, where a product of halves is exact.
template <class Dst, class Src>
void multiply_then_add(const Machine& machine, const Instruction& insn) {
  elementwise<Dst>(
      machine, insn, [](float a, float b, float sum) { return rounded<Dst>(a * b) + sum; },
      machine.strided<Src>(insn, 1), machine.strided<Src>(insn, 2), machine.strided<Dst>(insn, 0));
}

}  // namespace

void binary(Machine& machine, const Instruction& insn) {
  switch (insn.op) {
    case Op::add:
      return for_pairs<Arithmetic>(machine, insn, kPlus);
    case Op::sub:
      return for_pairs<Arithmetic>(machine, insn, kMinus);
    case Op::mul:
      return for_pairs<Arithmetic>(machine, insn, kTimes);
    case Op::div:
      return for_pairs<Floats>(machine, insn, kQuotient);
    case Op::vmax:
      return for_pairs<Arithmetic>(machine, insn, kGreater);
    case Op::vmin:
      return for_pairs<Arithmetic>(machine, insn, kLesser);
    case Op::vand:
      return for_pairs<Logic>(machine, insn, kAnd);
    case Op::vor:
      return for_pairs<Logic>(machine, insn, kOr);
    default:
      unknown(insn);
  }
}

void multiply_add(Machine& machine, const Instruction& insn) {
  if (insn.op == Op::fusedmuladd)
    return with_type_in(Floats{}, insn.dst_type, [&]<class T>(T) {
      elementwise<T>(
          machine, insn, [](float a, float dst, float b) { return rounded<T>(a * dst) + b; },
          machine.strided<T>(insn, 1), machine.strided<T>(insn, 0), machine.strided<T>(insn, 2));
    });
  if (insn.dst_type == Element::i32)
    return elementwise<std::int32_t>(
        machine, insn, []<class T>(T a, T b, T dst) { return kPlus(kTimes(a, b), dst); },
        machine.strided<std::int32_t>(insn, 1), machine.strided<std::int32_t>(insn, 2),
        machine.strided<std::int32_t>(insn, 0));
  if (insn.dst_type == Element::f16) return multiply_then_add<Half, Half>(machine, insn);
  if (insn.src_type == Element::f16) return multiply_then_add<float, Half>(machine, insn);
  multiply_then_add<float, float>(machine, insn);
}

}  // namespace lanecheck::simulator
