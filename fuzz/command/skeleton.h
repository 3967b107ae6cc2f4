// The start of a new backend: files that `lanecheck init-backend` writes into a folder.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lanecheck {

struct SkeletonFile {
  std::string_view name;  ///< path of the file below fuzz/backend/
  std::string_view text;
};

extern const SkeletonFile kSkeletonFiles[5];

/// Writes the skeleton for "python" or "cpp" into `folder` and returns the files. Throws InputError, and
/// writes nothing, for another language or if one of the files exists already.
std::vector<std::filesystem::path> write_skeleton(std::string_view language,
                                                  const std::filesystem::path& folder);

}  // namespace lanecheck
