// From a divergence to a finding: which instruction, which lanes, which rule or reading, and the smallest
// program.
#pragma once

#include <functional>
#include <optional>

#include "fuzz/backend/backend.h"
#include "oracle/mutants/blame.h"
#include "reports/report.h"
#include "spec/legality/find_fault.h"

namespace lanecheck {

class Explainer {
 public:
  /// Minimization ends with what it has once `stop` says so.
  Explainer(const Backend& backend, Profile profile, const Readings& readings,
            const std::vector<std::string>& pinned, std::function<bool()> stop = {})
      : backend_(backend),
        stop_(std::move(stop)),
        profile_(profile),
        documented_(readings),
        hypotheses_(hypotheses(profile, readings, pinned)) {}

  /// What the backend does with `program`. The last answer is kept: explaining asks for the same one
  /// repeatedly, and an attached backend is slow.
  const Outcome& ask(const Program& program) const;
  /// Does the backend leave on `program` what the documents forbid? A refusal or a failure counts as well.
  bool diverges(const Program& program) const;

  /// Hypotheses that reproduce the backend's output on `program`.
  std::vector<const Hypothesis*> suspects(const Program& program) const;
  /// Drops the hypotheses that foretell a divergence on some probe program where the backend conforms: it
  /// does not believe them. Readings alone are kept when that would leave none; a backend may follow one in
  /// part.
  std::vector<const Hypothesis*> refine(std::vector<const Hypothesis*> some) const;
  /// Does one of these still reproduce it?
  bool reproduces(const std::vector<const Hypothesis*>& some, const Program& program) const;

  /// Everything but the counts. With `shrink` the program is minimized inside the explanation `suspects`.
  Finding explain(const Program& program, std::vector<const Hypothesis*> suspects, bool shrink) const;
  /// An illegal program that the backend ran. Undecided when an open reading makes it legal.
  Finding accepted(const Program& program, const Fault& fault, bool shrink) const;
  /// A program that did in the run what it does not do alone.
  Finding not_repeated(const Program& program, const Outcome& outcome, const State& actual) const;

 private:
  void name(Finding& finding, const std::vector<const Hypothesis*>& suspects) const;
  void name_rules(Finding& finding, const Mutant& wrong) const;
  void locate(Finding& finding) const;
  bool mask_differs(const State& expected, const State& actual) const;

  Finding failure(const Program& program, const Outcome& outcome, bool shrink) const;
  bool reading_explains(const Program& program) const;
  /// Enough of asking? `deaths`: how many the backend may have died in all.
  bool gives_up(unsigned deaths) const { return deaths_ >= deaths || (stop_ && stop_()); }

  const Backend& backend_;
  std::function<bool()> stop_;
  Profile profile_;
  mutable std::optional<Program> asked_;
  mutable Outcome outcome_;
  mutable State actual_;
  mutable unsigned deaths_ = 0;  ///< that explaining has cost
  Semantics documented_;
  std::vector<Hypothesis> hypotheses_;
};

/// Which failure or refusal an outcome is, for telling failures apart: its text without numbers, so that
/// addresses and indices do not matter. Empty for Ran and Skipped.
std::string failure_kind(const Outcome& outcome);

/// The elements of dst of instruction `insn`, and what stands in them.
std::vector<LaneRow> lane_rows(const Program& program, const Instruction& insn, const Readings& readings,
                               const State& before, const State& expected, const State& actual);

}  // namespace lanecheck
