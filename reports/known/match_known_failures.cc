#include "reports/known/match_known_failures.h"

#include <algorithm>
#include <cmath>

#include "reports/format.h"

namespace lanecheck {
namespace {

bool share(const std::set<std::string>& one, const std::set<std::string>& other) {
  return std::ranges::any_of(one, [&](const std::string& each) { return other.count(each) > 0; });
}

/// Whether a finding under a new id may be what the entry expects: it is in the same instruction and, if it
/// is in the same state, the two agree in a rule or in the cause as far as both name one.
bool looks_like(const SavedFinding& finding, const KnownFailure& entry) {
  if (!share(finding.instructions, entry.instructions)) return false;
  if (finding.state != entry.expect || finding.rules.empty() || entry.rules.empty()) return true;
  return share(finding.rules, entry.rules) || (!entry.cause.empty() && finding.cause == entry.cause);
}

struct Exercise {
  Transition transition = Transition::fixed;
  std::string why;
};

/// Whether the report tried what a failure that does not occur in it needs.
Exercise exercise_of(const KnownFailure& entry, const SavedReport& report) {
  if (entry.rules.empty() && entry.instructions.empty())
    return {Transition::unknown,
            "the entry names neither rules nor instructions, and the report has no finding of this id"};
  for (const std::string& rule : entry.rules) {
    const auto found = report.exercised.find(rule);
    if (found == report.exercised.end())
      return {Transition::unknown,
              "the report knows no rule " + printable(rule) + " in profile " + report.profile};
    if (found->second == 0) return {Transition::not_exercised, "no case exercised the rule " + found->first};
  }
  const auto was_run = [&](const std::string& mnemonic) {
    const auto count = report.instructions.find(mnemonic.substr(0, mnemonic.find('.')));
    return count != report.instructions.end() && count->second > 0;
  };
  if (!entry.instructions.empty() && std::ranges::none_of(entry.instructions, was_run))
    return {Transition::not_exercised, "no case ran " + printable(*entry.instructions.begin())};
  if (!report.gaps.empty()) return {Transition::not_exercised, "the report is incomplete"};
  const double rate = entry.of > 0 ? static_cast<double>(entry.seen) / static_cast<double>(entry.of) : 1;
  constexpr double kMostChance = 0.01;
  if (std::exp(-rate * static_cast<double>(report.done)) > kMostChance)
    return {Transition::not_exercised, "it was seen in " + grouped(entry.seen) + " of " +
                                           counted(entry.of, "case") + ", and " +
                                           counted(report.done, "case") + " are too few to tell"};
  return {};
}

/// The transition of an entry of which the report has a finding, or that must not occur.
Transition transition_of(const MatchedEntry& matched) {
  return transition_of(matched.entry->expect,
                       matched.found != nullptr ? matched.found->state : FindingState::conforms);
}

/// The transition of an entry whose failure no longer occurs under its id.
void match_absent(MatchedEntry& matched, const SavedReport& report,
                  const std::vector<const SavedFinding*>& fresh) {
  const KnownFailure& entry = *matched.entry;
  std::vector<const SavedFinding*> same, other;
  for (const SavedFinding* finding : fresh)
    if (looks_like(*finding, entry)) (finding->state == entry.expect ? same : other).push_back(finding);
  matched.successors = same.empty() ? other : same;
  if (!same.empty()) {
    matched.transition = same.size() > 1 ? Transition::split : Transition::renamed;
  } else if (!other.empty()) {
    matched.transition = Transition::changed;
  } else {
    Exercise exercise = exercise_of(entry, report);
    matched.transition = exercise.transition;
    matched.why = std::move(exercise.why);
  }
}

/// Entries that were renamed to one finding were merged.
void find_merged(std::vector<MatchedEntry>& entries) {
  const auto renamed_to = [](const MatchedEntry& matched, const SavedFinding* finding) {
    const bool renamed =
        matched.transition == Transition::renamed || matched.transition == Transition::merged;
    return renamed && matched.successors.front() == finding;
  };
  for (MatchedEntry& matched : entries) {
    if (matched.transition != Transition::renamed) continue;
    const SavedFinding* finding = matched.successors.front();
    const auto several =
        std::ranges::count_if(entries, [&](const MatchedEntry& each) { return renamed_to(each, finding); });
    if (several > 1) matched.transition = Transition::merged;
  }
}

/// An entry whose day is over expects nothing.
void expire(MatchedEntry& matched, const std::string& today) {
  const bool over = !matched.entry->expires.empty() && matched.entry->expires < today;
  const bool quiet = matched.transition == Transition::known_failure ||
                     matched.transition == Transition::conforms ||
                     matched.transition == Transition::not_exercised;
  if (over && quiet) matched.transition = Transition::expired;
}

}  // namespace

Transition transition_of(FindingState expected, FindingState now) {
  if (expected == now)
    return now == FindingState::conforms ? Transition::conforms : Transition::known_failure;
  if (expected == FindingState::conforms) return Transition::new_failure;
  return now == FindingState::conforms ? Transition::fixed : Transition::changed;
}

KnownFailuresMatch match_known_failures(const KnownFailures& known, const SavedReport& report,
                                        const std::string& today) {
  KnownFailuresMatch match;
  std::vector<const SavedFinding*> fresh;
  for (const SavedFinding& finding : report.findings)
    if (finding.state != FindingState::conforms && find_known_failure(known, finding.id, report) == nullptr)
      fresh.push_back(&finding);
  for (const KnownFailure& entry : known.entries) {
    if (!holds_for(entry, report.backend, report.profile)) {
      ++match.elsewhere;
      continue;
    }
    MatchedEntry& matched = match.entries.emplace_back(
        MatchedEntry{&entry, Transition::conforms, find_finding(report, entry.id), {}, {}});
    if (matched.found == nullptr && entry.expect != FindingState::conforms)
      match_absent(matched, report, fresh);
    else
      matched.transition = transition_of(matched);
  }
  find_merged(match.entries);
  for (MatchedEntry& matched : match.entries) expire(matched, today);
  for (const SavedFinding* finding : fresh) {
    const bool claimed = std::ranges::any_of(match.entries, [&](const MatchedEntry& each) {
      return std::ranges::find(each.successors, finding) != each.successors.end();
    });
    if (!claimed) match.new_failures.push_back(finding);
  }
  return match;
}

}  // namespace lanecheck
