// Which cells, rules and axes the programs of a run reach.
#pragma once

#include "fuzz/coverage/cell_counts.h"
#include "reports/report.h"

namespace lanecheck {

class CellCoverage {
 public:
  explicit CellCoverage(Profile profile) : profile_(profile) {}

  /// Counts a cell of a program that was judged, by its key.
  void count(std::uint64_t cell, std::uint64_t times = 1) { cells_.add(cell, times); }
  /// Counts a cell of a program that the backend does not offer as a whole.
  void count_left_out(std::uint64_t cell, std::uint64_t times = 1) { left_out_.add(cell, times); }
  void add(const CellCoverage& other);
  const CellCounts& judged() const { return cells_; }
  const CellCounts& left_out() const { return left_out_; }
  /// Writes the counts of cells, rules and axes, which follow from the cells.
  void write_into(Report& report) const;

 private:
  Profile profile_;
  CellCounts cells_;
  CellCounts left_out_;
};

}  // namespace lanecheck
