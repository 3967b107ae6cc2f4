// One run from its settings to its report: attach, ask the doctor, run, print, write.
#pragma once

#include "fuzz/command/run_settings.h"
#include "fuzz/journal/journal.h"

namespace lanecheck {

struct RunOutputs {
  std::string json;      ///< file for the JSON report
  std::string save;      ///< folder for minimized cases
  std::string baseline;  ///< file with the known failures
  std::string history;   ///< SQLite file to which the report is added
  bool quiet = false, verbose = false;
};

/// Runs a part of the run, on from where `journal` stands if it is not null. Returns the exit code.
int run_session(const RunSettings& settings, const RunOutputs& outputs, const Part& part = {},
                Journal* journal = nullptr);

}  // namespace lanecheck
