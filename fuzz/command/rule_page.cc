#include "fuzz/command/rule_page.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "corpus/case.h"
#include "oracle/mutants/mutant.h"
#include "reports/page/embedded.h"
#include "reports/page/escape.h"
#include "spec/legality/legality_rule.h"
#include "spec/program/profile.h"
#include "spec/rules/rule.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

using page::escaped;

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
      if (found == stem || found == stem + profile)
        list.push_back({.mutant = "", .what = given.about, .file = file, .program = print(given.program)});
    }
    return list;
  }
  std::vector<RuleExample> readings_of(std::string_view rule) const {
    std::vector<RuleExample> list;
    for (const auto& [file, given] : cases_) {
      const std::filesystem::path path = file;
      if (path.parent_path() == rule && path.stem().string().starts_with("reading-"))
        list.push_back({.mutant = "", .what = given.about, .file = file, .program = print(given.program)});
    }
    return list;
  }

 private:
  Profile profile_;
  std::map<std::string, Case> cases_;
};

std::vector<RuleExample> examples_of(const Rule& rule, Profile profile, const Examples& examples) {
  std::vector<RuleExample> list;
  for (const Mutant& mutant : mutants()) {
    if (!mutant.exists_in(profile) || std::ranges::count(mutant.breaks, rule.id) == 0) continue;
    std::vector<RuleExample> found = examples.named({}, "witness-" + mutant.id);
    if (found.empty()) found.push_back({});
    found.front().mutant = mutant.id;
    found.front().what = mutant.what;
    list.push_back(found.front());
  }
  for (RuleExample& each : examples.readings_of(rule.id)) list.push_back(std::move(each));
  return list;
}

std::string example_html(const RuleExample& each) {
  std::string out = "<h4>" +
                    (each.mutant.empty() ? "" : "Wrong: <code>" + escaped(each.mutant) + "</code> ") +
                    escaped(each.what) + "</h4>\n";
  if (each.file.empty())
    return out + "<p class=\"soft\">The corpus has no program for it in this profile.</p>\n";
  const bool is_mutant = !each.mutant.empty() && each.mutant != "accepted";
  return out + "<pre data-case=\"" + escaped(each.file) + "\" data-mutant=\"" + escaped(each.mutant) + "\">" +
         escaped(each.program) + "</pre>\n<p class=\"soft\"><code>lanecheck replay " +
         escaped(page::shell_word("corpus/" + each.file)) +
         (is_mutant ? " --backend " + escaped(page::shell_word("wrong:" + each.mutant)) : "") +
         "</code></p>\n";
}

std::string entry_html(const RuleEntry& entry) {
  std::string out = "<article id=\"" + escaped(entry.id) + "\">\n<p class=\"lead\"><b>" + escaped(entry.id) +
                    "</b> · " + escaped(entry.document) + ", section " + escaped(entry.section) + " · " +
                    escaped(entry.standing) + "</p>\n<h3>" + escaped(entry.claim) + "</h3>\n";
  std::string examples;
  for (const RuleExample& each : entry.examples) examples += example_html(each);
  if (examples.empty()) return out + "</article>\n";
  return out + "<details><summary>" + std::to_string(entry.examples.size()) +
         (entry.examples.size() == 1 ? " example" : " examples") + "</summary>\n" + examples +
         "</details>\n</article>\n";
}

}  // namespace

std::vector<RuleEntry> rule_entries(Profile profile, const std::filesystem::path& corpus) {
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
    for (RuleExample& each : accepted) each.mutant = "accepted";
    entries.push_back({.id = std::string(rule.id),
                       .claim = std::string(rule.claim),
                       .document = std::string(title_of(rule.source.document)),
                       .section = std::string(rule.source.section),
                       .standing = "legality",
                       .examples = std::move(accepted)});
  }
  return entries;
}

std::string rules_as_html(Profile profile, const std::vector<RuleEntry>& entries) {
  const ProfileRow& row = row_of(profile);
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\">\n<meta http-equiv=\"Content-Security-Policy\" "
      "content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">\n<link rel=\"icon\" "
      "href=\"data:,\">\n<title>lanecheck: the rules of " +
      escaped(row.name) + "</title>\n<style>\n" + std::string(page::kPageStyle) +
      "</style>\n</head>\n<body>\n<header class=\"top\"><div class=\"wrap\">\n<p "
      "class=\"brand\">lanecheck</p>\n"
      "<h1>The rules of " +
      escaped(row.name) + "</h1>\n<p>Profile " + escaped(row.name) + ": " + escaped(row.about) +
      ". Each rule stands with its source and with the smallest program that shows each known way to break "
      "it. "
      "</p></div></header>\n<main class=\"wrap\">\n";
  std::string document;
  for (const RuleEntry& entry : entries) {
    const std::string part =
        entry.standing == "legality" ? "Legality: which programs must be refused" : entry.document;
    if (part != document)
      out +=
          (document.empty() ? "<section>\n<h2>" : "</section>\n<section>\n<h2>") + escaped(part) + "</h2>\n";
    document = part;
    out += entry_html(entry);
  }
  return out + "</section>\n</main>\n</body>\n</html>\n";
}

std::string rules_as_json(Profile profile, const std::vector<RuleEntry>& entries) {
  nlohmann::ordered_json rules = nlohmann::ordered_json::array();
  for (const RuleEntry& entry : entries) {
    nlohmann::ordered_json examples = nlohmann::ordered_json::array();
    for (const RuleExample& each : entry.examples) {
      nlohmann::ordered_json example = {{"what", each.what}};
      if (!each.mutant.empty()) example["mutant"] = each.mutant;
      if (!each.file.empty()) example["case"] = each.file;
      examples.push_back(std::move(example));
    }
    rules.push_back({{"rule", entry.id},
                     {"claim", entry.claim},
                     {"document", entry.document},
                     {"section", entry.section},
                     {"standing", entry.standing},
                     {"examples", std::move(examples)}});
  }
  return nlohmann::ordered_json{
             {"schema", "lanecheck-rules-1"}, {"profile", row_of(profile).name}, {"rules", std::move(rules)}}
             .dump(1) +
         "\n";
}

}  // namespace lanecheck
