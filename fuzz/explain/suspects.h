// Which hypotheses about a backend fit what it does.
#pragma once

#include <vector>

#include "fuzz/explain/asked_backend.h"
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
};

/// The hypotheses that explain a divergence. They point into Documented::hypotheses.
using Suspects = std::vector<const Hypothesis*>;

/// Most restarts of the backend that explaining one finding may cost.
inline constexpr unsigned kMostRestarts = 24;

/// Is `answer` something that the documents forbid? A refusal and a failure count as well.
bool diverges(const BackendAnswer& answer, const Program& program, const Documented& documented, Shown shown);

/// The hypotheses that reproduce `answer`.
Suspects suspects(const BackendAnswer& answer, const Program& program, const Documented& documented,
                  Shown shown);

/// Does one of these hypotheses reproduce `answer`?
bool reproduces(const Suspects& some, const BackendAnswer& answer, const Program& program, Shown shown);

/// Does a reading that counts as no mistake reproduce `answer`?
bool reading_explains(const BackendAnswer& answer, const Program& program, const Documented& documented,
                      Shown shown);

/// Asks the backend about generated programs. Drops every hypothesis that predicts a divergence on a program
/// where the backend conforms: the backend does not follow it. If no reading would be left, all readings are
/// kept, because a backend may follow a reading in part.
Suspects refine(Suspects some, AskedBackend& asked, const Documented& documented);

}  // namespace lanecheck
