#include "fuzz/identify/trials/dst_as_source.h"

#include <algorithm>

#include "fuzz/identify/probes/move_map.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// What the documents leave if operand `k` holds what dst holds. The operand itself keeps its data.
std::optional<Bytes> left_with_dst_as(unsigned k, const ShapeTrial& trial) {
  const Region &dst = trial.layout.regions[0], &src = trial.layout.regions[k];
  ShapeTrial copied = trial;
  Bytes& ub = copied.program.ub;
  const std::uint32_t bytes = std::min(dst.bytes - dst.margin, src.bytes - src.margin);
  std::copy_n(trial.program.ub.begin() + dst.begin + dst.margin, bytes, ub.begin() + src.begin + src.margin);
  auto left = left_by(copied, {trial.placed()});
  if (left) std::copy_n(trial.program.ub.begin() + src.begin, src.bytes, left->begin() + src.begin);
  return left;
}

}  // namespace

std::optional<Difference> dst_as_source(const Subject& subject, const Ask& ask) {
  const Row& row = row_of(subject.insn.op);
  if (!has_move_probes(row) || row.compares || row.mask == MaskUse::neutral_source) return {};
  Subject one = subject;  // a later repeat reads what an earlier one wrote
  if (row.has_repeat) one.insn.repeat = 1;
  for (unsigned k = 1; k < row.operands.size(); ++k) {
    if (k == kOffsetsOperand && indexed_operand(row)) continue;
    if (size_of(operand_type(one.insn, row.operands[k])) != size_of(one.insn.dst_type)) continue;
    const auto takes_dst = [&](unsigned seed) {
      const auto trial = run_trial_over_numbers(one, full_mask(one), seed, ask);
      return trial && !trial->is_right() && left_with_dst_as(k, *trial) == trial->actual;
    };
    if (!takes_dst(501) || !takes_dst(502)) continue;
    const std::string role(row.operands[k].role);
    return Difference{
        map_of_role(role), mnemonic(one.insn) + " takes its elements from dst instead of from " + role, {}};
  }
  return {};
}

}  // namespace lanecheck
