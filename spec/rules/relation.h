// Relations between the states around one step that rules are made of. All are exact: bytes, not values.
#pragma once

#include "spec/rules/rule.h"

namespace lanecheck::relation {

/// What a step walks over, and which of it counts: its mask operand in the register, counter mode resolved,
/// as the documents of its profile have it.
struct Walked {
  explicit Walked(const Step& step);

  bool is_on(std::uint64_t repeat, unsigned lane) const;

  MaskBits mask;
  ResolvedInstruction here;
};

/// Elements that the mask switches off keep their old bytes; those it leaves on, and only those, become what
/// the run under a full mask wrote. Places that several lanes write are left to the reading alias_winner.
bool keeps_masked_off(const Step& step);
bool writes_active(const Step& step);
inline bool gates_writeback(const Step& step) {
  return keeps_masked_off(step) && writes_active(step);
}

/// A result with at least one active lane is what the run on the neutralised source wrote.
bool neutralises_masked_off(const Step& step);
/// A result with no active lane keeps its old bytes.
bool keeps_empty_results(const Step& step);
/// A result with no active lane becomes what the neutralised source gives.
bool writes_empty_results(const Step& step);

/// UB becomes what the run under a full mask left.
bool ignores_mask(const Step& step);

bool leaves_ub(const Step& step);
bool leaves_mask(const Step& step);
/// Nothing outside the elements that the instruction addresses changes.
bool stays_in_footprint(const Step& step);

}  // namespace lanecheck::relation
