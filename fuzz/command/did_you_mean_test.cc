#include "fuzz/command/did_you_mean.h"

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
}

}  // namespace
}  // namespace lanecheck
