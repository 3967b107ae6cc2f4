// Wrong results that are one number, an operand or a changed result where a condition holds.
#include <algorithm>
#include <bit>
#include <cmath>

#include "fuzz/identify/value_results_testing.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace value_outcomes_test {

/// The oracle, after which `change(lane, source, result)` has changed each result of `op`.
template <class T, class ChangeResult>
Ask changes(Op op, ChangeResult change) {
  return with_results<T>(op, [=](const Program& program, unsigned lane, auto at, T result) {
    const auto source = [&](unsigned k) { return load<T>(&program.ub[at(k)]); };
    return change(lane, source, result);
  });
}

/// The sentence without its example.
std::string law(const std::string& name, const Ask& ask) {
  const std::string all = said(name, ask);
  return all.substr(0, all.find(", for example"));
}

constexpr float kNormal = 0x1p-126F;

TEST(ValueOutcomes, SubnormalResultsAndMinusZeroBecomePlusZero) {
  const Ask flushes = changes<float>(
      Op::sub, [](unsigned, auto, float result) { return std::abs(result) < kNormal ? 0 : result; });
  EXPECT_EQ(law("sub.f32", flushes), "sub.f32 writes +0 instead of subnormal numbers and -0");
}

/// ascendc-a2 has selects by a compare mask that nothing has set here: they do not explain any result.
TEST(ValueOutcomes, OfTwoSourcesAreNotThoseOfASelectThatIsOpen) {
  const Ask flushes = changes<std::uint16_t>(Op::div, [](unsigned, auto, std::uint16_t result) {
    return (result & 0x7c00) == 0 ? result & 0x8000 : result;
  });
  const auto div = identify(subject_of("div.f16", Profile::a2), flushes).differences;
  ASSERT_EQ(div.size(), 1U);
  EXPECT_EQ(div[0].substr(0, div[0].find(", for example")), "div.f16 writes 0 instead of subnormal numbers");
}

TEST(ValueOutcomes, WhatOverflowsIsLimitedAndInfinityStays) {
  const Ask saturates = changes<std::uint16_t>(Op::add, [](unsigned, auto source, std::uint16_t result) {
    const auto is_finite = [](std::uint16_t bits) { return (bits & 0x7c00) != 0x7c00; };
    const bool overflows = (result & 0x7fff) == 0x7c00 && is_finite(source(1)) && is_finite(source(2));
    return static_cast<std::uint16_t>(overflows ? result - 1 : result);
  });
  EXPECT_EQ(law("add.f16", saturates),
            "add.f16 writes the greatest finite number, with its sign, where finite numbers give infinity");
}

TEST(ValueOutcomes, SubnormalElementsOfOneSourceAreReadAsZero) {
  const Ask flushes = changes<float>(Op::add, [](unsigned, auto source, float result) {
    const float x = source(2);
    return x != 0 && std::abs(x) < kNormal ? source(1) + std::copysign(0.0F, x) : result;
  });
  EXPECT_EQ(law("add.f32", flushes), "add.f32 reads subnormal numbers as 0 in src1");
}

TEST(ValueOutcomes, OneNumberIfASourceIsMinusInfinity) {
  const Ask keeps = changes<float>(Op::abs, [](unsigned, auto source, float result) {
    return source(1) == -INFINITY ? source(1) : result;
  });
  EXPECT_EQ(law("abs.f32", keeps), "abs.f32 gives -inf if src is -infinity");
}

TEST(ValueOutcomes, ASourceIfTheOtherOneIsZero) {
  const Ask skips = changes<std::int32_t>(Op::mul, [](unsigned, auto source, std::int32_t result) {
    return source(2) == 0 ? source(1) : result;
  });
  EXPECT_EQ(law("mul.i32", skips), "mul.i32 gives src0 if src1 is 0");
}

TEST(ValueOutcomes, AProductOfIntegersThatWasOneOfDoubles) {
  const Ask doubles = changes<std::int32_t>(Op::mul, [](unsigned, auto source, std::int32_t) {
    const double product = static_cast<double>(source(1)) * static_cast<double>(source(2));
    return static_cast<std::int32_t>(static_cast<std::int64_t>(product));
  });
  EXPECT_EQ(
      law("mul.i32", doubles),
      "mul.i32 multiplies in f64, which keeps 53 significant bits of the product, before it takes the lowest "
      "32 bits");
}

TEST(ValueOutcomes, AProductThatIsAddedAndWasOneOfDoubles) {
  const auto as_doubles = [](bool adds_too) {
    return changes<std::int32_t>(Op::muladddst, [=](unsigned, auto source, std::int32_t) {
      const double product = static_cast<double>(source(1)) * static_cast<double>(source(2));
      const auto old = static_cast<double>(source(0));
      if (adds_too) return static_cast<std::int32_t>(static_cast<std::int64_t>(product + old));
      return static_cast<std::int32_t>(static_cast<std::int64_t>(product) + static_cast<std::int64_t>(old));
    });
  };
  EXPECT_EQ(law("muladddst.i32", as_doubles(true)),
            "muladddst.i32 multiplies and adds in f64, which keeps 53 significant bits, before it takes the "
            "lowest 32 bits");
  EXPECT_EQ(
      law("muladddst.i32", as_doubles(false)),
      "muladddst.i32 multiplies in f64, which keeps 53 significant bits of the product, before it takes "
      "the lowest 32 bits and adds");
}

TEST(ValueOutcomes, ZeroIfTheProductDoesNotFit) {
  const Ask gives = changes<std::int16_t>(Op::mul, [](unsigned, auto source, std::int16_t result) {
    const int exact = source(1) * source(2);
    return exact == result ? result : std::int16_t{0};
  });
  EXPECT_EQ(law("mul.i16", gives), "mul.i16 gives 0 if src0 * src1 does not fit into i16");
}

TEST(ValueOutcomes, SumsAreCutAtLimitsOfTheirOwn) {
  const Ask limits = changes<std::int16_t>(Op::add, [](unsigned, auto source, std::int16_t) {
    return static_cast<std::int16_t>(std::clamp(source(1) + source(2), -32767, 32767));
  });
  EXPECT_EQ(law("add.i16", limits),
            "add.i16 limits src0 + src1 to -32767 .. 32767 instead of wrapping around");
}

/// What always fits into the type does not wrap around.
TEST(ValueOutcomes, WhatDoesNotWrapIsNotSaidToWrap) {
  const Ask greater = changes<std::int16_t>(Op::vmax, [](unsigned, auto source, std::int16_t) {
    return static_cast<std::int16_t>(std::min<int>(std::max(source(1), source(2)), 1000));
  });
  EXPECT_EQ(law("vmax.i16", greater), "vmax.i16 limits max(src0, src1) to -32768 .. 1000");
  const Ask scalar = changes<std::uint16_t>(
      Op::dup, [](unsigned, auto, std::uint16_t result) { return std::min<std::uint16_t>(result, 32767); });
  EXPECT_EQ(law("dup.u16", scalar), "dup.u16 computes min(scalar, 32767) instead of scalar");
}

TEST(ValueOutcomes, ResultsOfSomeLanesAreOneTooGreat) {
  const Ask errs = changes<std::int32_t>(Op::add, [](unsigned lane, auto source, std::int32_t result) {
    return lane >= 32 && source(1) < 0 ? static_cast<std::int32_t>(static_cast<std::uint32_t>(result) + 1)
                                       : result;
  });
  EXPECT_EQ(law("add.i32", errs),
            "add.i32 gives a result that is 1 too great if src0 is negative and the lane is one of 32..63");
}

/// The condition is looked for in other data too: -0 and subnormal numbers are both of a small magnitude.
TEST(ValueOutcomes, AConditionHoldsForOtherData) {
  unsigned count = 0;
  const Ask errs = changes<float>(Op::add, [&count](unsigned, auto source, float result) {
    if (!(source(1) < 0)) return result;
    return ++count < 1500 ? 7.0F : result;
  });
  EXPECT_EQ(said("add.f32", errs).find("exactly those"), std::string::npos);
  EXPECT_EQ(said("add.f32", errs).find("gives 7 if"), std::string::npos);
}

/// The oracle, after which the bits of a comparison are those of `compare(mode, x, y)`.
template <class T, class Relation>
Ask compares(Relation compare) {
  return then([compare](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::compare) return;
    for (unsigned n = 0; n < insn.repeat * lanes_of(insn); ++n) {
      const auto source = [&](unsigned k) {
        return load<T>(&program.ub[start_of(program, insn.operands[k]) +
                                   lane_offset(insn, k, n / lanes_of(insn), n % lanes_of(insn))]);
      };
      const std::optional<bool> holds = compare(insn.compare, source(1), source(2));
      std::byte& at = state.ub[start_of(program, insn.operands[0]) + n / 8];
      const std::byte bit = std::byte{1} << n % 8;
      if (holds) at = *holds ? at | bit : at & ~bit;
    }
  });
}

/// Of two negative floats the one with the greater magnitude has the greater bits.
TEST(ValueOutcomes, AMaximumLooksAtTheBits) {
  const Ask looks = changes<std::int32_t>(
      Op::vmax, [](unsigned, auto source, std::int32_t) { return std::max(source(1), source(2)); });
  EXPECT_EQ(law("vmax.f32", looks), "vmax.f32 compares the bits of its elements as signed integers");
}

/// NaN and zeros of both signs stay as they are: no document says more of them.
TEST(ValueOutcomes, AMinimumOfNegativeFloatsLooksAtTheBits) {
  const Ask looks = changes<float>(Op::vmin, [](unsigned, auto source, float documented) {
    const bool negative = std::signbit(source(1)) && std::signbit(source(2));
    return negative && !std::isnan(documented) ? std::max(source(1), source(2)) : documented;
  });
  EXPECT_EQ(law("vmin.f32", looks), "vmin.f32 compares the bits of its elements as signed integers");
}

/// Also where the profile has no such integers.
TEST(ValueOutcomes, AMinimumOfAGroupLooksAtTheBits) {
  const Ask looks = with_program([](Program& program) {
    for (Instruction& insn : program.instructions)
      if (insn.op == Op::cgmin || insn.op == Op::cmin) insn.dst_type = insn.src_type = Element::i16;
  });
  for (const std::string name : {"cgmin.f16", "cmin.f16"})
    EXPECT_EQ(first_said(name, looks), name + " compares the bits of its elements as signed integers");
}

/// The bits of zeros are not looked at.
TEST(ValueOutcomes, OfTwoNegativeNumbersTheOtherOne) {
  const Ask lesser = changes<float>(Op::vmax, [](unsigned, auto source, float documented) {
    return source(1) < 0 && source(2) < 0 ? std::min(source(1), source(2)) : documented;
  });
  EXPECT_EQ(law("vmax.f32", lesser), "vmax.f32 takes the lesser one of two negative numbers");
  const Ask greater = changes<std::int16_t>(Op::vmin, [](unsigned, auto source, std::int16_t documented) {
    return source(1) < 0 && source(2) < 0 ? std::max(source(1), source(2)) : documented;
  });
  EXPECT_EQ(law("vmin.i16", greater), "vmin.i16 takes the greater one of two negative numbers");
}

/// The carry of an element reaches the next one if words of 8 bytes are added.
TEST(ValueOutcomes, SumsOfWholeWords) {
  const Ask words = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::add && insn.op != Op::sub) return;
    const Mask mask = mask_of(program);
    const std::size_t size = size_of(insn.src_type);
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = 0; lane < lanes_of(insn); lane += static_cast<unsigned>(8 / size)) {
        const auto word = [&](unsigned k) {
          return load<std::uint64_t>(
              &program.ub[start_of(program, insn.operands[k]) + lane_offset(insn, k, r, lane)]);
        };
        const std::uint64_t result = insn.op == Op::add ? word(1) + word(2) : word(1) - word(2);
        for (unsigned n = 0; n < 8 / size; ++n)
          if (mask[lane + n] != 0)
            std::memcpy(&state.ub[start_of(program, insn.operands[0]) + lane_offset(insn, 0, r, lane + n)],
                        reinterpret_cast<const char*>(&result) + n * size, size);
      }
  });
  EXPECT_EQ(law("add.i16", words),
            "add.i16 adds words of 8 bytes: the carry of an element goes into the next one of its word");
  EXPECT_EQ(
      law("sub.i32", words),
      "sub.i32 subtracts words of 8 bytes: the borrow of an element goes into the next one of its word");
}

TEST(ValueOutcomes, TwiceAnOperandWithTheOtherSign) {
  const Ask twice = changes<std::int32_t>(
      Op::sub, [](unsigned, auto source, std::int32_t) { return -2 * (source(2) & 0xffff); });
  const Ask all = changes<std::int32_t>(Op::sub, [](unsigned, auto source, std::int32_t) {
    return static_cast<std::int32_t>(0U - 2U * static_cast<std::uint32_t>(source(2)));
  });
  EXPECT_EQ(law("sub.i32", all), "sub.i32 computes -(src1 + src1) instead of src0 - src1");
  EXPECT_NE(law("sub.i32", twice), law("sub.i32", all));
}

TEST(ValueOutcomes, AComparisonLooksAtTheBits) {
  const Ask bitwise =
      compares<std::int32_t>([](Compare mode, std::int32_t x, std::int32_t y) -> std::optional<bool> {
        if (mode != Compare::eq) return {};
        return x == y;
      });
  EXPECT_EQ(said("compare.f32", bitwise),
            "compare.f32 compares the bits of its elements as signed integers in mode eq");
}

TEST(ValueOutcomes, AComparisonLooksAtADifferenceThatWrapsAround) {
  const Ask subtracts =
      compares<std::int16_t>([](Compare mode, std::int16_t x, std::int16_t y) -> std::optional<bool> {
        if (mode != Compare::gt) return {};
        return static_cast<std::int16_t>(x - y) > 0;
      });
  EXPECT_EQ(said("compare.i16", subtracts),
            "compare.i16 looks at the sign of the wrapped difference src0 - src1 in mode gt");
}

TEST(IdentifyValues, ASumThatDoesNotFitBecomesTheLeastValue) {
  const Ask ask = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::cgadd) return;
    const std::uint32_t dst = start_of(program, insn.operands[0]), src = start_of(program, insn.operands[1]);
    const Mask mask = mask_of(program);
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned block = 0; block < 8; ++block) {
        std::int64_t sum = 0;
        for (unsigned n = 0; n < 8; ++n) {
          std::int32_t value = 0;
          const std::size_t at =
              32 * (std::size_t{r} * insn.operands[1].repeat_stride + block * insn.operands[1].block_stride) +
              4 * n;
          std::memcpy(&value, &program.ub[src + at], 4);
          sum += mask[8 * block + n] != 0 ? value : 0;
        }
        const std::int32_t least = std::numeric_limits<std::int32_t>::min();
        if (sum != static_cast<std::int32_t>(sum))
          std::memcpy(&state.ub[dst + 4 * (8 * (std::size_t{r} * insn.operands[0].repeat_stride) + block)],
                      &least, 4);
      }
  });
  EXPECT_EQ(said("cgadd.i32", ask),
            "cgadd.i32 gives the least value of the type for each sum that does not fit, instead of wrapping "
            "around");
}

/// The oracle, except for select and select_number of f32: each product and the sum is one float operation.
Ask selects_by_arithmetic() {
  return then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    const bool has_number = insn.op == Op::select_number;
    if (insn.dst_type != Element::f32 || (insn.op != Op::select && !has_number)) return;
    for (unsigned n = 0; n < insn.repeat * 64; ++n) {
      const auto at = [&](unsigned k) {
        return start_of(program, insn.operands[k]) + lane_offset(insn, k, n / 64, n % 64);
      };
      const auto control = std::to_integer<unsigned>(program.ub[start_of(program, insn.operands[1]) + n / 8]);
      const float bit = (control >> n % 8 & 1) != 0 ? 1.0f : 0.0f;
      const float second = has_number ? std::bit_cast<float>(static_cast<std::uint32_t>(insn.scalar.bits))
                                      : load<float>(&program.ub[at(3)]);
      store(&state.ub[at(0)], load<float>(&program.ub[at(2)]) * bit + second * (1 - bit));
    }
  });
}

TEST(IdentifyValues, ASelectThatMultipliesByItsBits) {
  const std::string law =
      " multiplies src0 and its other source by the bit and by 1 - bit, and adds them: a source that it does "
      "not take makes the result NaN if it is infinite or NaN";
  EXPECT_EQ(said("select.f32", selects_by_arithmetic()), "select.f32" + law);
  EXPECT_EQ(said("select_number.f32", selects_by_arithmetic()), "select_number.f32" + law);
}

TEST(IdentifyValues, ANumberOfASelectThatIsRounded) {
  const Ask rounds = with([](Instruction& insn) {
    if (insn.op == Op::select_number && insn.dst_type == Element::i32)
      insn.scalar = scalar_of(
          Element::i32, static_cast<double>(static_cast<float>(value_of(Element::i32, insn.scalar.bits))));
  });
  EXPECT_EQ(said("select_number.i32", rounds), "select_number.i32 rounds its scalar to f32");
}

}  // namespace value_outcomes_test
}  // namespace lanecheck
