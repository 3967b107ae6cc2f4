// What masked-off lanes may receive in place of their old dst, and which of them.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// A program in which all lanes have other sources and another old dst, and its answers.
struct Drawn {
  const Subject& subject;
  Layout layout;
  MaskWords mask{};
  Program program;
  State actual, result{};        ///< `result`: the documented state under a full mask
  std::vector<State> of_zero{};  ///< the same if all elements of operand 1, 2, ... are 0
  State of_old{};                ///< the same if its only source holds what dst held before

  /// The element of an operand that belongs to a lane.
  std::uint64_t get(std::span<const std::byte> ub, unsigned operand, unsigned repeat, unsigned lane) const;
};

/// Is the lane active? No slot of the two words gates those from 128 on.
bool is_on(const Drawn& each, unsigned lane);

/// What a masked-off lane can receive.
struct Received {
  std::string text;
  std::function<std::uint64_t(const Drawn&, unsigned repeat, unsigned lane)> of;
};

/// Which masked-off lanes receive something else.
struct OffLanes {
  std::string_view text;  ///< behind the name of the instruction
  bool (*has)(const Drawn& each, unsigned lane);
};

/// All of them, then those of some places.
std::span<const OffLanes> off_lanes();

/// Has the instruction one source, of the type of dst, so that old dst can stand there?
bool has_one_source(const Subject& subject);

/// What every masked-off lane may receive.
std::vector<Received> received_candidates(const Subject& subject);

}  // namespace lanecheck
