#include "fuzz/explain/hypotheses/partly_followed.h"

#include "fuzz/explain/questions/executed_step.h"
#include "fuzz/explain/questions/locate.h"
#include "fuzz/explain/questions/repeatable.h"
#include "fuzz/explain/questions/staging.h"
#include "fuzz/explain/questions/variation.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/text/program_text.h"

namespace lanecheck {

std::string answer_to(const Reading& reading, std::string_view answer) {
  std::string question(reading.question);
  question[0] = static_cast<char>(question[0] | 0x20);  // a small letter
  return std::string(answer) + " (" + question + ")";
}

namespace {

constexpr std::uint32_t kRoom = 2048;  // bytes of each operand, for what the reading says

/// Does the reading give what the backend leaves after this program?
bool gives(const Hypothesis& reading, const Program& program, AskedBackend& asked,
           const Documented& documented) {
  const BackendAnswer answer = asked.ask(program);
  return !find_fault(program, documented.readings()) && answer.ran() &&
         explains(reading, program, answer.state, asked.shown());
}

/// With other repeat times it may say something else than the documents, too, or no longer.
bool gives_with_other_repeats(const Hypothesis& reading, const Program& part, AskedBackend& asked,
                              const Documented& documented) {
  for (const std::uint32_t repeat : {1u, 2u, 3u}) {
    Program other = with_room(part, kRoom);
    other.instructions.back().repeat = repeat;
    if (!find_fault(other, documented.readings()) && !gives(reading, other, asked, documented)) return false;
  }
  return true;
}

/// Does it give what the last instruction does alone, with operands that lie apart and in a row? What the
/// backend does with overlapping elements, or leaves for a later instruction, may look like a reading. True
/// if it cannot run like that.
bool gives_alone_in_a_row(const Hypothesis& reading, const Program& part, AskedBackend& asked,
                          const Documented& documented) {
  State before;
  execute(prefix(part, part.instructions.size() - 1), documented.semantics, before);
  const auto single = alone(part, part.instructions.back(), before);
  if (!single) return true;
  Variation it = variation_of(*single, single->instructions.size() - 1);
  put_in_a_row(it.insn());
  if (row_of(it.insn().op).operands[0].walk == Walk::results) it.insn().operands[0].repeat_stride = 1;
  spread_out(it, kRoom);
  set_data(it, 0, Stagings::kDataPhase);
  return find_fault(it.program, documented.readings()) || gives(reading, it.program, asked, documented);
}

}  // namespace

bool is_named_by_partly_followed(Finding& finding, const Hypothesis& reading, AskedBackend& asked,
                                 const Documented& documented) {
  if (reading.reading == nullptr || finding.instruction >= finding.program.instructions.size()) return false;
  const Program part = prefix(finding.program, finding.instruction + 1);
  for (unsigned round = 0; round <= kOtherData; ++round)
    if (!gives(reading, round == 0 ? part : with_data(part, round), asked, documented)) return false;
  if (!gives_alone_in_a_row(reading, part, asked, documented)) return false;
  if (row_of(part.instructions.back().op).has_repeat &&
      !gives_with_other_repeats(reading, part, asked, documented))
    return false;
  const std::string name = mnemonic(part.instructions.back());
  finding.what = name + ": " + answer_to(*reading.reading, reading.option->meaning) + "; so reading " +
                 reading.id + " says, which the backend does not follow everywhere";
  finding.instructions = {name};
  finding.id = "partly-" + reading.id;
  finding.cause = "reading: " + reading.id;
  finding.reading = reading.id;
  return true;
}

}  // namespace lanecheck
