// lanecheck mutants: implementations that are wrong on purpose, all of which must be caught.
#include "oracle/mutants/mutant.h"

#include <algorithm>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "corpus/case.h"
#include "fuzz/backend/stopwatch.h"
#include "fuzz/command/options.h"
#include "fuzz/command/signals.h"
#include "fuzz/coverage/mutant_search.h"
#include "fuzz/run/find_backend.h"
#include "oracle/execute/semantics.h"
#include "reports/exit_code.h"
#include "reports/finding_case.h"
#include "reports/format.h"
#include "reports/output_file.h"
#include "spec/program/profile.h"
#include "spec/rules/rule.h"

namespace lanecheck {
namespace {

constexpr std::uint64_t kMostCases = 10'000;

struct MutantsCommand {
  ProfileGroup profile;
  SeedGroup seed;
  std::string save;  ///< folder for the minimized witnesses
  bool list = false;
};

/// How one mutant was caught.
struct Catch {
  std::string name;
  std::string rule;   ///< the rule that names it
  std::string about;  ///< of its witness
  std::uint64_t cases = kMostCases;
  double seconds = -1;                  ///< negative: not measured
  bool caught = false;                  ///< within kMostCases; there is a finding then
  std::string reading = {};             ///< the open reading that allows what this mutant does
  std::optional<Finding> finding = {};  ///< the minimized witness
};

void print_list() {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const Mutant& mutant : mutants())
    lines.emplace_back("wrong:" + mutant.id, mutant.what + "  [" + std::string(mutant.breaks.front()) + "]");
  for (const LegalityRule& rule : legality_rules())
    if (rule.tried())
      lines.emplace_back("wrong:accepts-" + std::string(rule.id),
                         "does not refuse what breaks: " + std::string(rule.claim));
  std::size_t longest = 0;
  for (const auto& [name, what] : lines) longest = std::max(longest, name.size());
  std::cout << std::left;
  for (const auto& [name, what] : lines)
    std::cout << std::setw(static_cast<int>(longest) + 2) << name << what << '\n';
}

Catch search(const Mutant& mutant, const RunOptions& judged) {
  Catch result{mutant.id, std::string(mutant.breaks.front()),
               "The smallest program that shows a backend whose mistake is: " + mutant.what + "."};
  const Stopwatch watch;
  const auto caught = catch_mutant(mutant, judged.readings, judged.mix, judged.seed, kMostCases);
  result.seconds = watch.seconds();
  if (!caught) return result;
  result.cases = caught->cases;
  result.reading = caught->reading;
  result.finding =
      judge(caught->program, judged, oracle_backend(mutant.id, mutant.semantics(judged.readings)));
  result.caught = result.reading.empty() && result.finding.has_value();
  return result;
}

Catch search(const LegalityRule& rule, const RunOptions& judged) {
  Catch result{"accepts-" + std::string(rule.id), std::string(rule.id),
               "The smallest program found that breaks this rule alone."};
  const auto broken = break_rule(rule, judged.mix, judged.seed, kMostCases);
  if (!broken) return result;
  result.cases = broken->cases;
  result.reading = broken->reading;
  result.finding = judge(broken->program, judged, accepting_backend(rule));
  result.caught = result.reading.empty() && result.finding && !result.finding->rules.empty() &&
                  result.finding->rules.front() == rule.id;
  return result;
}

std::string instructions_of(const Catch& each) {
  if (!each.reading.empty()) return "a reading";
  return each.caught ? std::to_string(each.finding->program.instructions.size()) : "not caught";
}

void print(const Catch& each) {
  std::cout << std::left << std::setw(34) << each.name << std::right << std::setw(8) << each.cases
            << std::setw(10) << (each.seconds < 0 ? std::string() : fixed(each.seconds, 4)) << std::setw(14)
            << instructions_of(each) << "  " << each.rule;
  if (!each.reading.empty()) std::cout << " (the documents leave it open: " << each.reading << ')';
  std::cout << '\n';
}

/// Saves the witness below the folder of the rule that names the mutant, and of each other rule that it
/// breaks and that has no folder yet.
void save(const std::filesystem::path& place, const std::string& name, const Catch& each,
          const Readings& readings) {
  const Finding& finding = *each.finding;
  const Profile profile = finding.program.profile;
  for (std::size_t n = 0; n < finding.rules.size(); ++n) {
    const auto folder = place / finding.rules[n];
    if (n > 0 && std::filesystem::exists(folder)) continue;
    Case witness = case_of(finding, readings);
    witness.rule = finding.rules[n];
    witness.about = each.about;
    make_folder(folder);
    std::string file = "witness-" + name;
    if (profile != kDefaultProfile) file.append("-").append(row_of(profile).name);
    OutputFile(folder / (file + ".json")).write(print_case(witness));
  }
}

/// The score of one rule: how many mutants it has, how many were caught, how many an open reading allows, and
/// the most cases that one of them took.
struct Score {
  unsigned mutants = 0, caught = 0, readings = 0;

  bool complete() const { return mutants > 0 && caught + readings == mutants; }
  std::uint64_t cases = 0;
};
using Scores = std::map<std::string_view, Score>;

void add_to(Score& score, const Catch& each) {
  ++score.mutants;
  score.caught += each.caught ? 1 : 0;
  score.readings += each.reading.empty() ? 0 : 1;
  score.cases = std::max(score.cases, each.cases);
}

/// Prints the score of each rule of `profile`; true if each has mutants, and each of them was caught or is
/// allowed by an open reading.
bool print_scores(Profile profile, Scores& scores) {
  std::cout << '\n'
            << std::left << std::setw(28) << "rule"
            << "caught\n";
  bool all = true;
  for (const Rule& rule : rules(profile)) {
    const Score score = scores[rule.id];
    all &= score.complete();
    std::cout << std::left << std::setw(28) << rule.id << score.caught << " of " << score.mutants
              << ", within " << score.cases << " cases";
    if (score.readings > 0) std::cout << "; an open reading allows " << score.readings;
    std::cout << '\n';
  }
  return all;
}

int mutants_command(const MutantsCommand& given) {
  if (given.list) {
    print_list();
    return kConforms;
  }
  handle_stop_signals();
  const Profile profile = given.profile.profile();
  const RunOptions judged = run_options(profile, {}, given.seed.seed);
  std::cout << std::left << std::setw(34) << "mutant" << std::right << std::setw(8) << "cases"
            << std::setw(10) << "seconds" << std::setw(14) << "instructions"
            << "  rule\n";
  Scores scores;
  Score total;
  const auto report = [&](const Catch& each, const std::string& file) {
    print(each);
    add_to(total, each);
    if (each.finding && !given.save.empty()) save(given.save, file, each, judged.readings);
  };
  for (const Mutant& mutant : mutants()) {
    if (!mutant.exists_in(profile)) continue;
    if (stop_requested()) break;
    const Catch result = search(mutant, judged);
    report(result, mutant.id);
    for (const auto rule : mutant.breaks) add_to(scores[rule], result);
  }
  for (const LegalityRule& rule : legality_rules())
    if (rule.tried() && rule.holds_in(profile) && !stop_requested()) report(search(rule, judged), "accepted");
  const bool all = print_scores(profile, scores);
  std::cout << total.caught << " of " << total.mutants << " mutants caught";
  if (total.readings > 0) std::cout << "; an open reading allows the other " << total.readings;
  std::cout << '\n';
  if (stop_requested()) {
    std::cout << "interrupted: the other mutants were not tried\n";
    return kFailure;
  }
  return all && total.complete() ? kConforms : kDiverges;
}

}  // namespace

void add_mutants(CommandLine& line) {
  Command command =
      line.add("mutants", "try to catch every mutant; print how many cases and seconds each catch took");
  const auto given = std::make_shared<MutantsCommand>();
  const Argument profile = given->profile.declare(command);
  const Argument seed = given->seed.declare(command);
  const Argument save =
      command.text("--save", given->save, "save the minimized witnesses as case files below this folder");
  command.flag("--list", given->list, "only list the mutants of all profiles")
      .excludes(profile)
      .excludes(seed)
      .excludes(save);
  command.footer(
      "Examples:\n  lanecheck mutants\n  lanecheck mutants --profile tik\n  lanecheck mutants --list");
  command.action([given] { return mutants_command(*given); });
}

}  // namespace lanecheck
