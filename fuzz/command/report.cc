// lanecheck report: a JSON report as an HTML page, as JUnit XML and as a Markdown summary.
#include <memory>
#include <optional>

#include "fuzz/bundle/bundle.h"
#include "fuzz/command/command_line.h"
#include "fuzz/command/report_place.h"
#include "reports/exit_code.h"
#include "reports/output_file.h"
#include "reports/page/html.h"
#include "reports/page/junit.h"
#include "reports/page/markdown.h"
#include "spec/program/input_error.h"
#include "spec/text/input_file.h"

namespace lanecheck {
namespace {

struct ReportCommand {
  std::string file;  ///< the JSON report or the folder of the run
  std::string html, junit, markdown;
  std::string bundle;  ///< folder for a folder of each finding
};

/// Opens every output before the first is written.
int report_command(const ReportCommand& given) {
  if (given.html.empty() && given.junit.empty() && given.markdown.empty() && given.bundle.empty())
    throw InputError("report", "give at least one of --html, --junit, --markdown and --bundle");
  const std::string file = report_file(given.file);
  const std::string text = read_input_file(file);
  const page::ReportView report = page::read_report(text, file);
  struct Output {
    const std::string& place;
    std::string (*render)(const page::ReportView&);
    std::optional<OutputFile> file;
  };
  Output outputs[] = {
      {given.html, page::html, {}}, {given.junit, page::junit_xml, {}}, {given.markdown, page::markdown, {}}};
  for (Output& output : outputs)
    if (!output.place.empty()) output.file.emplace(output.place);
  if (!given.bundle.empty()) write_bundles(given.bundle, text, file);  // refuses a folder that is not empty
  for (Output& output : outputs)
    if (output.file) output.file->write(output.render(report));
  return kConforms;
}

}  // namespace

void add_report(CommandLine& line) {
  Command command = line.add("report", "show a JSON report as an HTML page, as JUnit XML or as Markdown");
  const auto given = std::make_shared<ReportCommand>();
  command
      .text("file", given->file,
            "the JSON report, as `lanecheck run --json FILE` writes it, or the folder of a run")
      .required();
  command.text("--html", given->html, "write one HTML file, which needs no network and no scripts");
  command.text("--junit", given->junit,
               "write JUnit XML: a test suite for each document, a test case for each rule");
  command.text("--markdown", given->markdown, "write a summary in Markdown, for a job page");
  command.text("--bundle", given->bundle,
               "write a folder for each finding into this new folder: its case, a text with the rule and the "
               "command, a pytest and a GoogleTest to paste");
  command.footer(R"(Examples:
  lanecheck run --backend wrong:cadd-keeps-dst --json report.json
  lanecheck report report.json --html report.html
  lanecheck report report.json --junit junit.xml --markdown summary.md
  lanecheck report report.json --bundle findings

The exit code is 0 if the files were written, whatever the report says of the backend; 2 for wrong input.)");
  command.action([given] { return report_command(*given); });
}

}  // namespace lanecheck
