// The programs whose results show a mistake in arithmetic: one instruction under one mask, on data of many
// kinds.
#pragma once

#include <vector>

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// The programs in all styles of data, modes and scalars, with their operands in a row. Each `draw` has data
/// of its own: what the results of one draw show can be checked on those of another one.
std::vector<Program> value_programs(const Subject& subject, Layout& layout, unsigned draw,
                                    const MaskWords& mask);

}  // namespace lanecheck
