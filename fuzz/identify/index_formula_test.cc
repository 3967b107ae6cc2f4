// Formulas from one series of numbers to another.
#include "fuzz/identify/probes/index_formula.h"

#include <gtest/gtest.h>

namespace lanecheck {
namespace {

TEST(IndexFormula, BlocksOfOneSizeTakenForBlocksOfAnother) {
  std::vector<unsigned> lanes, slots, elements;
  for (unsigned lane = 8; lane < 64; ++lane) {
    lanes.push_back(lane);
    slots.push_back(lane / 16 * 8 + lane % 8);
    elements.push_back(lane / 8 * 16 + lane % 8);
  }
  EXPECT_EQ(block_formula(lanes, slots, 128), "8 * (lane / 16) + lane mod 8");
  EXPECT_EQ(block_formula(lanes, elements, 64), "16 * (lane / 8) + lane mod 8");
  slots[5] = 1;
  EXPECT_EQ(block_formula(lanes, slots, 128), std::nullopt);
}

TEST(IndexFormula, RowsAndColumnsThatAreExchanged) {
  std::vector<unsigned> lanes, slots;
  for (unsigned lane = 1; lane < 63; ++lane) {
    lanes.push_back(lane);
    slots.push_back(lane / 2 + lane % 2 * 32);
  }
  EXPECT_EQ(index_formula(lanes, slots, 64, "lane"), "lane / 2 + 32 * (lane mod 2)");
  std::swap(lanes, slots);
  EXPECT_EQ(index_formula(lanes, slots, 64, "lane"), "lane / 32 + 2 * (lane mod 32)");
}

}  // namespace
}  // namespace lanecheck
