// A file that is there whole or not at all: written beside its place, then moved.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

namespace lanecheck {

/// A folder to write into, made if it is not there. Throws InputError when it cannot be.
void make_folder(const std::filesystem::path& folder);

class OutputFile {
 public:
  /// Throws InputError when the folder cannot be written; asked for before a run, not after.
  explicit OutputFile(std::filesystem::path place);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Throws std::runtime_error when the disk is full or the move fails; the old file is then untouched.
  void write(const std::string& text);

 private:
  std::filesystem::path place_, draft_;
};

}  // namespace lanecheck
