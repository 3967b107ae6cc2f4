// Every instruction has exactly one kernel, and a kernel refuses a type that the instruction does not have.
#include "oracle/execute/kernel.h"

#include <gtest/gtest.h>

#include "oracle/execute/execute.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

TEST(Kernels, EveryInstructionHasExactlyOne) {
  std::array<unsigned, kOps> kernels{};
  for (const auto& family : kernel_families())
    for (const KernelRow& row : family) {
      ++kernels[static_cast<std::size_t>(row.op)];
      EXPECT_NE(row.by_default, nullptr);
      EXPECT_NE(row.under_readings, nullptr);
    }
  for (const Row& row : instruction_table())
    EXPECT_EQ(kernels[static_cast<std::size_t>(row.op)], 1u) << row.name;
}

TEST(Kernels, EveryTypeOnOfferIsExecutedUnderEveryPolicy) {
  Readings asked;
  asked.integer_overflow = IntegerOverflow::saturates;
  Program program;
  program.ub.resize(1 << 16);
  program.allocations.push_back({"all", Element::u8, 0, 1 << 16});
  State state;
  state.ub = program.ub;
  for (const Row& row : instruction_table())
    for (const Profile profile : kEveryProfile)
      for (const TypePair& pair : row.in(profile).pairs) {
        Instruction insn;
        insn.op = row.op;
        insn.dst_type = pair.dst;
        insn.src_type = pair.src;
        for (std::size_t k = 0; k < row.settings.size(); ++k) insn.settings[k] = row.settings[k].least;
        EXPECT_NO_THROW(execute_one(program, insn, Semantics{}, state))
            << row.name << ' ' << name_of(pair.dst);
        EXPECT_NO_THROW(execute_one(program, insn, Semantics{asked}, state))
            << row.name << ' ' << name_of(pair.dst);
      }
}

TEST(Kernels, ATypeThatAnInstructionDoesNotHaveIsNeverSilentlyIgnored) {
  Program program = parse_program("ub 64\nalloc d f32 0 32\nalloc s f32 32 32\n", "test");
  State state;
  state.ub = program.ub;
  Instruction insn;
  insn.op = Op::exp;
  insn.dst_type = insn.src_type = Element::i32;
  insn.operands = {Operand{0}, Operand{1}};
  EXPECT_THROW(execute_one(program, insn, Semantics{}, state), std::logic_error);
}

}  // namespace
}  // namespace lanecheck
