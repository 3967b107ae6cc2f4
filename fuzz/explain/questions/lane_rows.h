// The elements of dst of one instruction, lane by lane, for the lane map of a finding.
#pragma once

#include <vector>

#include "reports/report.h"
#include "spec/program/reading.h"

namespace lanecheck {

/// How many elements of dst (for packed bits: bytes) one repeat of `insn` writes.
unsigned written_per_repeat(const Instruction& insn);

/// One row for each element of dst of instruction `insn`: what it held `before`, what the documents expect
/// and what the backend left. Empty if the instruction has no dst, or if offsets decide where it writes.
/// With `wrong`, the bytes that must not be as they are, a lane agrees if none of its bytes is among them.
/// Without `wrong`, it agrees if it holds exactly the expected bits.
std::vector<LaneRow> lane_rows(const Program& program, const Instruction& insn, const Readings& readings,
                               const State& before, const State& expected, const State& actual,
                               const std::vector<std::uint32_t>* wrong = nullptr);

}  // namespace lanecheck
