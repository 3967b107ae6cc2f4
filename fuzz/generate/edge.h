// Programs around the border of what is legal: one legality rule (spec/legality/legality_rule.h) is stepped
// on or just over, everything else stays legal.
#pragma once

#include "fuzz/generate/generate.h"
#include "spec/legality/find_fault.h"

namespace lanecheck {

struct EdgeCase {
  const LegalityRule* rule;  ///< whose border it is
  bool outside;              ///< just outside: must be refused; else just inside: must run
};

/// Case `index` of `seed` as a border case: a function of (mix.profile, seed, index). The rules take turns.
EdgeCase generate_at_edge(std::uint64_t seed, std::uint64_t index, const Mix& mix, Program& program);

}  // namespace lanecheck
