#include "fuzz/command/run_settings.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <thread>

#include "fuzz/certificate/covering_masks.h"
#include "spec/program/input_error.h"
#include "spec/text/did_you_mean.h"

namespace lanecheck {
namespace {

using Json = nlohmann::ordered_json;

/// Calls f(name, value) for each setting that a run folder and a plan hold.
template <class Settings, class F>
void for_each_setting(Settings& settings, F f) {
  f("backend", settings.backend.backend);
  f("deadline", settings.backend.attach.deadline);
  f("start_up", settings.backend.attach.start_up);
  f("restarts", settings.backend.attach.restarts);
  f("in_process", settings.backend.attach.in_process);
  f("profile", settings.profile.name);
  f("readings", settings.readings.settings);
  f("seed", settings.window.seed);
  f("first", settings.window.first);
  f("cases", settings.window.cases);
  f("seconds", settings.seconds);
  f("against", settings.against);
  f("bitwise", settings.bitwise);
  f("illegal", settings.illegal);
  f("no_doctor", settings.no_doctor);
  f("fail_fast", settings.fail_fast);
  f("strict", settings.strict);
  f("max_findings", settings.max_findings);
  f("certificate", settings.certificate);
  f("until", settings.until);
}

bool fits(const Json& json, const std::string&) {
  return json.is_string();
}
bool fits(const Json& json, const std::vector<std::string>&) {
  return json.is_array() && std::ranges::all_of(json, [](const Json& each) { return each.is_string(); });
}
bool fits(const Json& json, bool) {
  return json.is_boolean();
}
bool fits(const Json& json, double) {
  return json.is_number() && json.get<double>() >= 0 && json.get<double>() <= kMostSeconds;
}
bool fits(const Json& json, unsigned) {
  return json.is_number_unsigned() && json.get<std::uint64_t>() <= ~0u;
}
bool fits(const Json& json, std::uint64_t) {
  return json.is_number_unsigned();
}

/// What fits.
std::string wanted(const std::string&) {
  return "a text";
}
std::string wanted(const std::vector<std::string>&) {
  return "a list of texts";
}
std::string wanted(bool) {
  return "true or false";
}
std::string wanted(double) {
  return "a number of seconds from 0 to 1000000";
}
std::string wanted(unsigned) {
  return "a whole number from 0 to 4294967295";
}
std::string wanted(std::uint64_t) {
  return "a whole number from 0 to 18446744073709551615";
}

/// An error about an option ("--max-findings: ...") as one about the setting of this name
/// ("'max_findings': ...").
std::string about_setting(const std::string& what) {
  if (!what.starts_with("--")) return what;
  const std::size_t end = std::min(what.find_first_of(" :"), what.size());
  std::string name = what.substr(2, end - 2);
  std::ranges::replace(name, '-', '_');
  if (name == "reading") name = "readings";
  return "'" + name + "'" + what.substr(end);
}

}  // namespace

std::uint64_t RunSettings::job_count() const {
  if (jobs) return *jobs;
  if (backend.attach.in_process) return 1;
  const auto cores = std::clamp<std::uint64_t>(std::thread::hardware_concurrency(), 1, kMostJobs);
  return std::min(cores, 1 + window.cases / 1000);
}

RunOptions RunSettings::options() const {
  window.check();
  if (window.cases == 0) throw InputError("--cases", "a run has at least one case");
  for (const auto& [option, value] :
       {std::pair("--deadline", backend.attach.deadline), std::pair("--start-up", backend.attach.start_up)})
    if (value <= 0) throw InputError(option, "give more than 0 seconds");
  if (max_findings == 0) throw InputError("--max-findings", "give at least 1");
  if (!against.starts_with("plugin:")) backend.check(backend.backend);
  if (job_count() == 0 || job_count() > kMostJobs)
    throw InputError("--jobs " + std::to_string(job_count()), "give 1 to " + std::to_string(kMostJobs));
  if (job_count() > 1 && backend.attach.in_process)
    throw InputError("--jobs", "a plug-in that is loaded into lanecheck (--in-process) runs in one job");
  if (illegal && !against.empty()) throw InputError("--illegal", "cannot be compared with --against");
  check_certificate();
  RunOptions run = run_options(profile.profile(), readings, window.seed);
  run.first = window.first;
  run.cases = window.cases;
  run.seconds = seconds;
  run.most_findings = max_findings;
  run.until = read_until(until);
  if (run.until.findings > max_findings)
    throw InputError(
        "--until", "the run analyses at most " + std::to_string(max_findings) + " findings (--max-findings)");
  if (run.until.risk > 0 && (illegal || !against.empty()))
    throw InputError("--until",
                     "the risk is what programs leave that are legal and compared with the documents; with "
                     "--illegal or --against give 'findings >= N'");
  if (illegal) run.illegal_in_32 = 32;
  return run;
}

void RunSettings::check_certificate() const {
  if (certificate == 0) return;
  if (certificate < kLeastStrength || certificate > kMostStrength)
    throw InputError("--certificate", "'" + std::to_string(certificate) + "' is not 2, 3 or 4");
  if (illegal) throw InputError("--certificate", "its programs are legal; it cannot be made with --illegal");
  if (!against.empty())
    throw InputError("--certificate", "compares with the documents; it cannot be made with --against");
}

std::vector<std::string> RunSettings::arguments() const {
  std::vector<std::string> words = reproducing_arguments(backend, profile, readings);
  if (!against.empty()) words.insert(words.end(), {"--against", against});
  if (bitwise) words.emplace_back("--bitwise");
  if (illegal) words.emplace_back("--illegal");
  return words;
}

std::vector<Argument> RunSettings::declare(Command& command) {
  std::vector<Argument> attaching;
  attaching.push_back(backend.declare(command, &attaching));
  profile.declare(command);
  readings.declare(command);
  window.declare(command);
  command.seconds("--seconds", seconds,
                  "end the run after this time, also while it analyses a finding; 0: no limit", true);
  const Argument other = command.text(
      "--against", against,
      "compare with this backend instead of the oracle; the report says which of the two the documents "
      "allow");
  command
      .flag("--bitwise", bitwise,
            "report also the differences that the documents allow (NaN payloads, an ULP)")
      .needs(other);
  command
      .flag("--illegal", illegal,
            "run only programs at the edge of legality: those just inside must run, those just outside must "
            "be refused")
      .excludes(other);
  command.flag(
      "--no-doctor", no_doctor,
      "attached backend: do not ask the doctor's questions before the run (what they show wrong stands "
      "in the output and the report, and the run then exits with 1)");
  command.number(
      "--jobs", jobs,
      "run cases in this many threads, each with a backend of its own; without it one for each core, "
      "fewer for a short run; the report does not depend on it");
  command.number(
      "--certificate", certificate,
      "after the cases, run every instruction under masks that hold every combination of 2, 3 or 4 "
      "mask bits, as `lanecheck certify` does; 0: do not");
  const Argument enough = command.text("--until", until,
                                       "end the run earlier, after the case that meets this: 'findings >= "
                                       "N', or 'risk < X', where the risk is what "
                                       "a clean run leaves: 3 divided by the number of drawn programs (not "
                                       "with --illegal or --against)");
  const Argument most =
      command.number("--max-findings", max_findings,
                     "analyse at most this many findings; readings are not counted", std::uint64_t{1});
  command.flag("--fail-fast", fail_fast, "stop after the first finding").excludes(most).excludes(enough);
  command.flag("--strict", strict,
               "cases that are undecided, because a reading explains them, count as failures (exit code 1)");
  return attaching;
}

std::string settings_text(const RunSettings& settings) try {
  Json json = Json::object();
  for_each_setting(settings, [&](const char* name, const auto& value) { json[name] = value; });
  return json.dump();
} catch (const Json::exception&) {
  throw InputError("--folder", "a setting is not UTF-8, so the folder cannot keep it");
}

RunSettings settings_of(const RunRecord& record, const std::string& folder) {
  RunSettings settings = settings_from(Json::parse(record.settings), folder + "/run.json");
  check_settings(settings, folder + "/run.json");
  return settings;
}

void check_settings(const RunSettings& settings, const std::string& where) try {
  settings.options();
} catch (const InputError& error) {
  throw InputError(where, about_setting(error.what()));
}

RunSettings settings_from(const Json& json, const std::string& where) {
  if (!json.is_object()) throw InputError(where, "the settings of a run are an object");
  RunSettings settings;
  std::vector<std::string> known;
  for_each_setting(settings, [&](const char* name, auto& value) {
    known.emplace_back(name);
    const auto given = json.find(name);
    if (given == json.end()) return;
    if (!fits(*given, value))
      throw InputError(where, "'" + std::string(name) + "' cannot be " + given->dump().substr(0, 80) +
                                  "; give " + wanted(value));
    given->get_to(value);
  });
  for (const auto& [name, value] : json.items())
    if (std::ranges::count(known, name) == 0)
      throw InputError(where, "there is no setting '" + name + "'" + did_you_mean(name, known));
  return settings;
}

}  // namespace lanecheck
