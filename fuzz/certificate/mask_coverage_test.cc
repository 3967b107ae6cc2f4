#include "fuzz/certificate/mask_coverage.h"

#include <gtest/gtest.h>

#include <bit>

#include "fuzz/certificate/covering_masks.h"
#include "fuzz/generate/draws.h"

namespace lanecheck {
namespace mask_coverage_test {

unsigned bit(MaskWords mask, unsigned slot) {
  return (slot < 64 ? mask.low >> slot : mask.high >> (slot - 64)) & 1;
}

/// Counted one by one: do the masks hold all 8 combinations of every 3 slots?
bool holds_all_of_three(const std::vector<MaskWords>& masks, unsigned slots) {
  for (unsigned a = 0; a < slots; ++a)
    for (unsigned b = a + 1; b < slots; ++b)
      for (unsigned c = b + 1; c < slots; ++c) {
        unsigned seen = 0;
        for (const MaskWords mask : masks) seen |= 1u << (bit(mask, a) + 2 * bit(mask, b) + 4 * bit(mask, c));
        if (seen != 0xff) return false;
      }
  return true;
}

bool holds(MaskWords mask, const Hole& hole) {
  for (std::size_t n = 0; n < hole.slots.size(); ++n)
    if ((bit(mask, hole.slots[n]) == 1) != hole.values[n]) return false;
  return true;
}

TEST(MaskCoverage, AcceptsExactlyTheSetsThatHoldEverything) {
  // The words of even weight of 4 bits hold everything of any 3 of them, and half of what 4 can hold.
  std::vector<MaskWords> even;
  for (std::uint64_t word = 0; word < 16; ++word)
    if (std::popcount(word) % 2 == 0) even.push_back({0, word});
  EXPECT_FALSE(find_hole(even, 4, 3));
  ASSERT_TRUE(find_hole(even, 4, 4));
  EXPECT_EQ(describe(*find_hole(even, 4, 4)), "no mask has slot 0 = 0, slot 1 = 0, slot 2 = 0, slot 3 = 1");
  for (std::size_t n = 0; n < even.size(); ++n) {
    std::vector<MaskWords> fewer = even;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(n));
    EXPECT_TRUE(find_hole(fewer, 4, 3)) << "without word " << n;
  }
  EXPECT_TRUE(find_hole({}, 4, 2));
}

TEST(MaskCoverage, AgreesWithACountOfDrawnSets) {
  unsigned full = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Draws draws(seed, 0);
    std::vector<MaskWords> masks(24 + draws.below(48));
    for (MaskWords& each : masks) each = {draws.word(), draws.word()};
    const auto hole = find_hole(masks, 12, 3);
    ASSERT_EQ(!hole, holds_all_of_three(masks, 12)) << seed;
    full += hole ? 0 : 1;
    for (const MaskWords mask : masks) ASSERT_FALSE(hole && holds(mask, *hole)) << describe(*hole);
  }
  EXPECT_GT(full, 20u);
  EXPECT_LT(full, 180u);
}

TEST(MaskCoverage, FindsTheHoleThatMissingMasksLeave) {
  const std::vector<MaskWords> masks = covering_masks(128, 3);
  for (const Hole& made : {Hole{{0, 1, 2}, {false, false, false}}, Hole{{5, 70, 127}, {true, false, true}},
                           Hole{{125, 126, 127}, {true, true, true}}}) {
    std::vector<MaskWords> fewer = masks;
    std::erase_if(fewer, [&](MaskWords mask) { return holds(mask, made); });
    const auto hole = find_hole(fewer, 128, 3);
    ASSERT_TRUE(hole) << describe(made);
    for (const MaskWords mask : fewer) ASSERT_FALSE(holds(mask, *hole)) << describe(*hole);
  }
}

TEST(CoveringMasks, HoldEveryCombinationOfAFewSlots) {
  struct {
    unsigned slots, strength;
    std::size_t most;  ///< masks that are drawn and not chosen would be: 12, 97 to 111, 208
  } const sets[] = {{32, 2, 14}, {128, 2, 18}, {32, 3, 70}, {64, 3, 85}, {128, 3, 100}, {32, 4, 200}};
  for (const auto& [slots, strength, most] : sets) {
    const std::vector<MaskWords> masks = covering_masks(slots, strength);
    const auto hole = find_hole(masks, slots, strength);
    EXPECT_FALSE(hole) << slots << " slots: " << describe(hole.value_or(Hole{}));
    EXPECT_LE(masks.size(), most) << slots << " slots, strength " << strength;
    for (const MaskWords mask : masks)
      for (unsigned slot = slots; slot < 128; ++slot) ASSERT_EQ(bit(mask, slot), 0u);
  }
}

TEST(CoveringMasks, AreTheSameOnEveryMachine) {
  std::uint64_t sum = 0;
  for (const MaskWords mask : covering_masks(128, 3)) sum = sum * 0x100000001b3 + (mask.high ^ 3 * mask.low);
  EXPECT_EQ(sum, 4280671536381243512u);
}

/// A signal ends `lanecheck certify` by an exception.
TEST(CoveringMasks, AreMadeAndCheckedByCodeThatCanBeEnded) {
  struct Ended {};
  unsigned calls = 0;
  const auto ends = [&] {
    if (++calls == 100) throw Ended();
  };
  EXPECT_THROW(covering_masks(128, 3, ends), Ended);
  const std::vector<MaskWords> masks = covering_masks(128, 3);
  calls = 0;
  EXPECT_THROW(find_hole(masks, 128, 3, ends), Ended);
}

}  // namespace mask_coverage_test
}  // namespace lanecheck
