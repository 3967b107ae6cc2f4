#include "fuzz/identify/values/half_rounding.h"

#include <cmath>

#include "fuzz/identify/values/element_bits.h"
#include "fuzz/identify/values/rounding_rule.h"
#include "oracle/execute/execute.h"
#include "spec/program/profile.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

constexpr double kTwo16 = 0x1p16;  // the number behind the greatest f16, 65504

template <Towards towards, bool only_halves>
Half rounded_half(float wide) {
  if (std::abs(wide) >= kTwo16) return {static_cast<std::uint16_t>(nearest(Element::f16, wide))};
  const RoundingRule rule{.only_halves = only_halves, .towards = towards};
  const double number = rounded_by(rule, Element::f16, place_of(Element::f16, Element::f32, wide));
  const std::uint64_t bits = nearest(Element::f16, number);
  const bool lost_sign = number == 0 && std::signbit(wide);
  return {static_cast<std::uint16_t>(lost_sign ? 0x8000u : bits)};
}

/// The greatest f16 in place of infinity: rounded towards zero, no number becomes infinite.
Half truncated_to_finite(float wide) {
  if (std::isinf(wide) || std::abs(wide) < kTwo16) return rounded_half<Towards::zero, false>(wide);
  return {static_cast<std::uint16_t>(std::signbit(wide) ? 0xfbffu : 0x7bffu)};
}

ValueVariant rounding(const std::string& how, Half (*narrow)(float)) {
  return {"rounds its f16 results " + how,
          [narrow](const Program& program, State& state) {
            Semantics semantics(default_readings(program.profile));
            semantics.departs_in_arithmetic = true;
            semantics.seams.narrow_half = narrow;
            execute(program, semantics, state);
          },
          {},
          "rounds " + how};  // as of a cast
}

/// The exact result of lane `n`, which f64 holds, of instructions that compute nothing else.
std::optional<double> exact_result(const Program& program, const Instruction& insn, unsigned n) {
  const auto source = [&](unsigned k) {
    return value_of(Element::f16, element_bits(program.ub, program, k, Element::f16, n));
  };
  switch (insn.op) {
    case Op::add:
      return source(1) + source(2);
    case Op::adds:
      return source(1) + insn.scalar.value;
    case Op::sub:
      return source(1) - source(2);
    case Op::mul:
      return source(1) * source(2);
    case Op::muls:
      return source(1) * insn.scalar.value;
    default:
      return {};
  }
}

/// What lies between two f16 numbers goes `towards`; it is not rounded to f32 before. What the documents make
/// infinite stays so.
ValueVariant exact_rounding(const std::string& how, Towards towards) {
  return {"rounds its f16 results " + how,
          [towards](const Program& program, State& state) {
            execute(program, Semantics(default_readings(program.profile)), state);
            const Instruction& given = program.instructions.back();
            for (unsigned n = 0; n < given.repeat * lanes_of(given); ++n) {
              std::uint64_t bits = element_bits(state.ub, program, 0, Element::f16, n);
              const auto exact = exact_result(program, given, n);
              if (!exact || *exact == 0 || !std::isfinite(value_of(Element::f16, bits))) continue;
              const RoundingPlace place = place_of(Element::f16, Element::f32, *exact);
              bits = nearest(Element::f16, rounded_by({.towards = towards}, Element::f16, place));
              if (std::signbit(*exact)) bits |= 0x8000u;
              put_element_bits(state.ub, program, 0, Element::f16, n, bits);
            }
          },
          {},
          "rounds " + how};
}

}  // namespace

std::vector<ValueVariant> half_rounding(const Subject& subject) {
  if (subject.insn.dst_type != Element::f16 || row_of(subject.insn.op).rounds) return {};
  const std::string of_all = ", instead of to the nearest", of_halves = ", instead of to the even neighbour";
  std::vector<ValueVariant> all = {
      rounding("towards zero" + of_all, rounded_half<Towards::zero, false>),
      rounding("towards zero" + of_all, truncated_to_finite),
      rounding("halves away from zero" + of_halves, rounded_half<Towards::outwards, true>),
      rounding("halves towards zero" + of_halves, rounded_half<Towards::zero, true>),
      rounding("halves up (towards +infinity)" + of_halves, rounded_half<Towards::above, true>),
      rounding("halves to the odd neighbour" + of_halves, rounded_half<Towards::odd, true>),
      rounding("away from zero" + of_all, rounded_half<Towards::outwards, false>),
      rounding("up (towards +infinity)" + of_all, rounded_half<Towards::above, false>),
      rounding("down (towards -infinity)" + of_all, rounded_half<Towards::below, false>),
  };
  for (const auto& [how, towards] :
       {std::pair("towards zero", Towards::zero), std::pair("away from zero", Towards::outwards),
        std::pair("up (towards +infinity)", Towards::above),
        std::pair("down (towards -infinity)", Towards::below)})
    all.push_back(exact_rounding(how + of_all, towards));
  return all;
}

}  // namespace lanecheck
