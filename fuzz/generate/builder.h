// Builds a legal program instruction by instruction: it follows the mask, draws what an instruction needs and
// places its operands.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "fuzz/generate/boundary.h"
#include "fuzz/generate/draws.h"
#include "fuzz/generate/placement.h"
#include "spec/mask/mask_register.h"
#include "spec/program/profile.h"
#include "spec/program/program.h"

namespace lanecheck {

/// Can an instruction of `row` take its mask from what earlier instructions left in the register?
bool takes_register(const Row& row, Profile profile);

inline constexpr std::uint64_t kTwo16 = 1 << 16;  ///< as a count it needs 17 bits

/// Does `row` take a count of elements, or a total of counter mode from the register?
bool takes_count(const Row& row, Profile profile);

/// Would many repeats of `row` fill UB?
bool takes_few_repeats(const Row& row);

/// Which operand of `row` holds the control bits of each repeat?
std::optional<unsigned> control_in_ub(const Row& row);

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

  /// Adds the last instruction once more, at the same places, under another mask, or after its source or
  /// control was written: a backend may keep what it computed or read for the first one. Does nothing if the
  /// instruction reads dst, or in counter mode, where another count needs more room.
  void add_again();

  // What directed cases add (builder_directed.cc, builder_counts.cc). Each adds several instructions of
  // `row`.

  /// On sources with values of each theme, in each mode of `types`.
  void add_themed(const Row& row, const TypePair& types, std::span<const Theme> themes);
  /// With each extreme value of the type, and a NaN, as the scalar.
  void add_scalars(const Row& row, const TypePair& types);
  /// With every value of its settings, and the ends of the count of a gather_mask.
  void add_settings(const Row& row, const TypePair& types);
  /// With strides of operand `k` at both ends of their range, alone and together.
  void add_strides(const Row& row, unsigned k);
  /// With block strides that need more than a byte, where they have a wider field.
  void add_far_blocks(const Row& row);
  /// With offsets beyond 64 KiB.
  void add_far_offsets(const Row& row);
  /// With repeat times at the end of their range. Where one long instruction fills UB, `most` is the only
  /// one.
  void add_repeats(const Row& row, std::uint32_t most);
  /// With masks that leave out a block or everything; and one that accumulates in every repeat.
  void add_mask_edges(const Row& row);
  /// With dst as each of its sources, in each type; and with both sources at one place, with other strides.
  void add_in_place(const Row& row);
  /// With totals of counter mode beside whole repeats. `row` takes a count, or a total from the register.
  void add_counts(const Row& row);
  /// With contiguous masks at the ends of the words and of the repeat.
  void add_lengths(const Row& row);
  /// With queues of all lengths, whose scores are often almost the same.
  void add_queues(const Row& row, const TypePair& types);
  /// With a mask of its own, between instructions that take theirs from the register.
  void add_own_masks(const Row& row);
  /// Twice, with another mask, scalar, mode, strides and repeat times, and the second time again.
  void add_twice(const Row& row);
  /// With each of the types, each time before another instruction that meets the same mask. Masks come from
  /// the register alone.
  void add_before_masked(const Row& row, std::span<const TypePair> types);
  /// Under a mask that leaves lanes out, and then an instruction whose first source is what was written.
  void add_chain(const Row& row);
  /// After several calls that set the mask or its mode, whose last state it meets. `row` takes its mask from
  /// the register.
  void add_after_calls(const Row& row);
  /// Under a mask that leaves lanes out, and again after ResetMask. `row` takes its mask from the register.
  void add_around_reset(const Row& row);

 private:
  /// What a directed case chooses of the next instruction, which is drawn otherwise.
  struct Wanted {
    std::optional<Scalar> scalar = {};
    std::optional<std::uint32_t> shift = {};
    std::optional<std::uint32_t> pattern = {};
    std::optional<std::uint32_t> kept = {};   ///< elements that a gather_mask counts; 0: it does not count
    std::optional<std::uint64_t> total = {};  ///< of counter mode, or the count of the instruction
    bool is_own = false;                      ///< `total` is the count of the instruction
    bool no_repeats = false;                  ///< repeat times of 0, from a Scalar, beside a count of its own
    std::optional<std::uint32_t> length = {};  ///< of a contiguous mask
    std::optional<std::array<std::uint32_t, 2>> queues = {};
  };

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
  void chain_to(const Instruction& insn);
  void draw_modes(Instruction& insn, const TypePair& types);
  void draw_lengths(Instruction& insn);
  void draw_settings(Instruction& insn);
  void draw_gather_mask_settings(Instruction& insn);
  Scalar draw_scalar(const Instruction& insn);
  std::uint32_t most_repeats(const Row& row, const TypePair& types) const;

  void draw_other_mask(Instruction& insn);
  void overwrite_control(const Instruction& insn);
  void overwrite_source(const Instruction& insn);
  void add_call();
  bool count_is_too_long(unsigned lanes) const;
  bool is_illegally_empty(unsigned lanes) const;
  void make_register_usable(unsigned lanes);
  void take_wanted_total(Instruction& insn, std::uint8_t forms);
  void meet_partial_mask();
  void leave_full_mask();
  void meet_mask_for(const Row& row, Theme theme);
  void rise_if_extreme(const Row& row);
  bool add_long_count(const Row& row);
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
  Wanted wanted_;                // by a directed case
  bool keeps_register_ = false;  // the instruction at hand takes the register as it is, if it can
  bool is_long_ = false;         // the instruction at hand may have many repeats, whatever its operands take
};

}  // namespace lanecheck
