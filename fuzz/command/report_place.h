// The JSON report that a user names, by its file or by the folder of its run.
#pragma once

#include <string>

namespace lanecheck {

/// `place`, or if that is a folder, the report in it. Throws InputError if the run in the folder is not
/// finished, or if the folder holds several runs or none.
std::string report_file(const std::string& place);

/// Throws InputError, which names the runs, if `folder` holds runs in its folders and none itself.
void check_one_run(const std::string& folder);

}  // namespace lanecheck
