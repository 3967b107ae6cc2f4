// lanecheck baseline: a list of known failures, edited from reports and checked against them.
#include <iostream>
#include <memory>

#include "fuzz/command/command_line.h"
#include "fuzz/command/report_place.h"
#include "fuzz/command/today.h"
#include "reports/exit_code.h"
#include "reports/format.h"
#include "reports/known/check_known_failures.h"
#include "reports/known/update_known_failures.h"
#include "reports/output_file.h"
#include "spec/program/input_error.h"
#include "spec/text/joined.h"

namespace lanecheck {
namespace {

struct BaselineCommand {
  std::string known, report, today, expect;
  std::vector<std::string> ids;
  EntryWords words;
  bool all = false, lenient = false;

  std::string date() const { return date_or_today(today, "--today"); }
};

/// Writes the list and says what was done.
int save(const KnownFailures& known, const std::vector<std::string>& done) {
  OutputFile(known.file).write(print_known_failures(known));
  for (const std::string& each : done) std::cout << each << '\n';
  std::cout << known.entries.size() << (known.entries.size() == 1 ? " entry in " : " entries in ")
            << printable(known.file) << '\n';
  return kConforms;
}

int add_action(const BaselineCommand& given) {
  if (given.ids.empty() != given.all) throw InputError("baseline add", "give the ids of findings, or --all");
  if (!given.words.expires.empty()) checked_date(given.words.expires, "--expires");
  if (given.words.reason.empty()) throw InputError("--reason", "must not be empty");
  const SavedReport report = load_saved_report(report_file(given.report));
  std::error_code none;
  KnownFailures known{given.known, {}};
  if (std::filesystem::exists(given.known, none)) known = load_known_failures(given.known);
  if (given.expect.empty()) return save(known, add_known_failures(known, report, given.ids, given.words));
  if (given.expect != name_of(FindingState::conforms))
    throw InputError("--expect", "takes only 'conforms'; other states are taken from the report");
  if (given.all) throw InputError("--expect conforms", "needs the ids of findings, not --all");
  return save(known, add_must_not_occur(known, report, given.ids, given.words));
}

int remove_action(const BaselineCommand& given) {
  KnownFailures known = load_known_failures(given.known);
  const auto done = remove_known_failures(known, given.ids);
  return save(known, done);
}

int update_action(const BaselineCommand& given) {
  KnownFailures known = load_known_failures(given.known);
  const auto done = update_known_failures(known, load_saved_report(report_file(given.report)), given.date());
  return save(known, done);
}

std::string list_of(const std::set<std::string>& names) {
  return names.empty() ? "all" : printable(joined(names));
}

int show_action(const BaselineCommand& given) {
  const KnownFailures known = load_known_failures(given.known);
  for (const KnownFailure& entry : known.entries) {
    std::cout << printable(entry.id) << ": " << name_of(entry.expect) << ", backends "
              << list_of(entry.backends) << ", profiles " << list_of(entry.profiles);
    if (!entry.expires.empty()) std::cout << ", until " << entry.expires;
    if (entry.of > 0) std::cout << ", seen in " << grouped(entry.seen) << " of " << counted(entry.of, "case");
    std::cout << "\n  " << printable(entry.reason)
              << (entry.link.empty() ? "" : " (" + printable(entry.link) + ")") << '\n';
  }
  std::cout << known.entries.size() << (known.entries.size() == 1 ? " entry\n" : " entries\n");
  return kConforms;
}

int check_action(const BaselineCommand& given) {
  const KnownFailures known = load_known_failures(given.known);
  const SavedReport report = load_saved_report(report_file(given.report));
  const KnownFailuresCheck check = check_known_failures(known, report, given.date());
  print_check(std::cout, check, given.lenient);
  return passes(check, given.lenient) ? kConforms : kDiverges;
}

using Given = std::shared_ptr<BaselineCommand>;

/// An action with the file that all actions take.
Command action(CommandLine& line, const Given& given, const std::string& name, const std::string& help,
               int (*run)(const BaselineCommand&)) {
  Command command = line.add("baseline " + name, help);
  command.text("known", given->known, "the list of known failures, a JSON file").required();
  command.action([given, run] { return run(*given); });
  return command;
}

void add_today(Command& command, const Given& given) {
  command.text("--today", given->today,
               "the date for entries that expire, as YYYY-MM-DD (default: of the clock)");
}

void add_edits(CommandLine& line, const Given& given) {
  const auto from = [&](Command& command) {
    command.text("--from", given->report, "the JSON report of a run").required();
  };
  Command add = action(line, given, "add", "add findings of a report", add_action);
  add.texts("ids", given->ids, "ids of findings");
  from(add);
  add.flag("--all", given->all, "add every failure of the report that is not listed");
  add.text("--reason", given->words.reason, "why the failure is known").required();
  add.text("--link", given->words.link, "for example the address of an issue");
  add.text("--expires", given->words.expires, "the last day on which the entry holds, as YYYY-MM-DD");
  add.text("--expect", given->expect, "'conforms': the finding must not occur");
  add.flag("--all-backends", given->words.all_backends, "the entry holds for every backend");
  add.flag("--all-profiles", given->words.all_profiles, "the entry holds in every profile");
  action(line, given, "remove", "remove entries", remove_action)
      .texts("ids", given->ids, "ids of findings")
      .required();
  Command update = action(line, given, "update", "bring the entries up to date with a report", update_action);
  from(update);
  add_today(update, given);
  update.footer(
      "Takes states and counts from the report, removes what is fixed, and gives entries that were split, "
      "merged or\n"
      "renamed their new ids. Reasons, links and dates stay. New failures are not added.");
}

}  // namespace

void add_baseline(CommandLine& line) {
  line.add("baseline", "keep a list of known failures, and check a report against it").footer(R"(Examples:
  lanecheck run --backend wrong:cadd-keeps-dst --cases 2000 --json report.json
  lanecheck baseline add known.json --from report.json --all --reason 'cadd is being rewritten' --expires 2026-12-31
  lanecheck baseline check known.json report.json
  lanecheck baseline update known.json --from report.json
  lanecheck baseline remove known.json cadd-keeps-dst)");
  const auto given = std::make_shared<BaselineCommand>();
  add_edits(line, given);
  action(line, given, "show", "print the entries", show_action);
  Command check =
      action(line, given, "check", "say what is new, known, changed or fixed in a report", check_action);
  check.text("report", given->report, "the JSON report of a run").required();
  add_today(check, given);
  check.flag("--lenient", given->lenient, "an entry that is fixed does not fail the check");
  check.footer(
      R"(A line for each entry that holds for the backend and the profile of the report, and for each other failure:
  incomplete     the report does not say all that a whole run would say         fails
  new failure    no entry expects the finding                                   fails
  changed        the failure is in another state than expected                  fails
  fixed          it does not occur, although the run exercised it enough        fails, except with --lenient
  split          several new findings look like the entry, which is gone        fails
  merged         one new finding looks like several entries, which are gone     fails
  renamed        one new finding looks like the entry, which is gone            fails
  expired        the last day of the entry is over                              fails
  unknown        the report cannot say whether it was exercised                 fails
  not exercised  it does not occur, and the run did not exercise it enough
  known failure  it occurs as expected
  conforms       it must not occur, and it does not

Exit codes: 0 all is as expected, 1 something is not, 2 wrong input.)");
}

}  // namespace lanecheck
