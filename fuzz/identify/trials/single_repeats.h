// An instruction as one instruction for each of its repeats, of which an operand may lie at other places.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "spec/program/instruction.h"

namespace lanecheck {

/// "dst of relu.f16"
std::string role_of(const Instruction& insn, unsigned k);

unsigned operands_of(const Instruction& insn);

/// In bytes, from repeat to repeat, if `stride` were the repeat stride of operand `k`.
std::uint32_t step_with(Instruction insn, unsigned k, std::uint32_t stride);

/// How far from its start operand `k` lies in repeat `r`, in bytes.
using Distance = std::function<std::uint32_t(const Instruction&, unsigned k, unsigned r)>;
Distance as_documented();

/// One instruction for each repeat; only operand `k` lies at other places than documented.
std::vector<Instruction> one_for_each_repeat(const Instruction& insn, unsigned k, const Distance& distance);

/// May each repeat be executed as an instruction of its own?
bool has_repeats_apart(const Instruction& insn);

}  // namespace lanecheck
