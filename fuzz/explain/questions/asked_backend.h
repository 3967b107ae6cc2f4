// A backend that is asked about one program at a time, while a finding is explained and minimized.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>

#include "fuzz/backend/backend.h"
#include "spec/mask/mask_register.h"

namespace lanecheck {

/// What a backend did with a program.
struct BackendAnswer {
  Outcome outcome;
  State state;  ///< if the program did not run, its UB as it was before

  bool ran() const { return std::holds_alternative<Ran>(outcome); }
};

/// The kind of a failure or a refusal, to tell failures apart: the letters of its text without numbers, so
/// that signals, indices, addresses and the length of a deadline do not matter. Empty for other outcomes.
std::string failure_kind(const Outcome& outcome);

/// Equal for equal programs, and different for most others.
std::size_t hash_of(const Program& program);

/// Did the backend miss a deadline?
bool is_late(const Outcome& outcome);

class AskedBackend {
 public:
  /// `stop` says when to end early. The backend must outlive this object.
  AskedBackend(const Backend& backend, Profile profile, std::function<bool()> stop = {})
      : backend_(backend), shown_(backend.shown(profile)), stop_(std::move(stop)) {}

  /// Runs `program`. One with an instruction that is not on offer is skipped, and never sent. Answers are
  /// kept, because an attached backend is slow and explaining asks for the same programs again and again:
  /// those of the last finding, and the generated ones for every finding.
  BackendAnswer ask(const Program& program);
  /// Runs `program` whatever answers are kept, and does not keep this one.
  BackendAnswer ask_anew(const Program& program);
  /// Keeps `answer` as the answer to `program`, so that the backend does not run it again.
  void remember(const Program& program, BackendAnswer answer);

  const Backend& backend() const { return backend_; }
  Shown shown() const { return shown_; }  ///< the part of a final state that may be compared
  /// How many questions the backend was asked so far.
  unsigned questions() const { return questions_; }
  /// How many processes of the backend the questions have cost so far.
  unsigned restarts() const { return restarts_; }
  /// Which mask to set in place of a given one, where some masks are known to arrive wrongly in the register.
  void set_masks_by(std::function<MaskWords(const MaskWords&)> settable) { settable_ = std::move(settable); }
  const std::function<MaskWords(const MaskWords&)>& settable_mask() const { return settable_; }
  /// Does the run end? Then what is computed for this finding should end soon.
  bool ends() const { return stop_ && stop_(); }

 private:
  const Backend& backend_;
  Shown shown_;
  std::function<bool()> stop_;
  std::function<MaskWords(const MaskWords&)> settable_;
  struct Kept {
    Program program;
    BackendAnswer answer;
  };
  std::unordered_map<std::size_t, Kept> kept_;  ///< the answers, by the hash of the program
  std::size_t kept_bytes_ = 0;
  unsigned questions_ = 0;
  unsigned restarts_ = 0;
};

/// Most restarts of the backend that the questions of one purpose may cost.
inline constexpr unsigned kMostRestarts = 24;
/// The same if each of them costs a deadline: other cases may tell more in that time.
inline constexpr unsigned kMostLateRestarts = 3;

/// How much may still be asked for one purpose: so many questions, and so many processes of the backend.
class QuestionBudget {
 public:
  explicit QuestionBudget(const AskedBackend& asked, unsigned questions = ~0u,
                          unsigned restarts = kMostRestarts)
      : asked_(asked), left_(questions), most_restarts_(asked.restarts() + restarts) {}

  /// Is it used up, or does the run end?
  bool is_over() const { return left_ == 0 || asked_.restarts() >= most_restarts_ || asked_.ends(); }
  void spend() { --left_; }  ///< one question; not if it is over

 private:
  const AskedBackend& asked_;
  unsigned left_, most_restarts_;
};

}  // namespace lanecheck
