// Where an instruction's operands lie: how many bytes each walks over, and which data blocks it touches.
#pragma once

#include <cstdint>

#include "spec/program.h"

namespace lanecheck {

/// Bytes from the start of operand `k` to the end of the last byte that the first `lanes` lanes of every
/// repeat address. Pass lanes_of(i) for the whole footprint. 0 when the instruction performs no repeat.
/// An indexed operand reaches as far as its offsets say: 0 here, see legality.cc.
std::uint64_t extent(const Instruction& i, unsigned k, unsigned lanes);

/// Calls f(byte offset from the operand's start, bytes) for each contiguous piece of operand `k`, in the
/// order in which the repeats walk over them. Pieces are at most one repeat long.
template <class F>
void for_each_piece(const Instruction& i, unsigned k, F&& f);

/// Bytes between the starts of consecutive repeats of operand `k`.
std::uint64_t repeat_step(const Instruction& i, unsigned k);

/// Bytes of operand `k` that one repeat walks over contiguously, for every walk but Walk::blocks.
std::uint64_t repeat_bytes(const Instruction& i, unsigned k);

/// Repeats of operand `k` (Walk::blocks) follow each other without a gap, and so do their blocks.
bool is_contiguous(const Instruction& i, unsigned k);

template <class F>
void for_each_piece(const Instruction& i, unsigned k, F&& f) {
  const OperandColumn& column = row_of(i.op).operands[k];
  if (column.walk == Walk::indexed) return;
  const bool strided = column.walk == Walk::blocks;
  const unsigned per = per_block(operand_type(i, column));
  const unsigned pieces = strided ? (lanes_of(i) + per - 1) / per : 1;  // data blocks of one repeat
  for (unsigned r = 0; r < repeats_of(i); ++r)
    for (unsigned b = 0; b < pieces; ++b)
      f(r * repeat_step(i, k) + std::uint64_t{b} * i.operands[k].block_stride * (strided ? kBlockBytes : 0),
        strided ? std::uint64_t{kBlockBytes} : repeat_bytes(i, k));
}

}  // namespace lanecheck
