#include "fuzz/explain/questions/trial.h"

#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"

namespace lanecheck {

bool Trial::is_legal(const Program& program) const {
  return program.ub.size() <= kMaxUbBytes && !find_fault(program, documented_.readings()) &&
         !proves_nothing(program, documented_);
}

bool Trial::is_offered(const Program& program) const {
  return asked_.backend().capabilities.include_all_of(program);
}

Says Trial::ask(const Program& program) {
  if (is_over() || !is_legal(program)) return Says::nothing;
  budget_.spend();
  const BackendAnswer answer = asked_.ask(program);
  const Says said = says(answer, program, documented_, asked_.shown());
  const bool other_cause = said == Says::diverges && suspect_ != nullptr &&
                           !explains(*suspect_, program, answer.state, asked_.shown());
  return other_cause ? Says::nothing : said;
}

Says Trial::ask_or_predict(const Program& program) {
  return is_legal(program) && predicts_conformity(program) ? Says::conforms : ask(program);
}

bool Trial::predicts_conformity(const Program& program) const {
  if (suspect_ == nullptr) return false;
  BackendAnswer predicted{Ran{}, {}};
  execute(program, suspect_->semantics, predicted.state);
  return !diverges(predicted, program, documented_, asked_.shown());
}

}  // namespace lanecheck
