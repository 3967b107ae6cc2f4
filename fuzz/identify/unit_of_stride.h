// Tells in which unit a reduction counts the repeat stride of dst.
#pragma once

#include <string_view>

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// How the general sentence of such a difference begins: what follows hangs on the types and the instruction.
inline constexpr std::string_view kCountsStride = "counts its dst repeat stride in ";

/// If several strides show that dst of `subject` counts its repeat stride in elements, in data blocks or in
/// several times its unit, `difference` says so. `mask`: under which places are measured.
void name_unit_of_stride(const Subject& subject, MaskWords mask, Difference& difference, const Ask& ask);

}  // namespace lanecheck
