// Functions of changed sources, decisions by a difference that wraps, and results that are made odd.
#include <algorithm>
#include <cmath>

#include "fuzz/identify/value_results_testing.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace value_sources_test {

/// The oracle on sources, in a row, that `change` has changed; they stay as they are.
Ask with_sources(Op op, double (*change)(double)) {
  return [=](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      const Program& program = batch.programs[n];
      const Instruction& insn = program.instructions.back();
      Program changed = program;
      const auto start = insn.op == op ? start_of(program, insn.operands[1]) : 0;
      const std::size_t size = size_of(insn.src_type),
                        bytes = insn.op == op ? extent(insn, 1, lanes_of(insn)) : 0;
      for (std::size_t at = start; at < start + bytes; at += size) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &program.ub[at], size);
        const double value = value_of(insn.src_type, bits);
        if (!std::isnan(value)) bits = nearest(insn.src_type, change(value));
        std::memcpy(&changed.ub[at], &bits, size);
      }
      ask_oracle()({{&changed, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
      std::copy_n(program.ub.begin() + static_cast<std::ptrdiff_t>(start), bytes,
                  batch.states[n].ub.begin() + static_cast<std::ptrdiff_t>(start));
    }
  };
}

TEST(ValueSources, ATableThatHasNoNegativeNumbers) {
  EXPECT_EQ(said("exp.f16", with_sources(Op::exp, [](double x) { return std::abs(x); })),
            "exp.f16 takes its elements without their sign");
}

TEST(ValueSources, AnArgumentThatIsLimited) {
  EXPECT_EQ(said("exp.f32", with_sources(Op::exp, [](double x) { return std::clamp(x, -88.0, 88.0); })),
            "exp.f32 limits its elements to -88 .. 88");
}

TEST(ValueSources, AMaximumByTheSignOfADifference) {
  const Ask wraps =
      with_results<std::int16_t>(Op::vmax, [](const Program& program, unsigned, auto at, std::int16_t) {
        const auto a = load<std::int16_t>(&program.ub[at(1)]), b = load<std::int16_t>(&program.ub[at(2)]);
        return static_cast<std::int16_t>(a - b) > 0 ? a : b;
      });
  EXPECT_EQ(said("vmax.i16", wraps), "vmax.i16 decides by the sign of src0 - src1, which may wrap around");
}

TEST(ValueSources, ExactResultsThatAreMadeOdd) {
  const Ask odd = with_results<std::uint16_t>(
      Op::cast, [](const Program& program, unsigned, auto, std::uint16_t documented) {
        const bool is_number = (documented & 0x7c00) != 0x7c00 && (documented & 0x7fff) != 0;
        return program.instructions.back().round == Round::odd && is_number ? documented | 1 : documented;
      });
  EXPECT_EQ(said("cast.f16.f32", odd),
            "cast.f16.f32 makes the last bit of each result 1 in mode odd, also where the result is exact "
            "and not 0");
}

/// The nearest element is the wrong one of two neighbours if it is even, and its last bit leads away from
/// them if it lies above the number.
TEST(ValueSources, ResultsThatAreMadeOddAfterTheyAreRoundedToTheNearest) {
  const Ask twice = with_results<std::uint16_t>(
      Op::cast, [](const Program& program, unsigned, auto at, std::uint16_t documented) -> std::uint16_t {
        if (program.instructions.back().round != Round::odd) return documented;
        const double x = load<float>(&program.ub[at(1)]);
        const std::uint64_t near = nearest(Element::f16, x);
        if (!std::isfinite(x) || !std::isfinite(value_of(Element::f16, near))) return documented;
        return static_cast<std::uint16_t>(value_of(Element::f16, near) == x ? near : near | 1);
      });
  EXPECT_EQ(said("cast.f16.f32", twice),
            "cast.f16.f32 rounds to the nearest element first and makes its last bit 1 in mode odd");
}

/// A scalar of 0 leaves dst as it is.
TEST(ValueSources, AScalarThatBecomesZeroIsNoLaneThatIsNotWritten) {
  const Ask whole = with([](Instruction& insn) {
    if (insn.op == Op::axpy) insn.scalar = scalar_of(Element::f32, std::trunc(insn.scalar.value));
  });
  EXPECT_EQ(said("axpy.f32", whole), "axpy.f32 truncates its scalar to an integer");
}

/// The types of src and of dst differ.
TEST(ValueSources, OldDstThatIsReadInTheTypeOfTheSources) {
  const auto reads_f16 = [](bool computes_f16) {
    return with_results<float>(Op::axpy, [=](const Program& program, unsigned, auto at, float documented) {
      if (program.instructions.back().src_type != Element::f16) return documented;
      const auto number = [&](unsigned k) {
        return value_of(Element::f16, load<std::uint16_t>(&program.ub[at(k)]));
      };
      const auto rounded = [=](double x) {
        return computes_f16 ? value_of(Element::f16, nearest(Element::f16, x)) : x;
      };
      const double scalar = value_of(Element::f16, program.instructions.back().scalar.bits);
      return static_cast<float>(rounded(rounded(number(1) * scalar) + number(0)));
    });
  };
  EXPECT_EQ(said("axpy.f32.f16", reads_f16(false)), "axpy.f32.f16 reads old dst as f16: its lowest 16 bits");
  EXPECT_EQ(said("axpy.f32.f16", reads_f16(true)),
            "axpy.f32.f16 reads old dst as f16, and computes scalar * src + old dst in that type");
}

}  // namespace value_sources_test
}  // namespace lanecheck
