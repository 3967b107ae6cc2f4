// What one instruction leaves in the mask register and in the mask mode, in the profiles whose register is
// set by SetVectorMask. Nobody needs to show the register: an instruction that uses it is run afterwards.
#pragma once

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

bool has_register_probes(const Subject& subject);

/// What the subject does to the register and the mode instead of what is documented. The subject keeps its
/// kind of mask operand; the probes choose the mask, and the register and the mode before.
std::vector<Difference> register_differences(const Subject& subject, const Ask& ask);

/// Does set_vector_mask, too, leave in the register what `law` says of the subject?
bool is_law_of_words(const Difference& law, const Subject& subject, const Ask& ask);

/// Which lanes an instruction without a mask of its own writes under the words of the register, in normal
/// mode, if it could also take a mask of its own. Only of instructions whose lanes are gated one by one.
std::vector<Difference> register_gate_differences(const Subject& subject, const Ask& ask);

}  // namespace lanecheck
