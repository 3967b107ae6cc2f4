// The open readings that a backend follows, found one set after the other while its cases are sorted.
#pragma once

#include <optional>

#include "fuzz/explain/questions/suspects.h"

namespace lanecheck {

/// Readings that count as no mistake, with one option each.
using ReadingSet = Suspects;

/// `base` with the options of `set`.
Readings with(Readings base, const ReadingSet& set);

/// The smallest sets of at most `most` readings that give `actual` if they are added to `base`. Readings in
/// which `base` departs from the documents stay as they are.
std::vector<ReadingSet> reading_sets(const Program& program, const State& actual, const Readings& base,
                                     const Documented& documented, Shown shown, unsigned most);

class FollowedReadings {
 public:
  FollowedReadings(AskedBackend& asked, const Documented& documented)
      : asked_(asked), documented_(documented), semantics_(documented.readings()) {}

  /// The chosen readings, except where the backend was found to follow another one.
  const Semantics& semantics() const { return semantics_; }
  bool any() const { return semantics_.readings != documented_.readings(); }
  void add(const Hypothesis& reading);

  /// Readings beside the known ones that give what the backend does with `program`. Each is confirmed by
  /// further questions. Empty if there is no such set.
  ReadingSet find_together(const Program& program);

  /// A program that shows a reading which forbids `program`, and which the backend was not known to follow.
  /// Nothing if further questions confirm no such reading. They are asked once for each reading.
  std::optional<Program> shown_by_forbidding(const Program& program);

  /// A program on which a reading of the last set alone gives what the backend does; nothing if no question
  /// was one.
  std::optional<Program> shown_alone(const Hypothesis& reading);

 private:
  bool confirms(const Hypothesis& reading, const Readings& all, const Suspects& rivals);
  bool confirms_each(const ReadingSet& set, const Readings& base, const std::vector<ReadingSet>& sets);

  AskedBackend& asked_;
  const Documented& documented_;
  Semantics semantics_;
  std::vector<Program> confirming_;  ///< generated programs that confirmed a reading of the last set
  Suspects tried_;                   ///< readings that forbade a program, since the last one was added
};

}  // namespace lanecheck
