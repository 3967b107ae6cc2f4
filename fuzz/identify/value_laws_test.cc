// Mistakes in arithmetic that are named by a law: a formula of the operands, for which data a comparison
// errs, what a masked-off infinity does.
#include <algorithm>
#include <cmath>
#include <limits>

#include "fuzz/identify/identify_testing.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace value_laws_test {

/// The place of an element in UB.
std::size_t place(const Program& program, unsigned k, unsigned repeat, unsigned lane) {
  const Instruction& insn = program.instructions.back();
  return start_of(program, insn.operands[k]) + lane_offset(insn, k, repeat, lane);
}

template <class T>
T element(const Program& program, unsigned k, unsigned repeat, unsigned lane) {
  return load<T>(&program.ub[place(program, k, repeat, lane)]);
}

/// `op` computes each active lane with `compute(program, repeat, lane)`, which gives a T.
template <class T, class Compute>
Ask computes(Op op, Compute compute) {
  return then([=](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != op) return;
    const Mask mask = mask_of(program);
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane)
        if (mask[lane % 128] != 0) {
          const T result = static_cast<T>(compute(program, r, lane));
          store(&state.ub[place(program, 0, r, lane)], result);
        }
  });
}

float f32_scalar(const Program& program) {
  return static_cast<float>(value_of(Element::f32, program.instructions.back().scalar.bits));
}

TEST(ValueLaws, AxpyExchangesSrcAndOldDst) {
  const Ask exchanges = computes<float>(Op::axpy, [](const Program& program, unsigned r, unsigned lane) {
    const float product = f32_scalar(program) * element<float>(program, 0, r, lane);
    return product + element<float>(program, 1, r, lane);
  });
  EXPECT_EQ(said("axpy.f32", exchanges),
            "axpy.f32 computes scalar * old dst + src instead of scalar * src + old dst");
}

TEST(ValueLaws, BitsThatAreThoseOfAnOperand) {
  const Ask low_byte =
      computes<std::uint16_t>(Op::vnot, [](const Program& program, unsigned r, unsigned lane) {
        return element<std::uint16_t>(program, 1, r, lane) ^ 0xffU;
      });
  EXPECT_EQ(said("vnot.u16", low_byte),
            "vnot.u16 computes only the lowest 8 bits of its results; the others are those of src");
}

TEST(ValueLaws, AReciprocalThatIsRounded) {
  const Ask reciprocal = computes<float>(Op::div, [](const Program& program, unsigned r, unsigned lane) {
    const float rounded = 1 / element<float>(program, 2, r, lane);
    return element<float>(program, 1, r, lane) * rounded;
  });
  EXPECT_EQ(said("div.f32", reciprocal), "div.f32 computes (1 / src1) * src0 instead of src0 / src1");
}

TEST(ValueLaws, AFormulaOfSomeRepeatsAlone) {
  const Ask subtracts = computes<float>(Op::muladddst, [](const Program& program, unsigned r, unsigned lane) {
    const float product = element<float>(program, 1, r, lane) * element<float>(program, 2, r, lane);
    const float old = element<float>(program, 0, r, lane);
    return r % 2 == 1 ? old - product : product + old;
  });
  EXPECT_EQ(
      said("muladddst.f32", subtracts),
      "muladddst.f32 computes old dst - src0 * src1 instead of src0 * src1 + old dst in every odd repeat "
      "(counted from 0)");
}

TEST(ValueLaws, AnIntegerScalarThatWasAFloat) {
  const Ask rounds = with([](Instruction& i) {
    if (i.op == Op::adds)
      i.scalar = scalar_of(Element::i32,
                           static_cast<double>(static_cast<float>(value_of(Element::i32, i.scalar.bits))));
  });
  EXPECT_EQ(said("adds.i32", rounds), "adds.i32 rounds its scalar to f32");
}

TEST(ValueLaws, MuladddstSubtracts) {
  const Ask subtracts = computes<float>(Op::muladddst, [](const Program& program, unsigned r, unsigned lane) {
    const float product = element<float>(program, 1, r, lane) * element<float>(program, 2, r, lane);
    return element<float>(program, 0, r, lane) - product;
  });
  EXPECT_EQ(said("muladddst.f32", subtracts),
            "muladddst.f32 computes old dst - src0 * src1 instead of src0 * src1 + old dst");
}

TEST(ValueLaws, AxpyAddsBeforeItMultiplies) {
  const Ask adds = computes<float>(Op::axpy, [](const Program& program, unsigned r, unsigned lane) {
    const float sum = f32_scalar(program) + element<float>(program, 0, r, lane);
    return sum * element<float>(program, 1, r, lane);
  });
  EXPECT_EQ(said("axpy.f32", adds),
            "axpy.f32 computes (old dst + scalar) * src instead of scalar * src + old dst");
}

TEST(ValueLaws, LreluTakesTheGreater) {
  const Ask takes = computes<float>(Op::lrelu, [](const Program& program, unsigned r, unsigned lane) {
    const float x = element<float>(program, 1, r, lane);
    return std::max(f32_scalar(program) * x, x);
  });
  EXPECT_EQ(said("lrelu.f32", takes), "lrelu.f32 computes max(scalar * src, src)");
}

TEST(ValueLaws, OneInstructionDoesWhatAnotherDoes) {
  const Ask exchanges = with([](Instruction& insn) {
    if (insn.op == Op::add) insn.op = Op::sub;
    if (insn.op == Op::vand) insn.op = Op::vor;
    if (insn.op == Op::exp) insn.op = Op::rec;
  });
  EXPECT_EQ(said("add.f16", exchanges), "add.f16 computes as sub.f16 does");
  EXPECT_EQ(said("vand.u16", exchanges), "vand.u16 computes as vor.u16 does");
  EXPECT_EQ(said("exp.f32", exchanges), "exp.f32 computes as rec.f32 does");
}

std::int16_t wide_extreme(const Program& program, unsigned r, unsigned lane, bool greatest) {
  const int x = element<std::int16_t>(program, 1, r, lane);
  const int y = static_cast<int>(program.instructions.back().scalar.bits & 0xffff);
  return static_cast<std::int16_t>(greatest ? std::max(x, y) : std::min(x, y));
}

TEST(ValueLaws, TheScalarIsUnsigned) {
  const auto greatest = [](const Program& program, unsigned r, unsigned lane) {
    return wide_extreme(program, r, lane, true);
  };
  const auto least = [](const Program& program, unsigned r, unsigned lane) {
    return wide_extreme(program, r, lane, false);
  };
  EXPECT_EQ(said("vmaxs.i16", computes<std::int16_t>(Op::vmaxs, greatest)),
            "vmaxs.i16 takes its scalar as an unsigned number");
  EXPECT_EQ(said("vmins.i16", computes<std::int16_t>(Op::vmins, least)),
            "vmins.i16 takes its scalar as an unsigned number");
}

TEST(ValueLaws, OneSourceIsUnsigned) {
  const Ask takes = computes<std::int32_t>(Op::vmin, [](const Program& program, unsigned r, unsigned lane) {
    const std::int64_t x = element<std::int32_t>(program, 1, r, lane);
    const std::int64_t y = element<std::uint32_t>(program, 2, r, lane);
    return static_cast<std::int32_t>(std::min(x, y));
  });
  EXPECT_EQ(said("vmin.i32", takes), "vmin.i32 takes src1 as unsigned numbers");
}

TEST(ValueLaws, AFusedProductIsSubtracted) {
  const Ask subtracts = computes<float>(Op::axpy, [](const Program& program, unsigned r, unsigned lane) {
    return std::fma(f32_scalar(program), element<float>(program, 1, r, lane),
                    -element<float>(program, 0, r, lane));
  });
  EXPECT_EQ(said("axpy.f32", subtracts),
            "axpy.f32 computes scalar * src - old dst instead of scalar * src + old dst");
}

TEST(ValueLaws, ADifferenceIsTheOtherWayRoundOnABackendThatSaturates) {
  const Ask reverses = computes<std::int32_t>(Op::sub, [](const Program& program, unsigned r, unsigned lane) {
    const std::int64_t x = element<std::int32_t>(program, 1, r, lane);
    const std::int64_t y = element<std::int32_t>(program, 2, r, lane);
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(y - x, -2147483648LL, 2147483647LL));
  });
  EXPECT_EQ(said("sub.i32", reverses), "sub.i32 computes src1 - src0 instead of src0 - src1");
}

TEST(ValueLaws, AConditionOfTwoPartsTellsWrongResultsFromRightOnes) {
  const Ask errs = computes<std::int32_t>(Op::adds, [](const Program& program, unsigned r, unsigned lane) {
    const auto x = element<std::uint32_t>(program, 1, r, lane);
    const auto y = static_cast<std::uint32_t>(program.instructions.back().scalar.bits);
    const bool both = static_cast<std::int32_t>(x) < 0 && static_cast<std::int32_t>(y) < 0;
    return static_cast<std::int32_t>((x + y) ^ (both ? 0x1001u : 0u));
  });
  const std::string all = said("adds.i32", errs);
  EXPECT_NE(all.find(", exactly those of them for which src is negative and the scalar is negative"),
            std::string::npos)
      << all;
}

TEST(ValueLaws, EveryResultIsOneNumber) {
  const Ask gives =
      computes<std::int32_t>(Op::muls, [](const Program&, unsigned, unsigned) { return std::int32_t{7}; });
  const std::string all = said("muls.i32", gives);
  EXPECT_EQ(all, "muls.i32 gives 7 whatever its operands are");
}

TEST(ValueLaws, TheProductIsLimited) {
  const Ask limits = computes<float>(Op::mul, [](const Program& program, unsigned r, unsigned lane) {
    const float x = element<float>(program, 1, r, lane) * element<float>(program, 2, r, lane);
    return std::isinf(x) ? std::copysign(std::numeric_limits<float>::max(), x) : x;
  });
  EXPECT_EQ(said("mul.f32", limits), "mul.f32 writes the greatest finite value instead of infinity");
}

/// The oracle, after which the bits of a comparison of floats that `change` chooses are inverted.
template <class Change>
Ask inverts(Change change) {
  return then([change](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (!row_of(insn.op).compares) return;
    for (unsigned n = 0; n < insn.repeat * lanes_of(insn); ++n) {
      const unsigned r = n / lanes_of(insn), lane = n % lanes_of(insn);
      const float x = element<float>(program, 1, r, lane);
      const float y = insn.op == Op::compare ? element<float>(program, 2, r, lane) : f32_scalar(program);
      if (change(insn.compare, x, y))
        state.ub[start_of(program, insn.operands[0]) + n / 8] ^= std::byte{1} << n % 8;
    }
  });
}

TEST(ValueLaws, LeAndGeAreTrueForNan) {
  const Ask is_true = inverts([](Compare mode, float x, float y) {
    return (mode == Compare::le || mode == Compare::ge) && (std::isnan(x) || std::isnan(y));
  });
  EXPECT_EQ(said("compare.f32", is_true), "compare.f32 is true in modes le and ge if an operand is NaN");
  EXPECT_EQ(said("compare_scalar.f32", is_true),
            "compare_scalar.f32 is true in modes le and ge if an operand is NaN");
}

TEST(ValueLaws, NeIsFalseForNan) {
  const Ask is_false =
      inverts([](Compare mode, float x, float) { return mode == Compare::ne && std::isnan(x); });
  EXPECT_EQ(said("compare.f32", is_false), "compare.f32 is false in mode ne if src0 is NaN");
}

TEST(ValueLaws, ZerosOfTwoSignsAreTwoNumbers) {
  const Ask differ = inverts([](Compare mode, float x, float y) {
    return (mode == Compare::eq || mode == Compare::ne) && x == 0 && y == 0 &&
           std::signbit(x) != std::signbit(y);
  });
  EXPECT_EQ(said("compare.f32", differ),
            "compare.f32 is inverted in modes eq and ne if its operands are +0 and -0");
}

TEST(ValueLaws, AComparisonTakesItsScalarAsUnsigned) {
  const Ask takes = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::compare_scalar) return;
    const int y = static_cast<int>(insn.scalar.bits & 0xffff);
    for (unsigned n = 0; n < insn.repeat * lanes_of(insn); ++n) {
      const int x = element<std::int16_t>(program, 1, n / lanes_of(insn), n % lanes_of(insn));
      const bool holds[] = {x == y, x != y, x<y, x <= y, x> y, x >= y};
      std::byte& at = state.ub[start_of(program, insn.operands[0]) + n / 8];
      const std::byte bit = std::byte{1} << n % 8;
      at = holds[static_cast<std::size_t>(insn.compare)] ? at | bit : at & ~bit;
    }
  });
  EXPECT_EQ(said("compare_scalar.i16", takes), "compare_scalar.i16 takes its scalar as an unsigned number");
}

TEST(ValueLaws, TheScalarOfDupIsTakenAsF32) {
  const Ask rounds = with([](Instruction& insn) {
    if (insn.op != Op::dup) return;
    const double rounded = static_cast<float>(static_cast<std::uint32_t>(insn.scalar.bits));
    insn.scalar = scalar_from_bits(Element::u32, nearest(Element::u32, rounded));
  });
  EXPECT_EQ(said("dup.u32", rounds),
            "dup.u32 takes its scalar as an f32 number, which has 24 significant bits");
}

/// The oracle on sources that are multiplied by the mask, in place of reading them under the mask.
Ask multiplies_by_mask() {
  return [](const Batch& batch) {
    ask_oracle()(batch);
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      const Program& program = batch.programs[n];
      const Instruction& insn = program.instructions.back();
      if (row_of(insn.op).mask != MaskUse::neutral_source) continue;
      const Mask mask = mask_of(program);
      const unsigned results = results_per_repeat(insn), size = lanes_of(insn) / results;
      for (unsigned r = 0; r < insn.repeat; ++r)
        for (unsigned g = 0; g < results; ++g) {
          bool any = false, meets = false;
          for (unsigned lane = g * size; lane < (g + 1) * size; ++lane) {
            any |= mask[lane] != 0;
            meets |= mask[lane] == 0 && !std::isfinite(element<float>(program, 1, r, lane));
          }
          const std::size_t at =
              start_of(program, insn.operands[0]) + r * repeat_step(insn, 0) + g * sizeof(float);
          if (any && meets) store(&batch.states[n].ub[at], std::numeric_limits<float>::quiet_NaN());
        }
    }
  };
}

TEST(ValueLaws, AMaskedOffInfinityMakesTheSumNan) {
  for (const std::string name : {"cadd.f32", "cgadd.f32", "cpadd.f32"})
    EXPECT_EQ(said(name, multiplies_by_mask()),
              "a masked-off element that is infinite or NaN makes the result of " + name + " NaN");
}

TEST(ValueLaws, AMaskedOffOldDstIsMultipliedByZero) {
  const Ask blends = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::mul) return;
    const Mask mask = mask_of(program);
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane)
        if (mask[lane] == 0 && !std::isfinite(element<float>(program, 2, r, lane)))
          store(&state.ub[place(program, 0, r, lane)], std::numeric_limits<float>::quiet_NaN());
  });
  EXPECT_EQ(said("mul.f32", blends),
            "masked-off lanes of mul.f32 whose src1 is infinite or NaN become NaN instead of "
            "keeping their old dst");
}

TEST(ValueLaws, ASumThatIsClamped) {
  const Ask clamps = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::cadd) return;
    const Mask mask = mask_of(program);
    for (unsigned r = 0; r < insn.repeat; ++r) {
      int sum = 0;
      if (std::all_of(mask.begin(), mask.begin() + 128, [](auto slot) { return slot == 0; })) continue;
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane)
        if (mask[lane] != 0) sum += element<std::int16_t>(program, 1, r, lane);
      const std::size_t at = start_of(program, insn.operands[0]) + 2 * r * insn.operands[0].repeat_stride;
      store(&state.ub[at], static_cast<std::int16_t>(std::clamp(sum, -32768, 32767)));
    }
  });
  EXPECT_EQ(said("cadd.i16", clamps),
            "cadd.i16 adds without overflow and clamps the sum to the type, instead of wrapping around");
}

TEST(ValueLaws, ACastThatTakesBytesForSignedOnes) {
  EXPECT_EQ(said("cast.f16.u8", with([](Instruction& insn) {
                   if (insn.op == Op::cast) insn.src_type = Element::i8;
                 })),
            "cast.f16.u8 takes its elements as signed numbers");
}

TEST(ValueLaws, ADequantizationThatRoundsTwice) {
  const Ask rounds = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::cast || insn.mask_from != MaskFrom::bitwise || insn.low != kOnes) return;
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
        const std::size_t at = place(program, 0, r, lane);
        const double first =
            value_of(Element::f16,
                     nearest(Element::f16, static_cast<double>(element<std::int32_t>(program, 1, r, lane))));
        const double scalar = value_of(scalar_type(insn), insn.scalar.bits);
        store(&state.ub[at], static_cast<std::uint16_t>(nearest(Element::f16, first * scalar)));
      }
  });
  EXPECT_EQ(first_said("cast.f16.i32", rounds),
            "cast.f16.i32 rounds its element to f16 before it multiplies by the scalar");
}

/// Each product by `multiply(a, b)`, of elements or of an element and the scalar. The lowest bits are kept.
template <class Integer, class Multiply>
Ask multiplies(Multiply multiply) {
  return then([multiply](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::muls && insn.op != Op::mul) return;
    const Mask mask = mask_of(program);
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
        if (mask[lane] == 0) continue;
        const Integer a = element<Integer>(program, 1, r, lane);
        const Integer b = insn.op == Op::mul
                              ? element<Integer>(program, 2, r, lane)
                              : static_cast<Integer>(value_of(insn.src_type, insn.scalar.bits));
        store(&state.ub[place(program, 0, r, lane)], static_cast<Integer>(multiply(a, b)));
      }
  });
}

TEST(ValueLaws, ProductsThatAreComputedInF32) {
  const auto in_f32 = [](auto a, auto b) {
    return static_cast<std::int64_t>(static_cast<float>(a) * static_cast<float>(b));
  };
  EXPECT_EQ(said("muls.i32", multiplies<std::int32_t>(in_f32)),
            "muls.i32 computes scalar * src in f32, with 24 significant bits");
  EXPECT_EQ(said("mul.i16", multiplies<std::int16_t>(in_f32)),
            "mul.i16 computes src0 * src1 in f32, with 24 significant bits");
  EXPECT_EQ(said("mul.i32", multiplies<std::int32_t>([](std::int64_t a, std::int64_t b) {
                   return static_cast<std::int64_t>(static_cast<float>(a * b));
                 })),
            "mul.i32 rounds the exact result of src0 * src1 to f32, which has 24 significant bits");
  EXPECT_EQ(
      said("muls.i32", multiplies<std::int32_t>([](std::int64_t a, std::int64_t b) {
             const double product = static_cast<float>(a * b);
             return static_cast<std::int32_t>(std::clamp(product, -2147483648.0, 2147483647.0));
           })),
      "muls.i32 rounds the exact result of scalar * src to f32, which has 24 significant bits, and gives "
      "the least or the greatest value of the type where a result does not fit");
}

}  // namespace value_laws_test
}  // namespace lanecheck
