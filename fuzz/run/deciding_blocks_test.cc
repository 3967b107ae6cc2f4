// compare() judges a state of a legal program by the accept sets of the blocks that can decide. Over drawn
// programs it comes to the same result as by the accept sets of all blocks.
#include <gtest/gtest.h>

#include "fuzz/generate/generate.h"
#include "oracle/compare/compare.h"
#include "oracle/execute/execute.h"
#include "spec/program/profile.h"

namespace lanecheck {
namespace {

TEST(DecidingBlocks, LeaveEveryVerdictAsItIs) {
  std::size_t lenient = 0, wrong = 0;
  for (const Profile profile : kEveryProfile) {
    Mix mix;
    mix.profile = profile;
    mix.with_boundaries = false;
    Semantics all(default_readings(profile)), deciding = all;
    deciding.seams.clips_repeats = false;
    Program program;
    State actual;
    for (std::uint64_t index = 0; index < 600; ++index) {
      generate(7, index, mix, program);
      execute(program, all, actual);
      for (std::size_t at = index % 61; at < actual.ub.size(); at += 61) actual.ub[at] ^= std::byte{1};
      const Comparison expected = compare(program, all, actual, true);
      EXPECT_EQ(compare(program, deciding, actual, true).bytes, expected.bytes) << index;
      wrong += expected.bytes.size();
      lenient += actual.ub.size() / 61 - std::min(expected.bytes.size(), actual.ub.size() / 61);
    }
  }
  EXPECT_GT(wrong, 1000u);
  EXPECT_GT(lenient, 1000u);
}

}  // namespace
}  // namespace lanecheck
