// lanecheck: the list of commands, one parse, one catch.
#include <exception>
#include <iostream>

#include "fuzz/command/command_line.h"
#include "fuzz/command/command_list.h"  // made from the list in CMakeLists.txt
#include "fuzz/command/standard_output.h"
#include "reports/exit_code.h"
#include "reports/format.h"
#include "spec/program/input_error.h"

namespace {

int exit_code_of(const std::exception& error) {
  const bool users = dynamic_cast<const lanecheck::InputError*>(&error) != nullptr;
  return users ? lanecheck::kBadInput : lanecheck::kFailure;
}

}  // namespace

int main(int argc, char** argv) {
  lanecheck::open_closed_streams();
  lanecheck::StandardOutput output;
  int code = lanecheck::kFailure;
  try {
    lanecheck::CommandLine line;
    for (const auto& add : lanecheck::kCommands) add(line);
    code = line.run(argc, argv);
  } catch (const std::exception& error) {
    std::cout.flush();
    std::cerr << "lanecheck: " << lanecheck::printable_lines(error.what()) << '\n';
    code = exit_code_of(error);
  }
  if (const std::string why = output.finish(); !why.empty()) {
    std::cerr << "lanecheck: standard output could not be written: " << why << '\n';
    return lanecheck::kFailure;
  }
  return code;
}
