// The start of a new backend: files that `lanecheck init-backend` writes into a folder.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanecheck {

struct SkeletonFile {
  std::string_view
      kind;  ///< the skeleton that the file belongs to: "python", "pytest", "easyasc", "cpp", "gtest"
  std::string_view name;  ///< path of the file in the folder that the user names
  std::string_view text;
};

extern const std::span<const SkeletonFile> kSkeletonFiles;

/// Writes a skeleton into `folder` and returns its files. Throws InputError, and writes nothing, if there is
/// no such skeleton or if one of the files exists already.
std::vector<std::filesystem::path> write_skeleton(std::string_view kind, const std::filesystem::path& folder);

}  // namespace lanecheck
