#include "fuzz/command/options.h"

#include <algorithm>

#include "fuzz/command/signals.h"
#include "fuzz/run/conformance_checker.h"
#include "fuzz/run/find_backend.h"
#include "oracle/mutants/mutant.h"
#include "spec/legality/legality_rule.h"
#include "spec/program/input_error.h"
#include "spec/program/profile.h"
#include "spec/text/did_you_mean.h"
#include "spec/text/joined.h"

namespace lanecheck {

Backend named_backend(const std::string& name, const AttachOptions& options) {
  if (name == "plugin:") throw InputError("--backend plugin:", "give the path of a shared library");
  const bool attached = name.starts_with("cmd:") || name.starts_with("plugin:");
  try {
    AttachOptions attach = options;
    if (!attach.stop) attach.stop = stop_requested;
    return find_backend(name, attach);
  } catch (const InputError& error) {
    if (attached) throw;
    std::vector<std::string> known = {"example", "oracle"};
    for (const Mutant& mutant : mutants()) known.push_back("wrong:" + mutant.id);
    for (const LegalityRule& rule : legality_rules())
      if (rule.tried()) known.push_back("wrong:accepts-" + std::string(rule.id));
    throw InputError("no backend '" + name + "'",
                     "there are example, oracle, 'cmd: COMMAND', plugin:PATH and wrong:ID (`lanecheck "
                     "mutants --list`)" +
                         did_you_mean(name, known));
  }
}

std::vector<Argument> AttachGroup::declare(Command& command) {
  return {
      command.seconds("--deadline", attach.deadline, "attached backend: time limit for one program", false),
      command.seconds("--start-up", attach.start_up, "attached backend: time limit for its first answer",
                      false),
      command.number("--restarts", attach.restarts,
                     "attached backend: end the run if programs crash it more often than this"),
      command.flag("--in-process", attach.in_process,
                   "plug-in: load it into lanecheck itself (for a debugger; a crash then ends the run)")};
}

void AttachGroup::check(const std::string& backend) const {
  if (attach.in_process && !backend.starts_with("plugin:"))
    throw InputError("--in-process", "only a plug-in (plugin:PATH) can be loaded into lanecheck; '" +
                                         backend + "' is not one");
}

Argument BackendGroup::declare(Command& command, std::vector<Argument>* attaching) {
  const Argument option = command.text(
      "--backend,-b", backend,
      "'cmd: COMMAND' (a process), plugin:PATH (a shared library), example (the built-in simulator), "
      "oracle, or wrong:ID (a mutant; see `lanecheck mutants --list`)");
  auto options = AttachGroup::declare(command);
  if (attaching != nullptr) *attaching = std::move(options);
  return option;
}

Backend BackendGroup::find() const {
  check(backend);
  return named_backend(backend, attach);
}

Argument ProfileGroup::declare(Command& command) {
  return command.text("--profile,-p", name,
                      "the API whose contract the programs follow: " + joined(profiles(), &ProfileRow::name));
}

Profile ProfileGroup::profile() const {
  if (const Profile* profile = find_profile(name)) return *profile;
  std::vector<std::string> known;
  for (const ProfileRow& row : profiles()) known.emplace_back(row.name);
  throw InputError("--profile " + name, "no such profile; " + profile_names() + did_you_mean(name, known));
}

Argument ReadingsGroup::declare(Command& command) {
  return command.texts(
      "--reading,-r", settings,
      "pin a reading to one option, ID=OPTION (`lanecheck readings` lists them); may be given several times");
}

namespace {

/// "; did you mean ID=OPTION?" for a setting that does not exist.
std::string nearest_setting(const std::string& setting) {
  std::vector<std::string> ids, options;
  for (const Reading& reading : readings()) {
    ids.emplace_back(reading.id);
    for (const auto& option : reading.options)
      options.push_back(std::string(reading.id) + "=" + std::string(option.name));
  }
  const auto equals = setting.find('=');
  return equals == std::string::npos ? did_you_mean(setting, ids) : did_you_mean(setting, options);
}

}  // namespace

std::vector<std::string> ReadingsGroup::pin_into(Readings& readings, Profile profile) const {
  std::vector<std::string> ids;
  for (const std::string& setting : settings) {
    try {
      pin(readings, setting);
    } catch (const InputError& error) {
      throw InputError("--reading", error.what() + nearest_setting(setting));
    }
    const std::string id = setting.substr(0, setting.find('='));
    if (!find_reading(id)->open_in(profile))
      throw InputError("--reading " + id,
                       "profile " + std::string(row_of(profile).name) + " does not leave this open");
    ids.push_back(id);
  }
  return ids;
}

Argument SeedGroup::declare(Command& command) {
  return command.number("--seed,-s", seed,
                        "seed of the cases: the same profile, seed, index and offers of the backend always "
                        "give the same case");
}

Argument WindowGroup::declare(Command& command) {
  SeedGroup::declare(command);
  command.number("--first", first, "index of the first case");
  return command.number("--cases,-n", cases, "number of cases", std::uint64_t{1});
}

void WindowGroup::check() const {
  if (first > ~std::uint64_t{0} - cases)
    throw InputError("--first", std::to_string(first) + " and " + std::to_string(cases) +
                                    " cases from there reach past 2^64 - 1");
}

std::vector<std::string> reproducing_arguments(const BackendGroup& backend, const ProfileGroup& profile,
                                               const ReadingsGroup& readings) {
  std::vector<std::string> words = {"--backend", backend.backend, "--profile", profile.name};
  for (const std::string& setting : readings.settings) words.insert(words.end(), {"--reading", setting});
  return words;
}

bool takes_profile(const Backend& backend, Profile profile) {
  return std::ranges::count(backend.profiles, row_of(profile).name) > 0;
}

void require_profile(const Backend& backend, Profile profile) {
  if (takes_profile(backend, profile)) return;
  std::string offered;
  for (const std::string& each : backend.profiles) offered.append(" ").append(each);
  throw InputError("--profile " + std::string(row_of(profile).name),
                   backend.name + " does not offer it; it offers:" + offered);
}

RunOptions run_options(Profile profile, const ReadingsGroup& readings, std::uint64_t seed) {
  RunOptions run;
  run.seed = seed;
  run.mix.profile = profile;
  run.readings = default_readings(profile);
  run.pinned = readings.pin_into(run.readings, profile);
  return run;
}

std::string generate_for(const Backend& backend, const RunOptions& run, std::uint64_t index,
                         Program& program) {
  CaseRecord record;
  const bool is_sent = ConformanceChecker(run, backend).prepare(0, index, program, record);
  return is_sent ? "" : record.skipped;
}

const char* const kIndexHelp =
    "With --backend, --index N is case N of `run` with the same profile, seed, readings and backend: the\n"
    "instructions that the backend does not offer are left out. Cases of `run --illegal` and of other\n"
    "options are not made.";

void pin_readings_of(const Backend& backend, RunOptions& run) {
  for (const auto& [id, option] : backend.readings) {
    if (std::ranges::count(run.pinned, id) > 0) continue;
    if (const Reading* reading = find_reading(id))
      if (!reading->open_in(run.mix.profile)) continue;  // settled by the profile
    try {
      pin(run.readings, id + "=" + option);
    } catch (const InputError& wrong) {
      throw BackendFailure(backend.name + " follows a reading that does not exist: " + wrong.what());
    }
    run.pinned.push_back(id);
  }
}

}  // namespace lanecheck
