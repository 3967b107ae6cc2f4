// The commands that show a finding again.
#include "reports/page/escape.h"
#include "reports/page/view.h"

namespace lanecheck::page {
namespace {

/// The options that a case of this run needs. Without a record of them, they follow from the names in the
/// report; an attached backend then has to be named by hand.
std::vector<std::string> arguments_of(const ReportView& report, const std::string& other) {
  if (!report.arguments.empty()) return report.arguments;
  std::vector<std::string> words = {"--backend", report.backend, "--profile", report.profile};
  for (const auto& [id, option] : report.pinned) words.insert(words.end(), {"--reading", id + "=" + option});
  if (!other.empty()) words.insert(words.end(), {"--against", other});
  if (report.at_edge == report.done && report.done > 0 && !report.replayed) words.emplace_back("--illegal");
  return words;
}

std::string command(const std::vector<std::string>& words) {
  std::string text = "lanecheck";
  for (const std::string& word : words) text += " " + shell_word(word);
  return text;
}

std::string around_index(const ReportView& report, const std::string& other) {
  std::vector<std::string> words = {"run"};
  const auto arguments = arguments_of(report, other);
  words.insert(words.end(), arguments.begin(), arguments.end());
  words.insert(words.end(), {"--seed", std::to_string(report.seed), "--cases", "1", "--first"});
  return command(words);
}

}  // namespace

std::string command_of(const ReportView& report, const FindingView& finding) {
  if (finding.first_file.empty())
    return around_index(report, finding.other) + " " + std::to_string(finding.first_case);
  std::vector<std::string> words = {"replay", finding.first_file};
  const auto arguments = arguments_of(report, "");
  words.insert(words.end(), arguments.begin(), arguments.end());
  return command(words);
}

std::string command_without_index(const ReportView& report) {
  return around_index(report, report.findings.empty() ? "" : report.findings.front().other);
}

}  // namespace lanecheck::page
