// Identification of mistakes in arithmetic: what it says of a backend that computes other values, and nothing
// else wrong.
#include <algorithm>
#include <bit>
#include <cmath>

#include "fuzz/identify/identify_testing.h"
#include "fuzz/identify/values/value_differences.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace values_test {

/// The oracle on elements of the sources that `change` has changed; they stay in UB as they were.
template <class T, class ChangeElement>
Ask with_sources(ChangeElement change) {
  return [change](const Batch& batch) {
    std::vector<Program> changed(batch.programs.begin(), batch.programs.end());
    for (Program& program : changed) {
      const Instruction& insn = program.instructions.back();
      for (unsigned k = 1; k < row_of(insn.op).operands.size(); ++k) {
        const Allocation& home = program.allocations[insn.operands[k].allocation];
        for (std::uint32_t at = home.offset; at < home.offset + home.bytes; at += sizeof(T)) {
          T element;
          std::memcpy(&element, &program.ub[at], sizeof element);
          element = change(element);
          std::memcpy(&program.ub[at], &element, sizeof element);
        }
      }
    }
    ask_oracle()({changed, batch.states, batch.outcomes});
    for (std::size_t n = 0; n < changed.size(); ++n) {
      const Program& program = batch.programs[n];
      const Allocation& dst = program.allocations[program.instructions.back().operands[0].allocation];
      for (std::size_t at = 0; at < program.ub.size(); ++at)
        if (at < dst.offset || at >= dst.offset + dst.bytes) batch.states[n].ub[at] = program.ub[at];
    }
  };
}

Ask with_scalar(double (*change)(double)) {
  return with([change](Instruction& insn) {
    if (takes_scalar(insn)) insn.scalar = scalar_of(scalar_type(insn), change(insn.scalar.value));
  });
}

TEST(IdentifyValues, AComparisonExchangesItsOperands) {
  const Ask exchanges = with([](Instruction& insn) {
    if (insn.compare == Compare::lt)
      insn.compare = Compare::gt;
    else if (insn.compare == Compare::gt)
      insn.compare = Compare::lt;
    else if (insn.compare == Compare::le)
      insn.compare = Compare::ge;
    else if (insn.compare == Compare::ge)
      insn.compare = Compare::le;
  });
  EXPECT_EQ(said("compare_scalar.i32", exchanges),
            "compare_scalar.i32 compares its two operands in exchanged order");
}

/// With a scalar that no f32 is equal to, no element is equal to it: all laws of lost bits give that, too.
TEST(IdentifyValues, NoLawOfLostBitsIsSaidOfComparisonsThatAreAllFalse) {
  const Row& row = row_of(Op::compare_scalar);
  const auto& pairs = row.in(Profile::a2).pairs;
  const auto of_i32 =
      std::ranges::find_if(pairs, [](const TypePair& each) { return each.src == Element::i32; });
  ASSERT_NE(of_i32, pairs.end());
  Subject subject = default_subject(Profile::a2, row, *of_i32);
  subject.insn.compare = Compare::eq;
  subject.insn.scalar = scalar_from_bits(Element::i32, 0x80000002);
  const Ask rounds = with_sources<std::int32_t>([](std::int32_t element) {
    const double rounded = static_cast<float>(element);
    return static_cast<std::int32_t>(std::min(rounded, 2147483647.0));
  });
  const auto law = value_law(subject, rounds);
  ASSERT_TRUE(law);
  EXPECT_EQ(
      law->what,
      "compare_scalar.i32 takes src, but not its scalar, as f32 numbers, which have 24 significant bits");
}

TEST(IdentifyValues, IntegersAreTakenAsF32) {
  const Ask rounds = with_sources<std::int32_t>([](std::int32_t element) {
    const double rounded = static_cast<float>(element);
    return static_cast<std::int32_t>(std::min(rounded, 2147483647.0));
  });
  EXPECT_EQ(said("relu.i32", rounds),
            "relu.i32 takes its elements as f32 numbers, which have 24 significant bits");
}

/// 2^31, to which the greatest elements are rounded, is not in the type: the product wraps around.
TEST(IdentifyValues, FactorsAreTakenAsF32) {
  const Ask rounds = with_sources<std::int32_t>([](std::int32_t element) {
    return static_cast<std::int32_t>(static_cast<std::int64_t>(static_cast<float>(element)));
  });
  EXPECT_EQ(
      said("mul.i32", rounds),
      "mul.i32 takes its elements as f32 numbers, which have 24 significant bits, the greatest of them as "
      "one more than its type holds");
}

/// An element that is less than all others, by its sign, never wins then: it seems not to count.
TEST(IdentifyValues, AMinimumOfUnsignedNumbers) {
  const auto flip = [](std::int16_t element) { return static_cast<std::int16_t>(element ^ -0x8000); };
  const Ask flipped = with_sources<std::int16_t>(flip);
  const Ask as_unsigned = [=](const Batch& batch) {
    flipped(batch);
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      const Program& program = batch.programs[n];
      const Allocation& dst = program.allocations[program.instructions.back().operands[0].allocation];
      for (std::uint32_t at = dst.offset; at < dst.offset + dst.bytes; at += 2) {
        std::int16_t result, old;
        std::memcpy(&result, &batch.states[n].ub[at], sizeof result);
        std::memcpy(&old, &program.ub[at], sizeof old);
        result = result == old ? old : flip(result);
        std::memcpy(&batch.states[n].ub[at], &result, sizeof result);
      }
    }
  };
  EXPECT_EQ(said("cgmin.i16", as_unsigned), "cgmin.i16 compares its elements as unsigned numbers");
}

/// As a case of a switch without its break.
TEST(IdentifyValues, AnInstructionThatAlsoDoesTheNextOne) {
  const auto as = [](Op given, Op done) {
    return with([=](Instruction& insn) {
      if (insn.op == given) insn.op = done;
    });
  };
  EXPECT_EQ(said("lrelu.f32", as(Op::lrelu, Op::axpy)), "lrelu.f32 computes as axpy.f32 does");
  EXPECT_EQ(said("add.f16", as(Op::add, Op::muladddst)), "add.f16 computes as muladddst.f16 does");
}

TEST(IdentifyValues, ANegativeScalarIsLost) {
  const Ask loses = with([](Instruction& insn) {
    if (takes_scalar(insn) && insn.scalar.value < 0) insn.scalar = scalar_of(scalar_type(insn), 1);
  });
  const std::string all = said("axpy.f16", loses);
  EXPECT_NE(all.find("for which the scalar is negative"), std::string::npos) << all;
}

TEST(IdentifyValues, TheScalarIsTruncatedToAnInteger) {
  EXPECT_EQ(said("adds.f32", with_scalar([](double value) { return std::trunc(value); })),
            "adds.f32 truncates its scalar to an integer");
  // -0.5 becomes an integer 0, which has no sign.
  EXPECT_EQ(said("adds.f16", with_scalar([](double value) { return std::trunc(value) + 0.0; })),
            "adds.f16 truncates its scalar to an integer");
}

TEST(IdentifyValues, ElementsKeepTheirLowestBits) {
  const Ask reads = [](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program changed = batch.programs[n];
      const Allocation& src = changed.allocations[changed.instructions.back().operands[1].allocation];
      if (changed.instructions.back().op == Op::muls)
        for (std::uint32_t at = src.offset + 2; at < src.offset + src.bytes; at += 4)
          changed.ub[at] = changed.ub[at + 1] = std::byte{0};
      ask_oracle()({{&changed, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
      for (std::uint32_t at = src.offset; at < src.offset + src.bytes; ++at)
        batch.states[n].ub[at] = batch.programs[n].ub[at];
    }
  };
  EXPECT_EQ(said("muls.i32", reads), "muls.i32 reads only the lowest 16 bits of src");
}

TEST(IdentifyValues, ACastGoesThroughAnIntegerOf16Bits) {
  const Ask through = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::cast || insn.dst_type != Element::i32) return;
    const Mask mask = mask_of(program);
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
        if (mask[lane] == 0) continue;
        std::byte* const at = &state.ub[start_of(program, insn.operands[0]) + lane_offset(insn, 0, r, lane)];
        store(at, std::int32_t{static_cast<std::int16_t>(load<std::int32_t>(at))});
      }
  });
  EXPECT_EQ(said("cast.i32.f32", through),
            "cast.i32.f32 writes only the lowest 16 bits, with their sign, of its results");
}

TEST(IdentifyValues, ALogicalNotIsNoBitwiseOne) {
  const Ask logical = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    const Mask mask = mask_of(program);
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
        const std::size_t dst = start_of(program, insn.operands[0]) + lane_offset(insn, 0, r, lane);
        const std::size_t src = start_of(program, insn.operands[1]) + lane_offset(insn, 1, r, lane);
        if (mask[lane] != 0) state.ub[dst] = std::byte(program.ub[src] == std::byte{0} ? 1 : 0);
      }
  });
  EXPECT_EQ(said("vnot.u8", logical), "vnot.u8 computes the logical NOT: 1 or 0 instead of single bits");
}

TEST(IdentifyValues, DupRoundsItsScalarToF16) {
  EXPECT_EQ(said("dup.f32", with_scalar([](double value) {
                   return value_of(Element::f16, nearest(Element::f16, value));
                 })),
            "dup.f32 rounds its scalar to f16");
}

/// 64 bits hold more than the 53 of f64.
TEST(IdentifyValues, DupRoundsItsScalarToF64) {
  const Ask wraps = with([](Instruction& insn) {
    if (insn.op != Op::dup || size_of(insn.dst_type) != 8) return;
    const bool negative = insn.dst_type == Element::i64 && insn.scalar.bits >> 63 != 0;
    const std::uint64_t magnitude = negative ? 0 - insn.scalar.bits : insn.scalar.bits;
    const int lost = magnitude == 0 ? 0 : std::max(0, 11 - std::countl_zero(magnitude));
    const std::uint64_t unit = std::uint64_t{1} << lost, rest = magnitude % unit;
    const bool up = lost > 0 && (rest > unit / 2 || (rest == unit / 2 && (magnitude / unit) % 2 == 1));
    const std::uint64_t rounded = magnitude - rest + (up ? unit : 0);
    insn.scalar = scalar_from_bits(insn.dst_type, negative ? 0 - rounded : rounded);
  });
  EXPECT_EQ(said("dup.i64", wraps), "dup.i64 rounds its scalar to f64");
  EXPECT_EQ(said("dup.u64", wraps), "dup.u64 rounds its scalar to f64");
}

TEST(IdentifyValues, TheScalarIsKeptInASignedByte) {
  const Ask cuts = with([](Instruction& insn) {
    if (takes_scalar(insn))
      insn.scalar.bits = static_cast<std::uint16_t>(static_cast<std::int8_t>(insn.scalar.bits & 0xff));
  });
  EXPECT_EQ(said("vmaxs.i16", cuts), "vmaxs.i16 uses only the lowest 8 bits of its scalar, with their sign");
}

TEST(IdentifyValues, SignedElementsAreComparedAsUnsignedOnes) {
  const Ask compares = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::vmax) return;
    const auto at = [&](unsigned k, unsigned r, unsigned lane) {
      return start_of(program, insn.operands[k]) + lane_offset(insn, k, r, lane);
    };
    const Mask mask = mask_of(program);
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
        if (mask[lane] == 0) continue;
        std::uint16_t a = 0, b = 0;
        std::memcpy(&a, &program.ub[at(1, r, lane)], 2);
        std::memcpy(&b, &program.ub[at(2, r, lane)], 2);
        const std::uint16_t greater = std::max(a, b);
        std::memcpy(&state.ub[at(0, r, lane)], &greater, 2);
      }
  });
  EXPECT_EQ(said("vmax.i16", compares), "vmax.i16 compares its elements as unsigned numbers");
}

/// There is a vmin.u8, but no vmin.u16: the mistake has one name.
TEST(IdentifyValues, AnotherSignOfAMinimumIsSaidAlikeOfAllTypes) {
  const Ask as_unsigned = with([](Instruction& insn) {
    if (insn.op == Op::vmin && insn.src_type == Element::i8) insn.dst_type = insn.src_type = Element::u8;
  });
  EXPECT_EQ(said("vmin.i8", as_unsigned), "vmin.i8 compares its elements as unsigned numbers");
}

TEST(IdentifyValues, AWrongResultOfOneModeNamesTheMode) {
  const Ask equal_to_next = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.repeat != 6 || insn.compare != Compare::eq) return;
    for (unsigned n = 0; n < insn.repeat * lanes_of(insn); ++n) {
      std::uint32_t a = 0, b = 0;
      std::memcpy(&a, &program.ub[start_of(program, insn.operands[1]) + 4 * n], 4);
      std::memcpy(&b, &program.ub[start_of(program, insn.operands[2]) + 4 * n], 4);
      if (a + 1 == b) state.ub[start_of(program, insn.operands[0]) + n / 8] |= std::byte{1} << n % 8;
    }
  });
  const std::string all = said("compare.f32", equal_to_next);
  EXPECT_NE(all.find(", all of them results for which the mode is eq, for example 1 instead of 0 in mode eq "
                     "for src0 = "),
            std::string::npos)
      << all;
  const auto found = identify(subject_of("compare.f32"), equal_to_next);
  ASSERT_FALSE(found.parts.empty());
  EXPECT_EQ(found.parts[0].key, "values: wrong results for which the mode is eq");
}

TEST(ValuesOfReductions, AreThoseOfAnotherOneUnderAFullMaskAlone) {  // VMC-3.2
  const auto in_place_of_cmin = [](bool under_every_mask) {
    return with_program([=](Program& program) {
      Instruction& last = program.instructions.back();
      if (last.op != Op::cgmin) return;
      const Mask mask = mask_of(program);
      if (under_every_mask || (mask_word(mask, 0) == kOnes && mask_word(mask, 1) == kOnes))
        last.op = Op::cgmax;
    });
  };
  EXPECT_EQ(said("cgmin.f16", in_place_of_cmin(true)), "cgmin.f16 computes as cgmax.f16 does");
  EXPECT_EQ(said("cgmin.f16", in_place_of_cmin(false)),
            "cgmin.f16 computes as cgmax.f16 does, under a full mask");
}

}  // namespace values_test
}  // namespace lanecheck
