// Results that are src with another limit than the documents say.
#include <algorithm>

#include "fuzz/identify/value_results_testing.h"

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

}  // namespace limited_operand_test
}  // namespace lanecheck
