// The history of runs: an SQLite file, to which reports are added with their dates.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "reports/saved/saved_report.h"

namespace SQLite {
class Database;
}

namespace lanecheck {

struct DatedReport {
  std::string date;    ///< YYYY-MM-DD
  SavedReport report;  ///< what the history keeps of it: not the instructions
};

class HistoryFile {
 public:
  enum class Open : std::uint8_t { existing, or_new };

  /// Throws InputError if the file cannot be opened or is no history of this version of lanecheck.
  HistoryFile(const std::filesystem::path& file, Open open);
  ~HistoryFile();
  HistoryFile(const HistoryFile&) = delete;
  HistoryFile& operator=(const HistoryFile&) = delete;

  /// Adds a report as a whole or not at all. Throws InputError if the history has these bytes on this date.
  void add(std::string_view report_text, const SavedReport& report, const std::string& date);

  /// All runs, sorted by date; runs of one date in the order in which they were added.
  std::vector<DatedReport> runs() const;

 private:
  std::string file_;
  std::unique_ptr<SQLite::Database> database_;
};

}  // namespace lanecheck
