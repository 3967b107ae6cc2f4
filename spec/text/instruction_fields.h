// The list of the fields of an instruction. Everything that writes or reads an instruction (text, JSON, the
// protocol of backends, the C structs of plug-ins) walks this list, so that a new field is added here.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "spec/program/instruction.h"

namespace lanecheck {

/// What a field is called. In text, a field without a name is written as its value alone.
struct FieldName {
  std::string_view json;
  std::string_view text;
};

/// How text writes repeat times that a Scalar gives.
inline constexpr std::string_view kRepeatByScalar = "repeat=scalar:";

/// Calls `visit` for each field that `insn` has, in the order in which they are written. The operation and
/// its element types must be known; they are not visited. A visitor has these functions, whose values are
/// const if `insn` is:
///
///   word(FieldName, uint64&)                          a word of bits, written in hexadecimal
///   operand(const OperandColumn&, Operand&)           a place in an allocation, with strides
///   scalar(FieldName, Element, Scalar&)               a value of an element type
///   choice(FieldName, span<const string_view>, E&)    one of the named values of the enum E
///   numbers(FieldName, span<uint32>)                  a list of whole numbers
///   number(FieldName, uint32&)                        a whole number
///   mask_operand(MaskFrom&, uint64& high, uint64& low)
///   repeat(uint32& times, bool& by_scalar)            repeat times, and whether a Scalar gives them
template <class AnyInstruction, class Visitor>
void for_each_field(AnyInstruction& insn, Visitor&& visit) {
  const Row& row = row_of(insn.op);
  if (row.has_words) {
    visit.word({"high", "high"}, insn.high);
    visit.word({"low", "low"}, insn.low);
  }
  for (unsigned k = 0; k < row.operands.size(); ++k) visit.operand(row.operands[k], insn.operands[k]);
  if (takes_scalar(insn)) visit.scalar({"scalar", "scalar"}, scalar_type(insn), insn.scalar);
  if (row.rounds) visit.choice({"round", "round"}, kRoundNames, insn.round);
  if (row.compares) visit.choice({"compare", ""}, kCompareNames, insn.compare);
  if (row.lengths > 0) visit.numbers({"lengths", "length"}, std::span(insn.lengths).first(row.lengths));
  for (unsigned n = 0; n < row.settings.size(); ++n)
    visit.number({row.settings[n].name, row.settings[n].name}, insn.settings[n]);
  visit.mask_operand(insn.mask_from, insn.high, insn.low);
  if (row.has_repeat) visit.repeat(insn.repeat, insn.scalar_repeat);
}

}  // namespace lanecheck
