// The programs on the page of the rules, for every profile: each one shows what stands above it.
#include "fuzz/command/rule_page.h"

#include <gtest/gtest.h>

#include "corpus/case.h"
#include "fuzz/generate/generate_testing.h"
#include "oracle/compare/compare.h"
#include "oracle/execute/execute.h"
#include "oracle/mutants/mutant.h"
#include "spec/legality/find_fault.h"
#include "spec/program/profile.h"

namespace lanecheck {
namespace {

using page::RuleEntry;
using page::RuleExample;

/// Is the result of `executed` allowed under `documented`?
bool is_green(const Program& program, const Semantics& documented, const Semantics& executed) {
  State state;
  execute(program, executed, state);
  return compare(program, documented, state, true).agrees;
}

class RulePage : public testing::TestWithParam<Profile> {
 protected:
  /// Calls f(rule, example, its case file) for the examples of one kind; gives their number.
  template <class F>
  int each_example(RuleExample::Kind kind, F f) const {
    const std::filesystem::path corpus = LANECHECK_SOURCE_DIR "/corpus";
    int count = 0;
    for (const RuleEntry& entry : rule_entries(GetParam(), corpus))
      for (const RuleExample& example : entry.examples) {
        if (example.kind != kind || example.file.empty()) continue;
        SCOPED_TRACE(example.file);
        f(entry, example, load_case(corpus / example.file));
        ++count;
      }
    return count;
  }
};

TEST_P(RulePage, ItsProgramsAreGreenOnTheOracleAndRedOnTheirMutants) {
  const int shown = each_example(
      RuleExample::Kind::mutant, [](const RuleEntry&, const RuleExample& example, const Case& given) {
        const Semantics documented(given.readings);
        EXPECT_TRUE(is_green(given.program, documented, documented));
        const Mutant* const mutant = find_mutant(example.mutant);
        ASSERT_NE(mutant, nullptr) << example.mutant;
        EXPECT_FALSE(is_green(given.program, documented, mutant->semantics(given.readings)));
      });
  EXPECT_GT(shown, 20);
}

TEST_P(RulePage, TheProgramOfAReadingIsGreenUnderTheReadingThatItNames) {
  each_example(RuleExample::Kind::reading,
               [](const RuleEntry&, const RuleExample& example, const Case& given) {
                 Readings readings = default_readings(given.program.profile);
                 for (const std::string& each : example.readings) pin(readings, each);
                 EXPECT_TRUE(compare(given.program, Semantics(readings), given.expect.value(), true).agrees);
               });
}

TEST_P(RulePage, TheProgramOfARuleOfLegalityBreaksThisRule) {
  const int shown = each_example(RuleExample::Kind::accepted,
                                 [](const RuleEntry& rule, const RuleExample&, const Case& given) {
                                   const auto fault = find_fault(given.program);
                                   ASSERT_TRUE(fault);
                                   EXPECT_EQ(fault->rule->id, rule.id);
                                 });
  EXPECT_GT(shown, 0);
}

INSTANTIATE_TEST_SUITE_P(Of, RulePage, testing::ValuesIn(kEveryProfile), test_name_of);

}  // namespace
}  // namespace lanecheck
