// Short programs of profile vmc in which masks are set, and instructions obey them or do not.
#pragma once

#include <vector>

#include "fuzz/backend/backend.h"

namespace lanecheck {

/// Under each law of mask_laws.h, and each known backend of this kind, one of these differs from the
/// documents. The smallest one comes first. Lines that the backend does not offer are left out.
std::vector<Program> small_sequences(const Capabilities& offers);

/// These tell the laws apart.
std::vector<Program> larger_sequences(const Capabilities& offers);

}  // namespace lanecheck
