// Which of an instruction's results are wrong: those of elements, scalars and modes of one kind?
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "spec/program/program.h"

namespace lanecheck {

/// One result of a program whose last instruction has its operands in a row, under a full mask.
struct JudgedResult {
  const Program* program;
  std::uint32_t number;    ///< counts from 0 over all repeats
  std::uint64_t actual;    ///< bits; of a comparison 0 or 1
  std::uint64_t expected;  ///< the same, by the documents
  bool is_wrong;
};

/// Do lanes of the sources stand for single results of this instruction?
bool has_result_of_each_lane(const Instruction& insn);

/// The bits of the element of operand `k`, which walks over data blocks, that result `number` is computed
/// from.
std::uint64_t source_bits(const Program& program, unsigned k, std::uint32_t number);

/// A number that a result is computed from, or the documented result.
struct Quantity {
  std::string name;        ///< "the old element of dst", "src0", "the scalar"
  std::string short_name;  ///< as a formula has it: "old dst", "src0", "scalar"
  Element type;
  std::function<std::uint64_t(const JudgedResult&)> bits;

  double value(const JudgedResult& result) const;
};

/// The operands of the instruction that are computed with: elements, and the scalar as the last one.
std::vector<Quantity> numbers_of(const Instruction& insn);

/// "takes its scalar as an unsigned number": what is said if operands `of` are taken as integers of the other
/// sign.
std::string text_of_signs(Element type, const std::string& of);

/// "gives 0 if src is subnormal": every result for which the condition holds is this number, and all others
/// are right, in `fresh` too, the results of other data. Without "if" if all
/// results are of this kind. Nothing if no condition tells.
std::optional<std::string> conditional_outcome(const std::vector<JudgedResult>& results,
                                               const std::vector<JudgedResult>& fresh);

/// A kind of data that tells wrong results from right ones.
struct TellingData {
  std::string condition;  ///< "src1 is negative"
  bool is_exact = false;  ///< all results of this kind are wrong

  /// ", exactly those of them for which src1 is negative"
  std::string text() const;
};

/// Nothing if no kind of data tells. What is said holds for `fresh` too, the results of other data.
std::optional<TellingData> telling_data(const std::vector<JudgedResult>& results,
                                        const std::vector<JudgedResult>& fresh);

}  // namespace lanecheck
