// The rules keep lists of instructions of their own, as the documents give them. Where both speak, the
// instruction table has to agree with them.
#include <gtest/gtest.h>

#include <set>

#include "spec/program/profile.h"
#include "spec/rules/rule.h"
#include "spec/rules/vmc_lists.h"

namespace lanecheck {
namespace {

bool is_neutral_source_of(const Row& row, Neutral neutral) {
  return row.mask == MaskUse::neutral_source && row.neutral == neutral;
}

TEST(RuleLists, VMC_3_1_TheTableGatesTheWritebackOfTheInstructionsThatTheDocumentLists) {
  for (const Row& row : instruction_table()) {
    if (!row.in(Profile::vmc).offered) continue;
    EXPECT_EQ(row.mask == MaskUse::gates_writeback, vmc::is_gated(row.op)) << row.name;
  }
}

TEST(RuleLists, VMC_3_2_TheTableGivesAdditiveReductionsAZero) {
  for (const Row& row : instruction_table()) {
    if (!row.in(Profile::vmc).offered) continue;
    EXPECT_EQ(is_neutral_source_of(row, Neutral::zero), vmc::is_additive(row.op)) << row.name;
  }
}

TEST(RuleLists, VMC_3_3_TheTableGivesMaxAndMinAnInfinity) {
  for (const Row& row : instruction_table())
    if (row.in(Profile::vmc).offered) {
      const bool is_max = row.op == Op::cmax || row.op == Op::cgmax;
      const bool is_min = row.op == Op::cmin || row.op == Op::cgmin;
      EXPECT_EQ(is_neutral_source_of(row, Neutral::lowest), is_max) << row.name;
      EXPECT_EQ(is_neutral_source_of(row, Neutral::highest), is_min) << row.name;
      EXPECT_EQ(is_max || is_min, vmc::is_extreme(row.op)) << row.name;
    }
}

TEST(RuleLists, VMC_4_TheTableLetsTheInstructionsOfTheDocumentIgnoreTheMask) {
  for (const Row& row : instruction_table()) {
    if (!row.in(Profile::vmc).offered || row.op == Op::set_cmpmask) continue;  // section 5
    EXPECT_EQ(row.mask == MaskUse::ignores, vmc::ignores_masks(row.op)) << row.name;
  }
}

TEST(Rules, HaveIdsOfTheirOwnThatBeginWithTheirDocument) {
  std::set<std::string_view> ids;
  for (const Rule& rule : rules()) {
    EXPECT_TRUE(ids.insert(rule.id).second) << rule.id;
    EXPECT_TRUE(rule.id.starts_with(rule.source.document)) << rule.id;
    EXPECT_EQ(find_rule(rule.id), &rule);
  }
  EXPECT_EQ(find_rule("VMC-9"), nullptr);
}

/// Read for UB in sections on the mask, for the vector mask in GM, for the places of data blocks in TIK: no
/// word. VMC 2 has two sentences on the order of the arguments that do not fit each other.
TEST(Rules, AreNotCalledDocumentedIfNoSentenceSaysThem) {
  for (const std::string_view id :
       {"VMC-2-no-data", "VMC-2-argument-order", "SVM-4-no-data", "GM-6-own-pattern", "TIK-4-block-row"})
    EXPECT_NE(find_rule(id)->standing, Standing::documented) << id;
}

/// TIK says how many repeats there are, and not under which mask.
TEST(Rules, OfTheNumberOfRepeatsSayNothingOfTheMask) {
  EXPECT_EQ(find_rule("TIK-3-repeats")->claim.find("mask"), std::string_view::npos);
}

TEST(Rules, StandInTheOrderOfTheDocuments) {
  std::vector<std::string_view> order;
  for (const Rule& rule : rules())
    if (order.empty() || order.back() != rule.source.document) order.push_back(rule.source.document);
  EXPECT_EQ(order, (std::vector<std::string_view>{kVmc, kSvm, kGm, kVp, kTik}));
}

TEST(Rules, OfAProfileComeFromItsDocuments) {
  for (const Profile profile : kEveryProfile) {
    EXPECT_FALSE(rules(profile).empty());
    for (const Rule& rule : rules(profile)) {
      EXPECT_TRUE(rule.holds_in(profile)) << rule.id;
      EXPECT_EQ(std::ranges::count(row_of(profile).documents, rule.source.document), 1) << rule.id;
    }
  }
}

}  // namespace
}  // namespace lanecheck
