#include "fuzz/explain/questions/locate.h"

#include <algorithm>
#include <span>

#include "fuzz/explain/questions/lane_rows.h"
#include "oracle/execute/execute.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace {

constexpr std::size_t kMostOutside = 16;  // bytes outside dst that a finding lists

/// Does the first operand of `insn`, if it is dst, cover byte `at` of UB?
/// `before`: UB before it, with the offsets of a scatter.
bool dst_covers(const Program& program, const Instruction& insn, std::span<const std::byte> before,
                std::uint64_t at) {
  const Row& row = row_of(insn.op);
  if (!row.writes_dst()) return false;
  bool inside = false;
  if (row.operands[0].walk == Walk::indexed) {
    const std::uint64_t start = start_of(program, insn.operands[0]),
                        offsets = start_of(program, insn.operands[kOffsetsOperand]);
    const std::uint64_t count =
        std::min(std::uint64_t{insn.repeat} * lanes_of(insn), (before.size() - offsets) / 4);
    for (std::uint64_t n = 0; n < count; ++n) {  // in counter mode the last offsets may lie behind UB
      const std::uint64_t from = start + load<std::uint32_t>(&before[offsets + 4 * n]);
      inside |= at >= from && at < from + size_of(insn.dst_type);
    }
    return inside;
  }
  for_each_piece(insn, 0, [&](std::uint64_t offset, std::uint64_t bytes) {
    const std::uint64_t from = start_of(program, insn.operands[0]) + offset;
    inside |= at >= from && at < from + bytes;
  });
  return inside;
}

/// The name of the allocation that holds byte `at` of UB; empty for a byte between allocations.
std::string allocation_at(const Program& program, std::uint32_t at) {
  std::string name;
  for (const Allocation& each : program.allocations)
    if (at >= each.offset && at < each.offset + each.bytes) name = each.name;
  return name;
}

/// Does an instruction of the program do more than set the mask?
bool computes(const Program& program) {
  return std::ranges::any_of(program.instructions, [](const Instruction& insn) {
    return row_of(insn.op).mask != MaskUse::is_mask_state;
  });
}

/// Fills the finding's mask, lanes and bytes outside dst. The last instruction of `part` diverges.
void describe_last_instruction(Finding& finding, const Program& part, const State& before,
                               const State& actual, const Documented& documented, Shown shown) {
  State expected;
  execute(part, documented.semantics, expected);
  const Instruction& insn = part.instructions.back();
  const ResolvedInstruction resolved = describe_mask(finding, insn, before, documented.readings());
  const std::vector<std::uint32_t> wrong = compare(part, documented.semantics, actual, shown).bytes;
  finding.lanes = lane_rows(part, insn, documented.readings(), before, expected, actual, &wrong);
  finding.outside = bytes_outside_dst(part, resolved.insn, before, expected, actual, wrong);
}

}  // namespace

std::vector<OutsideByte> bytes_outside_dst(const Program& part, const Instruction& resolved,
                                           const State& before, const State& expected, const State& actual,
                                           std::span<const std::uint32_t> wrong) {
  std::vector<OutsideByte> outside;
  for (const std::uint32_t at : wrong)
    if (outside.size() < kMostOutside && !dst_covers(part, resolved, before.ub, at))
      outside.push_back({allocation_at(part, at), at, expected.ub[at], actual.ub[at]});
  return outside;
}

Program prefix(const Program& program, std::size_t count) {
  Program part = program;
  part.instructions.resize(count);
  return part;
}

std::optional<std::size_t> first_divergence(const Program& program,
                                            const std::function<bool(const Program&)>& differs) {
  for (std::size_t count = 1; count <= program.instructions.size(); ++count)
    if (differs(prefix(program, count))) return count == 1 && differs(prefix(program, 0)) ? 0 : count;
  return program.instructions.empty() && differs(program) ? std::optional<std::size_t>(0) : std::nullopt;
}

ResolvedInstruction describe_mask(Finding& finding, const Instruction& insn, const State& before,
                                  const Readings& readings) {
  MaskBits mask = bits_of(before.mask, before.mode, MaskOrigin::set);
  mask.load(insn, readings);
  for (unsigned w = 0; w < 4; ++w) set_mask_word(finding.mask_before, w, mask.words[w]);
  const ResolvedInstruction resolved = resolve(insn, mask, readings);
  if (resolved.total != kNoTotal) finding.total = resolved.total;
  return resolved;
}

void locate(Finding& finding, AskedBackend& asked, const Documented& documented, const Hypothesis* model) {
  const Program& program = finding.program;
  execute(program, documented.semantics, finding.expected);
  finding.actual = as_shown(asked.ask(program).state, finding.expected, asked.shown());
  finding.mask_differs = mask_differs(finding.expected, finding.actual, asked.shown());
  bool unknown = false;
  const auto answer_to = [&](const Program& part) {
    BackendAnswer answer = asked.ask(part);
    if (answer.ran() || model == nullptr) return answer;
    answer.outcome = Ran{};
    execute(part, model->semantics, answer.state);
    return answer;
  };
  const auto count = first_divergence(program, [&](const Program& part) {
    const BackendAnswer answer = answer_to(part);
    unknown |= !answer.ran() && computes(part);
    return diverges(answer, part, documented, asked.shown());
  });
  if (unknown) finding.instruction = program.instructions.size();
  if (!count || unknown) return;
  finding.instruction = *count == 0 ? 0 : *count - 1;
  State before;
  execute(prefix(program, finding.instruction), documented.semantics, before);
  finding.mask_before = before.mask;
  if (*count == 0) return;
  const Program part = prefix(program, *count);
  describe_last_instruction(finding, part, before, answer_to(part).state, documented, asked.shown());
}

}  // namespace lanecheck
