// Where an instruction's operands lie: how many bytes each walks over, and which data blocks it touches.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "spec/mask/mask_register.h"
#include "spec/program/program.h"

namespace lanecheck {

/// Repeats that one instruction performs at most: UB has 6144 data blocks.
inline constexpr std::uint32_t kMostRepeats = 8192;

/// Bytes from the start of operand `k` to the end of the last byte that the first `lanes` lanes of every
/// repeat address. Pass lanes_of(insn) for the whole footprint. The result is 0 if the instruction performs
/// no repeat, except for a returned count, which is always written. It is also 0 for an indexed operand,
/// which reaches as far as its offsets say (spec/legality/offsets.cc).
std::uint64_t extent(const Instruction& insn, unsigned k, unsigned lanes);

/// The extent of operand `k` for the elements that `here` has. If a total governs it, the last repeat has
/// only the elements that are left; vpadding reads them in whole data blocks.
std::uint64_t extent(const ResolvedInstruction& here, unsigned k);

/// Does no operand reach behind the end of UB, with all lanes of every repeat?
bool is_inside_ub(const Program& program, const Instruction& insn);

/// Lanes of repeat `r` that `here` has: all of them, or what is left of its total.
unsigned lanes_in(const ResolvedInstruction& here, unsigned r);

/// Calls f(byte offset from the operand's start, bytes) for each contiguous piece of operand `k`, in the
/// order in which the repeats walk over them. Pieces are at most one repeat long.
template <class F>
void for_each_piece(const Instruction& insn, unsigned k, F&& f);

/// Calls f for the pieces of repeat `r` alone, as far as its first `lanes` lanes reach.
template <class F>
void for_each_piece_of(const Instruction& insn, unsigned k, unsigned r, unsigned lanes, F&& f);

/// The sources of `insn` that share bytes with its dst, all repeats together; empty if it writes no dst.
/// Nothing if a source is indexed: its offsets say what it reads.
std::optional<std::vector<unsigned>> sources_that_share_dst(const Program& program, const Instruction& insn);

/// Bytes between the starts of consecutive repeats of operand `k`.
std::uint64_t repeat_step(const Instruction& insn, unsigned k);

/// Where the lanes of an operand lie, for Walk::blocks and Walk::rows.
struct LaneWalk {
  LaneWalk(const Instruction& insn, unsigned k);
  /// Bytes from the start of the operand to lane `lane` of repeat `repeat`.
  std::uint64_t offset(unsigned repeat, unsigned lane) const {
    return repeat * repeat_step + (lane >> block_bits) * block_step +
           (lane & ((1u << block_bits) - 1)) * size;
  }

  std::uint64_t repeat_step, block_step;  ///< bytes
  unsigned block_bits;                    ///< a data block has 1 << block_bits lanes
  unsigned size;                          ///< bytes of an element
};
inline std::uint64_t lane_offset(const Instruction& insn, unsigned k, unsigned repeat, unsigned lane) {
  return LaneWalk(insn, k).offset(repeat, lane);
}

/// Bytes of operand `k` that the first `lanes` lanes of one repeat walk over contiguously, for every walk
/// except Walk::blocks.
std::uint64_t repeat_bytes(const Instruction& insn, unsigned k, unsigned lanes);
inline std::uint64_t repeat_bytes(const Instruction& insn, unsigned k) {
  return repeat_bytes(insn, k, lanes_of(insn));
}

/// Do the repeats of operand `k` (Walk::blocks) follow each other without a gap, and also their blocks?
bool is_contiguous(const Instruction& insn, unsigned k);

template <class F>
void for_each_piece_of(const Instruction& insn, unsigned k, unsigned r, unsigned lanes, F&& f) {
  const OperandColumn& column = row_of(insn.op).operands[k];
  if (column.walk == Walk::indexed) return;
  const std::uint64_t start = r * repeat_step(insn, k);
  if (column.walk != Walk::blocks) return f(start, repeat_bytes(insn, k, lanes));
  const unsigned per = per_block(operand_type(insn, column));
  for (unsigned b = 0; b * per < lanes; ++b)
    f(start + std::uint64_t{b} * insn.operands[k].block_stride * kBlockBytes, std::uint64_t{kBlockBytes});
}

template <class F>
void for_each_piece(const Instruction& insn, unsigned k, F&& f) {
  for (unsigned r = 0; r < repeats_of(insn); ++r) for_each_piece_of(insn, k, r, lanes_of(insn), f);
}

}  // namespace lanecheck
