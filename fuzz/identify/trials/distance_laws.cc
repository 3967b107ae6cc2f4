// The repeats of an operand lie as far apart as the repeat stride of another operand says, in a unit of their
// own.
#include <algorithm>

#include "fuzz/identify/trials/conditional_law.h"
#include "fuzz/identify/trials/single_repeats.h"
#include "spec/mask/footprint.h"
#include "spec/program/instruction.h"

namespace lanecheck {
namespace {

/// By how much operand `k` moves on if the repeat stride of `other` counts in units of `bytes` bytes, in
/// words that hold for element types of each size where there are some.
std::string distance_text(const Instruction& insn, unsigned k, unsigned other, std::uint32_t bytes) {
  const auto operands = row_of(insn.op).operands;
  const Element own = operand_type(insn, operands[k]), theirs = operand_type(insn, operands[other]);
  const std::string stride = "the repeat stride of " + std::string(operands[other].role);
  if (operands[k].walk == Walk::bits && 8 * bytes == per_block(theirs))
    return "as many bits as " + stride + " has elements";
  if (operands[k].walk != Walk::bits && bytes == size_of(own))
    return "as many elements as " + stride + " has data blocks";
  if (bytes == kBlockBytes) return stride + ", in data blocks";
  if (bytes % kBlockBytes == 0) return std::to_string(bytes / kBlockBytes) + " data blocks times " + stride;
  return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes") + " times " + stride;
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
        all.push_back(
            {role_of(insn, k) + " moves on from repeat to repeat by " + distance_text(insn, k, other, unit),
             map_of_role(operands[k].role),
             [k, distance](const Instruction& given) { return one_for_each_repeat(given, k, distance); }});
      }
  }
  return all;
}

}  // namespace lanecheck
