#include "fuzz/identify/exchanged_strides.h"

#include <algorithm>
#include <string>
#include <utility>

#include "fuzz/identify/places/places_of_subject.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// "walks with block stride 8 instead of 1 and walks with repeat stride 1 instead of 8"
std::string exchanged_text(const Operand& operand) {
  const std::string block = std::to_string(operand.block_stride),
                    repeat = std::to_string(operand.repeat_stride);
  return "walks with block stride " + repeat + " instead of " + block + " and walks with repeat stride " +
         block + " instead of " + repeat;
}

}  // namespace

void name_exchanged_strides(const Subject& subject, MaskWords mask, Difference& difference, const Ask& ask) {
  const auto own = operand_of(subject, difference);
  if (!own || row_of(subject.insn.op).operands[*own].walk != Walk::blocks) return;
  if (row_of(subject.profile).block_stride_fixed) return;
  const unsigned k = *own;
  const std::string seen = exchanged_text(subject.insn.operands[k]);
  if (!difference.what.ends_with(seen)) return;
  Subject other = subject;
  other.insn.operands[k].block_stride = 2;
  other.insn.operands[k].repeat_stride = 17;
  const std::string expected = exchanged_text(other.insn.operands[k]);
  const auto differences = differences_in_places(other, mask, ask);
  if (std::ranges::none_of(differences, [&](const Difference& each) {
        return each.map == difference.map && each.what.ends_with(expected);
      }))
    return;
  difference.what.replace(difference.what.size() - seen.size(), std::string::npos,
                          "exchanges block stride and repeat stride");
  if (difference.places)
    difference.places = [k](const Instruction& given) {
      Instruction executed = given;
      std::swap(executed.operands[k].block_stride, executed.operands[k].repeat_stride);
      return std::optional(executed);
    };
}

}  // namespace lanecheck
