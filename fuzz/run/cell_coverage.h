// Which cells, rules and axes the programs of a run reach.
#pragma once

#include "fuzz/run/cell_counts.h"
#include "reports/report.h"

namespace lanecheck {

class CellCoverage {
 public:
  explicit CellCoverage(Profile profile);

  /// Counts a program that was judged.
  void count(const Program& program);
  /// Counts a program that the backend does not offer as a whole.
  void count_left_out(const Program& program) { left_out_.add(program, readings_); }
  /// Writes the counts of cells, element checks, rules and axes, which follow from the cells.
  void write_into(Report& report) const;

 private:
  Profile profile_;
  Readings readings_;
  CellCounts cells_;
  CellCounts left_out_;
  std::uint64_t element_checks_ = 0;
};

}  // namespace lanecheck
