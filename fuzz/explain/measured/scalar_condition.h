// With which scalar of its instruction, and with repeat times in a Scalar or as a number, a fault shows.
#pragma once

#include <string>
#include <vector>

#include "fuzz/explain/questions/suspects.h"

namespace lanecheck {

/// "; so with scalar 0, not with 3": if none of the programs `diverging` does so with another scalar. Empty
/// if some do, or if the instruction has no scalar.
std::string scalar_condition(const std::vector<Program>& diverging, const Instruction& insn,
                             AskedBackend& asked, const Documented& documented);

/// "; so with repeat times in a Scalar, not with a number": if none of the probes that diverge does so with
/// the same repeat times as a number. Empty if some do, or if no Scalar gives them.
std::string repeat_form_condition(const std::vector<Program>& diverging, const Instruction& insn,
                                  AskedBackend& asked, const Documented& documented);

}  // namespace lanecheck
