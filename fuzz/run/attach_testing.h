// What the tests of attached backends share.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "fuzz/run/find_backend.h"

namespace lanecheck {

/// A way to misbehave, and what the report must say of it.
struct Misbehaviour {
  const char* name;
  const char* says;
};

inline void PrintTo(const Misbehaviour& fault, std::ostream* out) {
  *out << fault.name;
}

inline std::string name_of_misbehaviour(const testing::TestParamInfo<Misbehaviour>& each) {
  return each.param.name;
}

/// Without instructions: its UB and a full mask are the right answer.
inline Program echo_program(unsigned char first) {
  Program program;
  program.ub.assign(64, std::byte{1});
  program.ub[0] = std::byte{first};
  return program;
}

inline std::string children_of_this_process() {
  std::string all;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream children(task.path() / "children");
    for (std::string pid; children >> pid;) all += pid + " ";
  }
  return all;
}

/// Runs five programs of which the third triggers the fault: it alone is Errored, and the text says what
/// happened.
inline void expect_only_the_trigger_fails(const Backend& backend, const std::string& says) {
  const std::vector<Program> programs = {echo_program(1), echo_program(2), echo_program(0xee),
                                         echo_program(3), echo_program(4)};
  std::vector<State> states(programs.size());
  std::vector<Outcome> outcomes(programs.size());
  run_all(backend, {programs, states, outcomes});
  for (std::size_t n = 0; n < programs.size(); ++n) {
    if (n == 2) continue;
    ASSERT_TRUE(std::holds_alternative<Ran>(outcomes[n])) << "program " << n;
    EXPECT_EQ(states[n].ub, programs[n].ub) << "program " << n;
    EXPECT_EQ(states[n].mask, kFullMask) << "program " << n;
  }
  const auto* errored = std::get_if<Errored>(&outcomes[2]);
  ASSERT_NE(errored, nullptr) << "a backend that broke never conforms";
  EXPECT_NE(errored->what.find(says), std::string::npos) << errored->what;
  const auto processes = backend.processes();
  EXPECT_EQ(std::ranges::count(processes, true, &BackendProcess::failed) > 0, errored->died);
}

}  // namespace lanecheck
