#include "fuzz/explain/earlier/source_of_earlier.h"

#include <algorithm>
#include <span>

#include "fuzz/explain/earlier/carried_fields.h"
#include "fuzz/explain/questions/executed_step.h"
#include "fuzz/explain/questions/locate.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// What the last instruction may read in place of what an earlier one has left.
enum class Read : std::uint8_t { as_before, unmasked };

/// The state that `read` takes a source of the last instruction from, if instruction `at` is the earlier one.
State state_read(const Program& program, std::size_t at, Read read, const PredictedPart& predicted) {
  State state = predicted.before_of(program, at);
  if (read == Read::as_before) return state;
  state.mask = kFullMask;
  state.mode = Mode::normal;
  execute_one(program, under_full_mask(program.profile, program.instructions[at]),
              predicted.documented().semantics, state);
  return state;
}

/// Does the backend leave what follows if operand `k` of the last instruction is read like that?
bool gives(const Program& program, std::size_t at, unsigned k, Read read, PredictedPart& predicted,
           bool& shows) {
  if (find_fault(program, predicted.documented().readings())) return true;
  const Instruction& insn = program.instructions.back();
  const Allocation& source = program.allocations[insn.operands[k].allocation];
  State state = predicted.before_of(program, program.instructions.size() - 1);
  const auto bytes_of = [&](State& of) { return std::span(of.ub).subspan(source.offset, source.bytes); };
  const std::vector<std::byte> now(bytes_of(state).begin(), bytes_of(state).end());
  State other = state_read(program, at, read, predicted);
  std::ranges::copy(bytes_of(other), bytes_of(state).begin());
  execute_one(program, insn, predicted.documented().semantics, state);
  std::ranges::copy(now, bytes_of(state).begin());
  return predicted.agrees(program, state, shows);
}

}  // namespace

std::optional<Carried> source_of_earlier(const Program& part, std::size_t at, PredictedPart& predicted) {
  const Instruction &insn = part.instructions.back(), &earlier = part.instructions[at];
  const auto columns = row_of(insn.op).operands;
  for (unsigned k = 1; k < columns.size(); ++k) {
    if (insn.operands[k].allocation == insn.operands[0].allocation) continue;
    for (const Read read : {Read::as_before, Read::unmasked}) {
      const bool is_gated = row_of(earlier.op).mask == MaskUse::gates_writeback &&
                            insn.operands[k].allocation == earlier.operands[0].allocation;
      if (read == Read::unmasked && !is_gated) continue;
      bool shows_again = false;
      const auto holds = [&](const Program& program, bool& shows) {
        return gives(program, at, k, read, predicted, shows);
      };
      if (!predicted.holds_for_data(holds, shows_again) || !shows_again) continue;
      const std::string reads = mnemonic(insn) + " reads " + std::string(columns[k].role),
                        writer = instruction_at(part, at);
      if (read == Read::as_before)
        return Carried{reads + " as it was before " + writer + " wrote it", "source", Matter::address, true};
      return Carried{reads + " as if " + writer + " had written all lanes, also those that were masked off",
                     "unmasked", Matter::mask, true};
    }
  }
  return {};
}

}  // namespace lanecheck
