// Programs as text: one line for UB, one for each allocation with its data, one for each instruction.
//
//   ub 512
//   alloc dst f32 0 256 = 7 x64
//   alloc src f32 256 256 = 1 x64
//   set_mask high=0x0 low=0x1
//   adds.f32 dst+0 blk=1 rep=8, src+0 blk=1 rep=8, scalar=2, repeat=1
//
// A line "profile NAME" names the profile; without it, vmc. A mask operand stands before repeat: mask=5 (the
// first 5 lanes of every repeat), mask=0x0:0xff (high and low word), count=300 (the first 300 elements). TIK
// may give repeat times by a Scalar: repeat=scalar:0.
// An operand is allocation + byte offset, with block stride and repeat stride in blocks where it has them.
// Two types read dst first: cast.i16.f32 makes i16 from f32. "#" starts a comment. print and parse are
// inverse to each other. Without a line "ub", UB ends with the last allocation. The lines of a finding are
// read, too: "1  adds.f32 ..." and, below it, "t0 f32[64] = 7 x64", which lies behind the allocations before
// it.
#pragma once

#include <string>
#include <string_view>

#include "spec/program/program.h"

namespace lanecheck {

std::string print(const Program& program);
std::string print_instruction(const Program& program, const Instruction& insn);

/// The elements of a span of UB as runs: {"7 x64"}, {"1", "2 x3"}.
std::vector<std::string> print_runs(Element type, const std::byte* data, std::uint32_t bytes);

/// Fills an allocation from runs; elements that are not given are zero. Returns what is wrong, or "".
std::string parse_runs(const Allocation& allocation, const std::vector<std::string>& runs, std::byte* data);

/// Throws InputError with `where`, the line number and what is wrong.
Program parse_program(std::string_view text, const std::string& where);

/// Which strides the text and JSON of an operand show.
constexpr bool shows_block_stride(Walk walk) {
  return walk == Walk::blocks;
}
constexpr bool shows_repeat_stride(Walk walk) {
  return walk == Walk::blocks || walk == Walk::results || walk == Walk::rows || walk == Walk::pattern;
}

/// "add.f32", "cast.i16.f32", "set_mask".
std::string mnemonic(const Instruction& insn);
/// The inverse of mnemonic(). False if no such instruction exists. Does not check that the row offers the
/// types.
bool parse_mnemonic(std::string_view text, Instruction& insn);

/// Allocation names: letters, digits and underscores, not starting with a digit.
bool is_name(std::string_view text);

}  // namespace lanecheck
