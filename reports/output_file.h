// A file that is there whole or not at all: written beside its place, made safe on the disk, then moved.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace lanecheck {

/// A folder to write into. If it is not there it is made, and survives a loss of power. Throws InputError if
/// it cannot be made.
void make_folder(const std::filesystem::path& folder);

/// A regular file is replaced as a whole; a symbolic link is followed to its target. Everything else (a
/// device, a pipe, /dev/stdout) is written straight through, because it must not be replaced by a file.
/// For /dev/stdout, /dev/stderr and /dev/fd/N that is the descriptor itself: what is there is not
/// overwritten.
class OutputFile {
 public:
  /// Opens the draft, or what is written straight through. Throws InputError if that fails: before a run, not
  /// after it. A pipe that nobody reads is refused.
  explicit OutputFile(std::filesystem::path place);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Writes all of `text` and moves the draft to its place; call it once. Throws std::runtime_error if the
  /// disk is full or the move fails; the old file is then untouched.
  void write(std::string_view text);

 private:
  std::filesystem::path place_;  ///< where links lead to
  std::filesystem::path draft_;  ///< empty: written straight through; does not change while it is listed
  int file_ = -1;
};

/// Removes the drafts of all OutputFiles. For a signal handler that ends the process at once: it only calls
/// what is safe there.
void remove_drafts() noexcept;

/// Writes `text` into a new file `stem`.json in `folder` and returns its path. Never touches a file that is
/// there: if its bytes are the same it is returned, else the name is `stem`-2.json, `stem`-3.json, ...
std::filesystem::path write_new_file(const std::filesystem::path& folder, const std::string& stem,
                                     std::string_view text);

}  // namespace lanecheck
