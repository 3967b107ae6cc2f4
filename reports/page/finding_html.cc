#include <algorithm>
#include <iterator>

#include "reports/page/escape.h"
#include "reports/page/html_parts.h"
#include "reports/report.h"
#include "spec/program/profile.h"
#include "spec/program/reading.h"
#include "spec/program/source.h"

namespace lanecheck::page {
namespace {

std::string code(std::string_view text) {
  return "<code>" + escaped(text) + "</code>";
}

std::string source_of(const RuleView& rule) {
  return std::string(title_of(rule.document)) + (rule.section.empty() ? "" : ", section " + rule.section) +
         " · " + rule.standing;
}

std::string rule_html(const RuleView& rule) {
  return "<li>" + code(rule.id) + "<br>" + escaped(rule.claim) + "<br><small>" + escaped(source_of(rule)) +
         "</small></li>\n";
}

/// The question that the documents leave open, for a finding that is a reading.
std::string reading_html(const FindingView& finding) {
  const Reading* reading = find_reading(finding.id.substr(0, finding.id.find('=')));
  if (reading == nullptr) return "";
  return "<h4>The documents leave this open</h4>\n<ul class=\"rules open\"><li>" +
         escaped(std::string(reading->question)) +
         "<br><small>Why the default was chosen: " + escaped(std::string(reading->why)) +
         "</small><br>To judge it, pin it: " + code("--reading " + std::string(reading->id) + "=OPTION") +
         "</li></ul>\n";
}

std::string_view title_of_matter(std::string_view matter) {
  if (matter == "mask")
    return "It is wrong which elements take part or are written, or another mask is left. No single rule "
           "could be named.";
  if (matter == "arithmetic") return "The values are wrong, and the mask is not the cause.";
  if (matter == "address")
    return "Elements are read or written at wrong places, in wrong order, or not all of them.";
  if (matter == "refusal") return "A program is refused or accepted wrongly.";
  if (matter == "failure") return "The backend failed.";
  if (matter == "unexplained") return "It is not known which of several causes is the right one.";
  return "";
}

std::string rules_of(const FindingView& finding) {
  if (finding.matter == "reading") return reading_html(finding);
  if (finding.rules.empty()) {
    const std::string title = finding_title(finding);
    return title.empty() ? "" : "<p>" + title + "</p>\n";
  }
  std::string out =
      "<h4>Broken rule</h4>\n<ul class=\"rules\">\n" + rule_html(finding.rules.front()) + "</ul>\n";
  if (finding.rules.size() == 1) return out;
  const std::size_t more = finding.rules.size() - 1;
  out += "<details><summary>" + std::to_string(more) + (more == 1 ? " more rule is" : " more rules are") +
         " broken</summary>\n<ul class=\"rules\">\n";
  for (std::size_t n = 1; n < finding.rules.size(); ++n) out += rule_html(finding.rules[n]);
  return out + "</ul></details>\n";
}

/// The programs to run in a new process before the program of the finding.
std::string before_html(const FindingView& finding) {
  std::string out;
  for (std::size_t n = 0; n < finding.before.size(); ++n)
    out += "<details><summary>The program before" +
           (finding.before.size() > 1 ? ", number " + std::to_string(n + 1) : "") +
           "</summary>\n<pre class=\"wraps\"><code>" + escaped(finding.before[n]) +
           "</code></pre></details>\n";
  return out;
}

/// The program; the instruction after which the states differ is marked.
std::string program_html(const FindingView& finding) {
  std::string out =
      "<h4>Smallest program that shows it</h4>\n<pre tabindex=\"0\" role=\"group\" "
      "aria-label=\"Program\"><code>";
  std::string_view rest = finding.program;
  std::uint64_t instruction = 0;
  while (!rest.empty()) {
    const auto end = std::min(rest.find('\n'), rest.size());
    const std::string line = escaped(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const bool sets_up =
        line.starts_with("ub ") || line.starts_with("alloc ") || line.starts_with("profile ");
    const bool differs = !sets_up && instruction == finding.index && !finding.instruction.empty();
    if (!sets_up) ++instruction;
    out += differs ? "<mark>" + line + "</mark>\n" : line + "\n";
  }
  out += "</code></pre>\n";
  if (!finding.instruction.empty())
    out += "<p class=\"soft\">The states differ after the marked instruction. Mask before it: high " +
           code(finding.mask_high) + ", low " + code(finding.mask_low) + ".</p>\n";
  return out;
}

std::string sentences_html(const nlohmann::json& measured, const char* field) {
  std::string out;
  if (measured.contains(field) && measured[field].is_array())
    for (const auto& each : measured[field])
      if (each.is_string()) out += "<li>" + escaped(each.get<std::string>()) + "</li>\n";
  return out.empty() ? "" : "<ul>\n" + out + "</ul>\n";
}

std::string text_in(const nlohmann::json& object, const char* field) {
  return object.is_object() && object.contains(field) && object[field].is_string()
             ? object[field].get<std::string>()
             : "";
}

/// What `lanecheck identify` measured about the instruction.
std::string measured_html(const FindingView& finding) {
  if (!finding.measured.is_object()) return "";
  std::string out = "<h4>What was measured</h4>\n";
  if (!finding.cause.empty()) out += "<p>" + escaped(finding.cause) + "</p>\n";
  out += sentences_html(finding.measured, "differences");
  std::string maps =
      sentences_html(finding.measured, "reduction") + sentences_html(finding.measured, "state");
  if (finding.measured.contains("shapes") && finding.measured["shapes"].is_array())
    for (const auto& shape : finding.measured["shapes"]) {
      maps +=
          "<p><b>" + escaped(text_in(shape, "name")) + "</b>: " + escaped(text_in(shape, "about")) + "</p>\n";
      if (!shape.is_object() || !shape.contains("maps") || !shape["maps"].is_array()) continue;
      maps += "<pre class=\"wraps\"><code>";
      for (const auto& map : shape["maps"])
        maps += escaped(text_in(map, "of")) + ": " + escaped(text_in(map, "map")) + "\n";
      maps += "</code></pre>\n";
    }
  return out + "<details><summary>The measured maps</summary>\n" + maps + "</details>\n";
}

std::string more_html(const FindingView& finding) {
  constexpr std::size_t kMost = 24;
  std::string out;
  if (finding.mask_differs) out += "<p>The mask differs too at the end of the program.</p>\n";
  if (!finding.outside.empty()) {
    out += "<p>Bytes that are no elements of the map and are wrong: ";
    for (const std::string& place : finding.outside)
      out += (&place == &finding.outside.front() ? "" : ", ") + escaped(place);
    out += ".</p>\n";
  }
  if (finding.instructions.empty()) return out;
  out += "<p>Seen in: ";
  for (std::size_t n = 0; n < finding.instructions.size() && n < kMost; ++n)
    out += (n == 0 ? "" : ", ") + code(finding.instructions[n]);
  if (finding.instructions.size() > kMost)
    out += " and " + std::to_string(finding.instructions.size() - kMost) + " more";
  return out + ".</p>\n";
}

/// A headline begins with a capital letter, except if its first word may be the name of an instruction.
std::string headline(std::string text) {
  if (text.starts_with("the ") || text.starts_with("a ") || text.starts_with("happens "))
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

/// When it happens, and the nearest program that passes.
std::string when_html(const FindingView& finding) {
  std::string out;
  if (!finding.predicate.empty()) out += "<p>" + escaped(headline(finding.predicate)) + ".</p>\n";
  if (!finding.passes.empty()) out += "<p>The program passes " + escaped(finding.passes) + ".</p>\n";
  return out;
}

/// Links to the files that repeat the finding elsewhere.
std::string bundle_html(const FindingView& finding) {
  if (finding.bundle.empty()) return "";
  const auto link = [&](const std::string& file, const std::string& text) {
    return "<a href=\"" + escaped(finding.bundle + "/" + file) + "\">" + text + "</a>";
  };
  const std::string tests =  // an unstable finding has none
      finding.repeats.empty()
          ? link("test_finding.py", "pytest") + ", " + link("finding_test.cc", "GoogleTest") + ", "
          : "";
  return "<p class=\"soft\">To repeat it elsewhere: " + tests + link("case.json", "case file") + ", " +
         link("finding.txt", "text") + ".</p>\n";
}

std::string first_of(const FindingView& finding) {
  if (!finding.first_file.empty()) return escaped(finding.first_file);
  return grouped(finding.first_case);
}

}  // namespace

std::string finding_title(const FindingView& finding) {
  const auto* const known = std::ranges::find(kRepeatsNames, finding.repeats);
  if (known == std::end(kRepeatsNames)) return std::string(title_of_matter(finding.matter));
  return headline(std::string(kRepeatsTitles[known - std::begin(kRepeatsNames)])) + ".";
}

std::string_view subject_of(const FindingView& finding) {
  return finding.matter == "failure" && !finding.repeats.empty() ? finding.repeats : finding.matter;
}

std::string index_row_html(const FindingView& finding, bool has_article) {
  constexpr std::size_t kMostText = 200;
  const std::string anchor = escaped(finding.anchor);
  return "<li data-finding=\"" + anchor + "\" data-subject=\"" + escaped(subject_of(finding)) + "\"" +
         (has_article ? "" : " id=\"" + anchor + "\"") + "><div><a href=\"#" + anchor + "\">" +
         escaped(cut(finding.id, kMostText, "…")) + "</a><span>" +
         escaped(cut(finding.what, kMostText, "…")) + "</span></div><span class=\"n\"><small>cases</small>" +
         grouped(finding.cases) + "</span><span class=\"n\"><small>first case</small>" + first_of(finding) +
         "</span></li>\n";
}

std::string finding_html(const ReportView& report, const FindingView& finding) {
  const std::string anchor = escaped(finding.anchor);
  std::string out = "<article id=\"" + anchor + "\" data-finding=\"" + anchor + "\" data-subject=\"" +
                    escaped(subject_of(finding)) + "\" aria-labelledby=\"h-" + anchor +
                    "\">\n<p class=\"lead\"><b class=\"" + escaped(finding.verdict) + "\">" +
                    escaped(finding.verdict) + "</b> · subject: " + escaped(subject_of(finding)) + " · " +
                    cases_text(finding.cases) + ", first " + first_of(finding) + "</p>\n<h3 id=\"h-" +
                    anchor + "\">" + escaped(headline(finding.what)) + " <a class=\"link\" href=\"#" +
                    anchor + "\" aria-label=\"Permanent link to this finding\">#</a></h3>\n<p>" +
                    code(finding.id) + "</p>\n";
  if (!finding.trend.empty())
    out += std::string(finding.is_new ? "<p><b class=\"new\">new</b> " : "<p class=\"soft\">") +
           escaped(finding.trend) + "</p>\n";
  if (!finding.other.empty()) out += "<p>Expected is what " + code(finding.other) + " left.</p>\n";
  out += rules_of(finding) + before_html(finding) + program_html(finding) + lane_map_html(finding) +
         heat_html(finding) + when_html(finding) + more_html(finding) + measured_html(finding);
  return out + "<h4>To see it again</h4>\n<div class=\"command\"><pre><code>" +
         escaped(command_of(report, finding)) + "</code></pre></div>\n" + bundle_html(finding) +
         "</article>\n";
}

}  // namespace lanecheck::page
