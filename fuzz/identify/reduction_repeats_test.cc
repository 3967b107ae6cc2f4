// What identification says of reductions that are wrong in some repeats only.
#include <gtest/gtest.h>

#include <functional>

#include "fuzz/identify/gate_map.h"
#include "fuzz/identify/identify_testing.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace {

using MaskOfRepeat = std::function<MaskWords(unsigned repeat, unsigned count, MaskWords mask)>;

/// The oracle, except that each repeat of a program's only instruction meets the mask that `mask_of` gives.
Ask with_masks(const MaskOfRepeat& mask_of) {
  return [mask_of](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program split = batch.programs[n];
      const Instruction set = split.instructions[0], insn = split.instructions.back();
      if (split.instructions.size() != 2) {
        batch.outcomes[n] = Skipped{"no mask"};
        continue;
      }
      split.instructions.clear();
      for (unsigned repeat = 0; repeat < insn.repeat; ++repeat) {
        Instruction one_set = set, one = insn;
        const MaskWords mask = mask_of(repeat, insn.repeat, {set.high, set.low});
        one_set.high = mask.high;
        one_set.low = mask.low;
        one.repeat = 1;
        for (unsigned k = 0; k < row_of(insn.op).operands.size(); ++k)
          one.operands[k].offset += static_cast<std::uint32_t>(repeat * repeat_step(insn, k));
        split.instructions.push_back(one_set);
        split.instructions.push_back(one);
      }
      ask_oracle()({{&split, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
    }
  };
}

TEST(IdentifyRepeats, TheHelperAloneIsRight) {
  EXPECT_EQ(said("cmax.f32", with_masks([](unsigned, unsigned, MaskWords mask) { return mask; })), "");
}

TEST(IdentifyRepeats, TheLastRepeatUsesTheHighWord) {
  const Ask ask = with_masks([](unsigned repeat, unsigned count, MaskWords mask) {
    return repeat + 1 == count ? MaskWords{mask.high, mask.high} : mask;
  });
  EXPECT_EQ(said("cmax.i32", ask),
            "lanes 0..63 of cmax.i32 are gated by slots 64..127 instead of 0..63 in the last repeat");
  EXPECT_EQ(said("cgadd.f32", ask),
            "lanes 0..63 of cgadd.f32 are gated by slots 64..127 instead of 0..63 in the last repeat");
  EXPECT_EQ(said("cpadd.f32", ask),
            "lanes 0..63 of cpadd.f32 are gated by slots 64..127 instead of 0..63 in the last repeat");
}

TEST(IdentifyRepeats, HalfOfTheLanesFromTheSecondRepeatOn) {
  const Ask ask = with_masks([](unsigned repeat, unsigned, MaskWords mask) {
    return repeat > 0 ? MaskWords{0, mask.low} : mask;
  });
  EXPECT_EQ(said("cadd.f16", ask),
            "lanes 64..127 of cadd.f16 are never counted, whatever the mask is, as if their slots were 0 in "
            "every repeat after the first");
}

TEST(IdentifyRepeats, EveryFourthRepeatUsesOtherSlots) {
  const Ask ask = with_masks([](unsigned repeat, unsigned, MaskWords mask) {
    return repeat % 4 == 1 ? MaskWords{mask.low, mask.high} : mask;
  });
  EXPECT_EQ(said("cgadd.f32", ask),
            "lanes 0..63 of cgadd.f32 are gated by slots 64..127 instead of 0..63 in repeats 1, 5 .. 13 "
            "(counted from 0)");
}

}  // namespace
}  // namespace lanecheck
