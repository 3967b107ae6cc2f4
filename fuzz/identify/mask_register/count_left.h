// What an instruction makes of the count of counter mode in the mask register. By SetVectorMask, "Function
// Usage", the count stays until another one is set.
#pragma once

#include <optional>

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// "after mul.i16, the mask register holds the number of elements of its last repeat instead of the count n,
/// in counter mode". Of an instruction that takes its mask from the register, or brings words of its own,
/// which are a count in counter mode. One count that needs several repeats is asked for first, then counts
/// around whole repeats; a law must give all of them. If none does, an example is said of the count in the
/// register. Nothing if the count stays, or if the backend does not answer.
std::optional<Difference> count_left(const Subject& subject, const Ask& ask);

}  // namespace lanecheck
