// Standard output as the commands write it (std::cout). What cannot be written is a failure, except that a
// reader may close a pipe when it has read enough (`| head -1`).
#pragma once

#include <memory>
#include <streambuf>
#include <string>

namespace lanecheck {

/// Has a reader closed the pipe that standard output is?
bool nobody_reads_output();

/// Was something that was written lost, or has the reader closed the pipe? Then nothing more needs to be
/// made.
bool output_is_lost();

/// Receives what is written to std::cout for the lifetime of this object.
class StandardOutput {
 public:
  StandardOutput();
  ~StandardOutput();
  StandardOutput(const StandardOutput&) = delete;
  StandardOutput& operator=(const StandardOutput&) = delete;

  /// Writes what is still buffered. Returns why the output is not whole: an error of the system, or "" if it
  /// is whole or nobody wants the rest.
  std::string finish();

 private:
  std::unique_ptr<std::streambuf> buffer_;
  std::streambuf* previous_;
};

/// Opens /dev/null in the place of each standard stream that is closed, so that no pipe or file takes its
/// number. A closed standard output stays one that cannot be written.
void open_closed_streams();

}  // namespace lanecheck
