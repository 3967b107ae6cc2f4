#include "fuzz/identify/values/answered.h"

#include "fuzz/identify/values/judge_program.h"
#include "fuzz/identify/values/value_data.h"

namespace lanecheck {

Answered ask_values(const Subject& subject, const Ask& ask, unsigned draw, const MaskWords& mask,
                    std::size_t most) {
  Answered answered;
  answered.programs = value_programs(subject, answered.layout, draw, mask);
  if (answered.programs.size() > most) answered.programs.resize(most);
  Answers answers = ask_all(ask, answered.programs);
  if (!answers.why_not.empty()) return {};
  answered.actual = std::move(answers.states);
  return answered;
}

std::vector<JudgedResult> judge_results(const Answered& answered) {
  std::vector<JudgedResult> results;
  for (std::size_t p = 0; p < answered.programs.size(); ++p)
    judge_program(answered.programs[p], answered.actual[p], results);
  return results;
}

}  // namespace lanecheck
