// A block: cases that follow each other, generated, run and compared by one job. The judge of the run takes
// the blocks in the order of their cases and counts them, so that a report has the same bytes for any number
// of jobs.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fuzz/explain/questions/asked_backend.h"
#include "fuzz/generate/generate.h"
#include "reports/report.h"
#include "spec/legality/find_fault.h"

namespace lanecheck {

/// What one backend did with one program of a batch.
struct AnswerView {
  const Outcome& outcome;
  const State& state;
};

/// A case that did not do what it must. The judge sorts it into a bucket.
struct FailedCase {
  FailedCase(std::uint64_t number, const Program& tried, std::span<const AnswerView> given)
      : index(number), program(tried) {
    for (const AnswerView& each : given) answers.push_back({each.outcome, each.state});
  }

  std::uint64_t index;
  Program program;
  std::vector<BackendAnswer> answers;  ///< one for each backend
  const LegalityRule* edge = nullptr;  ///< it was refused although it is legal, at the edge of this rule
  std::optional<Fault> accepted;       ///< it ran although this makes it illegal
  bool apart = false;  ///< the program is not the case's own: it shows one of the mistakes of the case alone
};

/// What one case came to.
struct CaseRecord {
  bool done = false;                       ///< false: the backend runs no more programs
  std::optional<Verdict> verdict;          ///< nothing: the case failed
  std::unique_ptr<FailedCase> failed;      ///< set if the case failed
  std::optional<Kind> kind;                ///< the kind that the report counts it as, if it counts kinds
  const LegalityRule* legality = nullptr;  ///< the rule of legality at whose edge it lies, if it was run
  std::string skipped;                     ///< why it was skipped
  std::vector<std::size_t> died;           ///< the backends whose process the program ended, by position
  std::uint64_t element_checks = 0;
  std::vector<std::uint64_t> cells;  ///< keys of the cells that were judged (fuzz/coverage/cell_counts.h)
  std::vector<std::uint64_t> left_out_cells;  ///< of a program that the backend does not offer as a whole
  std::vector<std::string> not_offered;       ///< the instructions that were left out, as mnemonics

  /// An empty record that keeps its memory.
  void clear() {
    done = false;
    verdict.reset();
    failed.reset();
    kind.reset();
    legality = nullptr;
    skipped.clear();
    died.clear();
    element_checks = 0;
    cells.clear();
    left_out_cells.clear();
    not_offered.clear();
  }
};

struct Block {
  std::uint64_t first = 0;  ///< index of the first case
  std::size_t count = 0;    ///< so many of `cases` are in use
  std::vector<CaseRecord> cases;
  std::string given_up;  ///< why the backend runs no more programs; "" if it does

  /// One record more, which is empty.
  CaseRecord& add() {
    if (cases.size() == count) cases.emplace_back();
    cases[count].clear();
    return cases[count++];
  }
};

}  // namespace lanecheck
