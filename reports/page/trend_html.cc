#include <algorithm>

#include "reports/page/escape.h"
#include "reports/page/html_parts.h"

namespace lanecheck::page {
namespace {

constexpr std::size_t kMostRuns = 60;
constexpr unsigned kStep = 16, kBar = 12, kTrendHeight = 64, kTrendTop = 16;

std::string number(std::string_view name, unsigned value) {
  return " " + std::string(name) + "=\"" + std::to_string(value) + "\"";
}

/// One bar for each run: how many findings it has. A run without findings is a line.
std::string bars(const std::vector<PastRun>& runs) {
  std::uint64_t most = 1;
  for (const PastRun& run : runs) most = std::max(most, run.findings);
  const unsigned width = static_cast<unsigned>(runs.size()) * kStep + 40;
  std::string out = "<svg class=\"trend\" role=\"img\"" + number("width", width) +
                    number("height", kTrendTop + kTrendHeight + 4) + "><title>Findings of the last " +
                    counted(runs.size(), "run") + ": from " + grouped(runs.front().findings) + " to " +
                    grouped(runs.back().findings) + "</title>";
  unsigned x = 0;
  for (const PastRun& run : runs) {
    const auto height = std::max(2U, static_cast<unsigned>(run.findings * kTrendHeight / most));
    const bool last = &run == &runs.back();
    out += std::string("<rect class=\"") + (last ? "now" : "past") + "\"" + number("x", x) +
           number("y", kTrendTop + kTrendHeight - height) + number("width", kBar) + number("height", height) +
           "><title>" + escaped(run.date + ", " + run.version + ": " + counted(run.findings, "finding")) +
           "</title></rect>";
    if (last)
      out += "<text" + number("x", x) + number("y", kTrendTop + kTrendHeight - height - 4) + ">" +
             grouped(run.findings) + "</text>";
    x += kStep;
  }
  return out + "</svg>";
}

std::string table(const std::vector<PastRun>& runs) {
  std::string out =
      "<details><summary>The runs as a table</summary>\n" + scroll_open("Runs") +
      "<table><thead><tr><th scope=\"col\">Date</th><th scope=\"col\">Backend</th><th class=\"r\" "
      "scope=\"col\">Cases</th><th class=\"r\" scope=\"col\">Findings</th></tr></thead><tbody>\n";
  for (auto run = runs.rbegin(); run != runs.rend(); ++run)
    out += "<tr><td class=\"n\">" + escaped(run->date) + "</td><td>" + escaped(run->version) +
           "</td><td class=\"r n\">" + grouped(run->cases) + "</td><td class=\"r n\">" +
           grouped(run->findings) + "</td></tr>\n";
  return out + "</tbody></table></div>\n</details>\n";
}

}  // namespace

std::string trend_html(const ReportView& report) {
  if (report.trend.runs.empty()) return "";
  std::vector<PastRun> runs = report.trend.runs;
  if (runs.size() > kMostRuns) runs.erase(runs.begin(), runs.end() - kMostRuns);
  const auto fresh =
      static_cast<std::uint64_t>(std::ranges::count(report.findings, true, &FindingView::is_new));
  std::string out =
      "<section id=\"trend\" aria-labelledby=\"h-trend\">\n<h2 id=\"h-trend\">Since the last run</h2>\n<p>" +
      (runs.size() == 1 ? std::string("This is the first run of these cases on this backend in the history.")
                        : "<b>" + grouped(fresh) + " new</b>, " + grouped(report.findings.size() - fresh) +
                              " known, " + grouped(report.trend.gone.size()) + " fixed.") +
      "</p>\n";
  if (runs.size() > 1)
    out += "<h3 class=\"small\">Findings in each run, the last one on the right</h3>\n" +
           scroll_open("Trend") + bars(runs) + "</div>\n" + table(runs);
  if (!report.trend.gone.empty()) {
    out += "<h3 class=\"small\">Fixed</h3>\n<ul>\n";
    for (const std::string& each : report.trend.gone) out += "<li>" + escaped(each) + "</li>\n";
    out += "</ul>\n";
  }
  if (!report.trend.not_judged.empty()) {
    out += "<h3 class=\"small\">Not seen, but this run does not show that they are fixed</h3>\n<ul>\n";
    for (const std::string& each : report.trend.not_judged) out += "<li>" + escaped(each) + "</li>\n";
    out += "</ul>\n";
  }
  return out + "</section>\n";
}

}  // namespace lanecheck::page
