#include "fuzz/explain/partly_followed.h"

#include "fuzz/explain/locate.h"
#include "fuzz/explain/repeatable.h"
#include "spec/legality/find_fault.h"
#include "spec/text/program_text.h"

namespace lanecheck {

std::string answer_to(const Reading& reading, std::string_view answer) {
  std::string question(reading.question);
  question[0] = static_cast<char>(question[0] | 0x20);  // a small letter
  return std::string(answer) + " (" + question + ")";
}

bool is_named_by_partly_followed(Finding& finding, const Hypothesis& reading, AskedBackend& asked,
                                 const Documented& documented) {
  if (reading.reading == nullptr || finding.instruction >= finding.program.instructions.size()) return false;
  const Program part = prefix(finding.program, finding.instruction + 1);
  for (unsigned round = 0; round <= kOtherData; ++round) {
    const Program program = round == 0 ? part : with_data(part, round);
    const BackendAnswer answer = asked.ask(program);
    if (find_fault(program, documented.readings()) || !answer.ran() ||
        !explains(reading, program, answer.state, asked.shown()))
      return false;
  }
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
