#include "reports/page/markdown.h"

#include <algorithm>

#include "reports/format.h"
#include "reports/page/escape.h"
#include "reports/page/html_parts.h"

namespace lanecheck::page {
namespace {

constexpr std::size_t kMostFindings = 50, kMostText = 200, kMostNotes = 20;

/// What the finding breaks, in one cell.
std::string rules_cell(const FindingView& finding) {
  if (finding.rules.empty()) return markdown_text(std::string(subject_of(finding)));
  std::string out = markdown_code(finding.rules.front().id);
  if (finding.rules.size() > 1) out += " and " + std::to_string(finding.rules.size() - 1) + " more";
  return out;
}

std::string row(const FindingView& finding) {
  const std::string first = finding.first_file.empty()
                                ? grouped(finding.first_case)
                                : markdown_text(cut(finding.first_file, kMostText, "..."));
  return "| " + markdown_code(cut(finding.id, kMostText, "...")) + " | " + markdown_text(finding.verdict) +
         " | " + rules_cell(finding) + " | " + markdown_text(cut(finding.what, kMostText, "...")) + " | " +
         grouped(finding.cases) + " | " + first + " |\n";
}

/// A block of code whose fence is longer than any row of backticks inside.
std::string code_block(const std::string& text) {
  std::size_t longest = 0, now = 0;
  for (const char c : text) {
    now = c == '`' ? now + 1 : 0;
    longest = std::max(longest, now);
  }
  const std::string fence(std::max<std::size_t>(3, longest + 1), '`');
  return fence + "sh\n" + text + "\n" + fence + "\n";
}

}  // namespace

std::string markdown(const ReportView& report) {
  const Verdicts& verdicts = report.verdicts;
  std::string out = "### lanecheck: " + markdown_text(report.conclusion) + "\n\nBackend " +
                    markdown_code(cut(report.backend, kMostText, "...")) + ", profile " +
                    markdown_code(report.profile) + ", seed " + std::to_string(report.seed) + ": " +
                    grouped(report.done) + " of " + grouped(report.planned) + " cases; " +
                    grouped(verdicts.conforms) + " conform, " + grouped(verdicts.diverges) + " diverge, " +
                    grouped(verdicts.undecided) + " undecided, " + grouped(verdicts.skipped) + " skipped, " +
                    grouped(verdicts.errored) + " errored.\n";
  for (std::size_t n = 0; n < report.notes.size() && n < kMostNotes; ++n)
    out += (n == 0 ? "\n- " : "- ") + markdown_text(cut(report.notes[n], kMostText, "...")) + "\n";
  if (report.certificate.strength > 0) out += "\n" + markdown_text(sentence_of(report.certificate)) + "\n";
  if (report.findings.empty()) return out;
  out +=
      "\n| Finding | Verdict | Rule or subject | What the backend does | Cases | First case |\n"
      "| --- | --- | --- | --- | ---: | ---: |\n";
  for (std::size_t n = 0; n < report.findings.size() && n < kMostFindings; ++n)
    out += row(report.findings[n]);
  if (report.findings.size() > kMostFindings)
    out +=
        "\n" + grouped(report.findings.size() - kMostFindings) + " more findings are in the JSON report.\n";
  return out + "\nTo see the first finding again:\n\n" +
         code_block(command_of(report, report.findings.front()));
}

}  // namespace lanecheck::page
