// What is said of a reset_mask that does not set all slots (VMC-2-reset, SVM-3-reset).
#include "fuzz/identify/identify_testing.h"

namespace lanecheck {
namespace {

/// The oracle, which leaves a reset_mask out if `is_left` holds for the words that were set before it.
Ask without_reset(bool (*is_left)(std::uint64_t high, std::uint64_t low)) {
  return [is_left](const Batch& batch) {
    std::vector<Program> changed(batch.programs.begin(), batch.programs.end());
    for (Program& program : changed) {
      std::uint64_t high = ~std::uint64_t{0}, low = high;
      std::erase_if(program.instructions, [&](const Instruction& insn) {
        if (insn.op == Op::reset_mask && is_left(high, low)) return true;
        if (sets_mask(insn)) {
          high = insn.high;
          low = insn.low;
        }
        return false;
      });
    }
    ask_oracle()({changed, batch.states, batch.outcomes});
  };
}

std::string said_of_reset(Profile profile, const Ask& ask) {
  Instruction reset;
  reset.op = Op::reset_mask;
  const auto said = identify(Subject{profile, reset}, ask).differences;
  return said.empty() ? "" : said.front();
}

constexpr std::uint64_t kAllOnes = ~std::uint64_t{0};

TEST(LawOfReset, ItHasNoEffectIfOneWordIsAllOnes) {
  const Ask of_low = without_reset([](std::uint64_t, std::uint64_t low) { return low == kAllOnes; });
  const Ask of_high = without_reset([](std::uint64_t high, std::uint64_t) { return high == kAllOnes; });
  for (const Profile profile : {Profile::vmc, Profile::a2}) {
    EXPECT_EQ(said_of_reset(profile, of_low),
              "reset_mask has no effect if, before it, the low word is all ones");
    EXPECT_EQ(said_of_reset(profile, of_high),
              "reset_mask has no effect if, before it, the high word is all ones");
  }
}

/// The oracle, which leaves a reset_mask out if it stands directly behind what sets the mask.
void without_reset_behind_set(const Batch& batch) {
  std::vector<Program> changed(batch.programs.begin(), batch.programs.end());
  for (Program& program : changed) {
    bool is_behind_set = false;
    std::erase_if(program.instructions, [&](const Instruction& insn) {
      if (insn.op == Op::reset_mask && is_behind_set) return true;
      is_behind_set = sets_mask(insn);
      return false;
    });
  }
  ask_oracle()({changed, batch.states, batch.outcomes});
}

TEST(LawOfReset, ItHasNoEffectIfNoInstructionHasUsedTheMaskBeforeIt) {
  for (const Profile profile : {Profile::vmc, Profile::a2})
    EXPECT_EQ(said_of_reset(profile, without_reset_behind_set),
              "reset_mask has no effect, unless an instruction has used the mask that was set before it");
}

TEST(LawOfReset, ItHasAnEffectNeverOrAlways) {
  const Ask never = without_reset([](std::uint64_t, std::uint64_t) { return false; });
  const Ask always = without_reset([](std::uint64_t, std::uint64_t) { return true; });
  for (const Profile profile : {Profile::vmc, Profile::a2}) {
    EXPECT_EQ(said_of_reset(profile, never), "");
    EXPECT_EQ(said_of_reset(profile, always), "reset_mask has no effect");
  }
}

/// The oracle, in which reset_mask leaves these words, which may hang on the words before it.
Ask with_reset(MaskWords (*left)(MaskWords before)) {
  return [left](const Batch& batch) {
    std::vector<Program> changed(batch.programs.begin(), batch.programs.end());
    for (Program& program : changed) {
      MaskWords words{~std::uint64_t{0}, ~std::uint64_t{0}};
      for (Instruction& insn : program.instructions) {
        if (insn.op == Op::reset_mask)
          insn = mask_instruction(program.profile == Profile::vmc ? Op::set_mask : Op::set_vector_mask,
                                  left(words));
        if (sets_mask(insn)) words = {insn.high, insn.low};
      }
    }
    ask_oracle()({changed, batch.states, batch.outcomes});
  };
}

TEST(LawOfReset, OneWordIsLeftAsItWas) {
  const Ask by_touch = with_reset([](MaskWords before) {
    return before.high == 0 ? MaskWords{0, kAllOnes} : MaskWords{kAllOnes, kAllOnes};
  });
  const Ask always = with_reset([](MaskWords before) { return MaskWords{before.high, kAllOnes}; });
  const Ask low = with_reset([](MaskWords) { return MaskWords{kAllOnes, 0}; });
  for (const Profile profile : {Profile::vmc, Profile::a2}) {
    EXPECT_EQ(said_of_reset(profile, by_touch),
              "reset_mask leaves slots 64..127 as they were if, before it, the high word is 0");
    EXPECT_EQ(said_of_reset(profile, always), "reset_mask leaves slots 64..127 as they were");
    EXPECT_EQ(said_of_reset(profile, low), "reset_mask leaves slots 0..63 at 0");
  }
}

/// What an instruction that needs the reset shows is the law of the reset, too.
TEST(LawOfReset, AnInstructionBehindItShowsIt) {
  const Ask by_touch = with_reset([](MaskWords before) {
    return before.high == 0 ? MaskWords{0, kAllOnes} : MaskWords{kAllOnes, kAllOnes};
  });
  EXPECT_EQ(said("relu.f16", by_touch),
            "reset_mask leaves slots 64..127 as they were if, before it, the high word is 0");
}

/// Of two mistakes, the one of the reset has no say in a program in which nothing sets the mask.
TEST(LawOfReset, AProgramThatSetsNoMaskShowsAnotherMistake) {
  const Ask wrong_reset = with_reset([](MaskWords) { return MaskWords{0, kAllOnes}; });
  const Ask both = [&](const Batch& batch) {
    std::vector<Program> changed(batch.programs.begin(), batch.programs.end());
    for (Program& program : changed)
      for (Instruction& insn : program.instructions)
        if (insn.op == Op::vmax) insn.op = Op::vmin;
    wrong_reset({changed, batch.states, batch.outcomes});
  };
  const Program program{Profile::vmc, {}, {subject_of("vmax.f16").insn}, {}};
  const auto said = identify(program, 0, both, Shown{true}, true).differences;
  ASSERT_EQ(said.size(), 1U);
  EXPECT_EQ(said[0], "vmax.f16 computes as vmin.f16 does");
}

}  // namespace
}  // namespace lanecheck
