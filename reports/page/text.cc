#include "reports/page/text.h"

#include "reports/format.h"
#include "reports/page/html_parts.h"

namespace lanecheck::page {
namespace {

constexpr std::size_t kMostTextLines = 16, kMostWrong = 12;

char sign_of(Lane lane) {
  switch (lane) {
    case Lane::kept:
      return '.';
    case Lane::written:
      return '#';
    case Lane::wrongly_kept:
      return 'k';
    case Lane::wrongly_written:
      return 'w';
    case Lane::wrong_value:
      break;
  }
  return 'X';
}

std::string name_of_line(const LaneLine& line) {
  const std::string first = std::to_string(line.repeat);
  return line.repeats == 1 ? "repeat " + first
                           : "repeats " + first + "-" + std::to_string(line.repeat + line.repeats - 1);
}

std::string lane_map_text(const FindingView& finding) {
  constexpr std::size_t kIndent = 16, kLanesInLine = 64;
  std::string out = "lanes of dst: . kept, # written, k wrongly kept, w wrongly written, X wrong value\n";
  std::size_t shown = 0;
  for (const LaneLine& line : finding.lanes) {
    if (shown++ == kMostTextLines) return out + "  ...\n";
    std::string head = "  " + name_of_line(line), cells;
    for (const LaneRun& run : line.runs) cells.append(run.count, sign_of(run.lane));
    for (std::size_t at = 0; at < cells.size(); at += kLanesInLine) {
      head.resize(kIndent, ' ');
      out.append(head).append(cells, at, kLanesInLine).append("\n");
      head.clear();
    }
  }
  return out;
}

std::string wrong_lanes_text(const FindingView& finding) {
  std::string out;
  std::size_t shown = 0;
  for (const LaneLine& line : finding.lanes)
    for (const LaneRun& run : line.runs) {
      if (!is_wrong(run.lane)) continue;
      if (shown++ == kMostWrong) return out + "  ...\n";
      out += "  " + name_of_line(line) + " lane " + std::to_string(run.first) +
             (run.count > 1 ? "-" + std::to_string(run.first + run.count - 1) : "") + ", " +
             (run.mask ? "active" : "masked off") + ", " + std::string(name_of(run.lane)) + ": old " +
             run.old + ", expected " + run.expected + ", actual " + run.actual + "\n";
    }
  return out;
}

}  // namespace

std::string finding_text(const ReportView& report, const FindingView& finding) {
  std::string out = command_of(report, finding) + "\n\nfinding " + finding.id + " (seed " +
                    std::to_string(report.seed) + ", " + cases_text(finding.cases) + ", first " +
                    (finding.first_file.empty() ? std::to_string(finding.first_case) : finding.first_file) +
                    "): " + finding.what + "\n";
  for (const RuleView& rule : finding.rules)
    out += "breaks " + rule.id + ": " + rule.claim + " (" + rule.document +
           (rule.section.empty() ? "" : " section " + rule.section) + ", " + rule.standing + ")\n";
  if (finding.rules.empty()) out.append(finding_title(finding)).append("\n");
  for (const std::string& each : finding.before) out += "\nthe program before:\n" + each;
  out += "\nprogram:\n" + finding.program;
  if (!finding.instruction.empty()) out += "differs after: " + finding.instruction + "\n";
  if (!finding.passes.empty()) out += "passes: " + finding.passes + "\n";
  if (!finding.predicate.empty()) out += finding.predicate + "\n";
  if (finding.lanes.empty()) return out;
  return out + "\n" + lane_map_text(finding) + wrong_lanes_text(finding);
}

}  // namespace lanecheck::page
