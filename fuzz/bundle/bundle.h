// A folder for each finding of a report, with all that it takes to repeat it elsewhere:
//
//   case.json         the smallest program and what must come out, for `lanecheck replay`
//   finding.txt       the command, the broken rules with their sources, the program, the lane map
//   test_finding.py   a pytest for a simulator attached as a lanecheck.Backend
//   finding_test.cc   a GoogleTest for a simulator in a plug-in (lanecheck_plugin.h)
//
// A finding about which the backend is not always wrong has no tests: one that runs its program once may
// pass.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanecheck {

struct Bundle {
  std::string folder;  ///< a name of its own among all bundles of a report
  std::vector<std::pair<std::string, std::string>> files;  ///< name and text
};

/// The bundles of the first `most` findings of a report, in their order: the same for the same report. Throws
/// InputError if `text` is not a report. `name`: where the report comes from.
std::vector<Bundle> bundles_of(std::string_view text, const std::string& name, std::size_t most);

/// Writes the bundles of all findings into `folder`, which must not exist or must be empty. Returns their
/// number. Throws std::runtime_error if the disk is full.
std::size_t write_bundles(const std::filesystem::path& folder, std::string_view text,
                          const std::string& name);

}  // namespace lanecheck
