// A mask operand that a backend does not set again because an earlier instruction has the same one.
#pragma once

#include <optional>
#include <string>

#include "fuzz/explain/questions/asked_backend.h"
#include "fuzz/explain/questions/suspects.h"

namespace lanecheck {

/// "dup.i16 does not set its contiguous mask again if it is that of the earlier dup.i16 (instruction 1): it
/// runs under what stands in the mask register by then". Or that it is wrong with this mask only. `part` ends
/// with the diverging instruction.
std::optional<std::string> own_mask_not_set_again(const Program& part, AskedBackend& asked,
                                                  const Documented& documented);

}  // namespace lanecheck
