#include "fuzz/identify/trials/single_repeats.h"

#include <algorithm>

#include "spec/mask/footprint.h"
#include "spec/text/program_text.h"

namespace lanecheck {

std::string role_of(const Instruction& insn, unsigned k) {
  return std::string(row_of(insn.op).operands[k].role) + " of " + mnemonic(insn);
}

unsigned operands_of(const Instruction& insn) {
  return static_cast<unsigned>(row_of(insn.op).operands.size());
}

std::uint32_t step_with(Instruction insn, unsigned k, std::uint32_t stride) {
  insn.operands[k].repeat_stride = stride;
  return static_cast<std::uint32_t>(repeat_step(insn, k));
}

std::vector<Instruction> one_for_each_repeat(const Instruction& insn, unsigned k, const Distance& distance) {
  std::vector<Instruction> repeats;
  for (unsigned r = 0; r < insn.repeat; ++r) {
    Instruction one = insn;
    one.repeat = 1;
    for (unsigned j = 0; j < operands_of(insn); ++j)
      one.operands[j].offset +=
          j == k ? distance(insn, k, r) : static_cast<std::uint32_t>(r * repeat_step(insn, j));
    repeats.push_back(one);
  }
  return repeats;
}

Distance as_documented() {
  return [](const Instruction& insn, unsigned k, unsigned r) {
    return static_cast<std::uint32_t>(r * repeat_step(insn, k));
  };
}

bool has_repeats_apart(const Instruction& insn) {
  constexpr Walk kWalks[] = {Walk::blocks,   Walk::rows,    Walk::results,
                             Walk::elements, Walk::indexed, Walk::bits};
  return repeats_of(insn) > 1 && std::ranges::all_of(row_of(insn.op).operands, [&](const auto& each) {
           return std::ranges::find(kWalks, each.walk) != std::end(kWalks);
         });
}

}  // namespace lanecheck
