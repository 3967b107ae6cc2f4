// A profile is the contract of one API over the one machine: which documents' rules hold, which mask operands
// an instruction takes, how wide its fields are, and how the open questions are read. Which instructions are
// on offer, and in which types, stands in the rows of spec/program/instruction_table.h.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "spec/program/instruction.h"
#include "spec/program/reading.h"

namespace lanecheck {

/// Which mask operands the instructions of a profile take.
enum class MaskOperands : std::uint8_t {
  never,    ///< the register decides (VMC)
  by_form,  ///< those of FormRow::mask_operand, or none (Ascend C)
  always,   ///< every instruction brings its own (TIK)
};

/// How wide the fields are in which strides are passed.
enum class StrideWidths : std::uint8_t {
  words,       ///< 16 bits each
  by_form,     ///< those of FormRow::strides (Ascend C)
  repeat_byte  ///< 8 bits for repeat strides (TIK)
};

struct ProfileRow {
  Profile profile;
  std::string_view name;                        ///< "ascendc-a2"
  std::string_view about;                       ///< one line that describes it
  std::span<const std::string_view> documents;  ///< short names (spec/program/source.h) whose rules hold
  MaskOperands mask_operands = MaskOperands::never;
  StrideWidths stride_widths = StrideWidths::words;
  bool shows_mask = true;           ///< the mask outlives an instruction, so that a backend can show it
  bool has_compare_mask = false;    ///< a compare mask register that select loads and GetCmpMask reads
  bool has_modes = false;           ///< counter mode beside the normal one, and lengths and totals as masks
  bool all_slots_legal = false;     ///< a mask may have bits beyond the lanes of an instruction
  bool block_stride_fixed = false;  ///< block strides are 1
  std::uint32_t least_dst_block_stride = 1;  ///< data blocks
  bool read_dst_may_meet = false;    ///< repeats of a dst that is also read may meet (reading dst_read_back)
  bool count_is_contiguous = false;  ///< operands of a call with a count of elements have no strides
  bool repeat_by_scalar = false;     ///< repeat times may be given by a Scalar; an immediate 0 is illegal
  bool names_api = true;             ///< its users know the instructions by the names in Row::api
  std::optional<Op> sets_mask = {};  ///< the instruction that puts two words into the register
  Readings readings = {};            ///< how the profile reads the open questions unless the user pins them
};

std::span<const ProfileRow> profiles();
const ProfileRow& row_of(Profile profile);
/// Null if no profile has this name.
const Profile* find_profile(std::string_view name);
/// "there are: vmc, ..."
std::string profile_names();

/// The readings that a profile takes as its own.
const Readings& default_readings(Profile profile);

/// Bit MaskFrom set: the mask operands that `row` takes in `profile`.
std::uint8_t mask_forms(const Row& row, Profile profile);
/// Does the mask say what the instruction does? Some ignore it in one profile and have one of their own in
/// another.
bool obeys_mask(Profile profile, Op op);
constexpr bool has_form(std::uint8_t forms, MaskFrom from) {
  return (forms >> static_cast<unsigned>(from) & 1) != 0;
}

}  // namespace lanecheck
