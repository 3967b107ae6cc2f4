// Makes each case and compares what two backends did with it.
#pragma once

#include "fuzz/run/backend_pair.h"
#include "fuzz/run/job.h"
#include "fuzz/run/options.h"

namespace lanecheck {

class DifferentialChecker final : public CaseChecker {
 public:
  DifferentialChecker(const RunOptions& options, const BackendPair& pair);

  bool prepare(std::size_t place, std::uint64_t index, Program& program, CaseRecord& record) override;
  void check(std::size_t place, const Program& program, AnswerViews answers, CaseRecord& record) override;

 private:
  const RunOptions& options_;
  BackendPair pair_;
  Semantics semantics_;
  bool departs_;                        ///< the run has readings other than the default ones
  std::vector<std::uint64_t> indices_;  ///< of the cases of the batch, by place
};

}  // namespace lanecheck
