// Finds where in a program two executions begin to differ: the instruction, the lanes, the mask and the bytes
// outside dst.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "fuzz/explain/questions/suspects.h"
#include "reports/report.h"

namespace lanecheck {

/// The first `count` instructions of `program`.
Program prefix(const Program& program, std::size_t count);

/// How many instructions the shortest prefix of `program` has on which `differs` holds: 0 if it holds before
/// the first instruction and after it. Nothing if it holds on none.
std::optional<std::size_t> first_divergence(const Program& program,
                                            const std::function<bool(const Program&)>& differs);

/// Writes the slots that gate `insn` after `before`, and its total, into the finding. The slots are those of
/// its mask operand if it has one. Returns the instruction as it then runs.
ResolvedInstruction describe_mask(Finding& finding, const Instruction& insn, const State& before,
                                  const Readings& readings);

/// Those of the bytes `wrong` of UB that the last instruction of `part` must not write, at most 16.
/// `resolved`: as it runs, see describe_mask(); `before`: what it meets.
std::vector<OutsideByte> bytes_outside_dst(const Program& part, const Instruction& resolved,
                                           const State& before, const State& expected, const State& actual,
                                           std::span<const std::uint32_t> wrong);

/// Fills what the finding says about its program: the two final states, and the first instruction after which
/// the backend's state is not allowed, with its mask, its lanes and the bytes that changed outside dst. Where
/// the backend does not run the first instructions of the program alone, `model` stands for it; without a
/// model the instruction stays unknown and becomes the number of instructions.
void locate(Finding& finding, AskedBackend& asked, const Documented& documented,
            const Hypothesis* model = nullptr);

}  // namespace lanecheck
