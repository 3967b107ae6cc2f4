// A profile is the contract of one API over the one machine: which instructions are on offer and in which
// types (the columns of spec/program/instructions.def), which documents' rules hold, how the open questions
// are read, and which mask operands an instruction takes.
#pragma once

#include "spec/program/instruction.h"
#include "spec/program/reading.h"

namespace lanecheck {

struct ProfileRow {
  std::string_view name;                        ///< "ascendc-a2"
  std::string_view about;                       ///< one line
  std::span<const std::string_view> documents;  ///< short names (spec/program/source.h) whose rules hold
  bool shows_mask;  ///< the mask outlives an instruction; in TIK each one carries its own
};

inline constexpr std::array kEveryProfile = {Profile::vmc, Profile::a2, Profile::p310, Profile::tik};

std::span<const ProfileRow> profiles();
const ProfileRow& row_of(Profile profile);
/// Null when there is none.
const Profile* find_profile(std::string_view name);
/// "there are: vmc, ..."
std::string profile_names();

/// The readings that a profile takes as its own.
Readings default_readings(Profile profile);

/// Bit MaskFrom set: the mask operands that `row` takes in `profile`.
std::uint8_t mask_forms(const Row& row, Profile profile);
constexpr bool has_form(std::uint8_t forms, MaskFrom from) {
  return (forms >> static_cast<unsigned>(from) & 1) != 0;
}

}  // namespace lanecheck
