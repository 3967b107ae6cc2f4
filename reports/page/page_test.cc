// Text stays text in every place, lanes are told apart, and what is no report is refused by name.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reports/json_report.h"
#include "reports/page/escape.h"
#include "reports/page/html.h"
#include "reports/page/html_parts.h"
#include "reports/page/junit.h"
#include "reports/page/lane_lines.h"
#include "reports/page/markdown.h"
#include "reports/page/plan_html.h"
#include "reports/page/read_heat.h"
#include "spec/program/input_error.h"
#include "spec/text/mutation_testing.h"

namespace lanecheck::page {
namespace {

using nlohmann::json;

TEST(Escape, HtmlAndXmlKeepHostileTextAsText) {
  EXPECT_EQ(escaped("<b a='1' c=\"2\">&"), "&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;");
  EXPECT_EQ(escaped("a\n\tb"), "a\n\tb");
  EXPECT_EQ(escaped(std::string_view("\x1b[2J\0", 5)), "\xef\xbf\xbd[2J\xef\xbf\xbd");
  EXPECT_EQ(escaped("x\xef\xbf\xbfy"), "x\xef\xbf\xbdy") << "XML does not allow U+FFFF";
}

TEST(Escape, MarkdownHasNoMarkupAndNoEndOfACell) {
  const std::string text = markdown_text("a|b`c`**d** [e](f) <g> @h\ni");
  EXPECT_EQ(text.find_first_of("|`*[]()<>@\n"), std::string::npos) << text;
  EXPECT_EQ(markdown_text("|"), "&#124;");
}

TEST(Escape, AShellWordIsQuotedIfItNeedsIt) {
  EXPECT_EQ(shell_word("wrong:cadd-keeps-dst"), "wrong:cadd-keeps-dst");
  EXPECT_EQ(shell_word("cmd: python3 it's.py"), "'cmd: python3 it'\"'\"'s.py'");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("$(rm)"), "'$(rm)'");
}

TEST(Escape, ACutDoesNotSplitACharacter) {
  EXPECT_EQ(cut("abc", 3, "."), "abc");
  EXPECT_EQ(cut("abcd", 3, "."), "ab.");
  EXPECT_EQ(cut("a\xc3\xa9zz", 3, "."), "a.");
}

json run_of(bool written, bool agrees, std::vector<std::string> old, std::vector<std::string> expected,
            std::vector<std::string> actual, unsigned count) {
  return {{"block", 0},           {"lane", 0},        {"count", count}, {"mask", written ? 1 : 0},
          {"written", written},   {"agrees", agrees}, {"type", "i16"},  {"old", old},
          {"expected", expected}, {"actual", actual}};
}

LaneLine line_of(const json& run) {
  const json list = {{{"repeat", 2}, {"repeats", 3}, {"runs", {run}}}};
  return read_lanes(json::parse(list.dump()), "lanes").at(0);  // numbers as a file has them
}

TEST(Lanes, EachFaultHasItsName) {
  EXPECT_EQ(line_of(run_of(false, true, {"1"}, {"1"}, {"1"}, 1)).runs[0].lane, Lane::kept);
  EXPECT_EQ(line_of(run_of(true, true, {"1"}, {"2"}, {"2"}, 1)).runs[0].lane, Lane::written);
  EXPECT_EQ(line_of(run_of(true, false, {"1"}, {"2"}, {"1"}, 1)).runs[0].lane, Lane::wrongly_kept);
  EXPECT_EQ(line_of(run_of(false, false, {"1"}, {"1"}, {"2"}, 1)).runs[0].lane, Lane::wrongly_written);
  EXPECT_EQ(line_of(run_of(true, false, {"1"}, {"2"}, {"3"}, 1)).runs[0].lane, Lane::wrong_value);
}

TEST(Lanes, WrongLanesWithOtherValuesStandAlone) {
  const LaneLine line = line_of(run_of(true, false, {"0 x3"}, {"5 x3"}, {"0", "7 x2"}, 3));
  ASSERT_EQ(line.runs.size(), 2U) << "lane 0 is wrongly kept, lanes 1 and 2 have the wrong value 7";
  EXPECT_EQ(line.runs[0].lane, Lane::wrongly_kept);
  EXPECT_EQ(line.runs[1].lane, Lane::wrong_value);
  EXPECT_EQ(line.runs[1].first, 1U);
  EXPECT_EQ(line.runs[1].column, 1U);
  EXPECT_EQ(line.runs[1].count, 2U);
  EXPECT_EQ(line.repeats, 3U);
}

TEST(Lanes, LanesThatAgreeAreOneRunWithTheFirstAndTheLastValue) {
  const LaneLine line = line_of(run_of(true, true, {"0 x4"}, {"1", "2", "3", "4"}, {"1", "2", "3", "4"}, 4));
  ASSERT_EQ(line.runs.size(), 1U);
  EXPECT_EQ(line.runs[0].old, "0");
  EXPECT_EQ(line.runs[0].actual, "1 .. 4");
}

TEST(Lanes, ALaneWithoutAValueIsRefused) {
  EXPECT_THROW(line_of(run_of(true, true, {"0 x3"}, {"1 x4"}, {"1 x4"}, 4)), InputError);
  EXPECT_THROW(line_of(run_of(true, true, {"0 x4294967296"}, {"1 x4"}, {"1 x4"}, 4)), InputError);
}

std::string error_of(std::string_view text) {
  try {
    read_report(text, "some.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Finding, ABackendThatAnsweredIsNotSaidToFail) {
  FindingView finding;
  finding.matter = "failure";
  EXPECT_EQ(finding_title(finding), "The backend failed.");
  EXPECT_EQ(subject_of(finding), "failure");
  finding.repeats = "random";
  EXPECT_EQ(finding_title(finding), "The backend does not always do the same.");
  EXPECT_EQ(subject_of(finding), "random");
  finding.bundle = "bundles/x";
  const std::string html = finding_html({}, finding);
  EXPECT_EQ(html.find("failed"), std::string::npos) << html;
  EXPECT_EQ(html.find("test_finding.py"), std::string::npos) << html;
}

TEST(ReadReport, WhatIsNoReportIsRefusedByName) {
  EXPECT_EQ(error_of("[]").find("some.json: is not a report of lanecheck"), 0U);
  EXPECT_EQ(error_of(R"({"schema":"lanecheck-case-1"})").find("some.json: is not a report of lanecheck, its"),
            0U);
  EXPECT_EQ(error_of(R"({"schema":"lanecheck-report-1"})"),
            "some.json: is a report of another version (lanecheck-report-1); this lanecheck reads "
            "lanecheck-report-3");
  EXPECT_EQ(error_of(R"({"schema":"lanecheck-report-3"})"), "some.json: missing field \"version\"");
  EXPECT_EQ(error_of(R"({"schema":"lanecheck-rep)").find("some.json"), 0U);
}

/// What the reader says of a report whose finding has these numbers.
std::string heat_error(const std::string& field, const json& value) {
  json heat = {{"cases", 3},
               {"only", ""},
               {"repeats", {{{"differs", "0 x64, 2 x64"}, {"of", "3 x128"}}}},
               {"to_last", {{"differs", "2"}, {"of", "3"}}},
               {"in_block", {{"differs", "2 x16"}, {"of", "3 x16"}}},
               {"mask_cases", 1},
               {"slots", "0 x64, 1 x192"}};
  if (!field.empty()) heat[field] = value;
  try {
    const json file = json::parse(heat.dump());  // numbers as a file has them
    FindingView finding;
    finding.cases = 5;
    finding.heat = read_heat(JsonObject(file, "heat"));
    return heat_html(finding);
  } catch (const InputError& error) {
    return error.what();
  }
}

TEST(Heat, ThePageSaysAndDrawsWhereTheCasesDiffer) {
  const std::string page = heat_error("", {});
  EXPECT_NE(page.find("Where elements of dst differ, counted in 3 of 5 cases: only in lanes 64 to 127."),
            std::string::npos)
      << page;
  EXPECT_NE(page.find("<path class=\"h0\" d=\"M88 14h384v13h-384z\"/>"), std::string::npos) << page;
  EXPECT_NE(page.find("<path class=\"h5\" d=\"M472 14h384v13h-384z\"/>"), std::string::npos) << page;
  EXPECT_NE(page.find("<td>repeat 0</td><td class=\"r n\">64–127</td><td class=\"r n\">2</td><td class=\"r "
                      "n\">3</td>"),
            std::string::npos)
      << "the same as a table: " << page;
  EXPECT_NE(page.find("<li><svg width=\"14\" height=\"13\" aria-hidden=\"true\"><path class=\"h5\" "
                      "d=\"M0 0h14v13h-14z\"/></svg>up to 67%</li>"),
            std::string::npos)
      << page;
  EXPECT_NE(page.find("differ after the program, in 1 of 5 cases."), std::string::npos) << page;
}

TEST(Heat, NumbersThatDoNotFitAreRefusedByName) {
  const auto starts = [](const std::string& text, const std::string& with) { return text.find(with) == 0; };
  EXPECT_TRUE(starts(heat_error("slots", "1 x257"), "heat/slots: expected at most 256 numbers"))
      << heat_error("slots", "1 x257");
  EXPECT_NE(heat_error("slots", "one").find("slots"), std::string::npos);
  EXPECT_NE(heat_error("to_last", {{"differs", "4"}, {"of", "3"}}).find("counts more cases than"),
            std::string::npos);
  EXPECT_NE(heat_error("to_last", {{"differs", "3 x2"}, {"of", "3"}}).find("is not as long as"),
            std::string::npos);
  EXPECT_NE(heat_error("repeats", json::array_t(18, {{"differs", "1"}, {"of", "1"}})).find("more than 17"),
            std::string::npos);
}

TEST(ReadReport, AMutatedReportIsShownOrRefusedByName) {
  Report report;
  report.backend = "sim";
  report.rules = {{"VMC-3.1-dup", 7, 1, 0}};
  Finding finding;
  finding.id = "x";
  finding.verdict = Verdict::diverges;
  finding.measured = R"({"maps":[[1,2],{"a":3}]})";
  finding.program.ub.resize(32);
  finding.expected = finding.actual = State{finding.program.ub};
  CasePlaces places;
  places.add({0, 2, 3, 3}, true);
  finding.heat.count(places);
  report.findings = {finding};
  const auto read = [](std::string_view text) {
    const ReportView view = read_report(text, kMutatedFile);
    EXPECT_FALSE(html(view).empty());
    EXPECT_FALSE(junit_xml(view).empty());
    EXPECT_FALSE(markdown(view).empty());
  };
  const std::string good = report_text(report);
  expect_reads_or_refuses(good, 500, read);
  for (const char* place : {"/version", "/findings/0/measured", "/findings/0/lanes"})
    expect_refuses_depth(good, place, read);
}

/// A report with many findings, whose texts are hostile.
ReportView many(std::size_t findings) {
  ReportView report;
  report.state = "diverges";
  report.conclusion = "diverges";
  report.backend = "</script><script>alert(1)</script>";
  report.profile = "vmc";
  FindingView finding;
  finding.verdict = "diverges";
  finding.matter = "mask";
  finding.what = "<img src=x onerror=alert(1)> " + std::string(90, 'w');
  finding.program = std::string(2000, 'p') + "\n";
  for (std::size_t n = 0; n < findings; ++n) {
    finding.id = "unexplained-" + std::to_string(n);
    finding.anchor = "finding-" + finding.id;
    report.findings.push_back(finding);
  }
  return report;
}

TEST(Html, TenThousandFindingsStayBelowFiveMegabytesAndAllAreListed) {
  const std::string page = html(many(10'000));
  EXPECT_LT(page.size(), 5'000'000U);
  EXPECT_NE(page.find("href=\"#finding-unexplained-9999\""), std::string::npos);
  EXPECT_NE(page.find("Only the first "), std::string::npos) << "the page says what it leaves out";
  EXPECT_EQ(page.find("<img"), std::string::npos);
  EXPECT_EQ(page.find("alert(1)</script>"), std::string::npos);
}

TEST(Html, HugeTextsDoNotMakeAHugePage) {
  ReportView report = many(10'000);
  for (FindingView& finding : report.findings) finding.what = std::string(5'000, '"');
  EXPECT_LT(html(report).size(), 5'000'000U);
}

TEST(JUnit, AFailureHasTheCommandFirstAndAtMostSixtyKilobytes) {
  ReportView report = many(1);
  report.seed = 77;
  report.findings[0].program = std::string(200'000, '<');
  const std::string xml = junit_xml(report);
  const auto begin = xml.find('>', xml.find("<failure message=\"unexplained-0")) + 1;
  const std::string text = xml.substr(begin, xml.find("</failure>", begin) - begin);
  EXPECT_LE(text.size(), kMostFailureBytes);
  EXPECT_EQ(text.find("lanecheck run --backend "), 0U);
  EXPECT_LT(text.find("--seed 77 "), text.find('\n'));
  EXPECT_NE(text.find("the JSON report has all of it"), std::string::npos);
}

TEST(JUnit, AnUndecidedFindingIsSkippedAndARunOfNothingIsAnError) {
  ReportView report = many(1);
  report.findings[0].verdict = "undecided";
  EXPECT_NE(junit_xml(report).find("<skipped message=\"the documents leave this open: unexplained-0"),
            std::string::npos);
  report.strict = true;
  EXPECT_NE(junit_xml(report).find("<failure message=\"unexplained-0"), std::string::npos);
  report.state = "incomplete";
  EXPECT_NE(junit_xml(report).find("name=\"verdict\"><error "), std::string::npos);
}

std::string header_of(const std::vector<PlannedPage>& runs) {
  const std::string page = plan_html("night", "", runs);
  const auto begin = page.find("<header ");
  return page.substr(begin, page.find("</header>") - begin);
}

TEST(Plan, RunsThatArePendingAreCountedAndKeepThePageFromConforming) {
  ReportView good;
  good.state = "conforms";
  const PlannedPage done{"a", false, "", good}, skipped{"b", false, "Skipped.", {}},
      pending{"c", true, "", {}};
  EXPECT_NE(header_of({done, done, skipped}).find("All 2 runs conform"), std::string::npos);
  const std::string header = header_of({done, done, skipped, pending, pending});
  EXPECT_NE(header.find("<h1>2 of 4 runs are done, and conform so far</h1>"), std::string::npos) << header;
  EXPECT_NE(header.find("class=\"top incomplete\""), std::string::npos) << header;
}

TEST(Certificate, OfNoInstructionClaimsNothing) {
  ReportView report;
  report.certificate = {3, {}, {{"add.f16", "not judged", "cadd.f16 comes first: add.f16 is not on offer"}}};
  const std::string html = certificate_html(report);
  EXPECT_NE(html.find("No instruction has the mask certificate of strength 3."), std::string::npos);
  EXPECT_EQ(html.find("was exercised"), std::string::npos);
  EXPECT_NE(html.find("cadd.f16 comes first: the instruction is not on offer"), std::string::npos) << html;
}

TEST(Markdown, AFenceIsLongerThanTheBackticksInside) {
  ReportView report = many(1);
  report.backend = "cmd: ```` x";
  EXPECT_NE(markdown(report).find("\n`````sh\n"), std::string::npos);
}

}  // namespace
}  // namespace lanecheck::page
