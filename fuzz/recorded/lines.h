// Lines of a file that was written elsewhere: of any length, and the last one perhaps without its end.
#pragma once

#include <string>
#include <string_view>

#include "spec/text/input_file.h"

namespace lanecheck {

class LineReader {
 public:
  /// Opens the file ("-": standard input). Throws InputError if it cannot be opened.
  explicit LineReader(const std::string& path);

  /// Reads one line without its end, at most kMostLine + 1 bytes of it, and drops the rest. False at the end
  /// of the file.
  bool next(std::string& line);

  const std::string& name() const { return name_; }  ///< what messages call the file
  bool whole() const { return whole_; }              ///< the last line has an end
  bool is_endless() const { return is_endless_; }    ///< the end of the last line was not looked for further

 private:
  std::string name_;
  InputFile in_;
  std::string buffer_ = std::string(64 << 10, '\0');
  std::string_view unread_;
  bool whole_ = false, is_endless_ = false;
};

/// Is there nothing in the line?
bool is_blank(const std::string& line);

}  // namespace lanecheck
