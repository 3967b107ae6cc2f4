// Builds a legal program instruction by instruction: it follows the mask, draws what an instruction needs and
// places its operands.
#pragma once

#include "fuzz/generate/boundary.h"
#include "fuzz/generate/draws.h"
#include "fuzz/generate/placement.h"
#include "spec/mask/mask_register.h"
#include "spec/program/profile.h"
#include "spec/program/program.h"

namespace lanecheck {

/// What a directed case drives to an end of its range.
enum class Field : std::uint8_t {
  block_stride_zero,
  block_stride,
  repeat_stride,
  repeat,
  accumulation,  ///< dst is src1 in every repeat
  mask_without_block,
  empty_mask,
};

/// Can an instruction of `row` take its mask from what earlier instructions left in the register?
bool takes_register(const Row& row, Profile profile);

class Builder {
 public:
  /// Empties `program`, whose memory is reused.
  Builder(Draws& draws, Program& program, Profile profile);

  void make_wild(bool wild) { placement_.wild = wild; }

  /// Adds set_mask of profile vmc.
  void set_mask(MaskWords mask);
  /// Adds an instruction without operands.
  void push_bare(Op op);
  /// Adds one of the calls of SetVectorMask, SetMaskNorm, SetMaskCount or ResetMask.
  void add_mask_state();
  /// Adds an instruction of `row`, with the instructions that it needs before it. `choice`: which mask it
  /// meets, 0..15; instructions of profile vmc take what set_mask left.
  void add(const Row& row, const TypePair& types, std::uint32_t repeat, const Strides& strides,
           unsigned choice);
  /// Adds an instruction of `row` with drawn types, repeat times, strides and mask.
  void add_drawn(const Row& row);
  /// Adds an instruction of `row` twice, with another mask, scalar, mode, strides and repeat times.
  void add_twice(const Row& row);
  /// Adds several calls that set the mask or its mode after each other, and an instruction of `row` that
  /// meets what they leave. `row` takes its mask from the register.
  void add_after_calls(const Row& row);
  /// Adds an instruction of `row` that walks over contiguous sources with values of a theme.
  void add_themed(const Row& row, const TypePair& types, Theme theme);
  /// Adds an instruction of `row` with one field at an end of its range; `k`: the operand with a wide stride.
  void add_with_field(const Row& row, Field field, unsigned k);

 private:
  const ProfileRow& profile() const { return row_of(program_.profile); }
  const TypePair& draw_types(const Row& row);
  bool has_room_for_long() const { return program_.ub.size() < 48 * 1024; }
  void push(const Instruction& insn);
  void set_total(std::uint64_t total);
  void set_vector_mask(unsigned choice);
  void set_vector_mask_for(unsigned lanes, unsigned choice);
  void push_length(Element type, std::uint32_t length);
  void push_words(Element type, MaskWords words);

  void add_compare_mask(const Strides& strides);
  void draw_modes(Instruction& insn, const TypePair& types);
  void draw_lengths(Instruction& insn);
  void draw_settings(Instruction& insn);
  void draw_gather_mask_settings(Instruction& insn);
  Scalar draw_scalar(const Instruction& insn);
  std::uint32_t most_repeats(const Row& row, const TypePair& types) const;

  void add_call();
  bool count_is_too_long(unsigned lanes) const;
  bool is_illegally_empty(unsigned lanes) const;
  void make_register_usable(unsigned lanes);
  void leave_without_block(unsigned lanes);
  void leave_empty_register();
  void choose_mask(Instruction& insn, unsigned choice);
  void prepare_register(const Row& row, unsigned lanes, unsigned choice);
  void set_strides(Instruction& insn, unsigned k, const Strides& strides) const;
  std::uint32_t fitting_repeat_stride(const Instruction& insn, unsigned k, const Stride& stride) const;

  Draws& draws_;
  Program& program_;
  Readings readings_;
  MaskBits mask_;
  OperandPlacement placement_;
  bool keeps_register_ = false;  // the instruction at hand takes the register as it is, if it can
  bool is_long_ = false;         // the instruction at hand may have many repeats, whatever its operands take
};

}  // namespace lanecheck
