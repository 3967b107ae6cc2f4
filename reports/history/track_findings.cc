#include "reports/history/track_findings.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace lanecheck {
namespace {

using Key = std::tuple<std::string, std::string, std::string>;  // backend, profile, id

/// What one run says of a finding that it has, or that it exercised.
struct Seen {
  const DatedReport* run;
  bool failing;
};

std::vector<Seen> sightings(const std::vector<DatedReport>& runs, const Key& key,
                            const std::set<std::string>& rules) {
  std::vector<Seen> seen;
  for (const DatedReport& run : runs) {
    if (run.report.backend != std::get<0>(key) || run.report.profile != std::get<1>(key)) continue;
    const SavedFinding* finding = find_finding(run.report, std::get<2>(key));
    if (finding != nullptr)
      seen.push_back({&run, finding->state != FindingState::conforms});
    else if (!rules.empty() && was_exercised(run.report, rules))
      seen.push_back({&run, false});
  }
  return seen;
}

bool is_flaky(const std::vector<Seen>& seen) {
  using Cases = std::tuple<std::string, std::string, std::uint64_t, std::uint64_t, std::uint64_t>;
  std::map<Cases, std::set<bool>> outcomes;
  for (const Seen& each : seen) {
    const SavedReport& report = each.run->report;
    if (!report.replayed)
      outcomes[{report.about, report.judged, report.seed, report.first, report.done}].insert(each.failing);
  }
  return std::ranges::any_of(outcomes, [](const auto& each) { return each.second.size() > 1; });
}

Trend trend_of(const std::vector<Seen>& seen) {
  if (is_flaky(seen)) return Trend::flaky;
  if (!seen.back().failing) return Trend::fixed;
  const auto failing = std::ranges::count(seen, true, &Seen::failing);
  if (failing == 1) return Trend::fresh;
  const auto before = seen[seen.size() - 2].failing;
  return before ? Trend::still : Trend::returned;
}

TrackedFinding tracked(const Key& key, const std::vector<Seen>& seen) {
  TrackedFinding finding;
  std::tie(finding.backend, finding.profile, finding.id) = key;
  finding.trend = trend_of(seen);
  finding.runs_exercised = static_cast<unsigned>(seen.size());
  for (std::size_t n = 0; n < seen.size(); ++n) {
    const DatedReport& run = *seen[n].run;
    if (n == 0 || seen[n].failing != seen[n - 1].failing) {
      finding.since = run.date;
      finding.since_version = run.report.about;
    }
    if (!seen[n].failing) continue;
    if (finding.runs_with++ == 0) {
      finding.first_seen = run.date;
      finding.first_version = run.report.about;
    }
    finding.last_seen = run.date;
    const SavedFinding& last = *find_finding(run.report, finding.id);
    finding.state = last.state;
    finding.what = last.what;
  }
  return finding;
}

}  // namespace

std::string_view name_of(Trend trend) {
  switch (trend) {
    case Trend::fresh:
      return "new";
    case Trend::returned:
      return "returned";
    case Trend::still:
      return "still";
    case Trend::fixed:
      return "fixed";
    case Trend::flaky:
      return "flaky";
  }
  return "";
}

std::vector<TrackedFinding> track_findings(const std::vector<DatedReport>& runs) {
  std::map<Key, std::set<std::string>> rules_by_finding;
  for (const DatedReport& run : runs)
    for (const SavedFinding& finding : run.report.findings)
      if (finding.state != FindingState::conforms)
        rules_by_finding[{run.report.backend, run.report.profile, finding.id}].insert(finding.rules.begin(),
                                                                                      finding.rules.end());
  std::vector<TrackedFinding> findings;
  for (const auto& [key, rules] : rules_by_finding)
    findings.push_back(tracked(key, sightings(runs, key, rules)));
  return findings;
}

}  // namespace lanecheck
