// Measures whether set_mask takes effect one instruction late (profile vmc).
//
// On such a backend each instruction that obeys the mask looks as if it had a fault of its own. So this is
// measured before any other cause is named, and further cases are recognized by a model.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fuzz/explain/suspects.h"
#include "reports/report.h"

namespace lanecheck {

/// What a late set_mask waits for.
enum class LateUntil : std::uint8_t {
  after_next,        ///< any instruction except set_mask, reset_mask among them
  after_next_gated,  ///< an instruction that is no mask instruction; a reset_mask replaces a waiting mask
};

/// Asks about sequences of set_mask, reset_mask and dup. Nothing if the backend does not answer all of them
/// as one of the models.
std::optional<LateUntil> measure_late_mask(AskedBackend& asked, const Documented& documented);

/// The program that the documents give the behaviour of such a backend for.
Program with_late_masks(const Program& program, LateUntil until);

inline constexpr std::string_view kLateMaskId = "measured-state-late-set-mask";

/// The finding of such a backend, with this id, shown by the smallest of the sequences.
Finding late_mask_finding(AskedBackend& asked, const Documented& documented);

}  // namespace lanecheck
