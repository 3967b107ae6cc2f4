// Each file below corpus/ is a test named after it: adding a file adds a test.
#include <gtest/gtest.h>

#include "corpus/case.h"
#include "fuzz/simulator/refuse.h"
#include "fuzz/simulator/simulator.h"
#include "oracle/compare/compare.h"
#include "oracle/execute/execute.h"
#include "spec/legality/legality_rule.h"
#include "spec/program/profile.h"
#include "spec/rules/rule.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

const std::filesystem::path kRoot = LANECHECK_SOURCE_DIR "/corpus";

class CorpusCase : public testing::Test {
 public:
  explicit CorpusCase(std::filesystem::path file) : file_(std::move(file)) {}

  void TestBody() override {
    const Case c = load_case(file_);
    EXPECT_TRUE(find_rule(c.rule) != nullptr || find_legality_rule(c.rule) != nullptr)
        << c.rule << " is no rule";
    EXPECT_EQ(c.rule, file_.parent_path().filename()) << "a case lies in the folder of its rule";
    if (!c.refused.empty()) {  // loading it has shown that the program breaks this rule
      EXPECT_EQ(c.refused, c.rule);
      EXPECT_TRUE(simulator::refusal(c.program)) << "the example simulator takes it";
      return;
    }
    ASSERT_TRUE(c.expect) << "a corpus case has an expectation";
    const Semantics semantics(c.readings);
    State oracle;
    execute(c.program, semantics, oracle);
    EXPECT_TRUE(compare(c.program, semantics, *c.expect, true).agrees) << c.about << '\n' << print(c.program);
    if (row_of(c.program.profile).shows_mask) {
      EXPECT_EQ(oracle.mask, c.expect->mask);
      EXPECT_EQ(oracle.mode, c.expect->mode);
    }
    if (!departures(c.readings, default_readings(c.program.profile)).empty())
      return;  // the example follows the defaults
    State example;
    ASSERT_FALSE(simulator::refusal(c.program));
    simulator::run(c.program, example);
    EXPECT_TRUE(compare(c.program, semantics, example, true).agrees) << "the example simulator differs";
  }

 private:
  std::filesystem::path file_;
};

TEST(Corpus, HoldsAtLeastOneCaseForEveryRule) {
  for (const Rule& rule : rules())
    EXPECT_TRUE(std::filesystem::exists(kRoot / rule.id) && !case_files(kRoot / rule.id).empty()) << rule.id;
  for (const LegalityRule& rule : legality_rules())
    if (rule.tried()) {
      EXPECT_TRUE(std::filesystem::exists(kRoot / rule.id)) << rule.id;
    }
}

}  // namespace
}  // namespace lanecheck

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  for (const auto& file : lanecheck::case_files(lanecheck::kRoot))
    testing::RegisterTest("Corpus", std::filesystem::relative(file, lanecheck::kRoot).c_str(), nullptr,
                          nullptr, __FILE__, __LINE__,
                          [file]() -> testing::Test* { return new lanecheck::CorpusCase(file); });
  return RUN_ALL_TESTS();
}
