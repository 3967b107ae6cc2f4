#include "spec/text/did_you_mean.h"

#include <gtest/gtest.h>

namespace lanecheck {
namespace {

TEST(DidYouMean, CountsEdits) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("rnu", "run"), 1u);
}

TEST(DidYouMean, NamesTheNearestOrNone) {
  EXPECT_EQ(did_you_mean("exmaple", {"oracle", "example"}), "; did you mean example?");
  EXPECT_EQ(did_you_mean("zzzzzz", {"oracle", "example"}), "");
  EXPECT_EQ(did_you_mean("", {}), "");
  EXPECT_EQ(did_you_mean("fly", {"ln"}), "") << "most of a short name is another";
}

TEST(DidYouMean, KnowsTheInstructionsOfAProfile) {
  EXPECT_EQ(did_you_mean_instruction("set_msk"), "; did you mean set_mask?");
  EXPECT_EQ(did_you_mean_instruction("vpaddin"), "; did you mean vpadding?");
  EXPECT_EQ(did_you_mean_instruction("vpaddin", Profile::vmc), "");
}

}  // namespace
}  // namespace lanecheck
