// What identification says of reductions in which a masked-off element acts like a number (VMC section 3.3).
#include <cstring>

#include "fuzz/identify/identify_testing.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace neutral_element_test {

/// The oracle, except that a masked-off element of the source holds `value` and is on.
Ask neutral_is(double value, unsigned first_lane = 0) {
  return [=](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program changed = batch.programs[n];
      Instruction &set = changed.instructions[0], &insn = changed.instructions[1];
      for (unsigned repeat = 0; repeat < insn.repeat; ++repeat)
        for (unsigned lane = 0; lane < lanes_of(insn); ++lane)
          if (!has_slot({set.high, set.low}, lane) && lane >= first_lane) {
            const std::uint64_t bits = nearest(insn.src_type, value);
            std::memcpy(&changed.ub[start_of(changed, insn.operands[1]) + lane_offset(insn, 1, repeat, lane)],
                        &bits, size_of(insn.src_type));
          }
      if ((set.high | set.low) != 0) {
        const std::uint64_t low = first_lane >= 64 ? 0 : ~std::uint64_t{0} << first_lane;
        set.high = ~std::uint64_t{0};
        set.low |= low;
      }
      ask_oracle()({{&changed, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
    }
  };
}

TEST(NeutralElement, NeutralElementIsNotTheLowest) {
  EXPECT_EQ(said("cmax.f32", neutral_is(-65504)),
            "a masked-off element of cmax.f32 acts like -65504 instead of never being the result");
  EXPECT_EQ(said("cmin.f16", neutral_is(0)),
            "a masked-off element of cmin.f16 acts like 0 instead of never being the result");
  EXPECT_EQ(said("cmin.i16", neutral_is(32766)),
            "a masked-off element of cmin.i16 acts like 32766 instead of never being the result");
}

TEST(NeutralElement, OnlySomeLanesActLikeIt) {
  EXPECT_EQ(
      said("cmin.f16", neutral_is(0, 64)),
      "a masked-off element of cmin.f16 acts like 0 instead of never being the result, if it is in lanes "
      "64..127");
  EXPECT_EQ(
      said("cgmax.i32", neutral_is(0, 60)),
      "a masked-off element of cgmax.i32 acts like 0 instead of never being the result, if it is in lanes "
      "60..63");
}

TEST(NeutralElement, AMaskedOffElementAddsOneToASum) {
  EXPECT_EQ(said("cgadd.f32", neutral_is(1)), "a masked-off element of cgadd.f32 acts like 1 instead of 0");
}

/// Each float type has a greatest finite and a smallest normal number of its own: it is one mistake.
TEST(NeutralElement, ANumberOfEachTypeIsNamed) {
  const auto general = [](const std::string& name, double value) {
    const auto found = identify(subject_of(name), neutral_is(value));
    return found.parts.empty() ? "" : found.parts[0].general;
  };
  const std::string next =
      "a masked-off element acts like the finite number that is next to the neutral element";
  EXPECT_EQ(general("cmin.f16", 65504), next);
  EXPECT_EQ(general("cmax.f16", -65504), next);
  EXPECT_EQ(general("cmin.f32", 0x1.fffffep127), next);
  EXPECT_EQ(said("cmin.f16", neutral_is(65504)),
            "a masked-off element of cmin.f16 acts like 65504 (the greatest finite number) instead of never "
            "being the "
            "result");
  EXPECT_EQ(general("cmin.f32", 65504), next);  // one constant for both types
  EXPECT_EQ(general("cmax.f16", 0x1p-14),
            "a masked-off element acts like the smallest positive normal number");
  EXPECT_EQ(general("cmax.f32", 0x1p-126),
            "a masked-off element acts like the smallest positive normal number");
  EXPECT_EQ(general("cmin.f16", -0x1p-14),
            "a masked-off element acts like minus the smallest positive normal number");
  EXPECT_EQ(general("cmax.f32", 0x1p-14), "");
  EXPECT_EQ(said("cmax.f32", neutral_is(0x1p-126)),
            "a masked-off element of cmax.f32 acts like 1.1754944e-38 (the smallest positive normal number) "
            "instead of never being the result");
}

}  // namespace neutral_element_test
}  // namespace lanecheck
