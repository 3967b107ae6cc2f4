// Results that are src with another limit than the documents say.
#include <algorithm>

#include "fuzz/identify/value_results_testing.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace limited_operand_test {

template <class T>
Ask relu_is_at_least(T least) {
  return with_results<T>(Op::relu, [least](const Program& program, unsigned, auto at, T) {
    return std::max(load<T>(&program.ub[at(1)]), least);
  });
}

TEST(LimitedOperand, ReluThatComparesWith1NamesBothLimits) {
  EXPECT_EQ(said("relu.i32", relu_is_at_least<std::int32_t>(1)),
            "relu.i32 computes max(src, 1) instead of max(src, 0)");
  EXPECT_EQ(said("relu.f32", relu_is_at_least<float>(1)),
            "relu.f32 computes max(src, 1) instead of max(src, 0)");
}

TEST(LimitedOperand, ReluThatLimitsSrcFromAboveToo) {
  const Ask relu6 = with_results<std::int32_t>(
      Op::relu,
      [](const Program&, unsigned, auto, std::int32_t documented) { return std::min(documented, 6); });
  EXPECT_EQ(said("relu.i32", relu6), "relu.i32 computes min(max(src, 0), 6) instead of max(src, 0)");
}

TEST(LimitedOperand, ReluThatCopiesIsSaidAsBefore) {
  const Ask copies =
      with_results<std::int32_t>(Op::relu, [](const Program& program, unsigned, auto at, std::int32_t) {
        return load<std::int32_t>(&program.ub[at(1)]);
      });
  EXPECT_EQ(said("relu.i32", copies), "relu.i32 computes src instead of max(src, 0)");
}

TEST(LimitedOperand, AScalarOfAllOnesIsNoMinimumThatCopies) {
  const Ask ones =
      with_results<std::int32_t>(Op::vmins, [](const Program& program, unsigned, auto at, std::int32_t) {
        return std::min(load<std::int32_t>(&program.ub[at(1)]), -1);
      });
  EXPECT_EQ(said("vmins.i32", ones),
            "vmins.i32 computes src, limited to -2147483648 .. -1, instead of min(src, scalar)");
}

/// The types of src and of dst differ.
TEST(LimitedOperand, OldDstThatIsReadInTheTypeOfTheSources) {
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

}  // namespace limited_operand_test
}  // namespace lanecheck
