// What an instruction does only in place: if one of its sources lies where dst lies.
#pragma once

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// The source of instruction `insn` that starts where dst starts, in the same allocation; 0 if none does.
unsigned source_in_place(const Instruction& insn);

/// The differences of gates, else the law of strides, repeats or combined results, of the subject with
/// source `subject.in_place` in place. Where the operands lie apart, it is as documented.
std::vector<Difference> in_place_differences(const Subject& subject, const Ask& ask);
/// The same of values; asked if all of those are right.
std::vector<Difference> in_place_values(const Subject& subject, const Ask& ask);

}  // namespace lanecheck
