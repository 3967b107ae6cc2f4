#include "fuzz/explain/measured/state_of_earlier.h"

#include <algorithm>
#include <string>
#include <vector>

#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr std::size_t kMostOfEarlier = 6;

/// Does the instruction set the mask or the mode by the documents?
bool sets_state(const Instruction& insn) {
  const Row& row = row_of(insn.op);
  return row.mask == MaskUse::is_mask_state || row.compacts || insn.mask_from != MaskFrom::reg;
}

/// Instructions before the last one, the last of them first, and those that set the state before the others.
/// One of each kind.
std::vector<std::size_t> to_measure(const Program& part) {
  std::vector<std::size_t> list;
  const auto& instructions = part.instructions;
  for (std::size_t n = instructions.size() - 1; n-- > 0;) {
    const bool is_known = std::ranges::any_of(list, [&](std::size_t other) {
      return mnemonic(instructions[other]) == mnemonic(instructions[n]) &&
             instructions[other].mask_from == instructions[n].mask_from;
    });
    if (!is_known) list.push_back(n);
  }
  std::stable_partition(list.begin(), list.end(), [&](std::size_t n) { return sets_state(instructions[n]); });
  return list;
}

}  // namespace

std::optional<MeasuredCause> state_of_earlier(const Program& part, AskedBackend& asked,
                                              const Documented& documented) {
  if (asked.shown().mask && asked.shown().mode) return {};  // it would differ after that instruction
  const auto list = to_measure(part);
  for (std::size_t n = 0; n < std::min(list.size(), kMostOfEarlier) && !asked.ends(); ++n) {
    auto cause = measure_state_left(part, list[n], asked, documented);
    if (cause && !cause->difference.only_example) return cause;
  }
  return {};
}

}  // namespace lanecheck
