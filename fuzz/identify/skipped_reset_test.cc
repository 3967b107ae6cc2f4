// What is said of a reset_mask that has no effect under some masks (VMC-2-reset).
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

TEST(SkippedReset, IfOneWordIsAllOnes) {
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

TEST(SkippedReset, IfNoInstructionHasUsedTheMaskBeforeIt) {
  for (const Profile profile : {Profile::vmc, Profile::a2})
    EXPECT_EQ(said_of_reset(profile, without_reset_behind_set),
              "reset_mask has no effect, unless an instruction has used the mask that was set before it");
}

TEST(SkippedReset, NeverAndAlways) {
  const Ask never = without_reset([](std::uint64_t, std::uint64_t) { return false; });
  const Ask always = without_reset([](std::uint64_t, std::uint64_t) { return true; });
  for (const Profile profile : {Profile::vmc, Profile::a2}) {
    EXPECT_EQ(said_of_reset(profile, never), "");
    EXPECT_EQ(said_of_reset(profile, always), "reset_mask has no effect");
  }
}

}  // namespace
}  // namespace lanecheck
