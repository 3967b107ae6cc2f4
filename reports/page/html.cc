#include "reports/page/html.h"

#include <algorithm>
#include <map>

#include "reports/page/embedded.h"
#include "reports/page/escape.h"
#include "reports/page/html_parts.h"
#include "spec/text/joined.h"

namespace lanecheck::page {
namespace {

constexpr std::size_t kMostArticles = 300, kRowsOfList = 100;
constexpr std::size_t kMostBytes = 4'400'000, kFewestArticleBytes = 200'000;

std::string fact(std::string_view name, const std::string& value, bool wide = false) {
  if (value.empty()) return "";
  return std::string(wide ? "<div class=\"wide\">" : "<div>") + "<dt>" + std::string(name) + "</dt><dd>" +
         escaped(value) + "</dd></div>\n";
}

std::string facts_html(const ReportView& report) {
  const std::string pinned =
      joined(report.pinned, [](const auto& each) { return each.first + "=" + each.second; });
  const std::string cases =
      grouped(report.done) +
      (report.done < report.planned ? " of " + grouped(report.planned) + " planned" : "");
  std::string out = "<dl class=\"facts\">\n" + fact("Backend", report.backend, true) +
                    fact("About the backend", report.about == report.backend ? "" : report.about, true) +
                    fact("Profile", report.profile) + fact(report.replayed ? "Case files" : "Cases", cases);
  if (!report.replayed)
    out += fact("First case", grouped(report.first)) + fact("Seed", std::to_string(report.seed));
  return out + fact("Elements compared", grouped(report.element_checks)) +
         fact("Time", fixed(report.seconds, 1) + " s") + fact("Pinned readings", pinned, true) + "</dl>\n";
}

std::string verdicts_html(const Verdicts& verdicts) {
  struct Count {
    const char *verdict, *label;
    std::uint64_t cases;
  };
  const Count counts[] = {{"conforms", "conform", verdicts.conforms},
                          {"diverges", "diverge", verdicts.diverges},
                          {"undecided", "undecided", verdicts.undecided},
                          {"skipped", "skipped", verdicts.skipped},
                          {"errored", "errored", verdicts.errored}};
  std::string bar, keys;
  for (const auto& [verdict, label, cases] : counts) {
    if (cases == 0) continue;
    const std::string box = "<i class=\"v-" + std::string(verdict) + "\"";
    bar += box + " style=\"flex:" + std::to_string(cases) + "\"></i>";
    keys += "<li>" + box + "></i>" + grouped(cases) + " " + label + "</li>";
  }
  if (keys.empty()) return "";
  return "<div class=\"bar\" aria-hidden=\"true\">" + bar +
         "</div>\n<ul class=\"keys\" aria-label=\"Cases by verdict\">" + keys + "</ul>\n";
}

std::string header_html(const ReportView& report) {
  std::string title = report.conclusion;
  if (!title.empty() && title[0] >= 'a' && title[0] <= 'z')
    title[0] = static_cast<char>(title[0] - 'a' + 'A');
  std::string out = "<header class=\"top " + escaped(report.state) +
                    "\"><div class=\"wrap\">\n<p class=\"brand\">lanecheck report</p>\n<h1>" +
                    escaped(title) + "</h1>\n" + verdicts_html(report.verdicts) + facts_html(report);
  if (!report.notes.empty()) {
    out += "<ul class=\"notes\">\n";
    for (const std::string& note : report.notes) out += "<li>" + escaped(note) + "</li>\n";
    out += "</ul>\n";
  }
  return out + "</div></header>\n";
}

/// Search and filter. The style shows them only if scripts run.
std::string tools_html(const ReportView& report) {
  std::map<std::string, std::uint64_t> subjects;
  for (const FindingView& finding : report.findings) ++subjects[std::string(subject_of(finding))];
  std::string out =
      "<form class=\"tools\" role=\"search\"><label class=\"search\">Search the findings"
      "<input type=\"search\" autocomplete=\"off\" spellcheck=\"false\"></label>\n";
  if (subjects.size() > 1) {
    out += "<fieldset><legend>Subject</legend>";
    for (const auto& [subject, count] : subjects)
      out += "<label><input type=\"checkbox\" checked value=\"" + escaped(subject) + "\"> " +
             escaped(subject) + " (" + grouped(count) + ")</label>\n";
    out += "</fieldset>\n";
  }
  return out + "<p class=\"status\" role=\"status\"></p></form>\n";
}

/// The findings in full, the first ones only if they are many.
std::string articles_html(const ReportView& report, std::size_t most_bytes, std::size_t& shown) {
  std::string out;
  for (shown = 0; shown < report.findings.size() && shown < kMostArticles; ++shown) {
    const std::string article = finding_html(report, report.findings[shown]);
    if (shown > 0 && out.size() + article.size() > most_bytes) break;
    out += article;
  }
  return out;
}

/// What the page leaves out.
std::string shortened_html(const ReportView& report, std::size_t shown, std::size_t listed) {
  const std::size_t all = report.findings.size();
  return "<p><b>Only the first " + grouped(shown) +
         " findings are shown in full, with program and lane map.</b> The others are lines of this list" +
         (listed < all ? ", except the last " + grouped(all - listed) : "") +
         "; the JSON report holds them all. To see one of them again, put its first case behind this "
         "command:</p>\n<div class=\"command\"><pre><code>" +
         escaped(command_without_index(report)) + "</code></pre></div>\n";
}

/// A part of the list of findings. A browser lays out only the parts that it shows, so that a filter is fast.
std::string list_html(const ReportView& report, std::size_t from, std::size_t listed, std::size_t shown) {
  const std::size_t end = std::min(from + kRowsOfList, listed);
  std::string out =
      "<ol class=\"index\" role=\"list\" style=\"--rows:" + std::to_string(end - from) + "\">\n";
  for (std::size_t n = from; n < end; ++n) out += index_row_html(report.findings[n], n < shown);
  return out + "</ol>\n";
}

std::string findings_html(const ReportView& report) {
  const auto& findings = report.findings;
  std::string out =
      "<section id=\"findings\" aria-labelledby=\"h-findings\">\n<h2 id=\"h-findings\">Findings</h2>\n";
  if (findings.empty()) return out + "<p>The run has no finding.</p>\n</section>\n";
  std::size_t listed = 0, shown = 0;
  std::size_t left = kMostBytes - kFewestArticleBytes;
  for (; listed < findings.size(); ++listed) {
    const std::size_t bytes = index_row_html(findings[listed], false).size();
    if (bytes > left) break;
    left -= bytes;
  }
  const std::string articles = articles_html(report, left + kFewestArticleBytes, shown);
  out += "<p class=\"soft\">" + counted(findings.size(), "finding") +
         ". A finding is a group of cases with the same explanation.</p>\n";
  if (shown < findings.size()) out += shortened_html(report, shown, listed);
  if (findings.size() > 1) {
    out += tools_html(report);
    for (std::size_t n = 0; n < listed; n += kRowsOfList) out += list_html(report, n, listed, shown);
  }
  return out + articles + "</section>\n";
}

}  // namespace

std::string head_html(const std::string& title) {
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
         "'unsafe-inline'; "
         "script-src 'unsafe-inline'; img-src data:\">\n<link rel=\"icon\" "
         "href=\"data:,\">\n<title>lanecheck: " +
         escaped(title) + "</title>\n<style>\n" + std::string(kPageStyle) + "</style>\n</head>\n";
}

std::string html(const ReportView& report) {
  return head_html(report.backend + ", " + report.conclusion) +
         "<body>\n<a class=\"skip\" href=\"#main\">Skip to the findings</a>\n" + lane_patterns_html() +
         header_html(report) + "<nav aria-label=\"Parts of the page\"><div class=\"wrap\"><ul>" +
         std::string(report.trend.runs.empty() ? "" : "<li><a href=\"#trend\">Since the last run</a></li>") +
         "<li><a "
         "href=\"#findings\">Findings</a></li>" +
         std::string(report.certificate.strength == 0
                         ? ""
                         : "<li><a href=\"#certificate\">Mask certificate</a></li>") +
         "<li><a href=\"#rules\">Rules and coverage</a></li></ul></div></nav>\n<main id=\"main\" "
         "class=\"wrap\">\n" +
         trend_html(report) + findings_html(report) + certificate_html(report) +
         "<section id=\"rules\" aria-labelledby=\"h-rules\">\n<h2 id=\"h-rules\">Rules and coverage</h2>\n"
         "<p class=\"soft\">Every rule that applies to the profile, by document. The instructions reached " +
         grouped(report.cells) + " cells of the diversity measure.</p>\n" + rules_html(report) +
         "</section>\n</main>\n<footer><div class=\"wrap\">Written by lanecheck " + escaped(report.version) +
         " from a JSON report.</div></footer>\n<script>\n" + std::string(kPageScript) +
         "</script>\n</body>\n</html>\n";
}

}  // namespace lanecheck::page
