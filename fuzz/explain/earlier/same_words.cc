#include "fuzz/explain/earlier/same_words.h"

#include "fuzz/explain/questions/repeatable.h"
#include "fuzz/identify/probes/probe.h"
#include "oracle/compare/compare.h"
#include "spec/legality/find_fault.h"

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

bool has_no_effect_on_mode(const Program& part, std::size_t at, std::size_t again, AskedBackend& asked,
                           const Documented& documented) {
  const Instruction &insn = part.instructions[again], &earlier = part.instructions[at];
  if ((insn.op != Op::set_mask_count && insn.op != Op::set_mask_norm) || insn.op != earlier.op) return false;
  const auto leave_out = [](Program program, std::size_t n) {
    program.instructions.erase(program.instructions.begin() + static_cast<std::ptrdiff_t>(n));
    return program;
  };
  for (const unsigned round : {0u, 1u}) {
    const Program program = round == 0 ? part : with_data(part, round);
    const Program without_earlier = leave_out(program, at), without_again = leave_out(program, again);
    const BackendAnswer answer = asked.ask(program);
    if (!answer.ran() || !agrees(without_again, documented.semantics, answer.state, asked.shown()))
      return false;
    if (find_fault(without_earlier, documented.readings()) ||
        says(asked.ask(without_earlier), without_earlier, documented, asked.shown()) != Says::conforms)
      return false;
  }
  return true;
}

}  // namespace lanecheck
