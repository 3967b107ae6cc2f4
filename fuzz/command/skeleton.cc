#include "fuzz/command/skeleton.h"

#include "reports/output_file.h"
#include "spec/program/input_error.h"
#include "spec/text/did_you_mean.h"

namespace lanecheck {

std::vector<std::filesystem::path> write_skeleton(std::string_view kind,
                                                  const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const SkeletonFile& each : kSkeletonFiles) {
    if (each.kind != kind) continue;
    files.push_back(folder / each.name);
    if (std::filesystem::exists(files.back()))
      throw InputError(files.back().string(), "already exists; nothing was written");
  }
  if (files.empty())
    throw InputError("init-backend", "there is no skeleton for '" + std::string(kind) +
                                         "'; there are: python, pytest, easyasc, cpp, gtest" +
                                         did_you_mean(kind, {"python", "pytest", "easyasc", "cpp", "gtest"}));
  for (const SkeletonFile& each : kSkeletonFiles) {
    if (each.kind != kind) continue;
    const std::filesystem::path file = folder / each.name;
    make_folder(file.parent_path());
    OutputFile(file).write(std::string(each.text));
  }
  return files;
}

}  // namespace lanecheck
