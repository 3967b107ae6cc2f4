// Each file below corpus/ is a test named after it: adding a file adds a test.
#include <gtest/gtest.h>

#include "corpus/case.h"
#include "fuzz/backends.h"
#include "oracle/compare.h"
#include "oracle/execute.h"
#include "spec/program_text.h"
#include "spec/rule.h"

namespace lanecheck {
namespace {

const std::filesystem::path kRoot = LANECHECK_SOURCE_DIR "/corpus";

class CorpusCase : public testing::Test {
 public:
  explicit CorpusCase(std::filesystem::path file) : file_(std::move(file)) {}

  void TestBody() override {
    const Case c = load_case(file_);
    EXPECT_NE(find_rule(c.rule), nullptr) << c.rule << " is no rule";
    EXPECT_EQ(c.rule, file_.parent_path().filename()) << "a case lies in the folder of its rule";
    ASSERT_TRUE(c.expect) << "a corpus case has an expectation";
    const Semantics how(c.readings);
    State oracle;
    execute(c.program, how, oracle);
    EXPECT_TRUE(compare(c.program, how, *c.expect, true).agrees) << c.about << '\n' << print(c.program);
    EXPECT_EQ(oracle.mask, c.expect->mask);
    if (!departures(c.readings).empty()) return;  // the example follows the defaults
    State example;
    ASSERT_TRUE(std::holds_alternative<Ran>(find_backend("example").run(c.program, example)));
    EXPECT_TRUE(compare(c.program, how, example, true).agrees) << "the example simulator differs";
  }

 private:
  std::filesystem::path file_;
};

TEST(Corpus, HoldsAtLeastOneCaseForEveryRule) {
  for (const Rule& rule : rules())
    EXPECT_TRUE(std::filesystem::exists(kRoot / rule.id) && !case_files(kRoot / rule.id).empty()) << rule.id;
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
