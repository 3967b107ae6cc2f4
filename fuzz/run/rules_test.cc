// Every rule holds for the oracle, and every mutant is caught and named.
#include <gtest/gtest.h>

#include <map>

#include "fuzz/explain/questions/executed_step.h"
#include "fuzz/generate/generate_testing.h"
#include "fuzz/run/find_backend.h"
#include "fuzz/run/rule_steps_testing.h"
#include "fuzz/run/run.h"
#include "oracle/compare/compare.h"
#include "oracle/mutants/mutant.h"
#include "spec/rules/rule.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

class EveryRuleOf : public testing::TestWithParam<Profile> {};

TEST_P(EveryRuleOf, HoldsForTheOracleAndIsExercised) {
  const Profile profile = GetParam();
  const Semantics semantics(default_readings(profile));
  const Backend oracle = find_backend("oracle");
  AskedBackend asked(oracle, profile);
  std::map<std::string_view, unsigned> exercised;
  Program program;
  for (std::uint64_t index = 0; index < 4000; ++index) {
    generate(1, index, drawn_mix(profile), program);
    each_step(program, semantics,
              [&](const auto& insn, const Cell& cell, const State& before, const State& after) {
                const auto step = run_step(asked, program, insn, before);
                if (!step) return;
                ASSERT_EQ(step->after.ub, after.ub) << print_instruction(program, insn);
                for (const Rule& rule : rules(profile)) {
                  if (!rule.applies(cell)) continue;
                  ++exercised[rule.id];
                  ASSERT_TRUE(rule.holds(step->view()))
                      << rule.id << " on " << print_instruction(program, insn) << '\n'
                      << print(step->program);
                }
              });
    if (HasFatalFailure()) return;
  }
  for (const Rule& rule : rules(profile))
    EXPECT_GT(exercised[rule.id], 0u) << rule.id << " was never exercised";
}

INSTANTIATE_TEST_SUITE_P(Oracle, EveryRuleOf, testing::ValuesIn(kEveryProfile), test_name_of);

TEST(EveryRule, IsBrokenByAMutant) {
  for (const Rule& rule : rules()) {
    bool found = false;
    for (const Mutant& wrong : mutants())
      for (const auto broken : wrong.breaks) found |= broken == rule.id;
    EXPECT_TRUE(found) << rule.id;
  }
  for (const Mutant& wrong : mutants())
    for (const auto broken : wrong.breaks)
      EXPECT_NE(find_rule(broken), nullptr) << wrong.id << " breaks " << broken;
}

/// A mutant, and a profile in which it breaks a rule.
struct MutantInProfile {
  const Mutant* mutant;
  Profile profile;
};

class EveryMutant : public testing::TestWithParam<MutantInProfile> {};

TEST_P(EveryMutant, IsCaughtNamedAndMinimizedToAFewInstructions) {
  const Mutant& wrong = *GetParam().mutant;
  const Profile profile = GetParam().profile;
  RunOptions options;
  options.mix = drawn_mix(profile);
  options.readings = default_readings(profile);
  for (const Reading& reading : readings()) options.pinned.emplace_back(reading.id);
  const Backend backend = oracle_backend(wrong.id, wrong.semantics(options.readings));
  std::optional<Finding> finding;
  Program program;
  for (std::uint64_t index = 0; index < 5000 && !finding; ++index) {
    generate(options.seed, index, options.mix, program);
    finding = judge(program, options, backend);
  }
  ASSERT_TRUE(finding) << wrong.what;
  ASSERT_EQ(finding->verdict, Verdict::diverges);
  bool shares = false;  // several mutants can look alike on the first program; then they break a common rule
  for (const auto rule : wrong.breaks)
    for (const auto& named : finding->rules) shares |= rule == named;
  EXPECT_TRUE(shares || finding->id == wrong.id) << wrong.id << " was taken for " << finding->id;
  // A set_mask that keeps something of the old mask shows only after two mask changes.
  const bool remembers =
      wrong.breaks.front() == "VMC-0-reproducible" || wrong.breaks.front() == "VMC-2-reset";
  const std::size_t most =
      profile == Profile::vmc ? (remembers ? 3u : 2u) : 4u;  // the mask mode takes two more
  EXPECT_LE(finding->program.instructions.size(), most) << print(finding->program);
  ASSERT_FALSE(finding->rules.empty());
  EXPECT_TRUE(find_rule(finding->rules.front())->holds_in(profile)) << finding->rules.front();
}

std::vector<MutantInProfile> mutants_in_profiles() {
  std::vector<MutantInProfile> list;
  for (const Mutant& wrong : mutants())
    for (const Profile profile : kEveryProfile)
      if (wrong.exists_in(profile)) list.push_back({&wrong, profile});
  return list;
}

INSTANTIATE_TEST_SUITE_P(Oracle, EveryMutant, testing::ValuesIn(mutants_in_profiles()), [](const auto& of) {
  return as_test_name(of.param.mutant->id + "_in_" + std::string(row_of(of.param.profile).name));
});

}  // namespace
}  // namespace lanecheck
