#include "reports/saved/saved_report.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "reports/format.h"
#include "reports/json_report.h"
#include "spec/program/input_error.h"
#include "spec/text/input_file.h"
#include "spec/text/joined.h"
#include "spec/text/json_depth.h"
#include "spec/text/json_reader.h"

namespace lanecheck {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

FindingState failure_state(std::string_view id, std::string_view what) {
  constexpr std::string_view kLate = "missed its deadline";
  const bool hung = id.starts_with("backend-failure-missed-its-deadline") ||
                    what.starts_with(std::string("broke in the run (").append(kLate));
  return hung ? FindingState::hung : FindingState::crashed;
}

FindingState state_of(JsonObject& finding, std::string_view id, std::string_view what, bool strict) {
  const std::string verdict = finding.text("verdict");
  const auto is = [&](Verdict each) { return verdict == kVerdictNames[static_cast<std::size_t>(each)]; };
  if (is(Verdict::errored)) return failure_state(id, what);
  if (is(Verdict::undecided)) return strict ? FindingState::diverges : FindingState::conforms;
  if (!is(Verdict::diverges))
    finding.wrong("verdict", "'" + printable(verdict) + "' is no verdict of a finding");
  const bool refused =
      id.starts_with("refuses-legal-program") || what.starts_with("refused this program in the run");
  return refused ? FindingState::refused : FindingState::diverges;
}

bool has_type(const std::string& mnemonic) {
  return mnemonic.find('.') != std::string::npos;
}

std::set<std::string> instructions_of(JsonObject& finding) {
  std::set<std::string> names;
  const std::string text = finding.object("instruction").text("text");
  if (!text.empty()) names.insert(text.substr(0, text.find(' ')));
  for (const std::string& each : finding.texts("instructions")) names.insert(each);
  if (!names.empty()) return names;
  JsonObject of_case = finding.object("case");
  JsonObject program = of_case.object("program");
  for (JsonObject& insn : program.objects("instructions"))
    if (std::string name = insn.text("op"); has_type(name)) names.insert(std::move(name));
  return names;
}

SavedFinding finding_of(JsonObject& object, bool strict) {
  SavedFinding finding;
  finding.id = object.text("id");
  finding.what = object.text("what");
  finding.cause = object.text("cause");
  finding.cases = object.number("cases", kMost);
  for (JsonObject& rule : object.objects("rules")) finding.rules.insert(rule.text("id"));
  finding.state = state_of(object, finding.id, finding.what, strict);
  finding.instructions = instructions_of(object);
  return finding;
}

/// Adds a finding. If its id is there already, the two become one in the worse state.
void add(std::vector<SavedFinding>& findings, SavedFinding finding) {
  const auto same = std::ranges::find(findings, finding.id, &SavedFinding::id);
  if (same == findings.end()) {
    findings.push_back(std::move(finding));
    return;
  }
  same->state = std::max(same->state, finding.state);
  same->cases += finding.cases;
  same->rules.merge(finding.rules);
  same->instructions.merge(finding.instructions);
}

void read_run(JsonObject run, SavedReport& report) {
  report.backend = run.text("backend");
  report.about = run.text("about");
  report.profile = run.text("profile");
  report.seed = run.number("seed", kMost);
  report.first = run.number("first_case", kMost);
  report.planned = run.number("planned", kMost);
  report.done = run.number("done", kMost);
  report.strict = run.flag("strict");
  report.replayed = run.flag("replayed");
  report.judges_refusals = run.flag("judges_refusals");
  report.shows_mask = run.flag("shows_mask");
  JsonObject readings = run.object("readings");
  for (const auto& [id, option] : run.at("readings").items()) report.readings[id] = readings.text(id);
  const auto gap = [&](bool there, const std::string& what) {
    if (there) report.gaps.push_back(what);
  };
  const std::string given_up = run.text("given_up");
  gap(!given_up.empty(), "the run ended early: " + given_up);
  gap(run.flag("interrupted"), "the run was interrupted");
  gap(report.done == 0, "no case was run");
  if (const auto unlisted = run.number("unlisted", kMost); unlisted > 0)
    report.gaps.push_back(counted(unlisted, "failing case") + " belong to no listed finding");
  for (const std::string& each : run.texts("doctor")) gap(true, "the doctor found a mistake: " + each);
  for (const std::string& each : run.texts("unreadable")) gap(true, "a case file could not be read: " + each);
}

std::string how_judged(const SavedReport& report, std::uint64_t at_edge) {
  std::string text;
  if (report.about.starts_with("against ")) text += report.about + "; ";
  if (report.done > 0 && at_edge == report.done) text += "at the edge of legality; ";
  if (report.judges_refusals) text += "with refusals; ";
  return text + joined(report.readings, [](const auto& each) { return each.first + "=" + each.second; });
}

void read_coverage(JsonObject coverage, SavedReport& report) {
  for (const std::string_view list : {"rules", "legality"})
    for (JsonObject& rule : coverage.objects(list))
      report.exercised[rule.text("id")] = rule.number("exercised", kMost);
  JsonObject axes = coverage.object("axes");
  if (axes.has("instruction")) {
    JsonObject counts = axes.object("instruction");
    for (const auto& [name, count] : axes.at("instruction").items())
      report.instructions[name] = counts.number(name, kMost);
  }
  if (const auto never = coverage.texts("never_exercised"); !never.empty())
    report.gaps.push_back("the run claims to cover " + counted(never.size(), "rule") +
                          " that it did not exercise: " + never.front() + (never.size() > 1 ? ", ..." : ""));
}

void check_schema(JsonObject& object, const std::string& file) {
  if (!object.has("schema")) throw InputError(file, "is no report of lanecheck: it has no field \"schema\"");
  const std::string schema = object.text("schema");
  if (schema == kReportSchema) return;
  if (schema.starts_with("lanecheck-report-"))
    throw InputError(file, "is a report of the schema version " + printable(schema) +
                               "; this lanecheck reads " + std::string(kReportSchema) +
                               ". Write the report again with this lanecheck");
  throw InputError(file, "is no report of lanecheck: its schema is '" + printable(schema) + "'");
}

bool stops_too_early(std::string_view text) {
  try {
    return nlohmann::json::parse(text).is_discarded();  // never: it is whole
  } catch (const nlohmann::json::parse_error& error) {
    return text.front() == '{' && error.byte >= text.size();
  } catch (const nlohmann::json::exception&) {
    return false;  // a number that is too large, say
  }
}

/// The same as parse_json, except that a text that stops too early is called truncated.
nlohmann::json parse_whole_json(std::string_view text, const std::string& file) {
  if (text.empty()) throw InputError(file, "is empty, and no report of lanecheck");
  check_depth(text, file);
  try {
    return parse_json(text, file);
  } catch (const InputError&) {
    if (stops_too_early(text))
      throw InputError(file, "is truncated: the text stops in the middle of a report");
    throw;
  }
}

}  // namespace

std::string_view name_of(FindingState state) {
  return kFindingStateNames[static_cast<std::size_t>(state)];
}

std::optional<FindingState> find_finding_state(std::string_view name) {
  const auto found = std::ranges::find(kFindingStateNames, name);
  if (found == kFindingStateNames.end()) return {};
  return static_cast<FindingState>(found - kFindingStateNames.begin());
}

SavedReport parse_saved_report(std::string_view text, const std::string& file) {
  const nlohmann::json json = parse_whole_json(text, file);
  JsonObject object(json, file);
  check_schema(object, file);
  SavedReport report;
  report.file = file;
  report.version = object.text("version");
  read_run(object.object("run"), report);
  report.judged = how_judged(report, object.object("kinds").number("border", kMost));
  read_coverage(object.object("coverage"), report);
  JsonObject verdicts = object.object("verdicts");
  const bool none_judged = verdicts.number("conforms", kMost) == 0 &&
                           verdicts.number("diverges", kMost) == 0 &&
                           verdicts.number("undecided", kMost) == 0;
  if (report.done > 0 && none_judged) report.gaps.push_back("no case was judged");
  for (JsonObject& each : object.objects("findings")) {
    if (report.other.empty()) report.other = each.text("other");
    add(report.findings, finding_of(each, report.strict));
  }
  std::ranges::sort(report.findings, {}, &SavedFinding::id);
  return report;
}

SavedReport load_saved_report(const std::filesystem::path& file) {
  return parse_saved_report(read_input_file(file), file.string());
}

const SavedFinding* find_finding(const SavedReport& report, std::string_view id) {
  const auto found = std::ranges::find(report.findings, id, &SavedFinding::id);
  return found == report.findings.end() ? nullptr : &*found;
}

bool was_exercised(const SavedReport& report, const std::set<std::string>& rules) {
  return report.gaps.empty() && std::ranges::all_of(rules, [&](const std::string& rule) {
           const auto found = report.exercised.find(rule);
           return found != report.exercised.end() && found->second > 0;
         });
}

}  // namespace lanecheck
