#include "fuzz/command/skeleton.h"

#include <algorithm>

#include "reports/output_file.h"
#include "spec/program/input_error.h"

namespace lanecheck {
namespace {

bool belongs_to(std::string_view language, std::string_view name) {
  const bool python = name.ends_with(".py");
  return language == (python ? "python" : "cpp");
}

}  // namespace

std::vector<std::filesystem::path> write_skeleton(std::string_view language,
                                                  const std::filesystem::path& folder) {
  if (language != "python" && language != "cpp")
    throw InputError("init-backend",
                     "there is no skeleton for '" + std::string(language) + "'; there are: python, cpp");
  std::vector<std::filesystem::path> files;
  for (const SkeletonFile& each : kSkeletonFiles) {
    if (!belongs_to(language, each.name)) continue;
    files.push_back(folder / std::filesystem::path(each.name).filename());
    if (std::filesystem::exists(files.back()))
      throw InputError(files.back().string(), "already exists; nothing was written");
  }
  make_folder(folder);
  for (const SkeletonFile& each : kSkeletonFiles)
    if (belongs_to(language, each.name))
      OutputFile(folder / std::filesystem::path(each.name).filename()).write(std::string(each.text));
  return files;
}

}  // namespace lanecheck
