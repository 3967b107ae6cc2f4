#include "fuzz/explain/plain_run.h"

#include <algorithm>
#include <cstring>

#include "fuzz/explain/executed_step.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/mask/footprint.h"
#include "spec/program/profile.h"

namespace lanecheck {
namespace {

/// The plain program for repeat `repeat` of `insn`: lane l of each operand lies in a row, with its bytes of
/// `before`. Nothing if the operands are not walked in blocks.
std::optional<Program> plain_program(const Program& program, const Instruction& insn, unsigned repeat,
                                     const State& before) {
  Program plain{program.profile, {}, {}, {}};
  Instruction alone = under_full_mask(program.profile, insn);
  alone.repeat = 1;
  const auto& columns = row_of(insn.op).operands;
  for (unsigned k = 0; k < columns.size(); ++k) {
    if (columns[k].walk != Walk::blocks) return {};
    const Element type = operand_type(insn, columns[k]);
    const unsigned bytes = lanes_of(insn) * size_of(type);
    const unsigned whole = (bytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
    const auto offset = static_cast<std::uint32_t>(plain.ub.size());
    plain.ub.resize(offset + whole + kBlockBytes);
    for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
      const std::size_t from = start_of(program, insn.operands[k]) + lane_offset(insn, k, repeat, lane);
      if (from + size_of(type) > before.ub.size()) return {};
      std::memcpy(&plain.ub[offset + lane * size_of(type)], &before.ub[from], size_of(type));
    }
    Operand& operand = alone.operands[k];
    operand.allocation = static_cast<std::uint16_t>(plain.allocations.size());
    operand.offset = 0;
    operand.block_stride = 1;
    operand.repeat_stride = static_cast<std::uint16_t>(whole / kBlockBytes);
    plain.allocations.push_back({std::string(columns[k].role), type, offset, whole});
  }
  plain.instructions = {alone};
  if (find_fault(plain)) return {};
  return plain;
}

/// Does every instruction of the profile bring its own mask? Then a plain program has a mask operand too, and
/// wrong values may come from how the backend reads it.
bool always_has_mask_operand(Profile profile) {
  return row_of(profile).mask_operands == MaskOperands::always;
}

}  // namespace

InPlain in_plain_program(const Finding& finding, const State& before, AskedBackend& asked,
                         const Documented& documented) {
  const Instruction& given = finding.program.instructions[finding.instruction];
  const auto wrong = std::ranges::find(finding.lanes, false, &LaneRow::agrees);
  if (wrong == finding.lanes.end() || always_has_mask_operand(finding.program.profile))
    return InPlain::unknown;
  MaskBits mask = bits_of(before.mask, before.mode, MaskOrigin::set);
  mask.load(given, documented.readings());
  const Instruction insn = resolve(given, mask, documented.readings()).insn;
  const auto plain = plain_program(finding.program, insn, wrong->repeat, before);
  if (!plain) return InPlain::unknown;
  const BackendAnswer answer = asked.ask(*plain);
  if (!answer.ran()) return InPlain::unknown;
  const Comparison judged = compare(*plain, documented.semantics, answer.state, Shown{false, false});
  if (judged.agrees) return InPlain::right;
  for (const LaneRow& lane : finding.lanes) {
    if (lane.agrees || lane.repeat != wrong->repeat) continue;
    std::uint64_t left = 0;
    std::memcpy(&left, &answer.state.ub[plain->allocations[0].offset + lane.lane * size_of(lane.type)],
                size_of(lane.type));
    if (left != lane.actual) return InPlain::unknown;
  }
  return InPlain::the_same;
}

}  // namespace lanecheck
