#include "fuzz/explain/questions/plain_run.h"

#include <algorithm>
#include <cstring>

#include "fuzz/explain/questions/executed_step.h"
#include "fuzz/explain/questions/locate.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/mask/footprint.h"
#include "spec/program/profile.h"
#include "spec/rules/rule.h"

namespace lanecheck {
namespace {

/// The wrong repeat of a finding's instruction, and the state before it.
struct WrongRepeat {
  Instruction insn;  ///< resolved
  unsigned repeat = 0;
  State before;  ///< what the backend itself left before this repeat
  std::vector<std::pair<unsigned, std::uint64_t>> lanes{};  ///< the wrong lanes, and the bits there
};

/// The lanes of repeat `repeat` that have a byte in the sorted list `wrong`.
void add_lanes(WrongRepeat& found, const Program& program, const State& after,
               const std::vector<std::uint32_t>& wrong) {
  const Element type = operand_type(found.insn, row_of(found.insn.op).operands[0]);
  for (unsigned lane = 0; lane < lanes_of(found.insn); ++lane) {
    const std::size_t at =
        start_of(program, found.insn.operands[0]) + lane_offset(found.insn, 0, found.repeat, lane);
    const auto byte = std::ranges::lower_bound(wrong, at);
    if (byte == wrong.end() || *byte >= at + size_of(type)) continue;
    std::uint64_t bits = 0;
    std::memcpy(&bits, &after.ub[at], size_of(type));
    found.lanes.emplace_back(lane, bits);
  }
}

/// Searches for a repeat after which the backend diverges, although it does not if it stops before it: the
/// values that this repeat reads are those that the backend has left itself. Nothing if the repeat times do
/// not stand in the instruction, or if a shorter program cannot be run.
std::optional<WrongRepeat> wrong_repeat(Program part, const State& before, AskedBackend& asked,
                                        const Documented& documented) {
  MaskBits mask = bits_of(before.mask, before.mode, MaskOrigin::set);
  mask.load(part.instructions.back(), documented.readings());
  const Instruction insn = resolve(part.instructions.back(), mask, documented.readings()).insn;
  if (row_of(insn.op).operands[0].walk != Walk::blocks) return {};
  if (insn.repeat != part.instructions.back().repeat) return {};
  WrongRepeat found{insn, 0, before};
  unsigned right = 0, wrong = insn.repeat;
  BackendAnswer after = asked.ask(part);
  while (wrong - right > 1) {
    const unsigned middle = right + (wrong - right) / 2;
    part.instructions.back().repeat = static_cast<decltype(insn.repeat)>(middle);
    if (find_fault(part, documented.readings())) return {};
    BackendAnswer answer = asked.ask(part);
    if (!answer.ran()) return {};
    if (agrees(part, documented.semantics, answer.state, Shown{false, false})) {
      right = middle;
      found.before.ub = std::move(answer.state.ub);
    } else {
      wrong = middle;
      after = std::move(answer);
    }
  }
  part.instructions.back().repeat = static_cast<decltype(insn.repeat)>(wrong);
  found.repeat = right;
  add_lanes(found, part, after.state,
            compare(part, documented.semantics, after.state, Shown{false, false}).bytes);
  if (found.lanes.empty()) return {};
  return found;
}

/// The plain program for repeat `repeat` of `insn`: lane l of each operand lies in a row, with its bytes of
/// `before`, but dst starts with other bytes, unless the instruction reads it. Nothing if the operands are
/// not walked in blocks.
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
    const unsigned whole = in_whole_blocks(bytes);
    const auto offset = static_cast<std::uint32_t>(plain.ub.size());
    plain.ub.resize(offset + whole + kBlockBytes);
    for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
      const std::size_t from = start_of(program, insn.operands[k]) + lane_offset(insn, k, repeat, lane);
      if (from + size_of(type) > before.ub.size()) return {};
      std::memcpy(&plain.ub[offset + lane * size_of(type)], &before.ub[from], size_of(type));
    }
    if (k == 0 && !row_of(insn.op).reads_dst)
      for (unsigned byte = 0; byte < bytes; ++byte) plain.ub[offset + byte] = ~plain.ub[offset + byte];
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
  if (always_has_mask_operand(finding.program.profile)) return InPlain::unknown;
  const auto wrong =
      wrong_repeat(prefix(finding.program, finding.instruction + 1), before, asked, documented);
  if (!wrong) return InPlain::unknown;
  const auto plain = plain_program(finding.program, wrong->insn, wrong->repeat, wrong->before);
  if (!plain) return InPlain::unknown;
  const BackendAnswer answer = asked.ask(*plain);
  if (!answer.ran()) return InPlain::unknown;
  const unsigned size = size_of(operand_type(wrong->insn, row_of(wrong->insn.op).operands[0]));
  const bool all_the_same = std::ranges::all_of(wrong->lanes, [&](const auto& lane) {
    std::uint64_t left = 0;
    std::memcpy(&left, &answer.state.ub[plain->allocations[0].offset + lane.first * size], size);
    return left == lane.second;
  });
  const bool is_right = agrees(*plain, documented.semantics, answer.state, Shown{false, false});
  if (is_right) return all_the_same ? InPlain::unknown : InPlain::right;
  return all_the_same ? InPlain::the_same : InPlain::unknown;
}

void drop_rules_of_several_repeats(Finding& finding, const State& before, AskedBackend& asked) {
  constexpr std::string_view kAboutSeveral = "VMC-1-no-advance";
  const auto named = std::ranges::find(finding.rules, kAboutSeveral);
  if (named == finding.rules.end() || finding.lanes.empty()) return;
  const Rule& rule = *find_rule(kAboutSeveral);
  std::optional<unsigned> last;
  for (const LaneRow& lane : finding.lanes) {
    if (lane.agrees || lane.repeat == last) continue;
    last = lane.repeat;
    Instruction alone = finding.program.instructions[finding.instruction];
    for (unsigned k = 0; k < row_of(alone.op).operands.size(); ++k)
      alone.operands[k].offset += static_cast<std::uint32_t>(lane.repeat * repeat_step(alone, k));
    alone.repeat = 1;
    const auto step = run_step(asked, finding.program, alone, before);
    if (!step || rule.holds(step->view())) return;
  }
  finding.rules.erase(named);
}

}  // namespace lanecheck
