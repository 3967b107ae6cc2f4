#include "fuzz/explain/earlier/same_words.h"

#include "fuzz/identify/probes/probe.h"
#include "oracle/compare/compare.h"

namespace lanecheck {

bool has_no_effect_again(const Program& part, std::size_t at, std::size_t again, AskedBackend& asked,
                         const Documented& documented) {
  const Instruction &insn = part.instructions[again], &earlier = part.instructions[at];
  if (!row_of(insn.op).has_words || insn.op != earlier.op || insn.high != earlier.high ||
      insn.low != earlier.low)
    return false;
  for (const MaskWords& words : {MaskWords{insn.high, insn.low}, MaskWords{insn.high, insn.low ^ 0x30}}) {
    Program same = part;
    for (const std::size_t n : {at, again}) {
      same.instructions[n].high = words.high;
      same.instructions[n].low = words.low;
    }
    Program without = same;
    without.instructions.erase(without.instructions.begin() + static_cast<std::ptrdiff_t>(again));
    const BackendAnswer answer = asked.ask(same);
    if (!diverges(answer, same, documented, asked.shown()) || !answer.ran() ||
        !agrees(without, documented.semantics, answer.state, asked.shown()))
      return false;
  }
  Program other = part;
  other.instructions[again].low ^= 4;
  return says(asked.ask(other), other, documented, asked.shown()) == Says::conforms;
}

}  // namespace lanecheck
