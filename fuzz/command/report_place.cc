#include "fuzz/command/report_place.h"

#include <filesystem>
#include <set>

#include "spec/program/input_error.h"
#include "spec/text/joined.h"

namespace lanecheck {
namespace fs = std::filesystem;
namespace {

/// The folders of runs in this folder: those of a plan, or the parts of a run.
std::set<std::string> runs_in(const fs::path& folder) {
  std::set<std::string> runs;
  std::error_code error;
  for (fs::directory_iterator each(folder, error), end; !error && each != end; each.increment(error))
    if (std::error_code none; fs::exists(each->path() / "run.json", none)) runs.insert(each->path().string());
  return runs;
}

}  // namespace

void check_one_run(const std::string& folder) {
  std::error_code none;
  if (fs::exists(fs::path(folder) / "run.json", none)) return;
  if (const auto runs = runs_in(folder); !runs.empty())
    throw InputError(folder, "holds several runs; name one of them: " + joined(runs));
}

std::string report_file(const std::string& place) {
  std::error_code none;
  if (!fs::is_directory(place, none)) return place;
  const fs::path report = fs::path(place) / "report.json";
  if (fs::exists(report, none)) return report.string();
  check_one_run(place);
  if (!fs::exists(fs::path(place) / "run.json", none))
    throw InputError(place, "is a folder without a report.json; name a JSON report or the folder of a run");
  throw InputError(
      place, "the run is not finished, so it has no report; go on with: lanecheck run --resume " + place);
}

}  // namespace lanecheck
