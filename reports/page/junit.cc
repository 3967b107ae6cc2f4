#include "reports/page/junit.h"

#include <algorithm>
#include <map>

#include "reports/format.h"
#include "reports/page/escape.h"
#include "reports/page/text.h"

namespace lanecheck::page {
namespace {

struct Suite {
  std::string cases, system_out;
  std::uint64_t tests = 0, failures = 0, errors = 0, skipped = 0;
};

std::string attribute(std::string_view name, std::string_view value) {
  return " " + std::string(name) + "=\"" + escaped(value) + "\"";
}

/// <failure>, <error> or <skipped>.
std::string outcome(const char* element, const std::string& message, const std::string& text) {
  constexpr std::size_t kMostMessage = 400;
  std::string out = std::string("<") + element;
  out += attribute("message", cut(message, kMostMessage, "..."));
  if (text.empty()) return out + "/>";
  std::string body = escaped(text);
  for (std::size_t most = kMostFailureBytes; body.size() > kMostFailureBytes; most -= most / 4)
    body = escaped(cut(text, most, "\n... cut; the JSON report has all of it\n"));
  return out + ">" + body + "</" + element + ">";
}

void add_case(Suite& suite, const std::string& class_name, const std::string& name,
              const std::string& outcome) {
  ++suite.tests;
  suite.failures += outcome.starts_with("<failure") ? 1U : 0U;
  suite.errors += outcome.starts_with("<error") ? 1U : 0U;
  suite.skipped += outcome.starts_with("<skipped") ? 1U : 0U;
  suite.cases += "<testcase" + attribute("classname", class_name) + attribute("name", name) +
                 (outcome.empty() ? "/>" : ">" + outcome + "</testcase>") + "\n";
}

bool names(const FindingView& finding, const RuleView& rule) {
  return std::ranges::count(finding.rules, rule.id, &RuleView::id) > 0;
}

/// The findings that break the rule. A finding is told in full at the first rule that it names.
std::string failure_text(const ReportView& report, const RuleView& rule) {
  std::string out;
  for (const FindingView& finding : report.findings) {
    if (!names(finding, rule)) continue;
    if (!out.empty()) out += "\n----\n";
    if (finding.rules.front().id == rule.id)
      out += finding_text(report, finding);
    else
      out += command_of(report, finding) + "\n\nfinding " + finding.id + ": " + finding.what + "\nbreaks " +
             rule.id + ": " + rule.claim + " (" + rule.document +
             (rule.section.empty() ? "" : " section " + rule.section) +
             ")\nThe program and the lane map stand at " + finding.rules.front().id + ".\n";
    if (out.size() > kMostFailureBytes) break;
  }
  return out;
}

std::string outcome_of(const ReportView& report, const RuleView& rule) {
  if (rule.broken > 0) return outcome("failure", "broken: " + rule.claim, failure_text(report, rule));
  if (rule.exercised == 0) return outcome("skipped", std::string(state_of(rule)), "");
  return "";
}

std::string outcome_of(const ReportView& report, const FindingView& finding) {
  const std::string message = finding.id + ": " + finding.what;
  if (finding.verdict == "undecided" && !report.strict)
    return outcome("skipped", "the documents leave this open: " + message, "");
  return outcome(finding.verdict == "errored" ? "error" : "failure", message, finding_text(report, finding));
}

/// The verdict itself, so that a run that failed without a finding is red too.
std::string outcome_of(const ReportView& report) {
  if (report.state == "conforms") return "";
  std::string text;
  if (!report.findings.empty()) text = command_of(report, report.findings.front()) + "\n\n";
  text += report.conclusion + "\n";
  for (const std::string& note : report.notes) text += note + "\n";
  return outcome(report.state == "diverges" ? "failure" : "error", report.conclusion, text);
}

/// A test case for each instruction under the masks of the certificate.
void add_certificate(Suite& suite, const ReportView& report) {
  const std::string class_name = "lanecheck." + report.profile + ".certificate";
  for (const std::string& each : report.certificate.certified) add_case(suite, class_name, each, "");
  for (const UncertifiedView& each : report.certificate.others)
    add_case(suite, class_name, each.instruction,
             outcome(each.verdict == "diverges" ? "failure" : "skipped", each.text, ""));
}

Suite run_suite(const ReportView& report) {
  Suite suite;
  add_case(suite, "lanecheck." + report.profile, "verdict", outcome_of(report));
  std::string text = report.conclusion + "\nbackend " + report.backend + ", profile " + report.profile +
                     ", seed " + std::to_string(report.seed) + ", first case " +
                     std::to_string(report.first) + ", " + grouped(report.done) + " of " +
                     grouped(report.planned) + " cases\n";
  for (const FindingView& finding : report.findings) {
    if (text.size() > kMostFailureBytes / 2) break;
    text += finding.id + ": " + finding.what + "\n";
  }
  suite.system_out = escaped(cut(text, kMostFailureBytes / 2, "\n..."));
  return suite;
}

std::string suite_xml(const std::string& name, const Suite& suite, const std::string& time) {
  return "<testsuite" + attribute("name", name) + attribute("tests", std::to_string(suite.tests)) +
         attribute("failures", std::to_string(suite.failures)) +
         attribute("errors", std::to_string(suite.errors)) +
         attribute("skipped", std::to_string(suite.skipped)) + attribute("time", time) + ">\n" + suite.cases +
         (suite.system_out.empty() ? "" : "<system-out>" + suite.system_out + "</system-out>\n") +
         "</testsuite>\n";
}

}  // namespace

std::string junit_xml(const ReportView& report) {
  std::vector<std::pair<std::string, Suite>> suites;
  const auto suite = [&](const std::string& name) -> Suite& {
    const auto found = std::ranges::find(suites, name, [](const auto& each) { return each.first; });
    return found == suites.end() ? suites.emplace_back(name, Suite{}).second : found->second;
  };
  suite("run") = run_suite(report);
  for (const RuleView& rule : report.rules)
    add_case(suite(rule.document), "lanecheck." + report.profile + "." + rule.document, rule.id,
             outcome_of(report, rule));
  for (const RuleView& rule : report.legality)
    add_case(suite("legality"), "lanecheck." + report.profile + ".legality", rule.id,
             outcome_of(report, rule));
  for (const FindingView& finding : report.findings)
    if (finding.rules.empty())
      add_case(suite("findings without a rule"), "lanecheck." + report.profile + ".findings", finding.id,
               outcome_of(report, finding));
  if (report.certificate.strength > 0) add_certificate(suite("mask certificate"), report);
  std::string out;
  std::uint64_t tests = 0, failures = 0, errors = 0;
  for (const auto& [name, each] : suites) {
    tests += each.tests;
    failures += each.failures;
    errors += each.errors;
    out += suite_xml(report.profile + "/" + name, each, name == "run" ? fixed(report.seconds, 3) : "0");
  }
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" +
         attribute("name", "lanecheck " + report.backend) + attribute("tests", std::to_string(tests)) +
         attribute("failures", std::to_string(failures)) + attribute("errors", std::to_string(errors)) +
         attribute("time", fixed(report.seconds, 3)) + ">\n" + out + "</testsuites>\n";
}

}  // namespace lanecheck::page
