// lanecheck: the list of commands, one parse, one catch.
#include <exception>
#include <iostream>
#ifdef __GLIBC__
#include <malloc.h>
#endif

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

/// UB and accept sets are made and given back many times. Left to itself, glibc returns large ones to the
/// kernel each time, and half of the time of `distill` went into getting new pages.
void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int kMiB = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, 32 * kMiB);  // the most that glibc takes
  mallopt(M_TRIM_THRESHOLD, 512 * kMiB);
#endif
}

}  // namespace

int main(int argc, char** argv) {
  keep_freed_memory();
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
