#include "reports/compared/show_comparison.h"

#include <nlohmann/json.hpp>

#include "reports/format.h"
#include "reports/json_report.h"
#include "spec/text/joined.h"

namespace lanecheck {
namespace {

using Json = nlohmann::ordered_json;

std::string state_text(const ComparedFinding::In& in) {
  if (!in.state) return "not exercised";
  std::string text(name_of(*in.state));
  if (in.cases > 0 && *in.state != FindingState::conforms) text += " in " + counted(in.cases, "case");
  return text;
}

/// The findings of one section: those that only one report has, or those that several have.
std::vector<const ComparedFinding*> section(const ReportComparison& comparison, std::size_t only) {
  const bool shared = only == comparison.names.size();
  std::vector<const ComparedFinding*> findings;
  for (const ComparedFinding& each : comparison.findings)
    if (shared ? each.failing() > 1 : each.failing() == 1 && each.fails_in(only)) findings.push_back(&each);
  return findings;
}

std::string title_of(const ReportComparison& comparison, std::size_t only) {
  if (only < comparison.names.size()) return "only in " + comparison.names[only];
  return comparison.names.size() == 2 ? "in both" : "in several";
}

/// Whether the section is printed: with --only-in there is one.
bool is_shown(const ReportComparison& comparison, std::size_t only) {
  return !comparison.only_in || *comparison.only_in == only;
}

/// Text that Markdown and HTML do not read as markup.
std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : printable(text)) {
    if (c == '<') {
      safe += "&lt;";
    } else if (c == '&') {
      safe += "&amp;";
    } else {
      if (std::string_view("\\`*_{}[]()#|~!>@").find(c) != std::string_view::npos) safe += '\\';
      safe += c;
    }
  }
  return safe;
}

std::string row_of(const std::vector<std::string>& cells) {
  std::string row = "|";
  for (const std::string& each : cells) row += " " + each + " |";
  return row + "\n";
}

std::string head_of(const std::vector<std::string>& cells) {
  return row_of(cells) + row_of(std::vector<std::string>(cells.size(), "---"));
}

}  // namespace

std::string comparison_text(const ReportComparison& comparison) {
  std::string text;
  for (const std::string& note : comparison.notes) text += "note: " + printable(note) + "\n";
  for (std::size_t only = 0; only <= comparison.names.size(); ++only) {
    if (!is_shown(comparison, only)) continue;
    const auto findings = section(comparison, only);
    text += printable(title_of(comparison, only)) + ": " + counted(findings.size(), "finding") + "\n";
    for (const ComparedFinding* each : findings) {
      text += "  " + printable(each->id) + ": " + printable(each->what) + "\n";
      for (std::size_t n = 0; n < each->in.size(); ++n)
        text += "    " + printable(comparison.names[n]) + ": " + state_text(each->in[n]) + "\n";
      text += "    instructions: " + printable(joined(each->instructions)) + "\n";
    }
  }
  if (comparison.instructions.empty()) return text;
  text += "by instruction:\n";
  for (const ComparedInstruction& each : comparison.instructions) {
    text += "  " + printable(each.mnemonic) + ":";
    const char* separator = " ";
    const auto add = [&](std::size_t count, const std::string& title) {
      if (count == 0) return;
      text += separator + std::to_string(count) + " " + printable(title);
      separator = ", ";
    };
    for (std::size_t n = 0; n < each.only.size(); ++n) add(each.only[n], title_of(comparison, n));
    add(each.shared, title_of(comparison, comparison.names.size()));
    text += "\n";
  }
  return text;
}

std::string comparison_markdown(const ReportComparison& comparison) {
  std::string text = "## lanecheck: findings of " + std::to_string(comparison.names.size()) + " reports\n\n";
  for (const std::string& note : comparison.notes) text += "- " + escaped(note) + "\n";
  if (!comparison.notes.empty()) text += "\n";
  for (std::size_t only = 0; only <= comparison.names.size(); ++only) {
    if (!is_shown(comparison, only)) continue;
    const auto findings = section(comparison, only);
    text +=
        "### " + escaped(title_of(comparison, only)) + ": " + counted(findings.size(), "finding") + "\n\n";
    if (findings.empty()) continue;
    std::vector<std::string> head = {"finding", "instructions"};
    for (const std::string& name : comparison.names) head.push_back(escaped(name));
    text += head_of(head);
    for (const ComparedFinding* each : findings) {
      std::vector<std::string> cells = {escaped(each->id) + ": " + escaped(each->what),
                                        escaped(joined(each->instructions))};
      for (const ComparedFinding::In& in : each->in) cells.push_back(state_text(in));
      text += row_of(cells);
    }
    text += "\n";
  }
  if (comparison.instructions.empty()) return text;
  std::vector<std::string> head = {"instruction"};
  for (std::size_t n = 0; n <= comparison.names.size(); ++n) head.push_back(escaped(title_of(comparison, n)));
  text += "### by instruction\n\n" + head_of(head);
  for (const ComparedInstruction& each : comparison.instructions) {
    std::vector<std::string> cells = {escaped(each.mnemonic)};
    for (const std::size_t count : each.only) cells.push_back(std::to_string(count));
    cells.push_back(std::to_string(each.shared));
    text += row_of(cells);
  }
  return text;
}

std::string comparison_json(const ReportComparison& comparison) {
  Json findings = Json::array(), instructions = Json::array();
  for (const ComparedFinding& each : comparison.findings) {
    Json in = Json::array();
    for (const ComparedFinding::In& one : each.in)
      in.push_back({{"state", one.state ? name_of(*one.state) : "not exercised"}, {"cases", one.cases}});
    findings.push_back(
        {{"id", each.id}, {"what", each.what}, {"instructions", each.instructions}, {"in", std::move(in)}});
  }
  for (const ComparedInstruction& each : comparison.instructions)
    instructions.push_back({{"instruction", each.mnemonic}, {"only", each.only}, {"shared", each.shared}});
  Json json = {
      {"schema", "lanecheck-comparison-1"}, {"reports", comparison.names}, {"notes", comparison.notes}};
  json["only_in"] = comparison.only_in ? Json(comparison.names[*comparison.only_in]) : Json();
  json["findings"] = std::move(findings);
  json["instructions"] = std::move(instructions);
  return dump(json) + "\n";
}

}  // namespace lanecheck
