// Does an instruction that adds to dst take its old content for 0 in a last repeat that is not full?
#pragma once

#include "fuzz/identify/trials/trials.h"

namespace lanecheck {

/// "the old dst of axpy.f16 counts as 0 in the last repeat". `subject` has a count that does not fill its
/// last repeat. Nothing if that does not give all that the backend leaves, with this and another count.
std::optional<Difference> forgotten_dst(Subject subject, const Ask& ask);

}  // namespace lanecheck
