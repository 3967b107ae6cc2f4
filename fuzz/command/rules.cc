// lanecheck rules: every rule, and how often it is exercised and which of its mutants are caught.
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>

#include "fuzz/command/catalogue.h"
#include "fuzz/command/options.h"
#include "fuzz/command/rule_page.h"
#include "fuzz/command/signals.h"
#include "fuzz/coverage/parameter_coverage.h"
#include "fuzz/coverage/rule_coverage.h"
#include "reports/exit_code.h"
#include "spec/program/input_error.h"
#include "spec/program/source.h"

namespace lanecheck {
namespace {

constexpr std::uint64_t kCoverageCases = 8'000;
constexpr std::uint64_t kParameterCases = 30'000;

struct RulesCommand {
  SeedGroup seed;
  bool exercised = false;           ///< with the counts of a search
  bool uncovered = false;           ///< only the rules that nothing tries
  bool markdown = false;            ///< the catalogue instead
  bool html = false, json = false;  ///< the rules of one profile with their examples instead
  ProfileGroup profile;
  bool of_profile = false;  ///< only the rules of `profile`
  std::string corpus;
  std::string report;  ///< a JSON report, whose coverage the page shows
};

/// The corpus of the current folder, or else the one that was installed beside the program.
std::string default_corpus() {
  const std::filesystem::path here = "corpus";
  if (std::filesystem::exists(here)) return here;
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  const auto installed = program.parent_path().parent_path() / "share/lanecheck/corpus";
  return !error && std::filesystem::exists(installed) ? installed : here;
}

std::string_view standing_of(const RuleCoverage& each) {
  if (each.rule == nullptr) return "legality";
  return kStandingNames[static_cast<std::size_t>(each.rule->standing)];
}

void print_counts(const RuleCoverage& each) {
  std::cout << std::right << std::setw(9) << each.exercised << std::setw(4) << each.caught << " of "
            << std::left << std::setw(4) << each.mutants << std::setw(16)
            << (each.allowed == 0 ? "" : "(" + std::to_string(each.allowed) + " a reading)");
}

void print_rule(const RuleCoverage& each, bool with_counts) {
  std::cout << std::left << std::setw(30) << each.id() << std::setw(12) << standing_of(each);
  if (with_counts) print_counts(each);
  std::cout << (each.rule != nullptr ? each.rule->source.section : each.legality_rule->source.section) << ": "
            << (each.rule != nullptr ? each.rule->claim : each.legality_rule->claim) << '\n';
}

bool holds_in(const RuleCoverage& each, Profile profile) {
  return each.rule != nullptr ? each.rule->holds_in(profile) : each.legality_rule->holds_in(profile);
}

/// Prints the blind spots of the generator, and how many cells have a reason to be empty; gives the number of
/// blind spots.
std::size_t print_blind_spots(std::uint64_t seed) {
  std::size_t cells = 0, blind = 0;
  std::map<std::string_view, std::size_t> reasons;
  for (const Profile profile : kEveryProfile)
    for (const ParameterCell& cell : parameter_cells(profile, seed, kParameterCases, stop_requested)) {
      ++cells;
      if (!cell.reached && !cell.reason.empty()) ++reasons[cell.reason];
      if (!cell.is_blind_spot()) continue;
      ++blind;
      std::cout << describe(cell) << ": not reached\n";
    }
  std::cout << cells << " pairs of an instruction and a class of values of a parameter, " << blind
            << " not reached (" << kParameterCases << " cases for each profile)\n";
  for (const auto& [reason, count] : reasons)
    std::cout << "  " << count << (count == 1 ? " is" : " are") << " empty because " << reason << '\n';
  return blind;
}

int rules_command(const RulesCommand& given) {
  if (given.markdown) {
    print_catalogue(std::cout);
    return kConforms;
  }
  if (given.html || given.json) {
    const Profile profile = given.profile.profile();
    std::vector<page::RuleEntry> entries =
        rule_entries(profile, given.corpus.empty() ? default_corpus() : given.corpus);
    std::string run;
    if (!given.report.empty()) {
      const SavedReport report = load_saved_report(given.report);
      add_coverage(entries, profile, report);
      run = sentence_about(report);
    }
    std::cout << (given.html ? page::rule_page_html(profile, entries, run)
                             : rules_as_json(profile, entries, run));
    return kConforms;
  }
  const bool counts = given.exercised || given.uncovered;
  if (counts) handle_stop_signals();
  const auto list = rule_coverage(given.seed.seed, counts ? kCoverageCases : 0, stop_requested);
  if (!given.uncovered)
    std::cout << std::left << std::setw(30) << "rule" << std::setw(12) << "standing"
              << (counts ? "exercised  caught" + std::string(20, ' ') : "") << "section: claim\n";
  std::string_view document;
  std::size_t uncovered = 0, listed = 0;
  for (const RuleCoverage& each : list) {
    if (given.of_profile && !holds_in(each, given.profile.profile())) continue;
    ++listed;
    uncovered += each.uncovered() ? 1 : 0;
    if (given.uncovered && !each.uncovered()) continue;
    const std::string_view source = each.rule != nullptr ? each.rule->source.document : "legality";
    if (source != document) std::cout << "-- " << title_of(source) << '\n';
    document = source;
    print_rule(each, counts);
  }
  std::cout << listed << " rules";
  if (counts)
    std::cout << ", " << uncovered << " uncovered (" << kCoverageCases << " cases for each profile)";
  std::cout << '\n';
  if (given.uncovered) uncovered += print_blind_spots(given.seed.seed);
  if (stop_requested()) {
    std::cout << "interrupted: the counts above are too low\n";
    return kFailure;
  }
  return given.uncovered && uncovered > 0 ? kDiverges : kConforms;
}

/// Throws if options do not go together. `names_corpus`, `names_report`: they are given.
void check(const RulesCommand& given, bool names_corpus, bool names_report) {
  const bool makes_page = given.html || given.json;
  if (!makes_page && names_corpus) throw InputError("rules", "--corpus needs --html or --json");
  if (!makes_page && names_report) throw InputError("rules", "--report needs --html or --json");
  if (given.uncovered && given.of_profile)
    throw InputError("rules", "--uncovered speaks of all profiles; leave out --profile");
}

}  // namespace

void add_rules(CommandLine& line) {
  Command command = line.add("rules",
                             "list every rule with its standing; on request how often it is exercised, and "
                             "which mutants are caught");
  const auto given = std::make_shared<RulesCommand>();
  const Argument seed = given->seed.declare(command);
  const Argument exercised =
      command.flag("--exercised", given->exercised,
                   "count how many instructions of 8,000 cases of each profile each rule speaks of, and how "
                   "many of its mutants they catch; this takes some seconds");
  const Argument uncovered = command.flag(
      "--uncovered", given->uncovered,
      "list only rules that no case exercises, that no mutant breaks, or of which a mutant is not caught, "
      "and classes of values of a parameter that no case of an instruction reaches; the exit code is 1 if "
      "there are any");
  const Argument markdown = command
                                .flag("--markdown", given->markdown,
                                      "print the catalogue of rules and readings (spec/catalogue.md)")
                                .excludes(uncovered)
                                .excludes(exercised)
                                .excludes(seed);
  const Argument html =
      command
          .flag("--html", given->html,
                "print a page: each rule of one profile, and the smallest program for each way to break it")
          .excludes(uncovered)
          .excludes(exercised)
          .excludes(markdown)
          .excludes(seed);
  command
      .flag("--json", given->json,
            "print the same as JSON: each rule with its mutants, readings and programs")
      .excludes(uncovered)
      .excludes(exercised)
      .excludes(markdown)
      .excludes(html)
      .excludes(seed);
  const Argument profile = given->profile.declare(command);
  const Argument corpus = command.text(
      "--corpus", given->corpus,
      "--html, --json: the folder with the case files (default: the folder corpus here, else the one "
      "that was installed with lanecheck)");
  const Argument report =
      command.text("--report", given->report,
                   "--html, --json: show how often the run of this JSON report exercised each rule");
  command.footer(
      "Examples:\n  lanecheck rules\n  lanecheck rules --profile tik\n  lanecheck rules --exercised\n  "
      "lanecheck rules --uncovered\n  "
      "lanecheck rules --markdown\n"
      "  lanecheck rules --html --profile vmc > rules.html\n"
      "  lanecheck run --json report.json; lanecheck rules --html --report report.json > rules.html");
  command.action([given, profile, corpus, report] {
    given->of_profile = profile.given();
    check(*given, corpus.given(), report.given());
    return rules_command(*given);
  });
}

}  // namespace lanecheck
