#include "reports/compared/compare_reports.h"

#include <algorithm>
#include <map>

#include "reports/format.h"
#include "spec/program/input_error.h"
#include "spec/text/joined.h"

namespace lanecheck {
namespace {

std::string window_of(const SavedReport& report) {
  return counted(report.done, "case") + " from case " + std::to_string(report.first) + " of seed " +
         std::to_string(report.seed);
}

std::string readings_of(const SavedReport& report) {
  const std::string text =
      joined(report.readings, [](const auto& each) { return each.first + "=" + each.second; });
  return text.empty() ? "the default readings" : printable(text);
}

std::string kind_of(const SavedReport& report) {
  return report.replayed ? "case files" : "generated cases";
}

std::string strictness_of(const SavedReport& report) {
  return report.strict ? "--strict" : "no --strict";
}

std::string edges_of(const SavedReport& report) {
  return report.judges_refusals ? "cases at edges of legality" : "no cases at edges of legality";
}

std::string mask_of(const SavedReport& report) {
  return report.shows_mask ? "the mask compared" : "no mask compared";
}

std::string other_of(const SavedReport& report) {
  return report.other.empty() ? "judged by the documents" : "compared with " + printable(report.other);
}

/// "profiles differ: a.json has vmc, b.json has tik", or "".
template <class Value>
std::string difference(const SavedReport& one, const SavedReport& other, const std::string& what,
                       Value value) {
  const std::string first = value(one), second = value(other);
  if (first == second) return {};
  return what + ": " + printable(one.file) + " has " + first + ", " + printable(other.file) + " has " +
         second;
}

/// Refuses what cannot be compared. Returns what differs beside.
std::vector<std::string> check_comparable(const std::vector<SavedReport>& reports, bool other_cases) {
  std::vector<std::string> notes;
  const auto note = [&](const std::string& text) {
    if (!text.empty()) notes.push_back(text);
  };
  for (const SavedReport& each : reports) {
    const SavedReport& first = reports.front();
    for (const std::string& refused :
         {difference(first, each, "the profiles differ", [](const auto& r) { return printable(r.profile); }),
          difference(first, each, "the readings differ", readings_of),
          difference(first, each, "one is strict", strictness_of),
          difference(first, each, "the yardsticks differ", other_of)})
      if (!refused.empty()) throw InputError("compare", refused + "; such reports cannot be compared");
    const std::string kinds = difference(first, each, "the kinds of cases differ", kind_of);
    const std::string cases =
        kinds.empty() && !first.replayed ? difference(first, each, "the cases differ", window_of) : kinds;
    const std::string edges = difference(first, each, "the kinds of cases differ", edges_of);
    if (!cases.empty() && !other_cases)
      throw InputError("compare", cases +
                                      "; run both on the same cases, or give --other-cases if the ids of the "
                                      "findings are enough");
    note(cases);
    note(edges);
    note(difference(first, each, "one backend does not show its mask", mask_of));
    note(difference(first, each, "the versions of lanecheck differ",
                    [](const auto& r) { return printable(r.version); }));
    for (const std::string& gap : each.gaps) notes.push_back(each.file + ": " + gap);
  }
  return notes;
}

/// The backends, if their names differ, else the files.
std::vector<std::string> names_of(const std::vector<SavedReport>& reports) {
  std::set<std::string> backends;
  for (const SavedReport& each : reports) backends.insert(each.backend);
  std::vector<std::string> names;
  for (const SavedReport& each : reports)
    names.push_back(backends.size() == reports.size() ? each.backend : each.file);
  return names;
}

std::vector<ComparedFinding> findings_of(const std::vector<SavedReport>& reports) {
  std::map<std::string, ComparedFinding> by_id;
  std::map<std::string, std::set<std::string>> rules;
  for (const SavedReport& report : reports)
    for (const SavedFinding& finding : report.findings) {
      if (finding.state == FindingState::conforms) continue;
      ComparedFinding& compared = by_id[finding.id];
      compared.id = finding.id;
      if (compared.what.empty()) compared.what = finding.what;
      compared.instructions.insert(finding.instructions.begin(), finding.instructions.end());
      rules[finding.id].insert(finding.rules.begin(), finding.rules.end());
    }
  std::vector<ComparedFinding> findings;
  for (auto& [id, compared] : by_id) {
    for (const SavedReport& report : reports) {
      ComparedFinding::In& in = compared.in.emplace_back();
      if (const SavedFinding* found = find_finding(report, id)) {
        in.state = found->state;
        in.cases = found->cases;
      } else if (was_exercised(report, rules[id])) {
        in.state = FindingState::conforms;
      }
    }
    findings.push_back(std::move(compared));
  }
  return findings;
}

std::vector<ComparedInstruction> instructions_of(const std::vector<ComparedFinding>& findings,
                                                 std::size_t reports) {
  std::map<std::string, ComparedInstruction> by_name;
  for (const ComparedFinding& finding : findings)
    for (const std::string& mnemonic : finding.instructions) {
      ComparedInstruction& compared = by_name[mnemonic];
      compared.mnemonic = mnemonic;
      compared.only.resize(reports);
      if (finding.failing() > 1) {
        ++compared.shared;
        continue;
      }
      for (std::size_t n = 0; n < reports; ++n)
        if (finding.fails_in(n)) ++compared.only[n];
    }
  std::vector<ComparedInstruction> instructions;
  for (auto& [mnemonic, compared] : by_name) instructions.push_back(std::move(compared));
  return instructions;
}

}  // namespace

bool ComparedFinding::fails_in(std::size_t report) const {
  return in[report].state && *in[report].state != FindingState::conforms;
}

std::size_t ComparedFinding::failing() const {
  std::size_t count = 0;
  for (std::size_t n = 0; n < in.size(); ++n) count += fails_in(n) ? 1 : 0;
  return count;
}

ReportComparison compare_reports(const std::vector<SavedReport>& reports, bool other_cases) {
  if (reports.size() < 2) throw InputError("compare", "give two reports or more");
  ReportComparison comparison;
  comparison.notes = check_comparable(reports, other_cases);
  comparison.names = names_of(reports);
  comparison.findings = findings_of(reports);
  comparison.instructions = instructions_of(comparison.findings, reports.size());
  return comparison;
}

ReportComparison only_in(const ReportComparison& comparison, const std::vector<SavedReport>& reports,
                         const std::string& name) {
  std::vector<std::size_t> named;
  for (std::size_t n = 0; n < reports.size(); ++n)
    if (reports[n].file == name || reports[n].backend == name) named.push_back(n);
  if (named.size() != 1)
    throw InputError("--only-in", "'" + printable(name) + "' is the name of " +
                                      counted(named.size(), "report") + "; give one of the files");
  ReportComparison part = comparison;
  part.only_in = named.front();
  std::erase_if(part.findings, [&](const ComparedFinding& each) {
    return each.failing() != 1 || !each.fails_in(named.front());
  });
  part.instructions = instructions_of(part.findings, reports.size());
  return part;
}

bool all_alike(const ReportComparison& comparison) {
  return std::ranges::all_of(comparison.findings, [](const ComparedFinding& finding) {
    return std::ranges::all_of(
        finding.in, [&](const ComparedFinding::In& each) { return each.state == finding.in.front().state; });
  });
}

}  // namespace lanecheck
