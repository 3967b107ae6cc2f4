// Bits of a bitwise mask that a backend loses or always sets, while a contiguous mask is obeyed: in profiles
// that have no mask register, so that a wrong lane is all that is seen of it. And bitwise masks that come
// into force one instruction late.
#pragma once

#include <optional>

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// Changes sentences that say of lanes what holds under a bitwise mask alone: "lane 127 of axpy.f16 is never
/// written" becomes "bit 63 of the high word of a bitwise mask is taken as 0: lane 127 of axpy.f16 is not
/// written; contiguous masks are obeyed". Where lanes depend on other bits too, a law of the words that
/// predicts all lanes takes the place of all sentences. They stay as they are if contiguous masks are
/// disobeyed too, or cannot be given.
void say_bitwise_bits(const Subject& subject, const GateMap& measured, const GateMap& documented,
                      const Ask& ask, std::vector<Difference>& differences);

/// "axpy.f32.f16 writes nothing under a bitwise mask; contiguous masks are obeyed", of an instruction that
/// has written nothing under one. Nothing if it disobeys contiguous masks, too, or cannot be given one.
std::optional<Difference> nothing_under_bitwise_mask(const Subject& subject, const Ask& ask);

}  // namespace lanecheck
