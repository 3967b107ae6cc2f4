// The smallest program on which two readings of the documents differ.
#pragma once

#include <functional>
#include <optional>

#include "fuzz/backend/capabilities.h"
#include "fuzz/generate/generate.h"
#include "spec/program/reading.h"

namespace lanecheck {

/// The final states under the two readings differ, or the program is legal under one of them only. Nothing if
/// no generated program tells the readings apart, or if `stop` returns true. Uses only instructions that the
/// backend offers.
std::optional<Program> smallest_difference(std::uint64_t seed, Mix mix, const Readings& one,
                                           const Readings& other, const Capabilities& offers = {},
                                           const std::function<bool()>& stop = {});

}  // namespace lanecheck
