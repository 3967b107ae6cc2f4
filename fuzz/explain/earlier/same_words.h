// Tells whether an instruction that sets the mask or the mode does nothing because an earlier one has set the
// same.
#pragma once

#include "fuzz/explain/questions/asked_backend.h"
#include "fuzz/explain/questions/suspects.h"

namespace lanecheck {

/// Does instruction `again` of `part`, which sets the mask, do nothing because instruction `at` has the same
/// words? With other words in both it does nothing either, and with one bit more it does what it should.
bool has_no_effect_again(const Program& part, std::size_t at, std::size_t again, AskedBackend& asked,
                         const Documented& documented);

/// Does instruction `again`, which sets the mode, do nothing because instruction `at` set the same one,
/// though the mode was changed between them? Without that one it does what it should, with other data too.
bool has_no_effect_on_mode(const Program& part, std::size_t at, std::size_t again, AskedBackend& asked,
                           const Documented& documented);

}  // namespace lanecheck
