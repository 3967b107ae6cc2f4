// Gives the operands of a generated program their places in UB, and fills these with data.
#pragma once

#include <optional>
#include <vector>

#include "fuzz/generate/data.h"
#include "fuzz/generate/draws.h"
#include "spec/mask/mask_register.h"
#include "spec/program/program.h"

namespace lanecheck {

/// What the wild sources of an instruction have in common.
enum class Theme : std::uint8_t {
  wild,
  close,      ///< the second source, or half of the only one, is the first, or the scalar, or just beside it
  extremes,   ///< the first source has an extreme value in each block, the second has them in any order
  by_repeat,  ///< each repeat of the source has one extreme value in all elements
  peaks,      ///< one element in 129 of the source is greater than all others, one is less
  rising,     ///< the source rises from lane to lane, or falls if the least element is sought
  ties,       ///< casts: halfway between two elements of dst, and just beside that
};

class OperandPlacement {
 public:
  OperandPlacement(Draws& draws, Program& program) : draws_(draws), program_(program) {}

  bool wild = false;
  /// The values of wild sources; drawn for each operand if there is no theme.
  std::optional<Theme> theme = {};

  /// The source that is dst as well, if one is wanted.
  std::optional<unsigned> in_place = {};

  /// Where dst lies, if a place is wanted. It has room for dst.
  std::optional<Operand> dst_place = {};

  /// What the first source is, if it can be: dst of an earlier instruction, with the same strides.
  struct Chained {
    Operand operand;
    Element type;
  };
  std::optional<Chained> chained = {};

  /// Does src1 start where src0 starts? src1 reaches no further than src0.
  bool same_start = false;

  /// Do offsets reach further than 64 KiB?
  bool far_offsets = false;

  /// Finds a place for operand `k`: an allocation of its own, or an earlier place if the program stays
  /// decisive or is wild. The strides and repeat times of `here` must be final.
  void place(ResolvedInstruction& here, unsigned k);
  /// Offsets that visit places of the indexed operand in a shuffled order, each at most once.
  void write_offsets(const Instruction& insn, unsigned indexed);

 private:
  std::uint64_t indexed_bytes(const Instruction& insn) const;
  bool reads_written(const Instruction& insn) const;
  bool may_share_dst(const Instruction& insn, const Row& row, unsigned k);
  Fill source_fill(const Row& row, unsigned k);
  Fill wild_fill(const Row& row, unsigned k);
  Fill fill_of(const Row& row, unsigned k, Element type);
  void fill_operand(const Instruction& insn, unsigned k, Fill kind);
  void fill_whole_blocks(std::span<std::byte> pattern);
  static void fill_whole_repeats(std::span<std::byte> control, std::size_t bytes, unsigned phase);
  /// `room` is how far whole repeats reach.
  void allocate(Instruction& insn, unsigned k, std::uint32_t bytes, std::uint32_t room);
  void write_queues(const Instruction& insn, unsigned k);

  Draws& draws_;
  Program& program_;
  unsigned close_phase_ = 0;             // of the first source, to which the second is close
  std::vector<std::uint16_t> reusable_;  // allocations whose contents are exact, for wild programs
};

}  // namespace lanecheck
