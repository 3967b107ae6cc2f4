// Mistakes in arithmetic that an implementation could make: each is an oracle with one thing changed.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fuzz/identify/probes/shapes.h"
#include "spec/program/program.h"
#include "spec/program/state.h"

namespace lanecheck {

inline std::vector<Round> modes_of(const TypePair& types) {
  std::vector<Round> modes;
  for (unsigned mode = 0; mode < std::size(kRoundNames); ++mode)
    if ((types.modes >> mode & 1) != 0) modes.push_back(static_cast<Round>(mode));
  return modes;
}

inline constexpr Compare kEveryCompare[] = {Compare::eq, Compare::ne, Compare::lt,
                                            Compare::le, Compare::gt, Compare::ge};

inline std::string mode_name(Compare mode) {
  return std::string(kCompareNames[static_cast<std::size_t>(mode)]);
}

inline std::string mode_name(Round mode) {
  return std::string(kRoundNames[static_cast<std::size_t>(mode)]);
}

/// What an implementation could do instead: the oracle with another reading or another instruction.
struct ValueVariant {
  std::string text;
  std::function<void(const Program&, State&)> run;
  /// The program with another instruction of the table, in place of `run`.
  std::function<Program(const Program&)> instead{};
  std::string key{};  ///< of ResultsLaw
};

/// The oracle on the program with its last instruction changed.
ValueVariant with_instruction(std::string text, std::function<void(Instruction&)> change);

std::vector<ValueVariant> value_variants(const Subject& subject);

}  // namespace lanecheck
