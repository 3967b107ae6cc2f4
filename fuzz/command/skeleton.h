// The start of a new backend: files that `lanecheck init-backend` writes into a folder.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lanecheck {

struct SkeletonFile {
  std::string_view name;  ///< below fuzz/backend/
  std::string_view text;
};

extern const SkeletonFile kSkeletonFiles[5];

/// Writes the skeleton for "python" or "cpp" into `folder` and returns the files. Throws InputError for
/// another language, or when a file is there already; nothing is overwritten.
std::vector<std::filesystem::path> write_skeleton(std::string_view language,
                                                  const std::filesystem::path& folder);

}  // namespace lanecheck
