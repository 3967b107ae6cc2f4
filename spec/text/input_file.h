// Reading the files that the user names. They may be anything: a device that never ends, a pipe, a folder, a
// file of 10 GB. Every read has a limit, and what cannot be read is an InputError that names the file.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace lanecheck {

inline constexpr std::size_t kMostInputBytes = 64u << 20;  ///< of a case, a program, a report or a list

/// A file, a device or a pipe, read piece by piece.
class InputFile {
 public:
  /// `name` stands for the file in messages. Throws InputError if it cannot be opened or is a folder.
  InputFile(const std::filesystem::path& file, std::string name);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  /// Reads at most `most` bytes; 0 at the end. Waits for the writer of a pipe until a signal comes: then it
  /// throws std::runtime_error.
  std::size_t read(char* into, std::size_t most);
  bool is_pipe() const { return is_pipe_; }
  std::size_t bytes() const {
    return bytes_;
  }  ///< the size that the file says it has; 0 for a device or pipe

 private:
  std::string name_;
  int file_;
  bool is_pipe_ = false;
  std::size_t bytes_ = 0;
};

/// The whole content. Throws InputError if the file has more than `most` bytes.
std::string read_input_file(const std::filesystem::path& file, std::size_t most = kMostInputBytes);

}  // namespace lanecheck
