// lanecheck compare: which findings several reports have in common, and which only one of them has.
#include <iostream>
#include <memory>
#include <optional>

#include "fuzz/command/command_line.h"
#include "fuzz/command/report_place.h"
#include "reports/compared/show_comparison.h"
#include "reports/exit_code.h"
#include "reports/output_file.h"

namespace lanecheck {
namespace {

struct CompareCommand {
  std::vector<std::string> reports;
  std::string only_in, json, markdown;
  bool other_cases = false;
};

int compare_command(const CompareCommand& given) {
  std::vector<SavedReport> reports;
  for (const std::string& each : given.reports) reports.push_back(load_saved_report(report_file(each)));
  ReportComparison comparison = compare_reports(reports, given.other_cases);
  if (!given.only_in.empty()) comparison = only_in(comparison, reports, given.only_in);
  std::optional<OutputFile> json, markdown;
  if (!given.json.empty()) json.emplace(given.json);
  if (!given.markdown.empty()) markdown.emplace(given.markdown);
  std::cout << comparison_text(comparison);
  if (json) json->write(comparison_json(comparison));
  if (markdown) markdown->write(comparison_markdown(comparison));
  return all_alike(comparison) ? kConforms : kDiverges;
}

}  // namespace

void add_compare(CommandLine& line) {
  Command command =
      line.add("compare", "say which findings only one of several reports has, and which several have");
  const auto given = std::make_shared<CompareCommand>();
  command.texts("reports", given->reports, "JSON reports of runs, or their folders, two or more").required();
  command.text(
      "--only-in", given->only_in,
      "list only the findings that no other report has; one of the files, or the name of its backend");
  command.flag("--other-cases", given->other_cases,
               "compare also reports with other seeds or other cases, by the ids of their findings");
  command.text("--json,-j", given->json, "write the comparison as JSON to this file");
  command.text("--markdown", given->markdown,
               "write the comparison as Markdown to this file, for a job page");
  command.footer(
      R"(Reports with different profiles, readings or yardsticks are refused, and so are reports with different
cases, except with --other-cases.

Examples:
  lanecheck run --backend example --json example.json
  lanecheck run --backend wrong:cadd-keeps-dst --json wrong.json
  lanecheck compare example.json wrong.json --markdown summary.md
  lanecheck compare example.json wrong.json --only-in wrong.json

Exit codes: 0 the reports have the same findings in the same states (with --only-in: nothing is listed), 1 they
differ, 2 wrong input.)");
  command.action([given] { return compare_command(*given); });
}

}  // namespace lanecheck
