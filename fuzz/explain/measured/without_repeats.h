// An instruction that does nothing at all if its repeat times are 0.
#pragma once

#include <optional>
#include <string>

#include "fuzz/explain/questions/suspects.h"

namespace lanecheck {

struct WithoutRepeats {
  std::string kind;  ///< what it does not do, for the finding's id: "writes", "register"
  std::string sentence;
};

/// "adds.f16 writes nothing if its repeat times are 0, also for a count of its own", which decides how many
/// repeats there are. Or "shr.i32 does not put its own mask into the mask register if its repeat times are
/// 0". Said if the last instruction of `part` leaves all as it was with any data, and is right with repeat
/// times of 1.
std::optional<WithoutRepeats> without_repeats(const Program& part, AskedBackend& asked,
                                              const Documented& documented);

}  // namespace lanecheck
