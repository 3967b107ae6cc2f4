// Which mistakes explain the wrong answers of an adapter.
#pragma once

#include "fuzz/doctor/doctor.h"

namespace lanecheck {

/// Fills in the causes, and the answers that no known mistake explains. A mistake is refuted by any answer
/// that such an adapter would not give. If no mistake explains all wrong answers, several mistakes may: each
/// explains other answers, and together they explain all of them. Otherwise no mistake is named.
void find_causes(Diagnosis& diagnosis);

/// Are the states after `programs` the same, as far as the backend shows them and the documents settle them?
bool same_states(std::span<const Program> programs, const std::vector<State>& some,
                 const std::vector<State>& others, bool shows_mask);

}  // namespace lanecheck
