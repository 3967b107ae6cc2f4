// The folder of a run. It survives the end of lanecheck at any moment: each file is written beside its place,
// made safe on the disk, then moved, so that it is there whole, old or new.
//
//   run.json         the settings of the run and its part (shard), written once
//   checkpoint.json  how far the run has come, every few seconds
//   status.json      what `lanecheck status` shows, every second; nothing depends on it
//   report.json      the report, at the end; report.html, junit.xml and summary.md show it
//   bundles/         a folder for each of the first findings, to repeat it elsewhere
//   lock             held by the process that runs; the system lets go of it when the process ends
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "fuzz/run/tally.h"

namespace lanecheck {

/// One of `of` parts of a run, from 1. The parts are windows of about the same length that follow each other.
struct Part {
  std::uint64_t number = 1, of = 1;

  bool whole() const { return of == 1; }
  /// The window of this part of `cases` cases from `first`.
  std::uint64_t first(std::uint64_t first, std::uint64_t cases) const;
  std::uint64_t cases(std::uint64_t cases) const;
};

/// "2/8". Throws InputError.
Part read_part(const std::string& text);

/// What stands in run.json.
struct RunRecord {
  std::string settings;  ///< the settings of the run as JSON; parts of one run have the same bytes
  Part part;
};

/// Reads run.json. Throws InputError if there is no run, or one of another version.
RunRecord read_run(const std::filesystem::path& folder);
/// How far the run in the folder has come; nothing was done if there is no checkpoint yet. The run has
/// `cases` cases from `first`. Throws InputError if the checkpoint is that of other cases.
Checkpoint read_progress(const std::filesystem::path& folder, Profile profile, std::uint64_t first,
                         std::uint64_t cases);
/// Does a process work in this folder now? Its process id.
std::optional<int> worker_of(const std::filesystem::path& folder);

/// A folder in which this process runs.
class RunFolder {
 public:
  /// Begins a run in a folder that has none. Throws InputError if it has one.
  RunFolder(std::filesystem::path folder, const RunRecord& record);
  /// Goes on with the run in the folder. Throws InputError if the folder holds no run, or if a process works
  /// at it.
  explicit RunFolder(std::filesystem::path folder);
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  /// Writes a file of the folder as a whole. Throws std::runtime_error if the disk is full; the old file is
  /// then untouched.
  void write(const std::string& file, std::string_view text) const;
  /// Removes a folder inside of this one, if it is there.
  void remove(const std::string& inner) const;

 private:
  void lock();

  std::filesystem::path folder_;
  int lock_ = -1;
};

}  // namespace lanecheck
