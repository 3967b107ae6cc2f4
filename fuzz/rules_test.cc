// Rules against the oracle, and the oracle against its wrong forms.
#include <gtest/gtest.h>

#include <map>

#include "fuzz/backends.h"
#include "fuzz/generate.h"
#include "fuzz/runner.h"
#include "fuzz/step.h"
#include "oracle/compare.h"
#include "oracle/execute.h"
#include "oracle/wrong_forms.h"
#include "spec/program_text.h"
#include "spec/rule.h"

namespace lanecheck {
namespace {

Mix drawn() {
  Mix mix;
  mix.boundaries_first = false;
  return mix;
}

TEST(EveryRule, HoldsForTheOracleAndIsExercised) {
  const Backend oracle = find_backend("oracle");
  std::map<std::string_view, unsigned> exercised;
  Program program;
  for (std::uint64_t index = 0; index < 4000; ++index) {
    generate(1, index, drawn(), program);
    State state{program.ub, kFullMask};
    MaskBits mask;
    for (const Instruction& i : program.instructions) {
      const State before = state;
      execute_one(program, i, Semantics{}, state);
      const Cell cell = cell_of(i, mask);
      mask.apply(i);
      const auto step = run_step(oracle, program, i, before);
      if (!step) continue;
      ASSERT_EQ(step->after.ub, state.ub) << print_instruction(program, i);
      for (const Rule& rule : rules()) {
        if (!rule.applies(cell)) continue;
        ++exercised[rule.id];
        ASSERT_TRUE(rule.holds(step->view())) << rule.id << " on " << print_instruction(program, i);
      }
    }
  }
  for (const Rule& rule : rules()) EXPECT_GT(exercised[rule.id], 0u) << rule.id << " was never exercised";
}

TEST(EveryRule, HasAWrongForm) {
  for (const Rule& rule : rules()) {
    bool found = false;
    for (const WrongForm& wrong : wrong_forms())
      for (const auto broken : wrong.breaks) found |= broken == rule.id;
    EXPECT_TRUE(found) << rule.id;
  }
  for (const WrongForm& wrong : wrong_forms())
    for (const auto broken : wrong.breaks)
      EXPECT_NE(find_rule(broken), nullptr) << wrong.id << " breaks " << broken;
}

class EveryWrongForm : public testing::TestWithParam<const WrongForm*> {};

TEST_P(EveryWrongForm, IsCaughtNamedAndMinimizedToTwoInstructions) {
  const WrongForm& wrong = *GetParam();
  RunOptions options;
  options.mix = drawn();
  for (const Reading& reading : readings()) options.pinned.emplace_back(reading.id);
  const Backend backend = oracle_backend(wrong.id, wrong.semantics(Readings{}));
  std::optional<Finding> finding;
  Program program;
  for (std::uint64_t index = 0; index < 5000 && !finding; ++index) {
    generate(options.seed, index, options.mix, program);
    finding = judge(program, options, backend);
  }
  ASSERT_TRUE(finding) << wrong.what;
  ASSERT_EQ(finding->verdict, Verdict::diverges);
  const WrongForm* named = find_wrong_form(finding->id);
  ASSERT_NE(named, nullptr) << finding->id;
  bool shares = false;  // several mistakes can look alike on the first program; they break a common rule
  for (const auto rule : wrong.breaks)
    for (const auto other : named->breaks) shares |= rule == other;
  EXPECT_TRUE(shares || named->id == wrong.id) << wrong.id << " was taken for " << named->id;
  // set_mask that remembers what was there needs two mask changes to show itself.
  const bool remembers =
      wrong.breaks.front() == "VMC-0-reproducible" || wrong.breaks.front() == "VMC-2-reset";
  EXPECT_LE(finding->program.instructions.size(), remembers ? 3u : 2u) << print(finding->program);
}

std::vector<const WrongForm*> pointers() {
  std::vector<const WrongForm*> list;
  for (const WrongForm& wrong : wrong_forms()) list.push_back(&wrong);
  return list;
}

std::string name_of_form(const testing::TestParamInfo<const WrongForm*>& wrong) {
  std::string name = wrong.param->id;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Oracle, EveryWrongForm, testing::ValuesIn(pointers()), name_of_form);

}  // namespace
}  // namespace lanecheck
