// Lists as text.
#include "spec/text/joined.h"

#include <gtest/gtest.h>

#include <vector>

namespace lanecheck {
namespace {

TEST(Joined, KeepsEmptyItems) {
  EXPECT_EQ(joined(std::vector<std::string>{"", "a", "", "b"}), ", a, , b");
  EXPECT_EQ(joined(std::vector<std::string>{}), "");
}

}  // namespace
}  // namespace lanecheck
