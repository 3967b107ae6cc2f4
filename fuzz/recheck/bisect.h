// Does one run of a program show a certain fault? For a search among versions of a backend, with faults that
// do not show in every run and with other faults beside.
#pragma once

#include <string>
#include <vector>

#include "fuzz/explain/questions/suspects.h"
#include "fuzz/recheck/version_search.h"
#include "fuzz/run/judge.h"

namespace lanecheck {

class FaultWatch {
 public:
  /// `wanted`: the id of the finding; empty for the fault that the bad version shows most often.
  /// It remembers `most_kept` different answers, and all those of the fault.
  FaultWatch(Program program, RunOptions options, std::string wanted, std::size_t most_kept = 500);

  /// Learns from a version that shows the fault what it leaves, in at most `most` runs. Returns "", or why
  /// nothing was learnt.
  std::string learn(const Backend& bad, unsigned most);
  /// The id of the fault that was learnt.
  const std::string& fault() const { return fault_; }
  /// Runs the program once.
  Shows ask(const Backend& version);

 private:
  struct Seen {
    BackendAnswer answer;
    std::vector<std::string>
        names;  ///< the causes that leave this answer, the likeliest first; none: it conforms
    unsigned times = 0;
    bool is_fault = false;
  };

  Seen* seen(const Backend& backend);
  std::vector<std::string> names_of(const BackendAnswer& answer, const Backend& backend) const;
  bool names_fault(const std::vector<std::string>& names) const;
  bool shows_wanted(const Seen& one, const Backend& backend) const;

  Program program_;
  RunOptions options_;
  Documented documented_;
  std::string wanted_, fault_;
  std::size_t most_kept_;
  std::vector<Seen> seen_;
};

}  // namespace lanecheck
