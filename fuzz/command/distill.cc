// lanecheck distill: few programs in few launches that tell much, for machines on which a launch takes long.
#include "fuzz/exam/distill.h"

#include <filesystem>
#include <iomanip>
#include <iostream>
#include <memory>
#include <set>
#include <sstream>

#include "fuzz/command/options.h"
#include "reports/exit_code.h"
#include "reports/output_file.h"
#include "spec/program/input_error.h"
#include "spec/program/profile.h"
#include "spec/rules/rule.h"

namespace lanecheck {
namespace {

struct DistillCommand {
  ProfileGroup profile;
  SeedGroup seed;
  std::uint64_t programs = 100, instructions = 4;
  bool twice = false;
  std::string format;  ///< of `lanecheck export`
  std::string only;    ///< names of instructions, with commas
  std::string output;  ///< file for the exam
};

/// Why no program of the exam tells the goal apart, or not enough programs.
std::string why_not(const Goal& goal, const GoalResult& result, const DistillOptions& options) {
  if (result.left_out) return "--programs is too small";
  if (result.programs > 0) return "only one program tells it apart";
  if (goal.by_refusal_alone) return "it decides only which programs must be refused";
  if (!result.reading.empty()) return "the documents leave it open: " + result.reading;
  if (result.is_allowed) return "what one option leaves, the other allows";
  const std::string of_only = options.only.empty() ? "" : " of the instructions of --only";
  if (goal.mutant != nullptr) return "no generated case" + of_only + " tells it apart by UB alone";
  return "in all cases tried" + of_only + ", UB is the same, or one option allows what the other leaves";
}

struct Counts {
  std::size_t told = 0, all = 0;
};
std::ostream& operator<<(std::ostream& out, const Counts& counts) {
  return out << counts.told << " of " << counts.all;
}

/// The rules of the profile of which some mutant is told apart.
Counts count_rules(Profile profile, const Goals& goals, const Distilled& result) {
  std::set<std::string_view> told;
  for (std::size_t n = 0; n < goals.list().size(); ++n)
    if (goals.list()[n].mutant != nullptr && result.goals[n].programs > 0)
      told.insert(goals.list()[n].mutant->breaks.begin(), goals.list()[n].mutant->breaks.end());
  Counts counts;
  for (const Rule& rule : rules(profile)) {
    ++counts.all;
    counts.told += told.contains(rule.id) ? 1 : 0;
  }
  return counts;
}

/// The instructions named in "add,mul".
std::vector<Op> ops_named(const std::string& names, Profile profile) {
  std::vector<Op> ops;
  std::istringstream list(names);
  for (std::string name; std::getline(list, name, ',');) {
    const Row* row = find_row(name);
    if (row == nullptr || !row->in(profile).offered)
      throw InputError("--only", "no such instruction in this profile: " + name.substr(0, 80) +
                                     "; `lanecheck offers` lists them");
    ops.push_back(row->op);
  }
  return ops;
}

/// All other formats take all instructions of their profiles.
bool is_for_easyasc(const std::string& format, Profile profile) {
  if (format.empty()) return false;
  if (format != "easyasc" || profile != Profile::vmc)
    throw InputError("--for", "there is only easyasc, in profile vmc");
  return true;
}

void print_table(const Goals& goals, const Distilled& result, const DistillOptions& options) {
  Counts mutants, pairs;
  for (std::size_t n = 0; n < goals.list().size(); ++n) {
    const Goal& goal = goals.list()[n];
    Counts& counts = goal.mutant != nullptr ? mutants : pairs;
    ++counts.all;
    counts.told += result.goals[n].programs > 0 ? 1 : 0;
    if (result.goals[n].programs < options.times)
      std::cout << std::left << std::setw(44) << goal.id << "  " << why_not(goal, result.goals[n], options)
                << '\n';
  }
  std::size_t bytes = 0, alone = 0;
  for (const ExamProgram& each : result.exam) {
    bytes += each.program.ub.size();
    alone += each.needs_start ? 1 : 0;
  }
  std::cout << programs_in_launches(result.exam) << ", " << bytes / 1024 << " KiB of UB; " << alone
            << " must be the first of a launch\n"
            << mutants << " mutants and " << pairs << " pairs of readings are told apart, "
            << count_rules(options.mix.profile, goals, result) << " rules by their mutants\n";
}

/// Throws InputError if the file cannot be written: before the search, not after it. Nothing stays open,
/// since Ctrl-C in the search must leave no draft of the file; a pipe would tell its reader that it has
/// ended.
void check_output(const std::string& place) {
  std::error_code none;
  if (!place.empty() && !std::filesystem::is_fifo(place, none)) OutputFile{place};
}

int distill_command(const DistillCommand& given) {
  if (given.instructions > 16)
    throw InputError("--instructions", "at most 16 instructions fit into a program");
  const Profile profile = given.profile.profile();
  const Goals goals(profile);
  const DistillOptions options{
      .seed = given.seed.seed,
      .mix = {.profile = profile, .most_instructions = static_cast<unsigned>(given.instructions)},
      .programs = given.programs,
      .times = given.twice ? 2u : 1u,
      .only = ops_named(given.only, profile),
      .for_easyasc = is_for_easyasc(given.format, profile)};
  check_output(given.output);
  const Distilled result = distill(goals, options);
  print_table(goals, result, options);
  if (!given.output.empty()) OutputFile(given.output).write(print_exam(result.exam));
  return kConforms;
}

}  // namespace

void add_distill(CommandLine& line) {
  Command command =
      line.add("distill", "choose few programs that tell much, for machines with slow launches");
  const auto given = std::make_shared<DistillCommand>();
  given->profile.declare(command);
  given->seed.declare(command);
  command.number("--programs", given->programs, "at most this many programs", std::uint64_t{1});
  command.number(
      "--instructions", given->instructions,
      "at most this many instructions compute in a program (1 to 16), except where it takes more to "
      "tell something "
      "apart; with few, `judge` names causes better",
      std::uint64_t{1});
  command.flag("--twice", given->twice, "two programs for everything that is to be told apart, not one");
  command.text("--only", given->only,
               "only these instructions, separated by commas; those that set the mask are always there");
  command.text("--for", given->format,
               "easyasc: only instructions that `lanecheck export --as easyasc` can write");
  command.text("--output,-o", given->output, "write the exam to this file");
  command.footer(
      R"(The exam tells each mutant from the documents, and the options of each open reading from each other, by the final
UB alone. The table names what it does not tell apart, and why. The programs are packed into launches of at most 192
KiB of UB; `lanecheck export` writes them as source. The same seed gives the same exam.

Examples:
  lanecheck distill --profile vmc -o exam.jsonl
  lanecheck export exam.jsonl --as numpy -o launches
  lanecheck serve --recorded < exam.jsonl | lanecheck judge -)");
  command.action([given] { return distill_command(*given); });
}

}  // namespace lanecheck
