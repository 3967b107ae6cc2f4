// Asks an adapter one plain program for each instruction that it offers: does it run, and does it write dst?
// The values are not judged here.
#pragma once

#include <string>
#include <vector>

#include "fuzz/backend/backend.h"

namespace lanecheck {

/// What is wrong with some instructions, in the same way.
struct InstructionFault {
  /// not_under_full_length: writes dst, except under its own contiguous mask of all lanes
  enum class Kind : std::uint8_t { fails, refused, skipped, writes_nothing, not_under_full_length };

  Kind kind = Kind::fails;
  std::string what;  ///< what the backend says; of not_under_full_length the lanes; else empty
  std::vector<std::string> instructions;  ///< "mul.f16", ...
};

/// What is known of all instructions on offer.
struct InstructionCheck {
  std::size_t asked = 0;    ///< how many instructions were asked, each pair of element types counted
  std::size_t writers = 0;  ///< how many of them ran and must write dst
  std::vector<InstructionFault> faults;
  /// Instructions that ended the backend's process: their other element types were not asked.
  std::vector<std::string> types_not_asked;
};

struct PlainProgram {
  std::string mnemonic;  ///< "mul.f16"
  Program program;
};

/// One program for each offered instruction of the profiles and each pair of its element types, in the first
/// profile that has them. Every one that writes a dst changes it.
std::vector<PlainProgram> plain_programs(const Capabilities& offers, std::span<const Profile> profiles);

/// Asks the first element types of every instruction in one batch. A second batch has the other types of the
/// instructions that did not end the backend's process.
InstructionCheck check_instructions(const Backend& backend, std::span<const Profile> profiles);

/// "mul.f16, mul.f32 and 5 more raise ZeroDivisionError: division by zero"
std::string sentence_of(const InstructionFault& fault);

}  // namespace lanecheck
