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

 private:
  const ProfileRow& profile() const { return row_of(program_.profile); }
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
  std::uint32_t draw_repeat();
  Strides draw_strides(const Row& row);
  void draw_wide_stride(Strides& strides);

  void choose_mask(Instruction& insn, unsigned choice);
  void prepare_register(const Row& row, unsigned lanes, unsigned choice);
  void set_strides(Instruction& insn, unsigned k, const Strides& strides) const;
  std::uint32_t fitting_repeat_stride(const Instruction& insn, unsigned k, const Stride& stride) const;

  Draws& draws_;
  Program& program_;
  Readings readings_;
  MaskBits mask_;
  OperandPlacement placement_;
};

}  // namespace lanecheck
