// What identification says of sort32 where it reads its scores or indices from other places.
#include <cstring>

#include "fuzz/identify/identify_testing.h"

namespace lanecheck {
namespace {

/// The oracle on a program in which repeat r finds in source `operand` what stands from byte `step` * r on.
Ask reading_with_step(unsigned operand, std::size_t step) {
  return [=](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      const Program& given = batch.programs[n];
      const Instruction& insn = given.instructions.back();
      if (insn.op != Op::sort32) {
        ask_oracle()(
            {batch.programs.subspan(n, 1), batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
        continue;
      }
      Program changed = given;
      const std::size_t each = operand == 2 ? 32 * 4 : 32 * size_of(insn.src_type);
      const std::size_t start = start_of(given, insn.operands[operand]);
      for (unsigned r = 0; r < insn.repeat; ++r)
        std::memcpy(&changed.ub[start + r * each], &given.ub[start + r * step], each);
      ask_oracle()({{&changed, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
      std::memcpy(&batch.states[n].ub[start], &given.ub[start], insn.repeat * each);
    }
  };
}

TEST(SortPlaces, IndicesOfARepeatFromTooEarlyOn) {
  EXPECT_EQ(said("sort32.f16", reading_with_step(2, 64)),
            "sort32.f16 reads the indices of repeat r from number 16 * r on instead of 32 * r");
  EXPECT_EQ(said("sort32.f32", reading_with_step(2, 4)),
            "sort32.f32 reads the indices of repeat r from number r on instead of 32 * r");
}

TEST(SortPlaces, ScoresOfARepeatFromTooEarlyOn) {
  EXPECT_EQ(said("sort32.f32", reading_with_step(1, 64)),
            "sort32.f32 reads the scores of repeat r from number 16 * r on instead of 32 * r");
}

TEST(SortPlaces, AreAMatterOfAddresses) {
  const auto found = identify(subject_of("sort32.f16"), reading_with_step(2, 64));
  ASSERT_EQ(found.parts.size(), 1U);
  EXPECT_EQ(found.parts[0].matter, Matter::address);
}

}  // namespace
}  // namespace lanecheck
