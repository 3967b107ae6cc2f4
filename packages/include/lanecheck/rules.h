// The rules of a profile, and what one run of the program `lanecheck` says of each on a simulator.
// lanecheck/gtest.h is built on it; so can be any other test framework. C++17. Version 1 of this interface.
#ifndef LANECHECK_RULES_H
#define LANECHECK_RULES_H

#include <lanecheck_plugin.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#define LANECHECK_RULES_VERSION 1

namespace lanecheck::rules {

/// Runs one program: works on program.ub and program.mask and sets program.verdict (lanecheck_plugin.h).
using Run = std::function<void(lanecheck_program& program)>;

/// A simulator: functions of this program, or whatever `lanecheck run --backend` takes.
struct Simulator {
  Simulator(const char* named) : backend(named) {}  // NOLINT: "plugin:libmy.so", "cmd: ./my_sim"
  /// The functions of a plug-in, for example *lanecheck_plugin().
  Simulator(const lanecheck_plugin_info& functions) : plugin(&functions) {}  // NOLINT
  /// A function, and what the simulator has of `lanecheck offers`: {"add", "i32", "i32"}. None: everything.
  Simulator(Run run, std::vector<lanecheck_offer> offered = {})  // NOLINT
      : callable(std::move(run)), offers(std::move(offered)) {}

  std::string backend;
  const lanecheck_plugin_info* plugin = nullptr;
  Run callable;
  std::vector<lanecheck_offer> offers;
};

struct Settings {
  std::string profile = "vmc";
  std::uint64_t cases = 20000, seed = 1;
  std::string
      program;  ///< lanecheck; empty: $LANECHECK, else the one of the installation, else the one in PATH
};

enum class State { passed, failed, skipped };

struct Outcome {
  State state = State::passed;
  std::string text;  ///< failed: rule, program, lane map, command. skipped: why
};

/// The name of the outcome for everything that belongs to no rule: crashes, hangs, unexplained results, and a
/// run that failed.
inline constexpr const char* kOther = "other-findings";

/// The ids of the rules of a profile, and kOther. Throws std::runtime_error.
std::vector<std::string> ids(const Settings& settings);

/// By id of a rule. `backend` as for `lanecheck run --backend`. A run that fails fails kOther, and skips the
/// rules.
std::map<std::string, Outcome> run(const std::string& backend, const Settings& settings);

/// The backend of functions of this program: lanecheck starts this program once more, with
/// LANECHECK_SERVE=`name`.
std::string own_backend(const std::string& name);

/// Is this process such a start for `name`? If so, it must call serve() and end.
bool is_asked_to_serve(const std::string& name);

/// Answers lanecheck until it has no further programs. Returns the exit code. What the simulator prints goes
/// to standard error. call_early() must have run.
int serve(const Simulator& simulator);

/// Keeps standard output for serve(), if that is to come. Before main(): what a test framework prints is no
/// answer.
bool call_early();

}  // namespace lanecheck::rules
#endif
