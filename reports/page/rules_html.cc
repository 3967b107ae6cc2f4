#include <algorithm>

#include "reports/page/escape.h"
#include "reports/page/html_parts.h"
#include "spec/program/source.h"

namespace lanecheck::page {
namespace {

using Rules = std::vector<const RuleView*>;

std::size_t count(const Rules& rules, std::string_view state) {
  return static_cast<std::size_t>(
      std::ranges::count_if(rules, [&](const RuleView* rule) { return state_of(*rule) == state; }));
}

/// "33 rules: 4 broken, 29 held".
std::string summary(const Rules& rules) {
  std::string text = counted(rules.size(), "rule") + ":";
  for (const std::string_view state : {"broken", "held", "not offered", "not exercised"})
    if (const std::size_t n = count(rules, state); n > 0)
      text += (text.ends_with(':') ? " " : ", ") + std::to_string(n) + " " + std::string(state);
  return text;
}

std::string meter(const Rules& rules) {
  std::string out = "<div class=\"meter\" aria-hidden=\"true\">";
  const std::size_t broken = count(rules, "broken"), held = count(rules, "held");
  const std::pair<const char*, std::size_t> parts[] = {
      {"broken", broken}, {"held", held}, {"not", rules.size() - broken - held}};
  for (const auto& [name, n] : parts)
    if (n > 0)
      out += "<i class=\"m-" + std::string(name) + "\" style=\"flex:" + std::to_string(n) + "\"></i>";
  return out + "</div>";
}

/// The findings that break the rule, as links; at most three.
std::string broken_by(const ReportView& report, const RuleView& rule) {
  constexpr unsigned kMost = 3;
  std::string out;
  unsigned n = 0;
  for (const FindingView& finding : report.findings)
    if (std::ranges::count(finding.rules, rule.id, &RuleView::id) > 0 && n++ < kMost)
      out += "<small class=\"by\">broken by <a href=\"#" + escaped(finding.anchor) + "\">" +
             escaped(finding.id) + "</a></small>";
  if (n > kMost) out += "<small class=\"by\">and " + std::to_string(n - kMost) + " more</small>";
  return out;
}

std::string row(const ReportView& report, const RuleView& rule) {
  const std::string state(state_of(rule));
  return "<tr><td><code>" + escaped(rule.id) + "</code> <small>" +
         (rule.section.empty() ? "" : "section " + escaped(rule.section) + " · ") + escaped(rule.standing) +
         "</small><span class=\"claim\">" + escaped(rule.claim) + "</span>" +
         (rule.broken > 0 ? broken_by(report, rule) : "") + "</td><td class=\"r n\">" +
         grouped(rule.exercised) + "</td><td class=\"state " + state.substr(0, state.find(' ')) + "\">" +
         state + "</td></tr>\n";
}

std::string document_html(const ReportView& report, std::string_view title, const char* unit, Rules rules) {
  std::ranges::stable_sort(rules, {}, [](const RuleView* rule) { return rule->broken == 0; });
  std::string out =
      std::string("<details class=\"doc\"") + (count(rules, "broken") > 0 ? " open" : "") + "><summary><h3>" +
      escaped(title) + "</h3><p>" + summary(rules) + "</p>" + meter(rules) +
      "</summary>\n<table><thead><tr><th scope=\"col\">Rule</th><th class=\"r\" scope=\"col\">" + unit +
      "</th><th scope=\"col\">Result</th></tr></thead><tbody>\n";
  for (const RuleView* rule : rules) out += row(report, *rule);
  return out + "</tbody></table></details>\n";
}

}  // namespace

std::string rules_html(const ReportView& report) {
  std::vector<std::pair<std::string, Rules>> documents;
  for (const RuleView& rule : report.rules) {
    if (documents.empty() || documents.back().first != rule.document)
      documents.push_back({rule.document, {}});
    documents.back().second.push_back(&rule);
  }
  std::string out;
  for (auto& [document, rules] : documents)
    out += document_html(report, title_of(document), "Exercised by instructions", std::move(rules));
  Rules legality;
  for (const RuleView& rule : report.legality) legality.push_back(&rule);
  if (!legality.empty())
    out += document_html(report, "Legality: which programs must be refused", "Exercised by cases",
                         std::move(legality));
  return out.empty() ? "<p>The report lists no rules.</p>\n" : out;
}

}  // namespace lanecheck::page
