#include "reports/page/rule_page_html.h"

#include "reports/page/escape.h"
#include "reports/page/html_parts.h"
#include "spec/program/profile.h"

namespace lanecheck::page {
namespace {

std::string example_html(const RuleExample& each) {
  const std::string wrong = name_of_wrong(each);
  std::string out = "<h4>" + (wrong.empty() ? "" : "Wrong: <code>" + escaped(wrong) + "</code> ") +
                    escaped(each.what) + "</h4>\n";
  for (const std::string& reading : each.readings)
    out += "<p class=\"soft\">Shows the reading <code>" + escaped(reading) + "</code>.</p>\n";
  if (each.file.empty())
    return out + "<p class=\"soft\">The corpus has no program for it in this profile.</p>\n";
  const bool is_mutant = each.kind == RuleExample::Kind::mutant;
  return out + "<pre data-case=\"" + escaped(each.file) + "\" data-mutant=\"" + escaped(wrong) + "\">" +
         escaped(each.program) + "</pre>\n<p class=\"soft\"><code>lanecheck replay " +
         escaped(shell_word("corpus/" + each.file)) +
         (is_mutant ? " --backend " + escaped(shell_word("wrong:" + each.mutant)) : "") + "</code></p>\n";
}

std::string sentence_about(const RuleInRun& run) {
  if (!run.exercised) return "The run did not ask for this rule.";
  if (*run.exercised == 0) return "The run did not exercise this rule.";
  const std::string times = grouped(*run.exercised) + (*run.exercised == 1 ? " time" : " times");
  if (run.findings == 0) return "Exercised " + times + "; no finding names it.";
  return "Exercised " + times + "; " + counted(run.findings, "finding") +
         (run.findings == 1 ? " names it." : " name it.");
}

std::string entry_html(const RuleEntry& entry) {
  std::string out = "<article id=\"" + escaped(entry.id) + "\">\n<p class=\"lead\"><b>" + escaped(entry.id) +
                    "</b> · " + escaped(entry.document) + ", section " + escaped(entry.section) + " · " +
                    escaped(entry.standing) + "</p>\n<h3>" + escaped(entry.claim) + "</h3>\n";
  if (entry.in_run) out += "<p class=\"soft\">" + escaped(sentence_about(*entry.in_run)) + "</p>\n";
  std::string examples;
  for (const RuleExample& each : entry.examples) examples += example_html(each);
  if (examples.empty()) return out + "</article>\n";
  return out + "<details><summary>" + counted(entry.examples.size(), "example") + "</summary>\n" + examples +
         "</details>\n</article>\n";
}

}  // namespace

std::string name_of_wrong(const RuleExample& example) {
  return example.kind == RuleExample::Kind::accepted ? "accepted" : example.mutant;
}

std::string rule_page_html(Profile profile, const std::vector<RuleEntry>& entries, const std::string& run) {
  const ProfileRow& row = row_of(profile);
  std::string out = head_html("the rules of " + std::string(row.name)) +
                    "<body>\n<header class=\"top\"><div class=\"wrap\">\n<p class=\"brand\">lanecheck</p>\n"
                    "<h1>The rules of " +
                    escaped(row.name) + "</h1>\n<p>Profile " + escaped(row.name) + ": " + escaped(row.about) +
                    ". Each rule stands with its source and with the smallest program that shows each known "
                    "way to break it. "
                    "</p>" +
                    (run.empty() ? "" : "<p>" + escaped(run) + "</p>") +
                    "</div></header>\n<main class=\"wrap\">\n";
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

}  // namespace lanecheck::page
