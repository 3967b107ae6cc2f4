// One fault in the code that takes the strides of all operands is one finding, and its law is said.
#include <gtest/gtest.h>

#include <algorithm>

#include "fuzz/run/faulty_backend_testing.h"
#include "fuzz/run/run.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace shared_strides_test {

std::vector<Finding> findings(const Backend& backend) {
  RunOptions options;
  options.cases = 600;
  options.illegal_in_32 = 0;
  return run(options, backend).findings;
}

/// The oracle, after `change` has changed each operand that is addressed in data blocks.
template <class Change>
Backend with_operands(Change change) {
  return that_runs([change](const Program& given) {
    return each_changed(given, [change](Instruction& insn) {
      for (unsigned k = 0; k < row_of(insn.op).operands.size(); ++k)
        if (row_of(insn.op).operands[k].walk == Walk::blocks) change(insn, insn.operands[k]);
    });
  });
}

void expect_one(const std::vector<Finding>& found, const std::string& law) {
  ASSERT_EQ(found.size(), 1u) << found[1].what;
  const std::size_t of = found[0].what.find(" of "), verb = found[0].what.find(' ', of + 4);
  EXPECT_EQ(found[0].what.substr(0, of) + found[0].what.substr(verb, law.size() - of), law) << found[0].what;
  EXPECT_EQ(found[0].matter, Matter::address);
  EXPECT_GE(found[0].instructions.size(), 8u);
}

TEST(SharedStrides, BlockStrideAndRepeatStrideAreExchanged) {
  expect_one(findings(with_operands([](const Instruction&, Operand& operand) {
               std::swap(operand.block_stride, operand.repeat_stride);
             })),
             "all operands in data blocks exchange block stride and repeat stride");
}

TEST(SharedStrides, TheRepeatStrideIs8IfThereAreSeveralRepeats) {
  expect_one(findings(with_operands([](const Instruction& insn, Operand& operand) {
               if (insn.repeat > 2) operand.repeat_stride = 8;
             })),
             "all operands in data blocks walk with repeat stride 8 if repeat times are more than 2");
}

TEST(SharedStrides, TheStridesOfSourcesAloneAreExchanged) {
  expect_one(findings(with_operands([](const Instruction& insn, Operand& operand) {
               if (&operand != &insn.operands[0]) std::swap(operand.block_stride, operand.repeat_stride);
             })),
             "all sources in data blocks exchange block stride and repeat stride");
}

/// Its instructions obey the law as well, but the law does not give what they leave.
TEST(SharedStrides, AnotherFaultBesideTheLawIsAFindingOfItsOwn) {
  const auto found = findings(that_runs([](const Program& given) {
    Program program = each_changed(given, [](Instruction& insn) {
      for (unsigned k = 0; k < row_of(insn.op).operands.size(); ++k)
        if (row_of(insn.op).operands[k].walk == Walk::blocks)
          std::swap(insn.operands[k].block_stride, insn.operands[k].repeat_stride);
    });
    for (Instruction& insn : program.instructions)
      if (insn.op == Op::adds && insn.dst_type == Element::f32)
        insn.scalar = scalar_of(Element::f32, insn.scalar.value + 1);
    return program;
  }));
  const auto says = [&](std::string_view text) {
    return std::ranges::count_if(
        found, [&](const Finding& each) { return each.what.find(text) != std::string::npos; });
  };
  EXPECT_EQ(says("exchange block stride and repeat stride"), 1);
  EXPECT_EQ(says("adds.f32"), 1);
}

/// Then other instructions are right, and nothing is said of them.
TEST(SharedStrides, AFaultOfOneInstructionIsNoLawOfAll) {
  const auto found = findings(with_operands([](const Instruction& insn, Operand& operand) {
    if (insn.op == Op::mul) operand.block_stride = 1;
  }));
  ASSERT_FALSE(found.empty());
  for (const Finding& each : found) {
    EXPECT_EQ(each.what.find("all operands in data blocks"), std::string::npos) << each.what;
    for (const std::string& insn : each.instructions) EXPECT_TRUE(insn.starts_with("mul.")) << insn;
  }
}

}  // namespace shared_strides_test
}  // namespace lanecheck
