// Properties of generated programs, on many programs.
#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "fuzz/generate/edge.h"
#include "fuzz/generate/generate_testing.h"
#include "spec/legality/find_fault.h"
#include "spec/text/program_json.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

class ManyPrograms : public testing::TestWithParam<Profile> {};
INSTANTIATE_TEST_SUITE_P(Generator, ManyPrograms, testing::ValuesIn(kEveryProfile), test_name_of);

TEST_P(ManyPrograms, AreLegal) {
  Program program;
  const std::uint64_t step = 7;  // through the boundary tables and beyond
  for (std::uint64_t n = 0; n < 40'000; ++n) {
    generate(3, n * step, Mix{.profile = GetParam()}, program);
    const auto fault = find_fault(program);
    ASSERT_FALSE(fault) << "case " << n * step << ": " << describe(program, *fault) << '\n' << print(program);
  }
}

TEST_P(ManyPrograms, ReadBackFromTextAndJsonToTheSameProgram) {
  Mix mix{.profile = GetParam()};
  mix.with_boundaries = false;
  Program program;
  for (std::uint64_t index = 0; index < 600; ++index) {
    generate(4, index, mix, program);
    ASSERT_EQ(parse_program(print(program), "text"), program) << print(program);
    ASSERT_EQ(program_from_json(nlohmann::json::parse(to_json(program).dump()), "json"), program)
        << print(program);
  }
}

TEST_P(ManyPrograms, StandOnBothSidesOfEveryRuleThatHasAnEdge) {
  std::map<std::string_view, std::array<unsigned, 2>> seen;
  Program program;
  for (std::uint64_t index = 0; index < 1500; ++index) {
    const EdgeCase edge = generate_at_edge(8, index, Mix{.profile = GetParam()}, program);
    const auto fault = find_fault(program);
    ASSERT_EQ(fault.has_value(), edge.outside) << edge.rule->id << '\n' << print(program);
    if (edge.outside) {
      ASSERT_EQ(fault->rule, edge.rule) << fault->what << '\n' << print(program);
    }
    ++seen[edge.rule->id][edge.outside ? 1 : 0];
  }
  for (const LegalityRule& rule : legality_rules()) {
    if (rule.edge == nullptr || !rule.holds_in(GetParam())) continue;
    EXPECT_GT(seen[rule.id][0], 0u) << rule.id << " inside";
    EXPECT_GT(seen[rule.id][1], 0u) << rule.id << " outside";
  }
}

/// A simulator may keep something of an instruction for the next one of its kind: a scalar, a mask, a mode.
TEST_P(ManyPrograms, HoldEveryInstructionTwiceWithAnotherScalar) {
  std::map<Op, unsigned> twice;
  Program program;
  for (std::uint64_t index = 0; index < 6000; ++index) {
    generate(5, index, Mix{.profile = GetParam()}, program);
    const Instruction* before = nullptr;  // the one that computes
    for (const Instruction& insn : program.instructions) {
      if (row_of(insn.op).mask == MaskUse::is_mask_state) continue;
      if (takes_scalar(insn) && before != nullptr && before->op == insn.op &&
          before->dst_type == insn.dst_type && before->scalar.bits != insn.scalar.bits)
        ++twice[insn.op];
      before = &insn;
    }
  }
  for (const Row& row : instruction_table())
    if (row.has_scalar && row.in(GetParam()).offered) {
      EXPECT_GT(twice[row.op], 0u) << row.name;
    }
}

/// Under "ResetMask does nothing in counter mode" SVM's register stays as it was for the next instruction.
TEST(ManyCalls, ResetTheMaskInCounterModeAndLeaveThatMode) {
  unsigned seen = 0;
  Program program;
  for (std::uint64_t index = 0; index < 4000; ++index) {
    generate(5, index, Mix{.profile = Profile::p310}, program);
    const auto& list = program.instructions;
    for (std::size_t n = 1; n + 1 < list.size(); ++n)
      seen += list[n - 1].op == Op::set_mask_count && list[n].op == Op::reset_mask &&
              list[n + 1].op == Op::set_mask_norm;
  }
  EXPECT_GT(seen, 0u);
}

}  // namespace
}  // namespace lanecheck
