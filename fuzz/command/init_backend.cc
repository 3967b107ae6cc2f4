// lanecheck init-backend: write the start of a new backend into a folder.
#include <iostream>
#include <memory>

#include "fuzz/command/command_line.h"
#include "fuzz/command/skeleton.h"
#include "reports/exit_code.h"
#include "reports/format.h"
#include "reports/page/escape.h"

namespace lanecheck {
namespace {

struct InitBackendCommand {
  std::string kind, folder;
};

/// What the user types next.
std::string next_steps(const InitBackendCommand& given) {
  using page::shell_word;
  const std::string& folder = given.folder;
  if (given.kind == "pytest" || given.kind == "easyasc") return "  cd " + shell_word(folder) + " && pytest\n";
  const bool python = given.kind == "python";
  const std::string backend = shell_word(python ? "cmd: python3 " + shell_word(folder + "/my_simulator.py")
                                                : "plugin:" + folder + "/build/libmy_simulator.so");
  const std::string build_folder = shell_word(folder + "/build");
  const std::string build =
      "  cmake -S " + shell_word(folder) + " -B " + build_folder + " && cmake --build " + build_folder + "\n";
  if (given.kind == "gtest") return build + "  " + shell_word(folder + "/build/my_tests") + "\n";
  return (python ? "" : build) + "  lanecheck doctor " + backend + "\n  lanecheck run --backend " + backend +
         '\n';
}

int init_backend_command(const InitBackendCommand& given) {
  for (const auto& file : write_skeleton(given.kind, given.folder))
    std::cout << "wrote " << printable(file.string()) << '\n';
  std::cout << "next:\n" << printable_lines(next_steps(given));
  return kConforms;
}

}  // namespace

void add_init_backend(CommandLine& line) {
  Command command = line.add("init-backend", "write the start of a new backend into a folder");
  const auto given = std::make_shared<InitBackendCommand>();
  command
      .text("kind", given->kind,
            "python (a process that speaks the protocol), pytest (a simulator with its tests), easyasc (the "
            "same for records of easyasc), cpp (a shared library) or gtest (tests of GoogleTest)")
      .required();
  command
      .text("folder", given->folder,
            "folder to write into; it is created if it does not exist, and no file in it is overwritten")
      .required();
  command.footer(
      "Examples:\n  lanecheck init-backend python my_backend\n  lanecheck init-backend pytest my_backend\n"
      "  lanecheck init-backend cpp my_backend\n  lanecheck init-backend gtest my_backend");
  command.action([given] { return init_backend_command(*given); });
}

}  // namespace lanecheck
