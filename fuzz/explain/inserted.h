// An instruction that is put before the last one of a program and touches nothing of it.
#pragma once

#include "spec/program/instruction_table.h"
#include "spec/program/program.h"

namespace lanecheck {

/// The program with one repeat of `row` before its last instruction, in allocations of its own and under the
/// mask of the last instruction. The result may be illegal.
Program with_inserted(Program program, const Row& row, const TypePair& types);

}  // namespace lanecheck
