// A documented rule is an object: a sentence of a document that a machine can check.
//
// `applies` says which steps the sentence speaks of; it is apart from `holds` so that a rule that was never
// exercised is seen as untested, not as green. `holds` judges one step by relation, without knowing what any
// instruction computes: against the same implementation's own run of the same instruction under a full mask.
// The lists of instructions stand in the rules as the document gives them, not as the table does: a wrong row
// disagrees with its rule.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "spec/program/program.h"
#include "spec/program/source.h"
#include "spec/program/state.h"
#include "spec/rules/cell.h"

namespace lanecheck {

/// One instruction's execution by one implementation.
struct Step {
  const Program& program;  ///< for its allocations
  const Instruction& insn;
  const State& before;
  const State& after;
  /// What the implementation leaves when it runs `insn` on `before` under a full mask; for a reduction, on a
  /// source whose masked-off elements were replaced by the neutral element.
  const State& unmasked;
};

struct Rule {
  std::string_view id;     ///< "VMC-3.1-keeps-dst"
  std::string_view claim;  ///< in our words
  Source source;
  Standing standing;
  bool (*applies)(const Cell&);
  bool (*holds)(const Step&);
  std::uint8_t profiles = 0;  ///< bit Profile set: where it holds; 0: wherever its document does
};

/// All, document by document; or those that hold in a profile.
std::span<const Rule> rules();
std::span<const Rule> rules(Profile profile);
bool speaks_for(const Rule& rule, Profile profile);
const Rule* find_rule(std::string_view id);

}  // namespace lanecheck
