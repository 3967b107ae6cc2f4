// The page over all runs of a plan: index.html in its folder.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "fuzz/command/plan_file.h"

namespace lanecheck {

/// Writes the page from the reports that stand in the folders of the runs. `skipped` says of some runs why
/// they are skipped. `history` is the file of --history, or empty. Throws InputError if a report or the
/// history is damaged, and std::runtime_error if the disk is full.
void write_plan_page(const std::filesystem::path& folder, const Plan& plan,
                     const std::map<std::string, std::string>& skipped, const std::string& history);

}  // namespace lanecheck
