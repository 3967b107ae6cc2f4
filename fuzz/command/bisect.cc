// lanecheck bisect: the first version of a backend that shows a fault.
#include "fuzz/recheck/bisect.h"

#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <sstream>

#include "fuzz/backend/backend.h"
#include "fuzz/command/options.h"
#include "fuzz/command/signals.h"
#include "fuzz/recheck/recheck.h"
#include "reports/exit_code.h"
#include "reports/format.h"
#include "spec/program/input_error.h"
#include "spec/program/profile.h"
#include "spec/text/input_file.h"

namespace lanecheck {
namespace {

struct BisectCommand {
  AttachGroup attach;
  std::string what;      ///< a case file, or REPORT:ID
  std::string backends;  ///< a file with one backend in each line
  unsigned runs = SearchLimits{}.most_runs;
};

/// A program, how it is judged, and the id of the fault if the user named it.
struct Target {
  Program program;
  RunOptions options;
  std::string id;
};

Target target_of_case(const std::string& file) {
  const Case c = load_case(file);
  return {c.program, options_of(c, {}), ""};
}

/// The place and the id may hold colons: the place is the longest one that exists.
Target target_of(const std::string& what) {
  std::error_code error;
  if (std::filesystem::is_regular_file(what, error)) return target_of_case(what);
  for (auto colon = what.rfind(':'); colon != std::string::npos && colon > 0;
       colon = what.rfind(':', colon - 1)) {
    const std::string place = what.substr(0, colon);
    if (!std::filesystem::exists(place, error)) continue;
    const SavedCases run = load_saved_cases(place);
    const SavedCase& finding = case_of(run, what.substr(colon + 1));
    if (!finding.other.empty())
      throw InputError("finding " + printable(finding.id), "comes from a comparison with another backend");
    return {finding.smallest.program, options_of(run), finding.id};
  }
  throw InputError(what,
                   "is neither a case file nor REPORT:ID, the id of a finding in a JSON report or a folder");
}

/// Without this check, a wrong name is found only in the middle of the search.
void check_built_in(const std::string& name, const std::string& file) try {
  named_backend(name);
} catch (const InputError& error) {
  throw InputError(file, error.what());
}

/// The lines of the list, without empty ones and those that begin with '#'.
std::vector<std::string> versions_of(const std::string& file) {
  std::vector<std::string> versions;
  std::istringstream lines(read_input_file(file));
  for (std::string line; std::getline(lines, line);) {
    const auto first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos || line[first] == '#') continue;
    versions.push_back(line.substr(first, line.find_last_not_of(" \t\r") + 1 - first));
  }
  if (versions.size() < 2)
    throw InputError(file, "names " + counted(versions.size(), "backend") + "; bisect needs at least two");
  for (const std::string& each : versions)
    if (!each.starts_with("cmd:") && !each.starts_with("plugin:")) check_built_in(each, file);
  return versions;
}

/// The versions, of which one is attached at a time.
class Versions {
 public:
  Versions(std::vector<std::string> names, const AttachOptions& attach)
      : names_(std::move(names)), attach_(attach) {}

  std::size_t count() const { return names_.size(); }
  std::string title(std::size_t version) const {
    return "version " + std::to_string(version + 1) + " of " + std::to_string(count()) + " (" +
           printable(names_[version]) + ")";
  }
  const Backend& at(std::size_t version) {
    if (!backend_ || version != attached_) {
      backend_.reset();
      backend_ = stoppable(named_backend(names_[version], attach_));
      attached_ = version;
    }
    return *backend_;
  }

 private:
  std::vector<std::string> names_;
  AttachOptions attach_;
  std::optional<Backend> backend_;
  std::size_t attached_ = 0;
};

/// Null if the version cannot be started.
const Backend* started(Versions& versions, std::size_t version) try {
  return &versions.at(version);
} catch (const BackendFailure& failure) {
  std::cout << versions.title(version) << " cannot be started: " << printable(failure.what()) << std::endl;
  return nullptr;
}

/// Asks a version once. One that cannot be started gives no answer.
Shows ask(Versions& versions, std::size_t version, FaultWatch& watch) {
  const Backend* backend = started(versions, version);
  return backend == nullptr ? Shows::no_answer : watch.ask(*backend);
}

std::string percent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g%%", 100 * share);
  return text;
}

void print_found(const Versions& versions, const FoundVersion& found, const std::string& fault) {
  std::cout << versions.title(*found.first_bad) << " is the first that shows " << printable(fault) << '\n'
            << "confidence: " << percent(1 - found.risk)
            << " or more that no version was called good wrongly. The fault shows in about "
            << percent(found.rate) << " of the runs of the last version. A version is called good after "
            << counted(found.runs_for_good, "run") << " without it.\n"
            << "This assumes that every later version has the fault too and shows it as often.\n";
}

int bisect_command(const BisectCommand& given) {
  handle_stop_signals();
  Target target = target_of(given.what);
  Versions versions(versions_of(given.backends), given.attach.attach);
  const std::size_t last = versions.count() - 1;
  try {
    pin_readings_of(versions.at(last), target.options);
    FaultWatch watch(std::move(target.program), std::move(target.options), target.id);
    if (const std::string why = watch.learn(versions.at(last), given.runs); !why.empty()) {
      std::cout << "undecided: " << why << '\n';
      return kDiverges;
    }
    const FoundVersion found =
        find_first_bad(versions.count(), [&](std::size_t version) { return ask(versions, version, watch); },
                       {.most_runs = given.runs});
    if (found.first_bad)
      print_found(versions, found, watch.fault());
    else
      std::cout << "undecided: " << found.why << '\n';
    std::cout << counted(found.runs, "run") << " of the program in all\n";
    return found.first_bad ? kConforms : kDiverges;
  } catch (const Stopped& stopped) {
    std::cout << "undecided: " << stopped.what() << '\n';
    return kFailure;
  }
}

}  // namespace

void add_bisect(CommandLine& line) {
  Command command = line.add("bisect", "find the first version of a backend that shows a fault");
  const auto given = std::make_shared<BisectCommand>();
  command
      .text("fault", given->what,
            "a case file, or REPORT:ID, a finding in a JSON report or in the folder of a run")
      .required();
  command
      .text("--backends", given->backends,
            "a file with one backend in each line, old to new; the first is good, the last has the fault")
      .required();
  command.number("--runs", given->runs, "run the program at most this many times on each version", 1u);
  given->attach.declare(command);
  command.footer(
      R"(The fault may show in a part of the runs. Bisect measures on the last version how often it shows, and runs
each version so often that it is called good wrongly with a probability below 1% in the whole search. A run that
shows another fault does not count. If the answers do not suffice, it says "undecided".

All versions are judged under the readings that the last version says it follows.

A case file: the fault is the first wrong answer that the last version gives five times.

Examples (in versions.txt, lines such as: cmd: python3 sim-1.4/serve.py):
  lanecheck bisect report.json:cadd-keeps-dst --backends versions.txt
  lanecheck bisect case.json --backends versions.txt --deadline 5

Exit codes: 0 found, 1 undecided, 2 wrong input, 3 the last version cannot be started, or a signal.)");
  command.action([given] { return bisect_command(*given); });
}

}  // namespace lanecheck
