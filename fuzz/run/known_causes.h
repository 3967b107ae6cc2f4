// All causes that a run has found so far, taken together: one oracle that follows every reading and has every
// mutant among them. A case on which it leaves what the backend left needs no analysis of its own.
#pragma once

#include "fuzz/explain/hypotheses/followed_readings.h"

namespace lanecheck {

class KnownCauses {
 public:
  explicit KnownCauses(const Documented& documented)
      : documented_(documented), together_(documented.readings()) {}

  bool any() const { return !causes_.empty(); }
  /// Adds a cause. Knowing it twice changes nothing.
  void add(const Hypothesis& cause);
  /// Does the oracle with all causes leave `actual`? Costs one comparison.
  bool reproduce(const Program& program, const State& actual, Shown shown) const;
  /// Do all causes together change what `program` leaves by the documents?
  bool touch(const Program& program, Shown shown) const;
  /// The mistakes of which one, or if no single one does, of which two together give `actual` beside all
  /// known causes; each of them once. Nothing if too many mistakes change the program.
  Suspects missing(const Program& program, const State& actual, Shown shown) const;
  /// Does `program` show `mistake`, in what the documents forbid, and no known cause?
  bool shows_alone(const Hypothesis& mistake, const Program& program, Shown shown) const;
  /// Does a cause alone change `expected`, what `program` leaves by the documents?
  static bool touches(const Hypothesis& cause, const Program& program, const State& expected, Shown shown);

 private:
  const Documented& documented_;
  Suspects causes_;
  Semantics together_;
};

}  // namespace lanecheck
