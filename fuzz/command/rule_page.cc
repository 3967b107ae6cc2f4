#include "fuzz/command/rule_page.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "corpus/case.h"
#include "oracle/compare/compare.h"
#include "oracle/mutants/mutant.h"
#include "reports/format.h"
#include "spec/legality/find_fault.h"
#include "spec/legality/legality_rule.h"
#include "spec/program/input_error.h"
#include "spec/program/profile.h"
#include "spec/rules/rule.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

using page::RuleEntry;
using page::RuleExample;

/// Does the outcome hold under these readings?
bool holds_under(const Case& given, const Readings& readings) {
  return !find_fault(given.program, readings) &&
         agrees(given.program, Semantics(readings), *given.expect, true);
}

/// "id=option" of each open reading under which the outcome holds, if it does not hold under another option.
std::vector<std::string> readings_shown_by(const Case& given) {
  std::vector<std::string> shown;
  if (!given.expect) return shown;
  for (const Reading& reading : readings()) {
    if (!reading.open_in(given.program.profile)) continue;
    const unsigned own = reading.get(given.readings);
    for (unsigned option = 0; option < reading.options.size(); ++option) {
      Readings other = given.readings;
      reading.set(other, option);
      if (option == own || holds_under(given, other)) continue;
      shown.push_back(std::string(reading.id) + "=" + std::string(reading.options[own].name));
      break;
    }
  }
  return shown;
}

/// The cases of one profile.
class Examples {
 public:
  Examples(Profile profile, const std::filesystem::path& corpus) : profile_(profile) {
    for (const std::filesystem::path& file : case_files(corpus)) {
      Case given = load_case(file);
      if (given.program.profile != profile) continue;
      const std::string name = file.lexically_relative(corpus).generic_string();
      cases_.emplace(name, std::move(given));
    }
  }

  /// A case in the folder of `rule`, or in any if `rule` is empty; `stem` is the name without the profile.
  std::vector<RuleExample> named(std::string_view rule, const std::string& stem) const {
    std::vector<RuleExample> list;
    const std::string profile = "-" + std::string(row_of(profile_).name);
    for (const auto& [file, given] : cases_) {
      const std::filesystem::path path = file;
      const std::string found = path.stem().string();
      if (!rule.empty() && path.parent_path() != rule) continue;
      if (found == stem || found == stem + profile) list.push_back(reading_example(file, given));
    }
    return list;
  }
  std::vector<RuleExample> readings_of(std::string_view rule) const {
    std::vector<RuleExample> list;
    for (const auto& [file, given] : cases_) {
      const std::filesystem::path path = file;
      if (path.parent_path() == rule && path.stem().string().starts_with("reading-"))
        list.push_back(reading_example(file, given));
    }
    return list;
  }

 private:
  static RuleExample reading_example(const std::string& file, const Case& given) {
    RuleExample example{.kind = RuleExample::Kind::reading,
                        .mutant = "",
                        .what = given.about,
                        .file = file,
                        .program = print(given.program)};
    example.readings = readings_shown_by(given);
    return example;
  }

  Profile profile_;
  std::map<std::string, Case> cases_;
};

std::vector<RuleExample> examples_of(const Rule& rule, Profile profile, const Examples& examples) {
  std::vector<RuleExample> list;
  for (const Mutant& mutant : mutants()) {
    if (!mutant.exists_in(profile) || std::ranges::count(mutant.breaks, rule.id) == 0) continue;
    std::vector<RuleExample> found = examples.named({}, "witness-" + mutant.id);
    if (found.empty()) found.push_back({});
    found.front().kind = RuleExample::Kind::mutant;
    found.front().mutant = mutant.id;
    found.front().what = mutant.what;
    list.push_back(found.front());
  }
  for (RuleExample& each : examples.readings_of(rule.id)) list.push_back(std::move(each));
  return list;
}

page::RuleInRun rule_in_run(const std::string& rule, const SavedReport& report) {
  page::RuleInRun in_run;
  if (const auto found = report.exercised.find(rule); found != report.exercised.end())
    in_run.exercised = found->second;
  in_run.findings = static_cast<std::uint64_t>(std::ranges::count_if(
      report.findings, [&](const SavedFinding& finding) { return finding.rules.contains(rule); }));
  return in_run;
}

nlohmann::ordered_json as_json(const RuleExample& example) {
  constexpr std::string_view kKinds[] = {"mutant", "accepted", "reading"};
  nlohmann::ordered_json json = {{"kind", kKinds[static_cast<std::size_t>(example.kind)]},
                                 {"what", example.what}};
  if (const std::string wrong = name_of_wrong(example); !wrong.empty()) json["mutant"] = wrong;
  if (!example.readings.empty()) json["readings"] = example.readings;
  if (!example.file.empty()) json["case"] = example.file, json["program"] = example.program;
  return json;
}

}  // namespace

std::vector<page::RuleEntry> rule_entries(Profile profile, const std::filesystem::path& corpus) {
  const Examples examples(profile, corpus);
  std::vector<RuleEntry> entries;
  for (const Rule& rule : rules(profile))
    entries.push_back({.id = std::string(rule.id),
                       .claim = std::string(rule.claim),
                       .document = std::string(title_of(rule.source.document)),
                       .section = std::string(rule.source.section),
                       .standing = std::string(kStandingNames[static_cast<std::size_t>(rule.standing)]),
                       .examples = examples_of(rule, profile, examples)});
  for (const LegalityRule& rule : legality_rules()) {
    if (!rule.holds_in(profile)) continue;
    std::vector<RuleExample> accepted = examples.named(rule.id, "witness-accepted");
    for (RuleExample& each : accepted) each.kind = RuleExample::Kind::accepted;
    entries.push_back({.id = std::string(rule.id),
                       .claim = std::string(rule.claim),
                       .document = std::string(title_of(rule.source.document)),
                       .section = std::string(rule.source.section),
                       .standing = "legality",
                       .examples = std::move(accepted)});
  }
  return entries;
}

void add_coverage(std::vector<page::RuleEntry>& entries, Profile profile, const SavedReport& report) {
  if (report.profile != row_of(profile).name)
    throw InputError(report.file, "is a report of profile " + report.profile + ", not of " +
                                      std::string(row_of(profile).name));
  for (RuleEntry& entry : entries) entry.in_run = rule_in_run(entry.id, report);
}

std::string sentence_about(const SavedReport& report) {
  return "Coverage by the run of " + report.file + ": backend " + report.backend + ", seed " +
         std::to_string(report.seed) + ", " + grouped(report.done) + " of " +
         counted(report.planned, "case") + ".";
}

std::string rules_as_json(Profile profile, const std::vector<RuleEntry>& entries, const std::string& run) {
  nlohmann::ordered_json all = {{"schema", "lanecheck-rules-1"}, {"profile", row_of(profile).name}};
  if (!run.empty()) all["run"] = run;
  nlohmann::ordered_json& rules = all["rules"] = nlohmann::ordered_json::array();
  for (const RuleEntry& entry : entries) {
    nlohmann::ordered_json rule = {{"rule", entry.id},
                                   {"claim", entry.claim},
                                   {"document", entry.document},
                                   {"section", entry.section},
                                   {"standing", entry.standing}};
    if (entry.in_run && entry.in_run->exercised) rule["exercised"] = *entry.in_run->exercised;
    if (entry.in_run) rule["findings"] = entry.in_run->findings;
    rule["examples"] = nlohmann::ordered_json::array();
    for (const RuleExample& each : entry.examples) rule["examples"].push_back(as_json(each));
    rules.push_back(std::move(rule));
  }
  return all.dump(1) + "\n";
}

}  // namespace lanecheck
