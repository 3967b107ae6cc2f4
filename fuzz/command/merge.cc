// lanecheck merge: the parts of a run that was sharded become one report, the same as that of the whole run.
#include <algorithm>
#include <memory>

#include "fuzz/command/run_session.h"
#include "spec/program/input_error.h"
#include "spec/program/profile.h"

namespace lanecheck {
namespace {

struct MergeCommand {
  std::vector<std::string> folders;
  RunOutputs outputs;
  std::optional<std::uint64_t> jobs;
};

struct Shard {
  std::string folder;
  RunRecord record;
};

/// The shards in the order of their parts. Throws InputError if they are not all parts of one run.
std::vector<Shard> shards_of(const std::vector<std::string>& folders) {
  std::vector<Shard> shards;
  for (const std::string& folder : folders) shards.push_back({folder, read_run(folder)});
  std::ranges::sort(shards, {}, [](const Shard& each) { return each.record.part.number; });
  const Shard& first = shards.front();
  for (const Shard& each : shards) {
    if (each.record.settings != first.record.settings)
      throw InputError(each.folder, "is part of another run than " + first.folder +
                                        ": the settings in their run.json differ");
    if (each.record.part.of != first.record.part.of)
      throw InputError(each.folder, "is one of " + std::to_string(each.record.part.of) + " parts, " +
                                        first.folder + " is one of " + std::to_string(first.record.part.of));
  }
  for (std::size_t n = 1; n < shards.size(); ++n)
    if (shards[n].record.part.number == shards[n - 1].record.part.number)
      throw InputError(shards[n].folder, "is part " + std::to_string(shards[n].record.part.number) +
                                             ", and so is " + shards[n - 1].folder);
  for (std::uint64_t n = 1; n <= first.record.part.of; ++n)
    if (n > shards.size() || shards[n - 1].record.part.number != n)
      throw InputError("merge", "part " + std::to_string(n) + " of " + std::to_string(first.record.part.of) +
                                    " is missing");
  return shards;
}

/// The sum of all parts. Throws InputError if one is not finished.
Checkpoint sum_of(const std::vector<Shard>& shards, const RunSettings& settings) {
  const Profile profile = settings.profile.profile();
  Checkpoint sum(profile);
  for (const Shard& shard : shards) {
    if (const auto worker = worker_of(shard.folder))
      throw InputError(shard.folder, "process " + std::to_string(*worker) + " works at this part");
    const std::uint64_t first = shard.record.part.first(settings.window.first, settings.window.cases);
    const std::uint64_t cases = shard.record.part.cases(settings.window.cases);
    const Checkpoint part = read_progress(shard.folder, profile, first, cases);
    if (part.done() != cases)
      throw InputError(shard.folder, "has " + std::to_string(part.done()) + " of " + std::to_string(cases) +
                                         " cases; finish it with `lanecheck run --resume`");
    sum.tally.add(part.tally);
    sum.failed.insert(sum.failed.end(), part.failed.begin(), part.failed.end());
  }
  return sum;
}

int merge(const MergeCommand& given) {
  const std::vector<Shard> shards = shards_of(given.folders);
  RunSettings settings = settings_of(shards.front().record, shards.front().folder);
  settings.jobs = given.jobs;
  Journal journal(sum_of(shards, settings));
  return run_session(settings, given.outputs, {}, &journal);
}

}  // namespace

void add_merge(CommandLine& line) {
  Command command =
      line.add("merge", "add up the parts of a run that was sharded: one report, as of the whole run");
  const auto given = std::make_shared<MergeCommand>();
  command.texts("folders", given->folders, "the folders of all parts").required();
  command.text("--json,-j", given->outputs.json, "write the JSON report to this file");
  command.text("--save", given->outputs.save, "save each minimized case into this folder");
  command.flag("--verbose,-v", given->outputs.verbose,
               "show the table of rules and the diversity of the cases");
  command.flag("--quiet,-q", given->outputs.quiet, "do not show a progress line");
  command.number("--jobs", given->jobs,
                 "how many jobs run the failed cases again; default: one for each core");
  command.footer(
      R"(The backend is asked again about the cases that failed in any part; the others are only added up.

Examples:
  for k in 1 2 3; do lanecheck run --cases 9000000 --folder part-$k --shard $k/3; done
  lanecheck merge part-1 part-2 part-3 --json report.json)" +
      std::string(kExitCodesHelp));
  command.action([given] { return merge(*given); });
}

}  // namespace lanecheck
