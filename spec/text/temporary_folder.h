// A new folder, mostly below the one for temporary files. It is removed at the end.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <stdexcept>
#include <string>

namespace lanecheck {

class TemporaryFolder {
 public:
  /// `begin`: its path without the last characters, which are drawn. Throws std::runtime_error if it cannot
  /// be made.
  explicit TemporaryFolder(const std::filesystem::path& begin = std::filesystem::temp_directory_path() /
                                                                "lanecheck-") {
    std::string name = begin.string() + "XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder can be made: " + name);
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace lanecheck
