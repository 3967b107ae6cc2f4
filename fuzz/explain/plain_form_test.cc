// Programs in plain forms.
#include "fuzz/explain/plain_form.h"

#include <gtest/gtest.h>

#include "fuzz/generate/generate.h"
#include "fuzz/generate/generate_testing.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace plain_form_test {

constexpr std::uint64_t kPrograms = 300;

class PlainForms : public testing::TestWithParam<Profile> {};

TEST_P(PlainForms, WhatIsMadeOfAProgramHasTheForm) {
  const Documented documented(GetParam(), default_readings(GetParam()), {});
  Program program;
  Mix mix;
  mix.profile = GetParam();
  for (const PlainForm& form : plain_forms()) {
    unsigned made = 0;
    for (std::uint64_t index = 0; index < kPrograms; ++index) {
      generate(1, index, mix, program);
      if (find_fault(program)) continue;
      for (const Program& each : form.made_of(program, documented)) {
        EXPECT_TRUE(form.holds(each)) << form.text << '\n' << print(program);
        if (!find_fault(each)) ++made;
      }
    }
    EXPECT_GT(made, kPrograms / 4) << form.text;
  }
}

INSTANTIATE_TEST_SUITE_P(Profiles, PlainForms, testing::ValuesIn(kEveryProfile), test_name_of);

Program with_mask(const std::string& masks, const std::string& rest) {
  return parse_program("ub 1024\nalloc a f16 0 512 = 1 x256\nalloc b f16 512 512 = 2 x256\n" + masks +
                           "abs.f16 a+0 blk=1 rep=8, b+0 blk=1 rep=8, repeat=2\n" + rest,
                       "test");
}

bool has_form(std::string_view text, const Program& program) {
  for (const PlainForm& form : plain_forms())
    if (form.text == text) return form.holds(program);
  ADD_FAILURE() << "no form " << text;
  return false;
}

TEST(PlainFormsOfVmc, AMaskWithAZeroIsNotFull) {
  EXPECT_TRUE(has_form("under full masks", with_mask("", "")));
  EXPECT_TRUE(has_form("under full masks",
                       with_mask("set_mask high=0xffffffffffffffff low=0xffffffffffffffff\n", "")));
  EXPECT_FALSE(has_form("under full masks",
                        with_mask("set_mask high=0xffffffffffffffff low=0xfffffffffffffffe\n", "")));
}

TEST(PlainFormsOfVmc, TwoRepeatsAreNotOneRepeat) {
  EXPECT_FALSE(has_form("in one repeat in a row", with_mask("", "")));
}

TEST(PlainFormsOfVmc, TwoInstructionsAreNotAlone) {
  EXPECT_TRUE(has_form("if it runs alone", with_mask("", "")));
  EXPECT_FALSE(
      has_form("if it runs alone", with_mask("", "abs.f16 a+0 blk=1 rep=8, b+0 blk=1 rep=8, repeat=1\n")));
}

TEST(PlainFormsOfVmc, OtherProgramsAreNoEvidence) {
  const Backend right = function_backend("right", "", [](const Program& program, State& state) -> Outcome {
    execute(program, Semantics{}, state);
    return Ran{};
  });
  const Backend plain = in_form(right, plain_forms()[0]);
  State state;
  EXPECT_TRUE(std::holds_alternative<Ran>(plain.run(with_mask("", ""), state)));
  EXPECT_TRUE(
      std::holds_alternative<Skipped>(plain.run(with_mask("set_mask high=0x0 low=0x1\n", ""), state)));
}

}  // namespace plain_form_test
}  // namespace lanecheck
