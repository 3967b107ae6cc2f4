#include "reports/known/check_known_failures.h"

#include <algorithm>
#include <array>
#include <ostream>

#include "reports/format.h"
#include "spec/text/joined.h"

namespace lanecheck {
namespace {

constexpr std::array<std::string_view, kTransitions> kNames = {
    "incomplete", "new failure", "changed", "fixed",         "split",         "merged",
    "renamed",    "expired",     "unknown", "not exercised", "known failure", "conforms"};

std::string in(const SavedFinding& finding) {
  return std::string(name_of(finding.state)) + " in " + counted(finding.cases, "case") + ": " + finding.what;
}

std::string ids_of(const std::vector<const SavedFinding*>& findings) {
  return joined(findings, [](const SavedFinding* each) {
    return each->id + " (" + std::string(name_of(each->state)) + ")";
  });
}

std::string changed_sentence(const MatchedEntry& matched) {
  const std::string expected = "expected state " + std::string(name_of(matched.entry->expect));
  if (matched.found != nullptr) return expected + ", now " + in(*matched.found);
  return expected + "; it is no longer found, and the same instruction now fails with " +
         ids_of(matched.successors);
}

std::string reason_of(const KnownFailure& entry) {
  return entry.reason + (entry.link.empty() ? "" : " (" + entry.link + ")");
}

std::string sentence_of(const MatchedEntry& matched) {
  const KnownFailure& entry = *matched.entry;
  switch (matched.transition) {
    case Transition::new_failure:
      return "must not occur, but it was found: " + in(*matched.found);
    case Transition::changed:
      return changed_sentence(matched);
    case Transition::fixed:
      return "does not occur, although its rules and instructions were exercised; remove the entry";
    case Transition::split:
      return "is no longer found; several new findings break the same rules in the same instruction: " +
             ids_of(matched.successors) + "; update the list";
    case Transition::merged:
    case Transition::renamed:
      return "is no longer found; a new finding looks like it: " + ids_of(matched.successors) +
             "; update the list";
    case Transition::expired:
      return "the entry expired on " + entry.expires + ": " + reason_of(entry);
    case Transition::unknown:
    case Transition::not_exercised:
      return matched.why;
    case Transition::known_failure:
    case Transition::conforms:
    case Transition::incomplete:
      return reason_of(entry);
  }
  return {};
}

/// Entries that were merged are one line, which names all of them.
void join_merged(std::vector<CheckLine>& lines, const std::vector<MatchedEntry>& entries) {
  std::vector<const SavedFinding*> done;
  for (const MatchedEntry& first : entries) {
    if (first.transition != Transition::merged) continue;
    const SavedFinding* finding = first.successors.front();
    if (std::ranges::find(done, finding) != done.end()) continue;
    done.push_back(finding);
    std::string ids;
    for (const MatchedEntry& each : entries)
      if (each.transition == Transition::merged && each.successors.front() == finding)
        ids += (ids.empty() ? "" : ", ") + each.entry->id;
    lines.push_back({Transition::merged, finding->id,
                     "looks like these entries, which are no longer found: " + ids + "; update the list"});
  }
}

}  // namespace

std::string_view name_of(Transition transition) {
  return kNames[static_cast<std::size_t>(transition)];
}

bool fails(Transition transition, bool lenient) {
  switch (transition) {
    case Transition::incomplete:
    case Transition::new_failure:
    case Transition::changed:
    case Transition::split:
    case Transition::merged:
    case Transition::renamed:
    case Transition::expired:
    case Transition::unknown:
      return true;
    case Transition::fixed:
      return !lenient;
    case Transition::not_exercised:
    case Transition::known_failure:
    case Transition::conforms:
      return false;
  }
  return true;
}

KnownFailuresCheck check_known_failures(const KnownFailures& known, const SavedReport& report,
                                        const std::string& today) {
  const KnownFailuresMatch match = match_known_failures(known, report, today);
  KnownFailuresCheck check;
  check.elsewhere = match.elsewhere;
  for (const std::string& gap : report.gaps) check.lines.push_back({Transition::incomplete, "", gap});
  for (const SavedFinding* finding : match.new_failures)
    check.lines.push_back({Transition::new_failure, finding->id, in(*finding)});
  for (const MatchedEntry& matched : match.entries)
    if (matched.transition != Transition::merged)
      check.lines.push_back({matched.transition, matched.entry->id, sentence_of(matched)});
  join_merged(check.lines, match.entries);
  std::ranges::stable_sort(check.lines, [](const CheckLine& one, const CheckLine& other) {
    return one.transition != other.transition ? one.transition < other.transition : one.id < other.id;
  });
  return check;
}

bool passes(const KnownFailuresCheck& check, bool lenient) {
  return std::ranges::none_of(check.lines,
                              [&](const CheckLine& line) { return fails(line.transition, lenient); });
}

void print_check(std::ostream& out, const KnownFailuresCheck& check, bool lenient) {
  std::array<std::size_t, kTransitions> counts{};
  for (const CheckLine& line : check.lines) {
    ++counts[static_cast<std::size_t>(line.transition)];
    out << name_of(line.transition) << ": " << printable(line.id) << (line.id.empty() ? "" : ": ")
        << printable(line.sentence) << '\n';
  }
  out << (passes(check, lenient) ? "as expected" : "not as expected");
  const char* separator = ": ";
  for (std::size_t n = 0; n < kTransitions; ++n) {
    if (counts[n] == 0) continue;
    out << separator << counts[n] << ' ' << kNames[n];
    separator = ", ";
  }
  if (check.elsewhere > 0)
    out << "; " << grouped(check.elsewhere) << (check.elsewhere == 1 ? " entry holds" : " entries hold")
        << " for other backends or profiles";
  out << '\n';
}

}  // namespace lanecheck
