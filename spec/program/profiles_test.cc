// Profiles: their documents, their default readings and the mask operands that their instructions take.
#include <gtest/gtest.h>

#include "spec/program/profile.h"

namespace lanecheck {
namespace {

using enum MaskFrom;

/// The mask operands of `op`, by name.
std::vector<std::string_view> masks_of(Op op, Profile profile) {
  std::vector<std::string_view> names;
  for (const MaskFrom from : {reg, contiguous, bitwise, count})
    if (has_form(mask_forms(row_of(op), profile), from))
      names.push_back(kMaskFromNames[static_cast<std::size_t>(from)]);
  return names;
}

using Names = std::vector<std::string_view>;

TEST(Profiles, AreFoundByTheirNames) {
  for (const Profile profile : kEveryProfile) {
    const Profile* found = find_profile(row_of(profile).name);
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(*found, profile);
    EXPECT_NE(profile_names().find(row_of(profile).name), std::string::npos);
  }
  EXPECT_EQ(find_profile("ascendc"), nullptr);
  EXPECT_EQ(profiles().size(), kProfiles);
}

TEST(Profiles, TheMaskOutlivesAnInstructionExceptInTik) {
  for (const Profile profile : kEveryProfile) EXPECT_EQ(row_of(profile).shows_mask, profile != Profile::tik);
}

TEST(Profiles, VMC_2_InstructionsOfTheSimulatorTakeTheMaskFromTheRegisterAlone) {
  for (const Row& row : instruction_table())
    if (row.in(Profile::vmc).offered) {
      EXPECT_EQ(masks_of(row.op, Profile::vmc), Names{"register"}) << row.name;
    }
}

TEST(Profiles, VP_PrototypesPaddingTakesAllFourKindsOfMask) {
  EXPECT_EQ(masks_of(Op::vpadding, Profile::p310), (Names{"register", "contiguous", "bitwise", "count"}));
}

TEST(Profiles, TIK_mask_ANumberAListOrACount) {
  EXPECT_EQ(masks_of(Op::adds, Profile::tik), (Names{"contiguous", "bitwise", "count"}));
}

TEST(Profiles, VMC_TheDefaultReadingsOfTheSimulatorAreOptionZero) {
  EXPECT_EQ(default_readings(Profile::vmc), Readings{});
  EXPECT_EQ(default_readings(Profile::tik), Readings{});
}

TEST(Profiles, GM_reduce_mode_TheInferenceProductsHaveConfiguration2OfTheCounter) {
  EXPECT_EQ(default_readings(Profile::a2).gather_counter, GatherCounter::per_repeat);
  EXPECT_EQ(default_readings(Profile::p310).gather_counter, GatherCounter::total);
}

TEST(Profiles, VP_applicability_OnlyTheInferenceProductsOfferPadding) {
  for (const Profile profile : kEveryProfile)
    EXPECT_EQ(row_of(Op::vpadding).in(profile).offered, profile == Profile::p310);
}

}  // namespace
}  // namespace lanecheck
