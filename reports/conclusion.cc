#include "reports/conclusion.h"

#include <algorithm>
#include <set>

#include "reports/format.h"

namespace lanecheck {
namespace {

/// What the verdict says of undecided cases.
std::string undecided_cases(const Report& report) {
  if (report.undecided == 0) return "";
  return "; " + counted(report.undecided, "case") + " undecided";
}

/// The verdict if nothing is wrong.
std::string good_news(const Report& report) {
  if (report.interrupted) return "interrupted: nothing wrong so far";
  if (report.conforms + report.undecided == 0) return "nothing was judged";
  std::string news = report.not_offered.empty() ? "conforms" : "conforms, as far as it offers";
  if (const auto never = not_exercised(report).size(); never > 0)
    news.append(report.not_offered.empty() ? ", as far as exercised: " : " and as far as exercised: ")
        .append(counted(never, "rule"))
        .append(never == 1 ? " was not" : " were not");
  return news;
}

/// What the verdict says of the mask certificate.
std::string certificate_text(const Report& report) {
  if (!report.certificate) return "";
  const auto certified = static_cast<std::uint64_t>(report.certificate->certified.size());
  const std::uint64_t all = certified + report.certificate->others.size();
  const std::string name = "mask certificate of strength " + std::to_string(report.certificate->strength);
  if (certified == 0) return "; no instruction has the " + name;
  return "; " + name + " for " +
         (certified == all ? "all " + counted(all, "instruction")
                           : grouped(certified) + " of " + counted(all, "instruction"));
}

/// How many rules the findings name.
std::uint64_t broken_rules(const Report& report) {
  std::set<std::string_view> named;
  for (const Finding& finding : report.findings) named.insert(finding.rules.begin(), finding.rules.end());
  return named.size();
}

/// The verdict of a run in which cases diverge.
std::string diverges_text(const Report& report) {
  const std::uint64_t rules = broken_rules(report);
  const auto findings =
      static_cast<std::uint64_t>(std::ranges::count(report.findings, Verdict::diverges, &Finding::verdict));
  if (rules > 0) return "diverges: " + counted(rules, "rule") + " broken, " + counted(findings, "finding");
  if (findings == 0) return "diverges";
  if (findings == 1) return "diverges: 1 finding, which names no broken rule";
  return "diverges: " + counted(findings, "finding") + ", none of which names a broken rule";
}

/// What the verdict of a run in which cases diverge says of the cases in which the backend failed.
std::string failure_beside(const Report& report) {
  if (!report.given_up.empty()) return "; beside it, backend failure: " + printable(report.given_up);
  if (report.errored == 0) return "";
  return "; beside it, the backend failed in " + counted(report.errored, "case");
}

/// The verdict if something is wrong; else empty.
std::string bad_news(const Report& report) {
  if (report.diverges > 0) return diverges_text(report) + failure_beside(report);
  if (!report.given_up.empty())
    return "backend failure: " + printable(report.given_up) + "; the findings above are still valid";
  if (report.errored > 0) return "the backend failed; it does not conform";
  if (const auto count = diverging_under_masks(report); count > 0)
    return "diverges: " + counted(count, "instruction") + " under the masks of the certificate";
  if (!report.doctor.empty()) return "does not conform";
  if (const auto never = never_exercised(report); !never.empty())
    return "does not conform: " + counted(never.size(), "rule") + " never exercised";
  if (report.strict && report.undecided > 0) return "does not conform (--strict)";
  return "";
}

/// What the verdict says of the doctor's complaints.
std::string doctor_text(const Report& report) {
  if (report.doctor.empty()) return "";
  const auto unexplained = static_cast<std::size_t>(std::ranges::count_if(
      report.doctor, [](const std::string& line) { return line.starts_with("difference: "); }));
  const std::size_t mistakes = report.doctor.size() - unexplained;
  std::string found = mistakes > 0 ? counted(mistakes, "mistake") : "";
  if (unexplained > 0)
    found.append(found.empty() ? "" : " and ")
        .append(counted(unexplained, "difference"))
        .append(mistakes > 0 ? " that may have another cause," : " that no known mistake explains,");
  return "; the doctor found " + found + " before the run (the lines that begin with \"doctor:\")";
}

std::string_view state_of(const Report& report, bool finds_fault) {
  if (!report.given_up.empty() || (report.errored > 0 && report.diverges == 0)) return "failed";
  if (finds_fault) return "diverges";
  if (report.interrupted || report.conforms + report.undecided == 0 || !report.unreadable.empty())
    return "incomplete";
  return "conforms";
}

}  // namespace

Conclusion conclusion_of(const Report& report) {
  const std::string bad = bad_news(report);
  const std::string text = bad.empty()
                               ? good_news(report) + undecided_cases(report) + certificate_text(report)
                               : bad + undecided_cases(report) + doctor_text(report);
  return {text, !bad.empty(), state_of(report, !bad.empty())};
}

}  // namespace lanecheck
