// Properties of generated programs.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "fuzz/generate/edge.h"
#include "fuzz/generate/generate.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/program/profile.h"
#include "spec/text/number.h"
#include "spec/text/program_json.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

Program program_of(std::uint64_t seed, std::uint64_t index) {
  Program program;
  generate(seed, index, Mix{}, program);
  return program;
}

constexpr std::array kAllProfiles = {Profile::vmc, Profile::a2, Profile::p310, Profile::tik};

Mix mix_of(Profile profile) {
  Mix mix;
  mix.profile = profile;
  return mix;
}

class EveryProfile : public testing::TestWithParam<Profile> {};
INSTANTIATE_TEST_SUITE_P(Generator, EveryProfile, testing::ValuesIn(kAllProfiles), [](const auto& of) {
  std::string name(row_of(of.param).name);
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST_P(EveryProfile, MakesLegalProgramsOnly) {
  Program program;
  const std::uint64_t step = 7;  // through the boundary tables and beyond
  for (std::uint64_t n = 0; n < 40'000; ++n) {
    generate(3, n * step, mix_of(GetParam()), program);
    const auto fault = find_fault(program);
    ASSERT_FALSE(fault) << "case " << n * step << ": " << describe(program, *fault) << '\n' << print(program);
  }
}

TEST_P(EveryProfile, ReadsBackFromTextAndJsonToTheSameProgram) {
  Mix mix = mix_of(GetParam());
  mix.boundaries_first = false;
  Program program;
  for (std::uint64_t index = 0; index < 600; ++index) {
    generate(4, index, mix, program);
    ASSERT_EQ(parse_program(print(program), "text"), program) << print(program);
    ASSERT_EQ(program_from_json(nlohmann::json::parse(to_json(program).dump()), "json"), program)
        << print(program);
  }
}

TEST_P(EveryProfile, HasBorderCasesOfEveryRuleOnBothSides) {
  std::map<std::string_view, std::array<unsigned, 2>> seen;
  Program program;
  for (std::uint64_t index = 0; index < 1500; ++index) {
    const EdgeCase border = generate_at_edge(8, index, mix_of(GetParam()), program);
    const auto fault = find_fault(program);
    ASSERT_EQ(fault.has_value(), border.outside) << border.rule->id << '\n' << print(program);
    if (border.outside) {
      ASSERT_EQ(fault->rule, border.rule) << fault->what << '\n' << print(program);
    }
    ++seen[border.rule->id][border.outside ? 1 : 0];
  }
  for (const LegalityRule& rule : legality_rules()) {
    if (!rule.tried || !rule.holds_in(GetParam())) continue;
    EXPECT_GT(seen[rule.id][0], 0u) << rule.id << " inside";
    EXPECT_GT(seen[rule.id][1], 0u) << rule.id << " outside";
  }
}

TEST(Generator, IsAFunctionOfSeedAndIndexAlone) {
  Program reused;
  for (std::uint64_t index = 140'000; index < 140'500; ++index) {
    generate(9, index, Mix{}, reused);
    EXPECT_EQ(reused, program_of(9, index));
  }
  EXPECT_NE(program_of(9, 140'000), program_of(10, 140'000));
  EXPECT_NE(program_of(9, 140'000), program_of(9, 140'001));
}

}  // namespace
}  // namespace lanecheck
