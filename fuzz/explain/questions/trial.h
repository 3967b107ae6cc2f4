// Asks a backend about variations of a finding's program, and counts the questions.
#pragma once

#include "fuzz/explain/questions/suspects.h"

namespace lanecheck {

class Trial {
 public:
  /// `suspect`: the hypothesis that names the finding; null if nothing names it. Asks at most `most`
  /// programs.
  Trial(AskedBackend& asked, const Documented& documented, const Hypothesis* suspect, unsigned most)
      : asked_(asked), documented_(documented), suspect_(suspect), budget_(asked, most) {}

  bool is_legal(const Program& program) const;
  /// Does the backend offer all instructions of the program, with their types?
  bool is_offered(const Program& program) const;
  /// Does the backend diverge as in the finding? Nothing is said by an illegal program, by an answer that is
  /// no result, by a divergence that the suspect does not reproduce, and when the questions are used up.
  Says ask(const Program& program);
  /// The same, but the suspect answers in the backend's place if it predicts that the backend conforms.
  Says ask_or_predict(const Program& program);
  /// Does the suspect predict that the backend conforms? False without a suspect.
  bool predicts_conformity(const Program& program) const;
  bool is_over() const { return budget_.is_over(); }

 private:
  AskedBackend& asked_;
  const Documented& documented_;
  const Hypothesis* suspect_;
  QuestionBudget budget_;
};

}  // namespace lanecheck
