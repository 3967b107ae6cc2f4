// A plug-in without a worker process (--in-process) takes lanecheck with it when it crashes. The cases that
// it was running are then on standard error.
#pragma once

#include <cstdint>
#include <functional>

namespace lanecheck {

/// From now on a crash of this process says which cases were running. Call what it returns before each batch.
std::function<void(std::uint64_t first, std::uint64_t count)> note_cases(std::uint64_t seed);

}  // namespace lanecheck
