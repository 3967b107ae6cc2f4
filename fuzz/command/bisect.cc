// lanecheck bisect: the first version of a backend that shows a fault.
#include "fuzz/recheck/bisect.h"

#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "fuzz/backend/backend.h"
#include "fuzz/command/options.h"
#include "fuzz/command/signals.h"
#include "fuzz/recheck/recheck.h"
#include "reports/exit_code.h"
#include "reports/format.h"
#include "reports/output_file.h"
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
  std::string json;
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

/// How often each version was asked, and what it showed.
struct Asked {
  std::uint64_t runs = 0, fault = 0, other = 0, no_answer = 0;
};

/// The versions, of which one is attached at a time.
class Versions {
 public:
  Versions(std::vector<std::string> names, const AttachOptions& attach)
      : names_(std::move(names)), attach_(attach), asked_(names_.size()) {}

  std::size_t count() const { return names_.size(); }
  std::string title(std::size_t version) const {
    return "version " + std::to_string(version + 1) + " of " + std::to_string(count()) + " (" +
           printable(names_[version]) + ")";
  }
  const Backend& at(std::size_t version) {
    if (!backend_ || version != attached_) {
      backend_.reset();
      backend_ = stoppable(start(names_[version]));
      attached_ = version;
    }
    return *backend_;
  }
  void note(std::size_t version, Shows shown) {
    Asked& asked = asked_[version];
    ++asked.runs;
    asked.fault += shown == Shows::fault ? 1 : 0;
    asked.other += shown == Shows::other ? 1 : 0;
    asked.no_answer += shown == Shows::no_answer ? 1 : 0;
  }
  const std::string& name(std::size_t version) const { return names_[version]; }
  const Asked& asked(std::size_t version) const { return asked_[version]; }

 private:
  /// A version that a signal stops while it starts is not one that cannot be started.
  Backend start(const std::string& name) const try {
    return named_backend(name, attach_);
  } catch (const BackendFailure&) {
    if (stop_requested()) throw Stopped();
    throw;
  }

  std::vector<std::string> names_;
  AttachOptions attach_;
  std::vector<Asked> asked_;
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
  const Shows shown = backend == nullptr ? Shows::no_answer : watch.ask(*backend);
  versions.note(version, shown);
  return shown;
}

/// With four digits: a confidence is near 100%.
std::string exact_percent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g%%", 100 * share);
  return text;
}

void print_found(const Versions& versions, const FoundVersion& found, const std::string& fault) {
  std::cout << versions.title(*found.first_bad) << " is the first that shows " << printable(fault) << '\n'
            << "confidence: " << exact_percent(1 - found.risk)
            << " or more that no version was called good wrongly. The fault shows in about "
            << exact_percent(found.rate)
            << " of the runs of the last version. A version is called good after "
            << counted(found.runs_for_good, "run") << " without it.\n"
            << "This assumes that every later version has the fault too and shows it as often.\n";
}

/// What the search came to, as JSON. Versions count from 0; what was not asked has 0 runs.
std::string json_of(const Versions& versions, const FoundVersion& found, const std::string& fault,
                    bool interrupted) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (std::size_t version = 0; version < versions.count(); ++version) {
    const Asked& asked = versions.asked(version);
    list.push_back({{"backend", versions.name(version)},
                    {"runs", asked.runs},
                    {"fault", asked.fault},
                    {"other", asked.other},
                    {"no_answer", asked.no_answer}});
  }
  nlohmann::ordered_json json = {
      {"schema", "lanecheck-bisect-1"},
      {"interrupted", interrupted},
      {"fault", fault},
      {"first_bad", found.first_bad ? nlohmann::ordered_json(*found.first_bad) : nlohmann::ordered_json()},
      {"undecided", found.why},
      {"versions", std::move(list)}};
  if (found.first_bad) json["confidence"] = 1 - found.risk;
  return json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

FoundVersion search(Versions& versions, FaultWatch& watch, unsigned runs) {
  FoundVersion found;
  found.why = watch.learn(versions.at(versions.count() - 1), runs);
  if (!found.why.empty()) return found;
  return find_first_bad(versions.count(), [&](std::size_t version) { return ask(versions, version, watch); },
                        {.most_runs = runs});
}

void print_result(const Versions& versions, const FoundVersion& found, const std::string& fault) {
  if (found.first_bad)
    print_found(versions, found, fault);
  else
    std::cout << "undecided: " << printable(found.why) << '\n';
  if (found.runs > 0) std::cout << counted(found.runs, "run") << " of the program in all\n";
}

int bisect_command(const BisectCommand& given) {
  handle_stop_signals();
  Target target = target_of(given.what);
  Versions versions(versions_of(given.backends), given.attach.attach);
  std::optional<OutputFile> json;
  if (!given.json.empty()) json.emplace(given.json);
  FoundVersion found;
  std::optional<FaultWatch> watch;
  bool interrupted = false;
  try {
    pin_readings_of(versions.at(versions.count() - 1), target.options);
    watch.emplace(std::move(target.program), std::move(target.options), target.id);
    found = search(versions, *watch, given.runs);
  } catch (const Stopped& stopped) {
    found.why = stopped.what();
    interrupted = true;
  }
  const std::string fault = watch && target.id.empty() ? watch->fault() : target.id;
  print_result(versions, found, fault);
  if (json) json->write(json_of(versions, found, fault, interrupted));
  if (interrupted) return kFailure;
  return found.first_bad ? kConforms : kDiverges;
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
  command.text("--json,-j", given->json, "write what was found as JSON to this file, also after a signal");
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
