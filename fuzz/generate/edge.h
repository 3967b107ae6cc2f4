// Programs at the edge of what is legal: one program is stepped just inside or just outside of one rule of
// legality and breaks no other. The rules bring their own steps (EdgeMove in spec/legality/edge_subject.h).
#pragma once

#include <functional>
#include <vector>

#include "fuzz/generate/generate.h"
#include "spec/legality/legality_rule.h"

namespace lanecheck {

struct EdgeCase {
  const LegalityRule* rule;
  bool outside;  ///< just outside: a backend must refuse the program; just inside: it must run
};

/// Case `index` of `seed` as an edge case: a function of (mix.profile, seed, index). The rules are drawn.
EdgeCase generate_at_edge(std::uint64_t seed, std::uint64_t index, const Mix& mix, Program& program);

/// The rules of `profile` that have an edge move.
const std::vector<const LegalityRule*>& rules_with_edge(Profile profile);

/// Changes a legal program before it is stepped to an edge; false if that leaves no legal program.
using BeforeStep = std::function<bool(Program& program)>;

/// Program `index` of `seed` on the given side of an edge of mix.profile; false if no attempt leads there.
bool generate_at(const EdgeCase& edge, std::uint64_t seed, std::uint64_t index, const Mix& mix,
                 const BeforeStep& before, Program& program);

}  // namespace lanecheck
