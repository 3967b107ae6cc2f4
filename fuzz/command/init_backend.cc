// lanecheck init-backend: write the start of a new backend into a folder.
#include <iostream>
#include <memory>

#include "fuzz/command/command_line.h"
#include "fuzz/command/skeleton.h"
#include "reports/exit_code.h"

namespace lanecheck {
namespace {

struct InitBackendCommand {
  std::string language, folder;
};

int init_backend_command(const InitBackendCommand& given) {
  for (const auto& file : write_skeleton(given.language, given.folder))
    std::cout << "wrote " << file.string() << '\n';
  const std::string& folder = given.folder;
  const bool python = given.language == "python";
  const std::string backend = python ? "'cmd: python3 " + folder + "/my_simulator.py'"
                                     : "plugin:" + folder + "/build/libmy_simulator.so";
  std::cout << "next:\n";
  if (!python)
    std::cout << "  cmake -S " << folder << " -B " << folder << "/build && cmake --build " << folder
              << "/build\n";
  std::cout << "  lanecheck doctor " << backend << "\n  lanecheck run --backend " << backend << '\n';
  return kConforms;
}

}  // namespace

void add_init_backend(CommandLine& line) {
  Command command = line.add("init-backend", "write the start of a new backend into a folder");
  const auto given = std::make_shared<InitBackendCommand>();
  command.text("language", given->language, "language of the skeleton: python or cpp").required();
  command
      .text("folder", given->folder,
            "folder to write into; it is created if it does not exist, and no file in it is overwritten")
      .required();
  command.footer(
      "Examples:\n  lanecheck init-backend python my_backend\n  lanecheck init-backend cpp my_backend");
  command.action([given] { return init_backend_command(*given); });
}

}  // namespace lanecheck
