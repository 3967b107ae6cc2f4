// The heat map of a finding: over its cases, in how many a place (repeat and lane of dst, or slot of the mask
// register) differs, and in how many there is such a place at all.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "spec/program/mask.h"

namespace lanecheck {

/// A place that several cases may have.
struct Heat {
  std::uint64_t differs = 0;  ///< the number of cases in which it differs
  std::uint64_t of = 0;       ///< the number of cases that have it

  bool operator==(const Heat&) const = default;
};

/// An element of dst of the instruction that a case is counted for.
struct Place {
  unsigned repeat = 0;
  unsigned repeats = 1;   ///< of the instruction
  unsigned lane = 0;      ///< within the repeat
  unsigned in_block = 0;  ///< within the data block: less than HeatMap::kInBlock
};

class CasePlaces;

/// The size does not depend on the number of cases.
struct HeatMap {
  static constexpr unsigned kRepeats = 17;  ///< the last one stands for all repeats from 16 on
  static constexpr unsigned kLanes = 256;   ///< the last one stands for all lanes from 255 on
  static constexpr unsigned kInBlock = 32;

  std::uint64_t cases = 0;               ///< the number of cases in which elements were found that differ
  std::vector<Heat> elements;            ///< kRepeats rows of kLanes; empty if there is no case
  std::array<Heat, kRepeats> to_last{};  ///< the last repeat, the one before it, ...: any of its elements
  std::array<Heat, kInBlock>
      in_block{};                    ///< the places of a data block: the element there, of any data block
  std::uint64_t mask_cases = 0;      ///< the number of cases that leave another mask
  std::vector<std::uint64_t> slots;  ///< kMaskSlots numbers: cases whose slot differs; empty without cases

  bool empty() const { return cases == 0 && mask_cases == 0; }
  const Heat& at(unsigned repeat, unsigned lane) const {
    return elements[std::size_t{repeat} * kLanes + lane];
  }
  /// How many lanes the widest repeat has.
  unsigned lanes() const;

  void count(const CasePlaces& places);
  void count_mask(const Mask& expected, const Mask& actual);

  bool operator==(const HeatMap&) const = default;
};

/// The places of one case.
class CasePlaces {
 public:
  void add(const Place& place, bool differs);

 private:
  friend struct HeatMap;
  /// For each place a mark: nothing there, an element, an element that differs.
  std::array<std::uint8_t, std::size_t{HeatMap::kRepeats} * HeatMap::kLanes> elements_{};
  std::array<std::uint8_t, HeatMap::kRepeats> to_last_{};
  std::array<std::uint8_t, HeatMap::kInBlock> in_block_{};
};

/// What the map shows at a glance, for people: "only in lanes 64 to 127, almost only in the last repeat".
/// "Almost": the other places differ in a share of their cases that is at least 50 times smaller. Empty if
/// the elements that differ have no such thing in common.
std::string common_places(const HeatMap& map);

}  // namespace lanecheck
