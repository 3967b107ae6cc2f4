// For tests of sort32 and the merges: their records.
#pragma once

#include <array>
#include <cstring>

#include "spec/program/element.h"
#include "spec/text/number.h"

namespace lanecheck {

/// As it lies in UB, and the value of its score.
struct RecordBytes {
  double score;
  std::array<std::byte, 8> bytes;
};

/// `type`: of the score, which stands first.
inline RecordBytes record_of(const std::array<std::byte, 8>& bytes, Element type) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data(), size_of(type));
  return {value_of(type, bits), bytes};
}

}  // namespace lanecheck
