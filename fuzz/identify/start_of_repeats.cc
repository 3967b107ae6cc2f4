#include "fuzz/identify/start_of_repeats.h"

#include <algorithm>
#include <string>

#include "fuzz/identify/places/measured_strides.h"
#include "fuzz/identify/places/places_of_subject.h"
#include "spec/mask/footprint.h"
#include "spec/text/program_text.h"

namespace lanecheck {

void name_start_of_other_repeat(const Subject& subject, MaskWords mask, Difference& difference,
                                const Ask& ask) {
  const auto own = operand_of(subject, difference);
  if (!own) return;
  const unsigned k = *own;
  const OperandColumn& column = row_of(subject.insn.op).operands[k];
  if (column.walk != Walk::blocks && column.walk != Walk::rows) return;
  const std::uint32_t stride = subject.insn.operands[k].repeat_stride;
  const std::int64_t per = per_block(operand_type(subject.insn, column));
  for (const std::int64_t sign : {1, -1}) {
    const std::string moved = " " + starts_elsewhere(sign * stride * per, per);
    if (stride == 0 ||
        !difference.what.ends_with(std::string(column.role) + " of " + mnemonic(subject.insn) + moved))
      continue;
    Subject other = subject;
    other.insn.operands[k].repeat_stride = stride + 3;
    const std::string expected = " " + starts_elsewhere(sign * (stride + 3) * per, per);
    const auto seen = differences_in_places(other, mask, ask);
    if (seen.size() != 1 || seen[0].map != difference.map || !seen[0].what.ends_with(expected)) return;
    difference.what.replace(difference.what.size() - moved.size(), std::string::npos,
                            std::string(" starts one repeat stride ") + (sign > 0 ? "later" : "earlier"));
    if (difference.places)
      difference.places = [k, sign](const Instruction& given) -> std::optional<Instruction> {
        Instruction executed = given;
        Operand& operand = executed.operands[k];
        const std::int64_t offset =
            std::int64_t{operand.offset} + sign * std::int64_t{operand.repeat_stride} * kBlockBytes;
        if (offset < 0) return {};
        operand.offset = static_cast<std::uint32_t>(offset);
        return executed;
      };
    return;
  }
}

}  // namespace lanecheck
