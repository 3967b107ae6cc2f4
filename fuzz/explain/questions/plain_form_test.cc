// Programs in plain forms.
#include "fuzz/explain/questions/plain_form.h"

#include <gtest/gtest.h>

#include "fuzz/generate/generate.h"
#include "fuzz/generate/generate_testing.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace plain_form_test {

constexpr std::uint64_t kPrograms = 300;

Backend right() {
  return function_backend("right", "", [](const Program& program, State& state) -> Outcome {
    EXPECT_FALSE(program.ub.empty()) << "no backend needs to expect that";
    execute(program, Semantics(default_readings(program.profile)), state);
    return Ran{};
  });
}

class PlainForms : public testing::TestWithParam<Profile> {};

TEST_P(PlainForms, WhatIsMadeOfAProgramHasTheForm) {
  const Documented documented(GetParam(), default_readings(GetParam()), {});
  const Backend backend = right();
  AskedBackend asked(backend, GetParam());
  Program program;
  Mix mix;
  mix.profile = GetParam();
  for (const PlainForm& form : plain_forms()) {
    unsigned legal = 0;
    for (std::uint64_t index = 0; index < kPrograms; ++index) {
      generate(1, index, mix, program);
      if (find_fault(program)) continue;
      for (const Program& each : form.made_of(program, documented)) {
        const bool holds = form.holds(each, asked);
        EXPECT_TRUE(holds || each == program) << form.text << '\n' << print(program);
        if (holds && !find_fault(each)) ++legal;
      }
    }
    const bool needs_register = form.text == "under masks that are right in the register";
    const bool may_hold = !needs_register || row_of(GetParam()).shows_mask;
    EXPECT_GE(legal, may_hold ? kPrograms / 5 : 0) << form.text;
  }
}

INSTANTIATE_TEST_SUITE_P(Profiles, PlainForms, testing::ValuesIn(kEveryProfile), test_name_of);

Program with_mask(const std::string& masks, const std::string& rest) {
  return parse_program("ub 1024\nalloc a f16 0 512 = 1 x256\nalloc b f16 512 512 = 2 x256\n" + masks +
                           "abs.f16 a+0 blk=1 rep=8, b+0 blk=1 rep=8, repeat=2\n" + rest,
                       "test");
}

bool has_form(std::string_view text, const Program& program) {
  const Backend backend = right();
  AskedBackend asked(backend, program.profile);
  for (const PlainForm& form : plain_forms())
    if (form.text == text) return form.holds(program, asked);
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

/// It keeps bit 63 of the low word out of the register.
TEST(PlainFormsOfVmc, AMaskThatTheRegisterHoldsWronglyIsNotRightInIt) {
  const Backend forgets = function_backend("forgets", "", [](const Program& given, State& state) -> Outcome {
    Program program = given;
    for (Instruction& insn : program.instructions)
      if (insn.op == Op::set_mask) insn.low &= ~(std::uint64_t{1} << 63);
    execute(program, Semantics{}, state);
    return Ran{};
  });
  AskedBackend asked(forgets, Profile::vmc);
  const PlainForm& form = plain_forms().back();
  ASSERT_EQ(form.text, "under masks that are right in the register");
  EXPECT_TRUE(form.holds(with_mask("set_mask high=0x0 low=0x7\n", ""), asked));
  EXPECT_FALSE(form.holds(with_mask("set_mask high=0x0 low=0x8000000000000007\n", ""), asked));
}

TEST(PlainFormsOfVmc, OtherProgramsAreNoEvidence) {
  const Backend backend = right();
  AskedBackend asked(backend, Profile::vmc);
  const Backend plain = in_form(asked, plain_forms()[0]);
  State state;
  EXPECT_TRUE(std::holds_alternative<Ran>(plain.run(with_mask("", ""), state)));
  EXPECT_TRUE(
      std::holds_alternative<Skipped>(plain.run(with_mask("set_mask high=0x0 low=0x1\n", ""), state)));
}

}  // namespace plain_form_test
}  // namespace lanecheck
