#include "fuzz/explain/measured/ignored_mode.h"

#include "fuzz/explain/questions/staging.h"
#include "fuzz/explain/questions/variation.h"
#include "oracle/compare/compare.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr std::uint32_t kRoom = 4096;  // bytes of each operand

struct Numbers {
  std::uint64_t count;
  std::uint32_t repeat;
};
constexpr Numbers kNumbers[] = {{3, 1}, {15, 2}, {79, 2}, {37, 3}, {130, 1}, {200, 2}};
constexpr unsigned kLeast = 3;  // of them must show it

/// Does it take its count from words, in counter mode?
bool counts_by_words(const Finding& finding, const State& before) {
  const Instruction& insn = finding.program.instructions[finding.instruction];
  const Row& row = row_of(insn.op);
  const bool counts_elements = row.mask != MaskUse::is_mask_state && !row.compacts && !row.operands.empty();
  const bool by_words = insn.mask_from == MaskFrom::reg || insn.mask_from == MaskFrom::bitwise;
  return counts_elements && by_words && row_of(finding.program.profile).sets_mask &&
         before.mode == Mode::counter;
}

/// The instruction in normal mode, with the count as mask words, room and other data.
Program in_normal_mode(const Finding& finding, const Numbers& numbers) {
  Program alone = finding.program;
  alone.instructions = {finding.program.instructions[finding.instruction]};
  Variation it = variation_of(alone, 0);
  Instruction& insn = it.insn();
  if (row_of(insn.op).has_repeat) insn.repeat = numbers.repeat;
  const MaskWords words{0, numbers.count};
  if (insn.mask_from == MaskFrom::bitwise) {
    insn.high = words.high;
    insn.low = words.low;
  }
  spread_out(it, kRoom);
  set_data(it, 0, Stagings::kDataPhase);
  auto& list = it.program.instructions;
  if (insn.mask_from == MaskFrom::reg)
    list.insert(list.begin(), mask_setter(*row_of(alone.profile).sets_mask, words));
  return std::move(it.program);
}

}  // namespace

std::optional<std::string> ignored_mode(const Finding& finding, const State& before, AskedBackend& asked,
                                        const Documented& documented) {
  if (!counts_by_words(finding, before)) return {};
  unsigned shown = 0;
  for (const Numbers& numbers : kNumbers) {
    const Program normal = in_normal_mode(finding, numbers);
    Program counter = normal;
    counter.instructions.insert(counter.instructions.begin(), Instruction{.op = Op::set_mask_count});
    if (find_fault(normal, documented.readings()) || find_fault(counter, documented.readings())) continue;
    State predicted;
    execute(normal, documented.semantics, predicted);
    if (agrees(counter, documented.semantics, predicted, false)) continue;  // both modes do the same
    const BackendAnswer answer = asked.ask(counter);
    if (!answer.ran() || !agrees(normal, documented.semantics, answer.state, false)) return {};
    if (asked.shown().mode && answer.state.mode != Mode::counter) return {};  // it ends counter mode
    ++shown;
  }
  if (shown < kLeast) return {};
  const Instruction& insn = finding.program.instructions[finding.instruction];
  return mnemonic(insn) + " ignores the counter mode that set_mask_count sets: it " +
         (row_of(insn.op).has_repeat ? "runs its repeat times, and " : "") +
         "takes the count for the bits of a mask";
}

}  // namespace lanecheck
