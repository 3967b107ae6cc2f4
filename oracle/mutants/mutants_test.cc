// The list of mutants is sound: names are unique, and the rules exist.
#include <gtest/gtest.h>

#include <set>

#include "oracle/mutants/mutant.h"
#include "spec/rules/rule.h"

namespace lanecheck {
namespace {

TEST(Mutants, BreakRulesThatExist) {
  for (const Mutant& mutant : mutants()) {
    EXPECT_FALSE(mutant.breaks.empty()) << mutant.id;
    for (const std::string_view rule : mutant.breaks)
      EXPECT_NE(find_rule(rule), nullptr) << mutant.id << ' ' << rule;
  }
}

TEST(Mutants, AreFoundByTheirNames) {
  std::set<std::string> ids;
  for (const Mutant& mutant : mutants()) {
    EXPECT_TRUE(ids.insert(mutant.id).second) << mutant.id;
    EXPECT_EQ(find_mutant(mutant.id), &mutant) << mutant.id;
  }
}

TEST(Mutants, AreFoundByNoOtherName) {
  EXPECT_EQ(find_mutant("no-such-mutant"), nullptr);
}

}  // namespace
}  // namespace lanecheck
