// Which hypotheses about a backend fit what it does.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "fuzz/explain/questions/asked_backend.h"
#include "oracle/mutants/blame.h"

namespace lanecheck {

/// What a backend is judged by: the documents under the chosen readings, and every known way to differ.
struct Documented {
  /// `pinned`: the ids of the readings that the user pinned.
  Documented(Profile of, const Readings& readings, const std::vector<std::string>& pinned)
      : profile(of), semantics(readings), hypotheses(lanecheck::hypotheses(of, readings, pinned)) {}

  const Readings& readings() const { return semantics.readings; }

  Profile profile;
  Semantics semantics;
  std::vector<Hypothesis> hypotheses;
  /// The same under the readings that the backend was found to follow; nothing before one was found.
  std::optional<Semantics> followed{};
};

/// The hypotheses that explain a divergence. They point into Documented::hypotheses.
using Suspects = std::vector<const Hypothesis*>;

/// False if the cause is a mutant of one instruction that the program does not have.
bool may_touch(const Hypothesis& cause, const Program& program);

/// What an answer says about a program. A skip, a refusal and a failure say nothing: they are no evidence for
/// or against any explanation.
enum class Says : std::uint8_t { conforms, diverges, nothing };
Says says(const BackendAnswer& answer, const Program& program, const Documented& documented, Shown shown);

inline bool diverges(const BackendAnswer& answer, const Program& program, const Documented& documented,
                     Shown shown) {
  return says(answer, program, documented, shown) == Says::diverges;
}

/// The hypotheses that reproduce `answer`, readings that count as no mistake first.
Suspects suspects(const BackendAnswer& answer, const Program& program, const Documented& documented,
                  Shown shown);

/// Does one of these hypotheses reproduce `answer`?
bool reproduces(const Suspects& some, const BackendAnswer& answer, const Program& program, Shown shown);

/// Does a reading that counts as no mistake reproduce `answer`, which diverges, or do all of those together
/// that the backend was found to follow, or do those forbid the program?
bool reading_explains(const BackendAnswer& answer, const Program& program, const Documented& documented,
                      Shown shown);

/// Do the readings that the backend was found to follow forbid the program? Then nothing that the backend
/// does with it is a mistake.
bool proves_nothing(const Program& program, const Documented& documented);

/// What further questions leave of the suspects.
struct Refined {
  Suspects suspects;  ///< the one that reproduces the most answers first; readings alone, or mistakes alone
  const Hypothesis* refuted_reading =
      nullptr;                           ///< this reading fits the first answer, but not the later ones
  std::vector<Program> confirming = {};  ///< questions on which a suspect predicted the divergence that came

  /// Is no mistake and no reading left that gives at least the first answer?
  bool knows_nothing() const { return suspects.empty() && refuted_reading == nullptr; }
};

/// Asks the backend about generated programs (a recording: about the recorded ones) on which the suspects
/// differ, and a few more on which they agree.
/// - A suspect that predicts a divergence where the backend conforms is dropped.
/// - A suspect is dropped if another one reproduces all the answers that it reproduces, and more.
/// - A reading is dropped if an answer is neither its own nor that of a mutant or of two other readings
///   beside it.
/// No question is a program that `shows_others` names: one on which faults that are known already show too.
/// None is a program that a suspected reading, or those that the backend follows, forbid.
Refined refine(Suspects some, AskedBackend& asked, const Documented& documented,
               const std::function<bool(const Program&)>& shows_others = {});

}  // namespace lanecheck
