// Finds what an instruction does in place of the documented, and under which condition: strides, places of
// single repeats, and results that are combined. A law is said only if it gives every byte of all trials.
#pragma once

#include "fuzz/identify/trials/trials.h"

namespace lanecheck {

/// How the law of an operand's stride is said if only a stride of 0 is taken for another one.
struct OfZero {
  std::string condition;  ///< "the block stride of src is 0"
  std::string text;       ///< "src of cmin.f16 takes a block stride of 0 as 1"
  MapKind map;
  StrideLaw law;
};

/// What may be done in place of the documented: other instructions are executed, or UB is left as `leaves`
/// says.
struct Conjecture {
  std::string text;  ///< "src of cmin.f16 walks with block stride 1"
  MapKind map;
  /// In place of the given one, which they differ from in repeat times and operands only.
  std::function<std::vector<Instruction>(const Instruction&)> instead{};
  PlaceLaw law{};
  std::string own{};     ///< "the block stride of src": the stride that is another one
  std::string always{};  ///< behind the text, if no condition follows: ", whatever is given"
  std::optional<OfZero> of_zero{};
  std::string key{};  ///< of the cause, if no condition follows; empty: made of the text
  std::function<std::optional<Bytes>(const ShapeTrial&)> leaves{};  ///< UB afterwards, if `instead` is empty
};

/// The instruction is executed as `law` says.
inline Conjecture conjecture_of(std::string text, MapKind map, PlaceLaw law) {
  return {std::move(text), map, [law](const Instruction& given) { return std::vector{*law(given)}; }, law};
}

/// What a law may depend on.
struct TrialCondition {
  std::string text;  ///< " if its repeat stride is 8"
  std::function<bool(const Instruction&)> of_instruction{};
  bool of_full_mask = false;
};

/// One stride of an operand is another one: a constant, or that of another operand.
std::vector<Conjecture> stride_conjectures(const Instruction& insn);

/// The repeats of one operand lie as far apart as the repeat stride of another operand says, in a unit that
/// is not its own: 8 data blocks, an element, 2 bytes of packed bits.
std::vector<Conjecture> distance_conjectures(const Instruction& insn);

/// Two operands take each other's strides.
std::vector<Conjecture> exchange_conjectures(const Instruction& insn);

/// The sources are exchanged. Without a condition that is a mistake in values.
std::vector<Conjecture> source_conjectures(const Instruction& insn);

/// An operand is taken to lie in a row, whatever its strides are.
std::vector<Conjecture> in_a_row_conjectures(const Instruction& insn);
/// Does operand `k` lie in a row: block stride 1, and no gap between its repeats?
bool lies_in_a_row(const Instruction& insn, unsigned k);
/// The repeat stride with which operand `k` lies in a row, in data blocks.
std::uint32_t repeat_stride_in_a_row(const Instruction& insn, unsigned k);

/// Some repeats (the last ones, those left over by fours, the odd ones) lie as if the repeat stride were
/// another one.
std::vector<Conjecture> repeat_conjectures(const Instruction& insn);

/// The product of a repeat's number and the repeat stride of an operand, or of each operand, is kept in too
/// few bits. Said only if fresh strides and repeat times show it too.
std::optional<Difference> distance_in_few_bits(const ShapeTrial& first, const Ask& ask);

/// Results are combined with what other repeats have left in dst, or with its old content.
std::vector<Conjecture> combination_conjectures(const Instruction& insn);

/// The first conjecture, and the plainest condition, that give all trials around `first`. Nothing if none
/// does. `always_too`: says also a law without a condition.
std::optional<Difference> conditional_law(const ShapeTrial& first, const std::vector<Conjecture>& conjectures,
                                          const Ask& ask, bool always_too);

/// The law of the three kinds of conjectures that gives what the subject leaves under a full mask.
/// `differences`: what its maps have shown. `is_first`: in the first shape, where strides are said without
/// conditions.
std::optional<Difference> law_of_trials(const Subject& subject, const std::vector<Difference>& differences,
                                        bool is_first, const Ask& ask);

/// One wrong stride that shows under a full mask: "src of cmax.f16 walks with block stride 1, whatever is
/// given". For reductions whose maps, of one lane for each result, do not show it.
std::optional<Difference> stride_law(const Subject& subject, const Ask& ask);
/// The same of some repeats: "from repeat 1 (counted from 0) on, src of cmax.f16 walks with block stride 1".
std::optional<Difference> repeat_law(const Subject& subject, const Ask& ask);

}  // namespace lanecheck
