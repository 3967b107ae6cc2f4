// A recording as a folder, for machines that read and leave plain files: manifest.json has the programs and
// their offsets, input.bin the initial UBs one after the other, output.bin the final UBs at the same offsets.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "fuzz/recorded/recording.h"

namespace lanecheck {

inline constexpr std::string_view kFolderSchema = "lanecheck-recorded-folder-1";
inline constexpr const char* kManifest = "manifest.json";
inline constexpr const char* kInput = "input.bin";
inline constexpr const char* kOutput = "output.bin";

/// The questions of a folder, as the texts of its two files.
class FolderQuestions {
 public:
  void add(const Program& program, std::uint64_t id, std::uint64_t of);
  std::string manifest() const;
  const std::string& input() const { return input_; }

 private:
  std::string entries_;
  std::string input_;
};

/// Throws InputError if the folder has no manifest that can be read.
Recording read_folder(const std::filesystem::path& folder, std::optional<Profile> profile);

}  // namespace lanecheck
