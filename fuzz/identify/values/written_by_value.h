// Elements that are written, or not, because of their values.
#pragma once

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// "relu.i8 does not write results for which src is positive" of lanes that are `on`, under a full mask; of
/// the others, under a mask with gaps: "lrelu.f16 writes masked-off lanes for which src is positive". Of an
/// instruction that the mask gates. Nothing if no condition gives exactly these, or if all results are
/// treated alike.
std::optional<Difference> written_by_value(const Subject& subject, bool on, const Ask& ask);

}  // namespace lanecheck
