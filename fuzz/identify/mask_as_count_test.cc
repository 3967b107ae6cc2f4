// A mask of its own that is taken for a number of elements. TIK: a list of two integers is a mask of single
// bits.
#include <algorithm>

#include "fuzz/identify/identify_testing.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace mask_as_count_test {

/// The first elements of all repeats take part, as many as the low word of the mask says.
Ask counts() {
  return [](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      const Program& given = batch.programs[n];
      Program full = given;
      Instruction& insn = full.instructions.back();
      const std::uint64_t count = insn.low;
      if (insn.mask_from == MaskFrom::bitwise) {
        const MaskWords words = full_mask({given.profile, insn});
        insn.high = words.high;
        insn.low = words.low;
      }
      ask_oracle()({{&full, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
      if (insn.mask_from != MaskFrom::bitwise) continue;
      for (unsigned r = 0; r < insn.repeat; ++r)
        for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
          const std::size_t at = start_of(given, insn.operands[0]) + lane_offset(insn, 0, r, lane);
          if (std::uint64_t{r} * lanes_of(insn) + lane >= count)
            std::copy_n(given.ub.data() + at, size_of(insn.dst_type), batch.states[n].ub.data() + at);
        }
    }
  };
}

TEST(MaskAsCount, IsSaidOfTypesWithOneAndWithTwoWords) {
  const std::string takes =
      " takes its mask for a count: the first n elements of all its repeats take part, where n is its low "
      "word";
  for (const char* const name : {"adds.f16", "adds.f32"}) {
    const auto found = identify(subject_of(name, Profile::tik), counts()).differences;
    ASSERT_FALSE(found.empty()) << name;
    EXPECT_EQ(found[0], name + takes);
  }
}

}  // namespace mask_as_count_test
}  // namespace lanecheck
