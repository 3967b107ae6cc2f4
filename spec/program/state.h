// What a program leaves behind: the bytes of UB, the vector mask, the mode of the mask and the compare mask.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <vector>

#include "spec/program/instruction.h"
#include "spec/program/mask.h"

namespace lanecheck {

struct State {
  std::vector<std::byte> ub;
  Mask mask = kFullMask;
  Mode mode = Mode::normal;
  /// The compare mask register (SetCmpMask), lowest bit first. A backend shows it only through GetCmpMask.
  std::array<std::byte, 16> cmpmask{};

  bool operator==(const State& other) const;
};

/// Are the bytes the same? The comparison of the standard library would look at one after the other.
inline bool same_bytes(const std::vector<std::byte>& a, const std::vector<std::byte>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0);
}

inline bool State::operator==(const State& other) const {
  return same_bytes(ub, other.ub) && mask == other.mask && mode == other.mode && cmpmask == other.cmpmask;
}

/// The bits of the element at byte `at` of UB; 0 if it does not lie inside UB, as under a mutant.
inline std::uint64_t bits_at(const State& state, std::size_t at, Element type) {
  std::uint64_t bits = 0;
  const unsigned size = size_of(type);
  if (at + size > state.ub.size()) return 0;
  const std::byte* const from = state.ub.data() + at;
  if (size == 4) return std::memcpy(&bits, from, 4), bits;  // a constant size is one move
  if (size == 2) return std::memcpy(&bits, from, 2), bits;
  std::memcpy(&bits, from, size);
  return bits;
}

/// Which parts of a state an implementation shows beside UB.
struct Shown {
  bool mask = true, mode = true;

  Shown(bool both) : mask(both), mode(both) {}  // NOLINT: most show both or neither
  Shown(bool shows_mask, bool shows_mode) : mask(shows_mask), mode(shows_mode) {}
};

}  // namespace lanecheck
