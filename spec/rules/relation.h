// The relations between the states before and after one step that rules are made of. All compare bytes, not
// values.
#pragma once

#include "spec/rules/rule.h"

namespace lanecheck::relation {

/// What a step walks over and which lanes are active, under the default readings of its profile: the mask
/// operand is in the register, and the count of counter mode is turned into repeats.
struct Walked {
  explicit Walked(const Step& step);

  bool is_on(std::uint64_t repeat, unsigned lane) const;

  MaskBits mask;
  ResolvedInstruction here;
};

/// Elements that are masked off keep their old bytes.
bool keeps_masked_off(const Step& step);
/// Active elements become what the run under a full mask wrote. Both relations leave the places that several
/// lanes write to the reading alias_winner.
bool writes_active(const Step& step);
inline bool gates_writeback(const Step& step) {
  return keeps_masked_off(step) && writes_active(step);
}

/// Masked-off elements keep their old bytes, active ones become what the run under a full mask wrote, and no
/// byte outside the elements of dst changes.
bool gates_writeback_alone(const Step& step);

/// A result with at least one active lane is what the run on the neutralised source wrote.
bool neutralises_masked_off(const Step& step);
/// A result with no active lane keeps its old bytes.
bool keeps_empty_results(const Step& step);
/// A result with no active lane becomes what the neutralised source gives.
bool writes_empty_results(const Step& step);

/// Counter mode: repeat times are those that follow from the count, so that the step shows nothing of them.
bool repeat_times_fit_count(const Step& step);

/// UB becomes what the run under a full mask left.
bool ignores_mask(const Step& step);

bool leaves_ub(const Step& step);
bool leaves_mask(const Step& step);
/// Nothing outside the elements that the instruction addresses changes.
bool stays_in_footprint(const Step& step);

// Instructions that set the mask: bit i of the low word is slot i, bit i of the high word slot 64 + i.
bool low_word_arrives(const Step& step);
bool high_word_arrives(const Step& step);
inline bool both_words_arrive(const Step& step) {
  return low_word_arrives(step) && high_word_arrives(step);
}
bool upper_half_stays(const Step& step);
bool register_is_full(const Step& step);

/// The byte of UB where `lane` of `repeat` starts in an operand that is walked by block and repeat strides.
/// `size`: bytes of its element.
std::uint64_t lane_at(const Step& step, const Operand& operand, unsigned size, std::uint64_t repeat,
                      std::uint64_t lane);
/// May two blocks or two repeats of dst, which is walked by its strides, share a place?
bool writes_a_place_twice(const Instruction& insn);

}  // namespace lanecheck::relation
