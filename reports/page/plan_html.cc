#include "reports/page/plan_html.h"

#include <algorithm>

#include "reports/page/escape.h"
#include "reports/page/html_parts.h"

namespace lanecheck::page {
namespace {

constexpr std::size_t kMostPlanFindings = 200, kMostPlanText = 200;

std::uint64_t new_findings(const ReportView& report) {
  return static_cast<std::uint64_t>(std::ranges::count(report.findings, true, &FindingView::is_new));
}

bool has_history(const ReportView& report) {
  return report.trend.runs.size() > 1;
}

/// What the runs of a plan came to.
struct Counts {
  std::uint64_t done = 0, pending = 0, findings = 0, fresh = 0, bad = 0, open = 0;
  bool history = false;

  std::string state() const {
    if (bad > 0) return "diverges";
    return open + pending > 0 || done == 0 ? "incomplete" : "conforms";
  }
};

Counts counts_of(const std::vector<PlannedPage>& runs) {
  Counts counts;
  for (const PlannedPage& run : runs) {
    counts.pending += run.pending ? 1U : 0U;
    if (run.pending || !run.skipped.empty()) continue;
    ++counts.done;
    counts.findings += run.report.findings.size();
    counts.fresh += new_findings(run.report);
    counts.history |= has_history(run.report);
    counts.bad += run.report.state == "diverges" || run.report.state == "failed" ? 1U : 0U;
    counts.open += run.report.state == "incomplete" ? 1U : 0U;
  }
  return counts;
}

/// How many runs are as they should be, the worst first.
std::string success_of(const Counts& counts) {
  const std::string of_done = " of " + counted(counts.done, "run");
  const std::string of_all = " of " + counted(counts.done + counts.pending, "run");
  const std::string so_far = counts.pending == 0 ? "" : "; " + grouped(counts.done) + of_all + " are done";
  if (counts.bad > 0)
    return grouped(counts.bad) + of_done + (counts.bad == 1 ? " does not conform" : " do not conform") +
           so_far;
  if (counts.open > 0)
    return grouped(counts.open) + of_done + (counts.open == 1 ? " is" : " are") + " incomplete" + so_far;
  if (counts.pending > 0)
    return grouped(counts.done) + of_all +
           (counts.done == 1 ? " is done, and conforms so far" : " are done, and conform so far");
  return counts.done == 1 ? "The run conforms" : "All " + grouped(counts.done) + " runs conform";
}

/// How the night went, as a sentence.
std::string verdict_of(const Counts& counts) {
  if (counts.done == 0) return "No run was done";
  std::string text = success_of(counts);
  if (counts.findings == 0) return text;
  text += ": " + counted(counts.findings, "finding");
  if (!counts.history) return text;
  return text + (counts.fresh == 0 ? ", none of them new" : ", " + grouped(counts.fresh) + " of them new");
}

std::string certificate_cell(const ReportView& report) {
  const CertificateView& certificate = report.certificate;
  if (certificate.strength == 0) return "–";
  return "strength " + std::to_string(certificate.strength) + ": " + grouped(certificate.certified.size()) +
         " of " + grouped(certificate.certified.size() + certificate.others.size());
}

std::string row(const PlannedPage& run) {
  const std::string name = escaped(run.name);
  if (run.pending || !run.skipped.empty())
    return "<tr><td>" + name + "</td><td colspan=\"4\">" +
           (run.pending ? "Not done yet." : escaped(run.skipped)) + "</td></tr>\n";
  const ReportView& report = run.report;
  return "<tr><td><a href=\"" + name + "/report.html\">" + name + "</a></td><td class=\"state " +
         (report.state == "conforms" ? "held" : "broken") + "\">" + escaped(report.conclusion) + "<small>" +
         escaped(report.backend) + "</small></td><td class=\"r n\">" + grouped(report.done) +
         "</td><td class=\"r n\">" + grouped(report.findings.size()) +
         (has_history(report) ? "<small>" + grouped(new_findings(report)) + " new, " +
                                    grouped(report.trend.gone.size()) + " fixed</small>"
                              : "") +
         "</td><td>" + certificate_cell(report) + "</td></tr>\n";
}

/// The findings of all runs, the new ones first.
std::string findings_list(const std::vector<PlannedPage>& runs) {
  std::string out;
  std::size_t all = 0;
  for (const bool fresh : {true, false})
    for (const PlannedPage& run : runs)
      for (const FindingView& finding : run.report.findings) {
        const bool is_new = finding.is_new && has_history(run.report);
        if (is_new != fresh || ++all > kMostPlanFindings) continue;
        out += "<li><div><a href=\"" + escaped(run.name) + "/report.html#" + escaped(finding.anchor) + "\">" +
               escaped(cut(finding.id, kMostPlanText, "…")) + "</a>" +
               (is_new ? " <b class=\"new\">new</b>" : "") + "<span>" +
               escaped(cut(finding.what, kMostPlanText, "…")) + "</span></div><span>" + escaped(run.name) +
               "</span><span class=\"n\"><small>cases</small>" + grouped(finding.cases) + "</span></li>\n";
      }
  if (all == 0) return "<p>No run has a finding.</p>\n";
  out = "<ol class=\"index\" role=\"list\">\n" + out + "</ol>\n";
  if (all > kMostPlanFindings)
    out += "<p class=\"soft\">" + grouped(all - kMostPlanFindings) +
           " more findings are on the pages of the runs.</p>\n";
  return out;
}

std::string fixed_list(const std::vector<PlannedPage>& runs) {
  std::string out;
  for (const PlannedPage& run : runs)
    for (const std::string& each : run.report.trend.gone)
      out += "<li>" + escaped(run.name) + ": " + escaped(each) + "</li>\n";
  return out.empty() ? "" : "<section><h2>Fixed</h2>\n<ul>\n" + out + "</ul></section>\n";
}

}  // namespace

std::string plan_html(const std::string& plan, const std::string& about,
                      const std::vector<PlannedPage>& runs) {
  const Counts counts = counts_of(runs);
  const std::string verdict = verdict_of(counts);
  std::string rows;
  for (const PlannedPage& run : runs) rows += row(run);
  return head_html(plan + ", " + verdict) +
         "<body>\n<a class=\"skip\" href=\"#main\">Skip to the runs</a>\n<header class=\"top " +
         counts.state() + "\"><div class=\"wrap\">\n<p class=\"brand\">lanecheck, plan " + escaped(plan) +
         "</p>\n<h1>" + escaped(verdict) + "</h1>\n<p class=\"soft\">" + escaped(about) +
         "</p>\n</div></header>\n<main id=\"main\" class=\"wrap\">\n<section><h2>Runs</h2>\n" +
         scroll_open("Runs") +
         "<table class=\"runs\"><thead><tr><th scope=\"col\">Run</th><th scope=\"col\">Verdict</th><th "
         "class=\"r\" "
         "scope=\"col\">Cases</th><th class=\"r\" scope=\"col\">Findings</th><th scope=\"col\">Mask "
         "certificate</th></tr></thead><tbody>\n" +
         rows + "</tbody></table></div></section>\n<section><h2>Findings</h2>\n" + findings_list(runs) +
         "</section>\n" + fixed_list(runs) +
         "</main>\n<footer><div class=\"wrap\">Each run has a page of its own, "
         "with programs and lane maps.</div></footer>\n</body>\n</html>\n";
}

}  // namespace lanecheck::page
