// A folder for each finding of a report, with all that it takes to repeat it elsewhere:
//
//   case.json         the smallest program and what must come out, for `lanecheck replay`
//   finding.txt       the command, the broken rules with their sources, the program, the lane map
//   test_finding.py   a pytest for a simulator attached as a lanecheck.Backend
//   finding_test.cc   a GoogleTest for a simulator in a plug-in (lanecheck_plugin.h)
#pragma once

#include <filesystem>
#include <string_view>

namespace lanecheck {

/// Writes the folders into `folder`, which must not exist or must be empty. Returns their number. Throws
/// InputError if `text` is not a report, and std::runtime_error if the disk is full. `name`: where the report
/// comes from.
std::size_t write_bundles(const std::filesystem::path& folder, std::string_view text,
                          const std::string& name);

}  // namespace lanecheck
