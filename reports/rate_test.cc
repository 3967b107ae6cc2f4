// The interval of a rate, against values that a script in Python computed.
#include "reports/rate.h"

#include <gtest/gtest.h>

namespace lanecheck {
namespace {

TEST(Rate, HasTheIntervalOfWilson) {
  const auto [low, high] = rate_interval(31, 100);
  EXPECT_NEAR(low, 0.227797, 1e-6);
  EXPECT_NEAR(high, 0.406261, 1e-6);
}

TEST(Rate, StaysBetween0And1) {
  EXPECT_EQ(rate_interval(0, 100).first, 0);
  EXPECT_NEAR(rate_interval(0, 100).second, 0.036994, 1e-6);
  EXPECT_NEAR(rate_interval(100, 100).first, 0.963006, 1e-6);
  EXPECT_EQ(rate_interval(100, 100).second, 1);
  EXPECT_EQ(rate_interval(0, 0), std::pair(0.0, 1.0));
}

TEST(Rate, IsPrintedInPercent) {
  EXPECT_EQ(rate_text(31, 100), "31 of 100 asks (with 95% confidence, the rate is 23% to 41%)");
  EXPECT_EQ(rate_text(0, 100), "0 of 100 asks (with 95% confidence, the rate is 0% to 3.7%)");
}

}  // namespace
}  // namespace lanecheck
