// The example simulator's own list of instructions: complete, and of one mind with the instruction table on
// what the mask does.
#include "fuzz/simulator/instruction_list.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace lanecheck::simulator {
namespace {

MaskUse use_in(MaskRole role) {
  switch (role) {
    case MaskRole::sets:
      return MaskUse::is_mask_state;
    case MaskRole::gates:
      return MaskUse::gates_writeback;
    case MaskRole::neutral:
      return MaskUse::neutral_source;
    case MaskRole::ignores:
    case MaskRole::gates_in_ascend_c:  // the table has them ignore the mask, except under a reading
      break;
  }
  return MaskUse::ignores;
}

TEST(InstructionList, KnowsEveryInstructionOfTheTable) {
  for (const Row& row : instruction_table()) EXPECT_EQ(known(row.op).op, row.op) << row.name;
}

TEST(InstructionList, AgreesWithTheTableOnWhatTheMaskDoes) {
  for (const Row& row : instruction_table()) EXPECT_EQ(use_in(known(row.op).mask), row.mask) << row.name;
}

TEST(InstructionList, AnInstructionThatAFamilyDoesNotHaveIsAnErrorAndNotNothing) {
  Program program;
  State state;
  Machine machine{program, state, {}};
  Instruction add;
  add.op = Op::add;
  EXPECT_THROW(unary(machine, add), std::logic_error);
  EXPECT_THROW(scalar(machine, add), std::logic_error);
  EXPECT_THROW(set_register(machine, add), std::logic_error);
}

}  // namespace
}  // namespace lanecheck::simulator
