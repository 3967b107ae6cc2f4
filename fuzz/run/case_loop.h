// The loop that every run shares: cases in batches, until all are done, the time is over, the user stops the
// run, or a backend is given up. It counts cases and verdicts; what a case is and how it is judged is up to a
// CaseJudge.
#pragma once

#include <set>
#include <span>

#include "fuzz/backend/backend.h"
#include "fuzz/run/options.h"

namespace lanecheck {

/// What one backend did with one program of a batch.
struct AnswerView {
  const Outcome& outcome;
  const State& state;
};

class CaseJudge {
 public:
  virtual ~CaseJudge() = default;
  /// Makes case `index` in place `slot` of the batch. False if nothing of it can be run: it is skipped.
  virtual bool prepare(std::size_t slot, std::uint64_t index, Program& program) = 0;
  /// Judges the case in place `slot`. `answers` are those of the backends, in their order.
  virtual Verdict judge(std::size_t slot, const Program& program, std::span<const AnswerView> answers) = 0;
  /// How many findings there are so far.
  virtual std::size_t findings() const = 0;
};

/// The head of a report: what is run, with which options, on which backend.
Report report_header(const RunOptions& options, const Backend& backend);

/// `hooks` have a clock. Runs the cases on all `backends` and writes into `report` what was done: cases,
/// verdicts, processes.
void run_cases(const RunOptions& options, const RunHooks& hooks, std::span<const Backend* const> backends,
               CaseJudge& judge, Report& report);

/// Counts the instructions that a backend does not offer.
class LeftOut {
 public:
  /// Removes from `program` what is not offered. True if something was removed.
  bool leave_out(const Capabilities& offers, Program& program);
  void write_into(Report& report) const;

 private:
  std::uint64_t instructions_ = 0;
  std::set<std::string> mnemonics_;
};

}  // namespace lanecheck
