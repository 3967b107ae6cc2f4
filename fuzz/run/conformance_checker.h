// Checks a backend against the oracle: makes each case, computes what it must do, and compares.
#pragma once

#include "fuzz/run/job.h"
#include "fuzz/run/options.h"
#include "oracle/compare/compare.h"

namespace lanecheck {

/// Does a run with these options have cases at the edges of legality for this backend?
bool judges_refusals(const RunOptions& options, const Backend& backend);

class ConformanceChecker final : public CaseChecker {
 public:
  /// Both must outlive the checker.
  ConformanceChecker(const RunOptions& options, const Backend& backend);

  bool prepare(std::size_t place, std::uint64_t index, Program& program, CaseRecord& record) override;
  void check(std::size_t place, const Program& program, std::span<const AnswerView> answers,
             CaseRecord& record) override;

 private:
  /// What a case is judged by.
  enum class JudgedBy : std::uint8_t {
    state,             ///< the state in which the program ends
    edge,              ///< the program lies at an edge of legality: whether it is refused
    forbidding_choice  ///< the chosen readings forbid a program that the profile allows: whether it is
                       ///< refused
  };

  /// One case on its way to the backend and back.
  struct Slot {
    std::uint64_t index = 0;
    JudgedBy by = JudgedBy::state;
    State expected;                      ///< if judged by the state
    const LegalityRule* rule = nullptr;  ///< else: the rule in question
    bool outside = false;                ///< else: must the program be refused?
  };

  bool lies_at_edge(std::uint64_t index) const;
  bool prepare_at_edge(Slot& slot, Program& program, CaseRecord& record);
  bool prepare_legal(Slot& slot, Program& program, CaseRecord& record);
  bool leave_out(Program& program, CaseRecord& record);
  void count_judged(const Program& program, CaseRecord& record) const;
  void count_left_out(const Program& program, CaseRecord& record) const;
  void check_refusal(const Slot& slot, const Program& program, const AnswerView& answer, CaseRecord& record);

  const RunOptions& options_;
  const Backend& backend_;
  Semantics semantics_;
  Readings cell_readings_;  ///< cells are counted under the profile's default readings
  bool departs_;  ///< The readings are not the profile's defaults, so a generated program may be illegal.
  bool judges_refusals_;
  Shown shown_;
  std::vector<Slot> slots_;
  Program whole_;  ///< a case before the backend's capabilities restrict it
};

}  // namespace lanecheck
