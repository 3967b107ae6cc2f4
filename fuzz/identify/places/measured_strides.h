// Finds the strides with which an operand is really walked.
#pragma once

#include "fuzz/identify/probes/maps.h"

namespace lanecheck {

/// Where lane `lane` of repeat `repeat` was found.
struct Found {
  unsigned repeat, lane;
  std::int32_t element;
};

/// A sentence about the strides of an operand, without its subject, and what it says of other programs.
struct WrongStrides {
  std::string text;
  PlaceLaw law;
  std::int64_t block, repeat, start;  ///< in data blocks, in data blocks, in elements

  /// The element that a lane walks over; `per`: elements of a data block.
  std::int64_t element(unsigned repeat_number, unsigned lane, unsigned per) const {
    return per * (repeat_number * repeat + lane / per * block) + lane % per + start;
  }
};

/// "starts 2 data blocks later", "starts 3 elements earlier". `per`: elements of a data block.
std::string starts_elsewhere(std::int64_t elements, std::int64_t per);

/// "block stride 1 instead of 2", with "and repeat stride 8 instead of 9" and "starts 1 data block later"
/// where they differ: what makes operand `k` walk over exactly the elements that were found. Nothing if no
/// strides do.
std::optional<WrongStrides> measured_strides(const Instruction& insn, unsigned k,
                                             const std::vector<Found>& found);

/// The same from the written elements of dst alone, under a full mask or a length.
std::optional<WrongStrides> written_strides(const Subject& subject, const DestinationMap& measured);

}  // namespace lanecheck
