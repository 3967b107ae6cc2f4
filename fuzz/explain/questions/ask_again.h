// Asks a backend about one program again and again, in its present process and in new ones, to learn whether
// it always does the same.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "fuzz/explain/questions/suspects.h"

namespace lanecheck {

/// What came of asking about one program several times.
struct Asks {
  unsigned asked = 0;
  unsigned wrong = 0;  ///< how often the backend diverged or failed
  bool same = true;    ///< all wrong answers are equal where they are wrong
  std::optional<BackendAnswer> first_wrong = {};
  std::vector<unsigned> wrong_at = {};  ///< which asks were wrong, counted from 0

  bool always_wrong() const { return wrong == asked && asked > 0 && same; }
  /// Every how many asks the backend is wrong, if the wrong ones lie evenly from the first to the last ask.
  std::optional<unsigned> period() const;
  bool never_wrong() const { return wrong == 0 && asked > 0; }
};

/// Every question goes to the backend, also if `asked` keeps an answer.
class AskAgain {
 public:
  /// Asks at most `most` programs. Both must outlive the object.
  AskAgain(AskedBackend& asked, const Documented& documented, unsigned most)
      : asked_(asked), documented_(documented), budget_(asked, most) {}

  /// A backend that is a function of this process has no processes that can be started.
  bool can_start_afresh() const { return static_cast<bool>(asked_.backend().restart); }
  /// Ends the process of the backend. The next question starts a new one.
  void start_afresh() const;
  /// Asks `times` times in a row in the present process. Ends early if `until_wrong` and the answer is wrong.
  Asks ask_here(const Program& program, unsigned times, bool until_wrong = false);
  /// Asks about `program` after `before`, `times` times, each time in a new process.
  Asks ask_afresh(const Program& program, unsigned times, std::span<const Program> before = {});
  /// Asks once in the present process, and counts it in `asks`.
  void ask_once(const Program& program, Asks& asks);
  /// Were too many questions asked, or should asking end?
  bool is_over() const { return budget_.is_over(); }

  AskedBackend& asked() const { return asked_; }
  const Documented& documented() const { return documented_; }

 private:
  std::optional<BackendAnswer> run(const Program& program);
  bool same(const BackendAnswer& one, const BackendAnswer& other, const Program& program) const;

  AskedBackend& asked_;
  const Documented& documented_;
  QuestionBudget budget_;
};

}  // namespace lanecheck
