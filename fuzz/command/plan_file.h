// A plan: the runs of a night, of a pull request or of a commit, as a JSON file (fuzz/plans/).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fuzz/command/run_settings.h"

namespace lanecheck {

struct PlanFile {
  std::string_view name;
  std::string_view text;
};

/// The plans of lanecheck itself; made from fuzz/plans/ by CMake.
extern const PlanFile kPlans[4];
/// The script that runs a plan on a Slurm cluster: fuzz/plans/cluster/lanecheck.sbatch.
extern const std::string_view kBatchScript;

struct PlannedRun {
  std::string name;  ///< also the name of its folder
  RunSettings settings;
};

struct Plan {
  std::string name;
  std::string about;  ///< one sentence
  std::vector<PlannedRun> runs;
};

/// The plan of this name, or in this file. Throws InputError if there is no such plan, or if the plan is not
/// whole.
Plan find_plan(const std::string& name_or_file);

}  // namespace lanecheck
