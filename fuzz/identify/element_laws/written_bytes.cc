#include "fuzz/identify/element_laws/written_bytes.h"

#include <algorithm>
#include <array>

#include "oracle/execute/execute.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

std::byte byte_of_one(Element type, std::size_t at) {
  return static_cast<std::byte>(nearest(type, 1) >> (8 * (at % size_of(type))) & 0xff);
}

}  // namespace

/// The instruction is executed with its dst in a UB of its own, behind the real one, and that twice: what is
/// written is the same, whatever was there before. Of an instruction that adds to its dst, all numbers are 1
/// then, and the sum shows.
std::vector<bool> written_bytes(const Program& program, const Instruction& insn, const Semantics& semantics,
                                const State& before) {
  const std::size_t bytes = before.ub.size();
  const bool adds = row_of(insn.op).reads_dst;
  Program apart = program;
  Instruction& moved = apart.instructions.emplace_back(insn);
  Operand& dst = moved.operands[0];
  apart.allocations.push_back(apart.allocations[dst.allocation]);
  apart.allocations.back().offset += static_cast<std::uint32_t>(bytes);
  dst.allocation = static_cast<std::uint16_t>(apart.allocations.size() - 1);
  if (adds && takes_scalar(moved)) moved.scalar = scalar_of(scalar_type(moved), 1);
  apart.ub.resize(2 * bytes);
  std::array<State, 2> left;
  for (const bool inverted : {false, true}) {
    State& state = left[inverted];
    state = before;
    state.ub.resize(2 * bytes);
    for (std::size_t at = 0; at < bytes; ++at)
      state.ub[bytes + at] = inverted ? ~before.ub[at] : before.ub[at];
    if (adds)
      for (std::size_t at = 0; at < 2 * bytes; ++at)
        state.ub[at] = byte_of_one(at < bytes ? insn.src_type : insn.dst_type, at);
    execute_one(apart, moved, semantics, state);
  }
  std::vector<bool> written(bytes);
  for (std::size_t at = 0; at < bytes && !adds; ++at)
    written[at] = left[0].ub[bytes + at] == left[1].ub[bytes + at];
  const std::size_t size = size_of(insn.dst_type);
  for (std::size_t at = 0; at + size <= bytes && adds; at += size)
    if (load_bits(left[0].ub, bytes + at, size) != nearest(insn.dst_type, 1))
      std::fill_n(written.begin() + static_cast<std::ptrdiff_t>(at), size, true);
  return written;
}

}  // namespace lanecheck
