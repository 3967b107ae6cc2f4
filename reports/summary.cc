// The summary of a run: findings, verdicts, what was not judged, and the conclusion; on request also the
// rules and the diversity of the cases.
#include <algorithm>
#include <functional>

#include "reports/clean_run.h"
#include "reports/conclusion.h"
#include "reports/format.h"
#include "reports/terminal_parts.h"
#include "spec/program/profile.h"
#include "spec/text/joined.h"

namespace lanecheck {
namespace {

void print_list(std::ostream& out, const std::vector<std::string>& list, std::size_t most) {
  for (std::size_t n = 0; n < list.size() && n < most; ++n) out << (n > 0 ? ", " : "") << printable(list[n]);
  if (list.size() > most) out << " and " << list.size() - most << " more";
  out << '\n';
}

/// One line of the table of rules.
void print_count(std::ostream& out, const RuleCount& count, Painter& paint) {
  constexpr std::size_t kIdColumns = 26, kCountColumns = 13;
  std::string id = count.id, exercised = grouped(count.exercised);
  id.resize(std::max(id.size(), kIdColumns), ' ');
  exercised.insert(0, kCountColumns - std::min(exercised.size(), kCountColumns), ' ');
  out << id << exercised << "  ";
  if (count.broken > 0) paint.red(counted(count.broken, "finding"));
  out << '\n';
}

void print_rules(std::ostream& out, const Report& report, Painter& paint) {
  if (report.edge < report.done || report.done == 0) {
    paint.bold("rule                          exercised  broken by");
    out << '\n';
    for (const RuleCount& count : report.rules) print_count(out, count, paint);
  }
  if (report.legality_rules.empty()) return;
  paint.bold("legality rule                 exercised  broken by");
  out << '\n';
  for (const RuleCount& count : report.legality_rules) print_count(out, count, paint);
}

void print_axes(std::ostream& out, const Report& report) {
  constexpr std::size_t kMostCounts = 12;
  for (const Axis& axis : report.axes) {
    out << axis.name << ": ";
    for (std::size_t n = 0; n < axis.counts.size() && n < kMostCounts; ++n)
      out << (n > 0 ? ", " : "") << axis.counts[n].first << " " << grouped(axis.counts[n].second);
    if (axis.counts.size() > kMostCounts) out << ", and " << axis.counts.size() - kMostCounts << " more";
    out << '\n';
  }
  out << "the instructions reached " << grouped(report.cells_reached) << " cells of the diversity measure\n";
}

/// With --against: the undecided cases that are in no finding.
std::uint64_t allowed_both(const Report& report) {
  if (!report.compares_backends) return 0;
  std::uint64_t in_findings = 0;
  for (const Finding& finding : report.findings)
    if (finding.verdict == Verdict::undecided) in_findings += finding.cases;
  return report.undecided - std::min(report.undecided, in_findings);
}

void print_cases(std::ostream& out, const Report& report) {
  const double seconds = std::max(report.seconds, 1e-9);
  if (report.edge > 0)
    out << "at the edge of legality: " << grouped(report.edge) << " cases\n";
  else if (!report.judges_refusals)
    out << "refusals of illegal programs were not judged\n";
  out << "backend " << printable(report.backend) << ", profile " << row_of(report.profile).name << ", seed "
      << report.seed << ": " << grouped(report.done) << " of " << grouped(report.planned) << " cases"
      << (report.interrupted ? " (interrupted)" : "") << (report.stopped.empty() ? "" : " (")
      << report.stopped << (report.stopped.empty() ? "" : ")") << " in " << fixed(report.seconds, 1) << " s, "
      << grouped(static_cast<std::uint64_t>(static_cast<double>(report.done) / seconds)) << " cases/s, "
      << fixed(static_cast<double>(report.element_checks) / seconds / 1e6, 1)
      << " million element checks/s\n";
  out << "conforms " << grouped(report.conforms) << ", diverges " << grouped(report.diverges)
      << ", undecided " << grouped(report.undecided) << ", skipped " << grouped(report.skipped)
      << ", errored " << grouped(report.errored) << '\n';
  if (const std::uint64_t both = allowed_both(report); both > 0)
    out << "in " << counted(both, "undecided case")
        << " the two results differ, and the documents allow both\n";
  if (report.unlisted > 0)
    out << counted(report.unlisted, "more failing case") << (report.unlisted == 1 ? " was" : " were")
        << " counted but not analysed: the time was over, or the number of --max-findings was reached, or 40 "
           "cases had been analysed that no known mistake explains\n";
}

/// What the backend did with all programs that exercise the rules that were left out.
std::string why_left_out(const Report& report) {
  std::vector<std::string> ways;
  if (!report.not_offered.empty()) ways.emplace_back("does not offer the instructions");
  if (report.skipped > 0) ways.emplace_back("skips the programs");
  if (report.errored > 0) ways.emplace_back("fails on the programs");
  return joined(ways, std::identity{}, ", or ");
}

void print_left_out(std::ostream& out, const Report& report) {
  if (!report.not_offered.empty()) {
    out << "not offered by the backend, and left out " << grouped(report.instructions_left_out) << " times: ";
    print_list(out, report.not_offered, 12);
  }
  if (!report.skip_reasons.empty()) {
    out << grouped(report.skipped) << " skipped because: ";
    print_list(out, report.skip_reasons, 4);
  }
  std::vector<std::string> left_out;
  for (const RuleCount& rule : report.rules)
    if (rule.exercised == 0 && rule.left_out > 0) left_out.push_back(rule.id);
  if (!left_out.empty()) {
    out << "rules that these cases did not judge, because the backend " << why_left_out(report)
        << " that would have exercised them: ";
    print_list(out, left_out, 12);
  }
  if (const auto never = not_exercised(report); !never.empty()) {
    out << "rules that no case exercised (their instructions may have run, but not in the situation that the "
           "rule describes): ";
    print_list(out, never, 12);
  }
}

/// The last lines that a backend process wrote to standard error.
void print_output(std::ostream& out, std::string_view text) {
  constexpr unsigned kMostLines = 6;
  while (text.ends_with('\n')) text.remove_suffix(1);
  std::size_t from = text.size();
  for (unsigned line = 0; line < kMostLines && from != std::string_view::npos && from > 0; ++line)
    from = text.rfind('\n', from - 1);
  const bool cut = from != std::string_view::npos && from > 0;
  if (cut) {
    out << "  | ...\n";
    text.remove_prefix(from + 1);
  }
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    out << "  | " << printable(text.substr(0, end)) << '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// How the first backend processes that failed ended.
void print_failed_processes(std::ostream& out, const Report& report) {
  constexpr unsigned kMostProcesses = 3;
  unsigned failed = 0;
  for (const BackendProcess& process : report.processes) {
    if (!process.failed || ++failed > kMostProcesses) continue;
    out << "backend process " << (&process - report.processes.data()) + 1 << ": " << printable(process.end)
        << " after " << grouped(process.programs) << " programs\n";
    print_output(out, process.output);
  }
  if (failed > kMostProcesses)
    out << "and " << failed - kMostProcesses
        << " more failed processes; one program may end several, because it is run again alone (--json lists "
           "them)\n";
}

void print_conclusion(std::ostream& out, const Report& report, Painter& paint) {
  if (const std::string text = clean_run_text(report); !text.empty()) out << text << '\n';
  const Conclusion conclusion = conclusion_of(report);
  if (conclusion.finds_fault)
    paint.red(conclusion.text);
  else
    paint.bold(conclusion.text);
  out << '\n';
}

}  // namespace

void print_findings(std::ostream& out, const Report& report, const Style& style) {
  if (report.findings.empty()) return;
  Painter paint(out, style);
  paint.bold("findings");
  out << '\n';
  for (const Finding& finding : report.findings) {
    out << "  " << printable(finding.id) << ": ";
    if (finding.verdict != Verdict::diverges)
      out << kVerdictNames[static_cast<std::size_t>(finding.verdict)] << ", ";
    out << cases_text(finding.cases) << ", first "
        << (finding.first_file.empty() ? std::to_string(finding.first_case) : printable(finding.first_file))
        << ": " << printable(finding.what);
    if (!finding.rules.empty()) out << "; breaks " << joined(finding.rules, printable, ", ");
    if (!finding.united.empty()) out << "; printed above as " << joined(finding.united, printable, ", ");
    out << '\n';
  }
}

void print_summary(std::ostream& out, const Report& report, const Style& style, bool verbose) {
  Painter paint(out, style);
  if (verbose && !report.compares_backends) {  // else no rules are exercised
    print_rules(out, report, paint);
    print_axes(out, report);
  }
  print_findings(out, report, style);
  print_cases(out, report);
  print_left_out(out, report);
  print_failed_processes(out, report);
  print_conclusion(out, report, paint);
}

}  // namespace lanecheck
