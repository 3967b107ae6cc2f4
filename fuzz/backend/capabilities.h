// What a backend says it can run: rows of instruction, element types, profile and mask mode.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spec/program/program.h"

namespace lanecheck {

/// One row of a handshake. An empty field stands for every value.
struct Capability {
  std::string instruction, dst, src, profile, mode;

  bool operator==(const Capability&) const = default;
};

/// The fields of a row with the names that they have in the handshake.
inline std::array<std::pair<std::string_view, std::string_view>, 5> fields_of(const Capability& offer) {
  return {{{"instruction", offer.instruction},
           {"dst", offer.dst},
           {"src", offer.src},
           {"profile", offer.profile},
           {"mode", offer.mode}}};
}

struct Capabilities {
  bool everything = true;  ///< the backend gave no rows, so everything is on offer
  std::vector<Capability> rows;

  bool include(const Instruction& insn, Profile profile) const;
  bool include_all_of(const Program& program) const;
  bool operator==(const Capabilities&) const = default;
};

/// A row that matches no instruction of the table is a mistake of the backend: whatever it meant to offer
/// would be left out in silence. Returns which row it is, what is wrong with it and what exists; "" if every
/// row matches something.
std::string fault_of(const Capabilities& offers);

/// Leaves out what is not on offer. Any subsequence of a program is a program.
/// Returns the instructions that were left out.
std::vector<Instruction> restrict_to(const Capabilities& offers, Program& program);

}  // namespace lanecheck
