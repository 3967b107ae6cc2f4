#include "fuzz/command/plan_page.h"

#include "fuzz/command/trend.h"
#include "reports/output_file.h"
#include "reports/page/plan_html.h"
#include "spec/text/input_file.h"

namespace lanecheck {

void write_plan_page(const std::filesystem::path& folder, const Plan& plan,
                     const std::map<std::string, std::string>& skipped, const std::string& history) {
  History dated;
  if (!history.empty() && std::filesystem::exists(history))
    dated.runs = HistoryFile(history, HistoryFile::Open::existing).runs();
  std::vector<page::PlannedPage> pages;
  for (const PlannedRun& run : plan.runs) {
    page::PlannedPage page{run.name, false, "", {}};
    const std::filesystem::path report = folder / run.name / "report.json";
    if (const auto why = skipped.find(run.name); why != skipped.end()) {
      page.skipped = "Skipped, because the backend " + why->second + ".";
    } else if (!std::filesystem::exists(report)) {
      page.pending = true;
    } else {
      const std::string text = read_input_file(report.string());
      page.report = page::read_report(text, report.string());
      dated.own = find_run(dated.runs, parse_saved_report(text, report.string()));
      show_trend(dated, page.report);
    }
    pages.push_back(std::move(page));
  }
  make_folder(folder);
  OutputFile(folder / "index.html").write(page::plan_html(plan.name, plan.about, pages));
}

}  // namespace lanecheck
