// A recording: all records of a file or a folder. What cannot be read is refused by name and line, and the
// other records are kept.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "fuzz/recorded/record.h"

namespace lanecheck {

inline constexpr std::size_t kMostFaults = 20;  ///< lines that are named; the others are only counted

/// Bytes of programs and results: all of them are kept, because a finding is explained by the others.
inline constexpr std::size_t kMostRecordedBytes = std::size_t{2} << 30;

struct Recording {
  std::string name;
  Profile profile = kDefaultProfile;
  Shown shown = false;            ///< what the records show beside UB: all of them the same
  std::vector<Program> programs;  ///< of the records, in their order
  std::vector<Record> records;
  std::vector<std::string> faults;  ///< what is wrong with the recording, by name and line
};

/// Collects the records of a recording.
class RecordingReader {
 public:
  /// `profile`: that of all programs; nothing: that of the first record. `most`: bytes that are kept.
  RecordingReader(std::string name, std::optional<Profile> profile, std::size_t most = kMostRecordedBytes);

  /// Is there no room for more records? Then those that follow are not read.
  bool is_full() const { return kept_ >= most_; }
  /// Notes that the records from `place` on are not read, because there is no room.
  void refuse_rest(const std::string& place);

  /// Adds a line of JSON Lines.
  void add_line(std::string_view line, const std::string& place);
  /// Adds an entry of a manifest. Its UB was `before`, and if it ran, it is `after`; nothing if that part of
  /// the file is missing.
  void add_entry(const nlohmann::json& entry, const std::string& place, std::span<const std::byte> before,
                 std::optional<std::span<const std::byte>> after);
  void add_fault(const std::string& what);
  /// The recording. Notes how many records are missing at the end.
  Recording take();

 private:
  void keep(std::uint64_t of, Program program, Record record);
  void check_shown(const nlohmann::json& json);
  void check_order(std::uint64_t id);
  void check_program(const nlohmann::json& json, const Program& program);
  template <class Read>
  void attempt(const std::string& place, Read read);

  Recording recording_;
  std::optional<Profile> profile_;
  std::optional<Shown> shown_;
  std::set<std::uint64_t> ids_;
  std::size_t most_, kept_ = 0;    ///< bytes of programs and results
  std::uint64_t previous_ = 0;     ///< the id of the record before
  std::uint64_t announced_ = 0;    ///< how many records there are, as the records say
  std::uint64_t seen_ = 0;         ///< lines or entries so far
  std::uint64_t more_faults_ = 0;  ///< beyond kMostFaults
  bool is_cut_ = false;            ///< there are records that were not read
};

/// Reads JSON Lines ("-": standard input), or a folder (folder.h). Throws InputError if there is no such file
/// or folder, or if it holds nothing.
Recording read_recording(const std::string& path, std::optional<Profile> profile = {});

}  // namespace lanecheck
