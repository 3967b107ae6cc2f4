// Comparisons of other operands than the documented ones. Expected: what each fault here compares.
#include <cmath>
#include <cstring>

#include "fuzz/identify/identify_testing.h"
#include "oracle/execute/ordered.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace compare_ways_test {

/// Each bit of a comparison is what `is_true(mode, x, y)` says of the bits of two elements, or of an element
/// and the scalar.
template <class IsTrue>
Ask compares(IsTrue is_true) {
  return then([is_true](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (!row_of(insn.op).compares) return;
    const auto element = [&](unsigned k, unsigned r, unsigned lane) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, &program.ub[start_of(program, insn.operands[k]) + lane_offset(insn, k, r, lane)],
                  size_of(insn.src_type));
      return bits;
    };
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
        const std::size_t bit = std::size_t{r} * lanes_of(insn) + lane;
        const std::uint64_t second = takes_scalar(insn) ? insn.scalar.bits : element(2, r, lane);
        std::byte& byte = state.ub[start_of(program, insn.operands[0]) + bit / 8];
        const auto one = std::byte(1U << bit % 8);
        byte = is_true(insn.compare, element(1, r, lane), second) ? byte | one : byte & ~one;
      }
  });
}

TEST(CompareWays, AnOperandThatIsComparedWithItselfIsNoBitThatIsAlways0) {
  const Ask itself = compares([](Compare mode, std::uint64_t x, std::uint64_t) {
    const double value = value_of(Element::f32, x);
    return std::isnan(value) ? mode == Compare::ne : ordered(mode, value, value);
  });
  EXPECT_EQ(said("compare.f32", itself), "compare.f32 compares src0 with itself");
}

TEST(CompareWays, TheLowestByteIsTakenForAnInteger) {
  const Ask low = compares([](Compare mode, std::uint64_t x, std::uint64_t y) {
    return ordered(mode, static_cast<double>(x & 255), static_cast<double>(y & 255));
  });
  EXPECT_EQ(said("compare.f32", low), "compare.f32 takes the lowest 8 bits of each element for an integer");
}

/// In ascendc-a2 integers are only compared for being equal, which does not tell the two sources apart.
TEST(CompareWays, OneSourceWithoutItsSign) {
  const Ask one_unsigned = compares([](Compare mode, std::uint64_t x, std::uint64_t y) {
    return ordered(mode, static_cast<double>(x & 0xffffffff),
                   static_cast<double>(static_cast<std::int32_t>(static_cast<std::uint32_t>(y))));
  });
  EXPECT_EQ(said("compare.i32", one_unsigned), "compare.i32 takes src0 as unsigned numbers");
  EXPECT_EQ(first_said("compare.i32", one_unsigned),
            "compare.i32 takes src0 or src1 (not both) as unsigned numbers");
}

TEST(CompareWays, ADifferenceIsOneMistakeWithASecondSourceAndWithAScalar) {
  const Ask by_difference = compares([](Compare mode, std::uint64_t x, std::uint64_t y) {
    return ordered(mode, static_cast<std::int32_t>(static_cast<std::uint32_t>(x - y)), 0);
  });
  const std::string said_of = " looks at the sign of the wrapped difference ";
  EXPECT_EQ(said("compare.i32", by_difference), "compare.i32" + said_of + "src0 - src1");
  EXPECT_EQ(said("compare_scalar.i32", by_difference), "compare_scalar.i32" + said_of + "src - scalar");
  const auto key = [&](const std::string& name) {
    const auto found = identify(subject_of(name), by_difference);
    return found.parts.empty() ? "" : found.parts[0].key;
  };
  EXPECT_EQ(key("compare.i32"), key("compare_scalar.i32"));
}

}  // namespace compare_ways_test
}  // namespace lanecheck
