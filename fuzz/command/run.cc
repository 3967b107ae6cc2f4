// lanecheck run: generate programs, run them on a backend, report the broken rules.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "fuzz/command/plan_file.h"
#include "fuzz/command/plan_page.h"
#include "fuzz/command/run_session.h"
#include "fuzz/command/signals.h"
#include "fuzz/generate/generate.h"
#include "reports/exit_code.h"
#include "reports/format.h"
#include "spec/program/input_error.h"
#include "spec/program/profile.h"

namespace lanecheck {
namespace {

struct RunCommand {
  RunSettings settings;
  RunOutputs outputs;
  std::string folder;  ///< the run keeps its progress here
  std::string resume;  ///< the folder of a run that is to go on
  std::string shard = "1/1";
  double checkpoint = 5;     ///< seconds
  std::string plan;          ///< the name of a plan, or its file
  bool own_backend = false;  ///< the user has named a backend
};

/// Runs in `folder`, which is at `place`, on from where the run in it stands.
int run_in(const RunFolder& folder, const std::string& place, const RunCommand& given,
           const RunSettings& settings, const Part& part) {
  const std::uint64_t first = part.first(settings.window.first, settings.window.cases);
  const std::uint64_t cases = part.cases(settings.window.cases);
  Journal journal(read_progress(place, settings.profile.profile(), first, cases), &folder, given.checkpoint);
  return run_session(settings, given.outputs, part, &journal);
}

int resume(const RunCommand& given) {
  const RunRecord record = read_run(given.resume);
  RunSettings settings = settings_of(record, given.resume);
  settings.jobs = given.settings.jobs;
  return run_in(RunFolder(given.resume), given.resume, given, settings, record.part);
}

/// Throws InputError for settings without meaning, before there is a folder.
void check(const RunSettings& settings, const Part& part) {
  if (!settings.options().until.text.empty() && !part.whole())
    throw InputError("--until", "looks at the whole run; it cannot be used with --shard");
}

/// A run in a folder, which may hold a part of it.
struct RunInFolder {
  RunRecord record;
  bool begun;
};

/// Throws InputError if the folder holds another run.
RunInFolder look_into(const std::string& folder, const RunSettings& settings, const Part& part) {
  check(settings, part);
  const bool begun = std::filesystem::exists(std::filesystem::path(folder) / "run.json");
  const RunRecord record = begun ? read_run(folder) : RunRecord{settings_text(settings), part};
  if (settings_text(settings_of(record, folder)) != settings_text(settings))
    throw InputError(folder, "holds a run with other settings; name another folder");
  if (record.part.number != part.number || record.part.of != part.of)
    throw InputError(folder, "holds part " + std::to_string(record.part.number) + " of " +
                                 std::to_string(record.part.of) + "; name another folder");
  return {record, begun};
}

/// Begins a run in a folder, or goes on with the run in it, which must be the same.
int run_in_folder(const RunCommand& given, const RunSettings& settings, const std::string& folder,
                  const Part& part) {
  const RunInFolder run = look_into(folder, settings, part);
  return run.begun ? run_in(RunFolder(folder), folder, given, settings, part)
                   : run_in(RunFolder(folder, run.record), folder, given, settings, part);
}

/// Why the backend cannot do a run of a plan; "" if it can.
std::string lacks(const Backend& backend, const RunSettings& settings) {
  if (!takes_profile(backend, settings.profile.profile()))
    return "does not offer profile " + settings.profile.name;
  if (settings.illegal && !backend.reports_refusals) return "does not report refusals";
  return {};
}

/// Backends by name: what each one says, without a process. One backend mostly does all runs of a plan.
class AskedOnce {
 public:
  const Backend& find(const std::string& name, const AttachOptions& attach) {
    const auto [known, is_new] = said_.try_emplace(name);
    if (is_new) known->second = named_backend(name, attach);
    if (is_new && known->second.restart) known->second.restart();  // ends the process
    return known->second;
  }

 private:
  std::map<std::string, Backend> said_;
};

/// The backend that the setting of this name names. Throws InputError or BackendFailure, which say where the
/// plan names it, if it cannot be found or started.
const Backend& backend_of(const std::string& where, const std::string& name, const AttachOptions& attach,
                          AskedOnce& backends) try {
  return backends.find(name, attach);
} catch (const InputError& error) {
  throw InputError(where, error.what());
} catch (const BackendFailure& failure) {
  throw BackendFailure(where + ": " + failure.what());
}

/// Why this run of a plan is to be skipped; "" if it can be done. Throws if a backend cannot be found.
std::string why_skipped(const PlannedRun& run, const RunCommand& given, AskedOnce& backends) {
  const std::string where = given.plan + ": run " + run.name;
  const AttachOptions& attach = run.settings.backend.attach;
  if (!run.settings.against.empty())
    backend_of(where + ": 'against'", run.settings.against, attach, backends);
  return lacks(given.own_backend
                   ? backends.find(run.settings.backend.backend, attach)
                   : backend_of(where + ": 'backend'", run.settings.backend.backend, attach, backends),
               run.settings);
}

std::string folder_of(const PlannedRun& run, const RunCommand& given) {
  return given.folder.empty() ? "" : (std::filesystem::path(given.folder) / run.name).string();
}

/// Why runs of a plan are skipped, by name.
using SkippedRuns = std::map<std::string, std::string>;

/// Gives the runs of a plan the options of the command. What is wrong with any of them is found here: the
/// first run may take hours.
SkippedRuns prepare_runs(Plan& plan, const RunCommand& given, const Part& part) {
  SkippedRuns skipped;
  AskedOnce backends;
  for (PlannedRun& run : plan.runs) {
    if (given.own_backend) run.settings.backend = given.settings.backend;
    run.settings.jobs = given.settings.jobs;
    run.settings.options();  // throws if --jobs does not suit
    if (std::string why = why_skipped(run, given, backends); !why.empty())
      skipped[run.name] = std::move(why);
    else if (const std::string folder = folder_of(run, given); !folder.empty())
      look_into(folder, run.settings, part);
  }
  if (skipped.size() == plan.runs.size())
    throw InputError("--plan " + given.plan, "the backend cannot do any of its runs");
  return skipped;
}

/// Shows how far a plan has come. If the disk is full the plan goes on.
void show_plan_page(const RunCommand& given, const Plan& plan, const SkippedRuns& skipped) try {
  if (!given.folder.empty()) write_plan_page(given.folder, plan, skipped, given.outputs.history);
} catch (const std::exception& error) {
  std::cerr << "lanecheck: the page of the plan: " << printable_lines(error.what()) << '\n';
}

/// Does the runs of a plan one after the other. A run that diverges outweighs one that fails.
int run_plan(const RunCommand& given) {
  handle_stop_signals();
  const Part part = read_part(given.shard);
  Plan plan = find_plan(given.plan);
  const SkippedRuns skipped = prepare_runs(plan, given, part);
  int worst = kConforms;
  for (const PlannedRun& run : plan.runs) {
    const auto why = skipped.find(run.name);
    std::cout << "== " << run.name
              << (why == skipped.end() ? "" : ": skipped, because the backend " + why->second) << std::endl;
    if (why != skipped.end()) continue;
    const std::string folder = folder_of(run, given);
    const int code = folder.empty() ? run_session(run.settings, given.outputs)
                                    : run_in_folder(given, run.settings, folder, part);
    if (worst != kDiverges && code != kConforms) worst = code;
    show_plan_page(given, plan, skipped);
    if (stop_requested()) return worst == kConforms ? kFailure : worst;
  }
  return worst;
}

int run_command(const RunCommand& given) {
  if (!given.resume.empty()) return resume(given);
  if (!given.plan.empty()) return run_plan(given);
  const Part part = read_part(given.shard);
  if (given.folder.empty()) return run_session(given.settings, given.outputs, part);
  check(given.settings, part);
  const RunRecord record{settings_text(given.settings), part};
  return run_in(RunFolder(given.folder, record), given.folder, given, given.settings, part);
}

/// "270,080 (vmc), ...": where the boundary cases of each profile end.
std::string boundary_ends() {
  std::string ends;
  for (const Profile profile : kEveryProfile)
    ends.append(ends.empty() ? "" : ", ")
        .append(grouped(cases_with_boundaries(profile)))
        .append(" (")
        .append(row_of(profile).name)
        .append(")");
  return ends;
}

/// The last part of the help: words, examples and exit codes.
std::string help_of_run() {
  return R"(Undecided is a case in which the backend differs and an open reading allows all that it did (with --against:
the documents allow both results). It is no failure, and the exit code is 0 if nothing else is wrong; with
--strict it is 1. The standing of a rule (documented, contested, library) says who states it, and does not
change a verdict. Boundary cases, which cross edge values of masks, repeat times and strides, are the even
indices below )" +
         boundary_ends() + R"(; all others are drawn.

Examples:
  lanecheck run
  lanecheck run --cases 10000000 --json report.json
  lanecheck run --profile ascendc-a2
  lanecheck run --profile tik --illegal --cases 20000
  lanecheck run --backend wrong:cadd-keeps-dst
  lanecheck run --backend example --against oracle --bitwise
  lanecheck run --reading empty_reduction=writes_neutral
  lanecheck run --cases 10000000 --folder nightly; lanecheck run --resume nightly
  lanecheck run --cases 10000000 --folder part-2 --shard 2/8
  lanecheck run --plan nightly --folder night --backend 'cmd: python3 my_sim.py'
  lanecheck run --plan nightly --folder night/part-2 --shard 2/8)" +
         std::string(kExitCodesHelp);
}

}  // namespace

void add_run(CommandLine& line) {
  Command command = line.add("run", "generate programs, run them on a backend, report the broken rules");
  const auto given = std::make_shared<RunCommand>();
  const std::vector<Argument> attaching = given->settings.declare(command);
  RunOutputs& outputs = given->outputs;
  command.text("--json,-j", outputs.json, "write the JSON report to this file");
  command.text("--save", outputs.save, "save each minimized case into this folder");
  command.text(
      "--baseline", outputs.baseline,
      "compare the findings with this list of known failures (`lanecheck baseline`): exit code 0 if nothing "
      "has changed, 1 if anything has");
  command.text(
      "--history", outputs.history,
      "add the report to this history (`lanecheck history`); the page then says what is new and what "
      "is fixed");
  command.flag("--verbose,-v", outputs.verbose, "show the table of rules and the diversity of the cases");
  command.flag("--quiet,-q", outputs.quiet, "do not show a progress line");
  const Argument folder =
      command.text("--folder", given->folder,
                   "keep the progress and the report in this new folder, so that the run can be resumed");
  command
      .text("--shard", given->shard,
            "K/N: run only part K of N, into a folder; `lanecheck merge` adds the parts up")
      .needs(folder);
  command.seconds("--checkpoint", given->checkpoint,
                  "how long the work between two checkpoints of a folder may be", true);
  const Argument going_on =
      command.text("--resume", given->resume,
                   "go on with the run in this folder, with its settings, after an interruption of any kind");
  command.only_with(going_on, {"--json", "--save", "--baseline", "--history", "--verbose", "--quiet",
                               "--jobs", "--checkpoint"});
  const Argument plan = command.text("--plan", given->plan,
                                     "do all runs of a plan: smoke, pr, nightly, slow (`lanecheck plan show "
                                     "NAME`) or a file; with --folder, the same "
                                     "command goes on after an interruption");
  command.only_with(
      plan, {"--backend", "--deadline", "--start-up", "--restarts", "--in-process", "--jobs", "--save",
             "--baseline", "--history", "--verbose", "--quiet", "--folder", "--shard", "--checkpoint"});
  command.footer(help_of_run());
  command.action([given, attaching] {
    given->own_backend = std::ranges::any_of(attaching, &Argument::given);
    return run_command(*given);
  });
}

}  // namespace lanecheck
