// The repeats of an operand lie as far apart as the repeat stride of another operand says, in a unit of their
// own.
#include <algorithm>

#include "fuzz/identify/trials/conditional_law.h"
#include "fuzz/identify/trials/single_repeats.h"
#include "spec/mask/footprint.h"
#include "spec/program/instruction.h"

namespace lanecheck {
namespace {

/// "2 bytes", "a data block", "256 bytes"
std::string unit_text(std::uint32_t bytes) {
  if (bytes == kBlockBytes) return "a data block";
  return bytes == 1 ? "1 byte" : std::to_string(bytes) + " bytes";
}

}  // namespace

std::vector<Conjecture> distance_conjectures(const Instruction& insn) {
  constexpr std::uint32_t kUnits[] = {1, 2, 4, 8, 16, kBlockBytes, 64, 128, 256, 512};
  std::vector<Conjecture> all;
  if (!has_repeats_apart(insn)) return all;
  const auto operands = row_of(insn.op).operands;
  for (unsigned k = 0; k < operands.size(); ++k) {
    if (operands[k].walk == Walk::elements) continue;  // laws of offsets and of brcb say it
    for (unsigned other = 0; other < operands.size(); ++other)
      for (const std::uint32_t unit : kUnits) {
        const bool same_unit = has_stride(insn, k, &Operand::repeat_stride) && step_with(insn, k, 1) == unit;
        if (k == other || !has_stride(insn, other, &Operand::repeat_stride) || same_unit) continue;
        const Distance distance = [other, unit](const Instruction& given, unsigned, unsigned r) {
          return r * unit * given.operands[other].repeat_stride;
        };
        all.push_back({role_of(insn, k) + " moves on from repeat to repeat by " + unit_text(unit) +
                           " times the repeat stride of " + std::string(operands[other].role),
                       map_of_role(operands[k].role), [k, distance](const Instruction& given) {
                         return one_for_each_repeat(given, k, distance);
                       }});
      }
  }
  return all;
}

}  // namespace lanecheck
