#include "reports/known/update_known_failures.h"

#include <algorithm>

#include "reports/format.h"
#include "reports/known/match_known_failures.h"
#include "spec/program/input_error.h"

namespace lanecheck {
namespace {

/// Takes from the finding what the entry expects of it.
void refresh(KnownFailure& entry, const SavedFinding& finding, const SavedReport& report) {
  entry.id = finding.id;
  entry.expect = finding.state;
  entry.rules = finding.rules;
  entry.instructions = finding.instructions;
  entry.cause = finding.cause;
  entry.seen = finding.cases;
  entry.of = report.done;
}

KnownFailure entry_in_words(const EntryWords& words, const SavedReport& report) {
  KnownFailure entry;
  entry.reason = words.reason;
  entry.link = words.link;
  entry.expires = words.expires;
  if (!words.all_backends) entry.backends = {report.backend};
  if (!words.all_profiles) entry.profiles = {report.profile};
  return entry;
}

void add_entry(KnownFailures& known, KnownFailure entry, const SavedReport& report) {
  if (find_known_failure(known, entry.id, report) != nullptr)
    throw InputError(known.file, "'" + printable(entry.id) +
                                     "' is listed already; `lanecheck baseline update` " +
                                     "takes its state from a report");
  known.entries.push_back(std::move(entry));
}

std::vector<std::string> unlisted_ids(const KnownFailures& known, const SavedReport& report) {
  std::vector<std::string> ids;
  for (const SavedFinding& each : report.findings)
    if (each.state != FindingState::conforms && find_known_failure(known, each.id, report) == nullptr)
      ids.push_back(each.id);
  return ids;
}

std::string shown(const KnownFailure& entry) {
  return printable(entry.id) + " (" + std::string(name_of(entry.expect)) + ")";
}

/// Puts the entries that a split, merged or renamed entry becomes into `entries`, each id once.
void replace(const MatchedEntry& matched, const SavedReport& report, std::vector<KnownFailure>& entries,
             std::vector<std::string>& done) {
  for (const SavedFinding* finding : matched.successors) {
    KnownFailure entry = *matched.entry;
    refresh(entry, *finding, report);
    done.push_back("replaced " + shown(*matched.entry) + " with " + shown(entry));
    const auto twin = [&](const KnownFailure& each) {
      return each.id == entry.id && holds_for(each, report.backend, report.profile);
    };
    if (std::ranges::none_of(entries, twin)) entries.push_back(std::move(entry));
  }
}

/// Whether one report is not enough to change the entry.
bool holds_elsewhere(const KnownFailure& entry) {
  return entry.backends.size() != 1 || entry.profiles.size() != 1;
}

void update(const MatchedEntry& matched, const SavedReport& report, std::vector<KnownFailure>& entries,
            std::vector<std::string>& done) {
  KnownFailure entry = *matched.entry;
  if (holds_elsewhere(entry)) {
    if (matched.transition != Transition::known_failure && matched.transition != Transition::conforms)
      done.push_back("left " + shown(entry) + ": it holds for several backends or profiles; edit it by hand");
    entries.push_back(std::move(entry));
    return;
  }
  switch (matched.transition) {
    case Transition::fixed:
      done.push_back("removed " + shown(entry) + ": it is fixed");
      return;
    case Transition::split:
    case Transition::merged:
    case Transition::renamed:
      return replace(matched, report, entries, done);
    case Transition::changed:
      if (matched.found == nullptr) return replace(matched, report, entries, done);
      refresh(entry, *matched.found, report);
      done.push_back("changed " + shown(*matched.entry) + " to " + shown(entry));
      break;
    case Transition::known_failure:
      refresh(entry, *matched.found, report);
      break;
    case Transition::incomplete:
    case Transition::new_failure:
    case Transition::expired:
    case Transition::unknown:
    case Transition::not_exercised:
    case Transition::conforms:
      break;
  }
  entries.push_back(std::move(entry));
}

}  // namespace

std::vector<std::string> add_known_failures(KnownFailures& known, const SavedReport& report,
                                            const std::vector<std::string>& ids, const EntryWords& words) {
  std::vector<std::string> done;
  for (const std::string& id : ids.empty() ? unlisted_ids(known, report) : ids) {
    const SavedFinding* finding = find_finding(report, id);
    if (finding == nullptr || finding->state == FindingState::conforms)
      throw InputError(report.file, "has no failure '" + printable(id) + "'");
    KnownFailure entry = entry_in_words(words, report);
    refresh(entry, *finding, report);
    done.push_back("added " + shown(entry));
    add_entry(known, std::move(entry), report);
  }
  return done;
}

std::vector<std::string> add_must_not_occur(KnownFailures& known, const SavedReport& report,
                                            const std::vector<std::string>& ids, const EntryWords& words) {
  std::vector<std::string> done;
  for (const std::string& id : ids) {
    KnownFailure entry = entry_in_words(words, report);
    entry.id = id;
    entry.expect = FindingState::conforms;
    done.push_back("added " + shown(entry));
    add_entry(known, std::move(entry), report);
  }
  return done;
}

std::vector<std::string> remove_known_failures(KnownFailures& known, const std::vector<std::string>& ids) {
  std::vector<std::string> done;
  for (const std::string& id : ids) {
    const auto removed =
        std::erase_if(known.entries, [&](const KnownFailure& each) { return each.id == id; });
    if (removed == 0) throw InputError(known.file, "lists no '" + printable(id) + "'");
    done.push_back("removed " + printable(id));
  }
  return done;
}

std::vector<std::string> update_known_failures(KnownFailures& known, const SavedReport& report,
                                               const std::string& today) {
  const KnownFailuresMatch match = match_known_failures(known, report, today);
  std::vector<KnownFailure> entries;
  std::vector<std::string> done;
  for (const KnownFailure& entry : known.entries) {
    const auto matched = std::ranges::find(match.entries, &entry, &MatchedEntry::entry);
    if (matched == match.entries.end())
      entries.push_back(entry);
    else
      update(*matched, report, entries, done);
  }
  known.entries = std::move(entries);
  return done;
}

}  // namespace lanecheck
