// lanecheck replay: judge a backend on one case file, on a folder of them, or on one generated case.
#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include "corpus/case.h"
#include "fuzz/command/options.h"
#include "reports/exit_code.h"
#include "reports/format.h"
#include "reports/terminal.h"
#include "spec/program/profile.h"
#include "spec/text/input_error.h"

namespace lanecheck {
namespace {

struct ReplayCommand {
  BackendGroup backend;
  ProfileGroup profile;
  ReadingsGroup readings;
  SeedGroup seed;
  std::string path;                    ///< case file or folder
  std::optional<std::uint64_t> index;  ///< of a generated case, instead of a file
};

struct ReplayedCase {
  std::string name;
  Program program;
  RunOptions run;          ///< with the readings that the case is about pinned
  std::string about = {};  ///< these readings: "id=option, ..."
};

struct Tally {
  std::size_t cases = 0, wrong = 0, skipped = 0, undecided = 0, broke = 0;
};

ReplayedCase load(const std::filesystem::path& file, const RunOptions& options) {
  Case c = load_case(file);
  ReplayedCase replayed{file.string(), std::move(c.program), options};
  const Profile profile = replayed.program.profile;
  RunOptions& run = replayed.run;
  if (profile != options.mix.profile) run.readings = default_readings(profile);
  run.mix.profile = profile;
  for (const auto& [id, option] : departures(c.readings, default_readings(profile))) {
    std::string setting(id);
    pin(run.readings, setting.append("=").append(option));
    run.pinned.emplace_back(id);
    replayed.about.append(replayed.about.empty() ? "" : ", ").append(setting);
  }
  return replayed;
}

std::vector<std::filesystem::path> files_of(const std::string& path) {
  if (path.empty()) throw InputError("replay", "give a case file, a folder, or --seed and --index");
  if (!std::filesystem::exists(path)) throw InputError(path, "does not exist");
  if (!std::filesystem::is_directory(path)) return {path};
  auto files = case_files(path);
  if (files.empty()) throw InputError(path, "holds no case files (*.json)");
  return files;
}

void count(Verdict verdict, Tally& tally) {
  switch (verdict) {
    case Verdict::conforms:
      return;
    case Verdict::diverges:
      ++tally.wrong;
      return;
    case Verdict::undecided:
      ++tally.undecided;
      return;
    case Verdict::skipped:
      ++tally.skipped;
      return;
    case Verdict::errored:
      ++tally.broke;
      return;
  }
}

/// `options`: without the readings that the case is about.
void replay(const ReplayedCase& replayed, const Backend& backend, const RunOptions& options, Tally& tally) {
  ++tally.cases;
  const auto told = [&](Verdict verdict) -> std::ostream& {
    count(verdict, tally);
    return std::cout << kVerdictNames[static_cast<std::size_t>(verdict)] << "  " << replayed.name;
  };
  if (const auto why = skips(replayed.program, backend)) {
    told(Verdict::skipped) << "  (" << printable(*why) << ")\n";
    return;
  }
  const auto finding = judge(replayed.program, replayed.run, backend);
  if (!finding) {
    told(Verdict::conforms) << '\n';
    return;
  }
  if (!replayed.about.empty()) {  // wrong under these readings, perhaps right under the default ones
    const auto freely = judge(replayed.program, options, backend);
    if (!freely || freely->verdict == Verdict::undecided) {
      told(Verdict::undecided) << "  (the backend does not follow " << replayed.about << ")\n";
      return;
    }
  }
  told(finding->verdict) << '\n';
  print_finding(std::cout, *finding, style_of(STDOUT_FILENO));
}

int print_tally(const Tally& tally) {
  std::cout << tally.cases << " cases, " << tally.wrong << " diverge";
  if (tally.undecided > 0) std::cout << ", " << tally.undecided << " undecided";
  if (tally.skipped > 0) std::cout << ", " << tally.skipped << " skipped";
  if (tally.broke > 0) std::cout << ", the backend failed on " << tally.broke;
  std::cout << '\n';
  if (tally.broke > 0 || tally.skipped == tally.cases) return kFailure;
  return tally.wrong > 0 ? kDiverges : kConforms;
}

int replay_command(const ReplayCommand& given) {
  RunOptions options = run_options(given.profile.profile(), given.readings, given.seed.seed);
  const Backend backend = given.backend.find();
  if (given.index) require_profile(backend, options.mix.profile);  // a file says its own profile
  pin_readings_of(backend, options);
  Tally tally;
  if (given.index) {
    ReplayedCase generated{"case " + std::to_string(*given.index), {}, options};
    generate(options.seed, *given.index, options.mix, generated.program);
    replay(generated, backend, options, tally);
  } else {
    for (const auto& file : files_of(given.path)) replay(load(file, options), backend, options, tally);
  }
  return print_tally(tally);
}

}  // namespace

void add_replay(CommandLine& line) {
  Command command =
      line.add("replay", "judge a backend on a case file, a folder of them, or a generated case");
  const auto given = std::make_shared<ReplayCommand>();
  const Argument path = command.text("path", given->path, "case file or folder");
  const Argument index =
      command.number("--index", given->index, "index of a generated case, instead of a file").excludes(path);
  given->seed.declare(command).needs(index);
  given->profile.declare(command);
  given->readings.declare(command);
  given->backend.declare(command);
  command.footer(R"(Examples:
  lanecheck replay corpus
  lanecheck replay corpus --backend wrong:cadd-keeps-dst
  lanecheck replay --seed 1 --index 200017 --backend wrong:mask-advances)" +
                 std::string(kExitCodesHelp));
  command.action([given] { return replay_command(*given); });
}

}  // namespace lanecheck
