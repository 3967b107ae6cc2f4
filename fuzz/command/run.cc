// lanecheck run: generate programs, run them on a backend, report the broken rules.
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "fuzz/command/run_session.h"
#include "spec/program/profile.h"

namespace lanecheck {
namespace {

struct RunCommand {
  RunSettings settings;
  RunOutputs outputs;
  std::string folder;  ///< the run keeps its progress here
  std::string resume;  ///< the folder of a run that is to go on
  std::string shard = "1/1";
  double checkpoint = 5;  ///< seconds
};

int resume(const RunCommand& given) {
  const RunRecord record = read_run(given.resume);
  const auto json = nlohmann::ordered_json::parse(record.settings);
  RunSettings settings = settings_from(json, given.resume + "/run.json");
  settings.jobs = given.settings.jobs;
  const RunFolder folder{given.resume};
  Journal journal(read_progress(given.resume, settings.profile.profile()), &folder, given.checkpoint);
  return run_session(settings, given.outputs, record.part, &journal);
}

int run_command(const RunCommand& given) {
  if (!given.resume.empty()) return resume(given);
  const Part part = read_part(given.shard);
  if (given.folder.empty()) return run_session(given.settings, given.outputs, part);
  given.settings.options();  // settings without meaning leave no folder behind
  const RunFolder folder(given.folder, {settings_text(given.settings), part});
  Journal journal(Checkpoint(given.settings.profile.profile()), &folder, given.checkpoint);
  return run_session(given.settings, given.outputs, part, &journal);
}

}  // namespace

void add_run(CommandLine& line) {
  Command command = line.add("run", "generate programs, run them on a backend, report the broken rules");
  const auto given = std::make_shared<RunCommand>();
  given->settings.declare(command);
  RunOutputs& outputs = given->outputs;
  command.text("--json,-j", outputs.json, "write the JSON report to this file");
  command.text("--save", outputs.save, "save each minimized case into this folder");
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
  command.only_with(going_on, {"--json", "--save", "--verbose", "--quiet", "--jobs", "--checkpoint"});
  command.footer(R"(Examples:
  lanecheck run
  lanecheck run --cases 10000000 --json report.json
  lanecheck run --profile ascendc-a2
  lanecheck run --profile tik --illegal --cases 20000
  lanecheck run --backend wrong:cadd-keeps-dst
  lanecheck run --backend example --against oracle --bitwise
  lanecheck run --reading empty_reduction=writes_neutral
  lanecheck run --cases 10000000 --folder nightly; lanecheck run --resume nightly
  lanecheck run --cases 10000000 --folder part-2 --shard 2/8)" +
                 std::string(kExitCodesHelp));
  command.action([given] { return run_command(*given); });
}

}  // namespace lanecheck
