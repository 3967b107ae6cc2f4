// What masked-off lanes receive if they do not keep their old dst.
#pragma once

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// Says what masked-off lanes receive in place of their old dst: "0".
void say_received(const Subject& subject, const std::string& value, Difference& difference);

/// "masked-off lanes of mul.f32 receive the old dst of their lane in repeat 0 ...": also what the probes of
/// gates do not see, because they have one old dst for all lanes. Nothing if masked-off lanes keep their old
/// dst, or if no candidate gives what they hold.
std::optional<Difference> received_difference(const Subject& subject, const Ask& ask);

/// Changes each sentence that names the value, or says that the mask is ignored, if drawn sources show what
/// the lanes receive: "masked-off lanes of vmax.f16 receive their element of src0". Other sentences stay as
/// they are. If parts of elements have slots of their own, this is all that is said. If drawn old dst shows
/// that masked-off lanes keep it, all that is said of gates is taken back.
void say_masked_off(const Subject& subject, const Ask& ask, std::vector<Difference>& differences);

}  // namespace lanecheck
