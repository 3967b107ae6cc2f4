#include "reports/saved/saved_cases.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "reports/format.h"
#include "reports/saved/saved_report.h"
#include "spec/program/input_error.h"
#include "spec/program/profile.h"
#include "spec/text/input_file.h"
#include "spec/text/joined.h"
#include "spec/text/json_reader.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();

void pin_saved(JsonObject& saved, const std::string& id, Readings& readings) {
  const std::string setting = id + "=" + saved.text(id);
  try {
    pin(readings, setting);
  } catch (const InputError& error) {
    saved.wrong(id, error.what());
  }
}

void read_settings(JsonObject run, SavedCases& saved) {
  const std::string profile = run.text("profile");
  const Profile* known = find_profile(profile);
  if (known == nullptr) run.wrong("profile", "there is no profile '" + printable(profile) + "'");
  saved.profile = *known;
  saved.seed = run.number("seed", kAny);
  saved.readings = default_readings(saved.profile);
  JsonObject readings = run.object("readings");
  for (const auto& [id, option] : run.at("readings").items()) pin_saved(readings, id, saved.readings);
  run.object("pinned");  // or an error
  for (const auto& [id, option] : run.at("pinned").items()) saved.pinned.push_back(id);
  saved.illegal = std::ranges::count(run.texts("arguments"), "--illegal") > 0;
}

SavedCase read_case(JsonObject& finding, const std::string& file) {
  SavedCase saved;
  saved.id = finding.text("id");
  saved.other = finding.text("other");
  saved.mask_differs = finding.flag("mask_differs");
  saved.first_case = finding.number("first_case", kAny);
  saved.first_file = finding.text("first_file");
  saved.instruction = finding.object("instruction").number("index", kAny);
  saved.smallest = parse_case(finding.at("case").dump(), file + ": the case of " + printable(saved.id));
  if (finding.has("repeats")) {
    JsonObject repeats = finding.object("repeats");
    saved.repeats = repeats.text("class");
    for (const std::string& each : repeats.texts("before"))
      saved.before.push_back(parse_program(each, file + ": a program before " + printable(saved.id)));
  }
  return saved;
}

}  // namespace

SavedCases parse_saved_cases(std::string_view text, const std::string& file) {
  parse_saved_report(text, file);  // a whole report of this version, or an error
  const nlohmann::json json = parse_json(text, file);
  JsonObject report(json, file);
  SavedCases saved;
  read_settings(report.object("run"), saved);
  for (JsonObject& each : report.objects("findings")) saved.findings.push_back(read_case(each, file));
  return saved;
}

SavedCases load_saved_cases(const std::filesystem::path& report) {
  std::error_code error;
  std::filesystem::path file = report;
  if (std::filesystem::is_directory(report, error)) file /= "report.json";
  return parse_saved_cases(read_input_file(file), file.string());
}

const SavedCase& case_of(const SavedCases& cases, std::string_view id) {
  const auto found = std::ranges::find(cases.findings, id, &SavedCase::id);
  if (found != cases.findings.end()) return *found;
  const std::string there = joined(cases.findings, [](const SavedCase& each) { return printable(each.id); });
  throw InputError("finding " + printable(id),
                   there.empty() ? "the report has no findings" : "the report has: " + there);
}

}  // namespace lanecheck
