// What comparisons and selects leave in the compare mask.
#pragma once

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// "after select_bits.f32, bits 64..127 of the compare mask are what they were before": each instruction that
/// loads or reads the compare mask (asc-devkit, Select, GetCmpMask) stands between a set_cmpmask and a
/// get_cmpmask. The first that leaves other bits than documented; nothing if none does. compare_cmpmask is
/// measured by kept_bits.
std::optional<Difference> left_bits_difference(Profile profile, const Ask& ask);

}  // namespace lanecheck
