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
#include "reports/format.h"
#include "reports/output_file.h"
#include "spec/program/input_error.h"
#include "spec/program/profile.h"
#include "spec/rules/rule.h"
#include "spec/text/did_you_mean.h"

namespace lanecheck {
namespace {

struct DistillCommand {
  ProfileGroup profile;
  SeedGroup seed;
  std::uint64_t programs = 100, instructions = 4;
  bool twice = false, legal = false;
  std::string format;  ///< of `lanecheck export`
  std::string only;    ///< names of instructions, with commas
  std::string output;  ///< file for the exam
};

std::string of_only(const DistillOptions& options) {
  return options.only.empty() ? "" : " of the instructions of --only";
}

std::string not_asked(const DistillOptions& options) {
  return options.refusals ? ", and no generated case" + of_only(options) + " shows it" : "";
}

/// Why no program of the exam tells the goal apart, or not enough programs.
std::string why_not(const Goal& goal, const GoalResult& result, const DistillOptions& options) {
  if (result.left_out) return "--programs is too small";
  if (result.programs > 0) return "only one program tells it apart";
  if (goal.by_refusal_alone) return "it decides only which programs must be refused" + not_asked(options);
  if (!result.reading.empty()) return "the documents leave it open: " + result.reading;
  if (result.is_allowed) return "what one option leaves, the other allows";
  if (goal.mutant != nullptr) return "no generated case" + of_only(options) + " tells it apart by UB alone";
  return "in all cases tried" + of_only(options) +
         ", UB is the same, or one option allows what the other leaves";
}

/// The same for a rule of legality.
std::string why_not(const RuleResult& result, const DistillOptions& options) {
  if (result.left_out) return "--programs is too small";
  if (result.programs > 0) return "only one program breaks it";
  if (!result.reading.empty()) return "the documents leave it open: " + result.reading;
  if (!result.rule->tried()) return "no case is made that breaks it";
  return "no generated case" + of_only(options) + " breaks it alone";
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
                                     "; `lanecheck offers` lists them" +
                                     did_you_mean_instruction(name, profile));
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

void print_goal(std::string_view id, const std::string& why) {
  std::cout << std::left << std::setw(44) << id << "  " << why << '\n';
}

/// The rules of legality that some program breaks; names those that too few do.
Counts print_rules(const Distilled& result, const DistillOptions& options) {
  Counts counts;
  for (const RuleResult& each : result.rules) {
    ++counts.all;
    counts.told += each.programs > 0 ? 1 : 0;
    if (each.programs < options.times) print_goal(each.rule->id, why_not(each, options));
  }
  return counts;
}

/// The programs that share launches, and those that do not.
void print_sizes(const Distilled& result) {
  Exam shared = result.exam;
  const std::size_t refused = leave_out_refusals(shared);
  std::size_t bytes = 0, first = 0;
  for (const ExamProgram& each : shared) {
    bytes += each.program.ub.size();
    first += each.needs_start ? 1 : 0;
  }
  std::cout << programs_in_launches(shared) << ", " << bytes / 1024 << " KiB of UB; " << first
            << " must be the first of a launch\n";
  if (refused > 0)
    std::cout << counted(refused, "more program")
              << ", each in a launch of its own, which a machine must refuse, or "
              << "must refuse under one option of a reading\n";
}

void print_table(const Goals& goals, const Distilled& result, const DistillOptions& options) {
  Counts mutants, pairs;
  for (std::size_t n = 0; n < goals.list().size(); ++n) {
    const Goal& goal = goals.list()[n];
    Counts& counts = goal.mutant != nullptr ? mutants : pairs;
    ++counts.all;
    counts.told += result.goals[n].programs > 0 ? 1 : 0;
    if (result.goals[n].programs < options.times)
      print_goal(goal.id, why_not(goal, result.goals[n], options));
  }
  const Counts legality = print_rules(result, options);
  print_sizes(result);
  std::cout << mutants << " mutants and " << pairs << " pairs of readings are told apart, "
            << count_rules(options.mix.profile, goals, result) << " rules by their mutants\n";
  if (options.refusals)
    std::cout << legality << " rules of legality are told by a program that breaks one of them\n";
  else
    std::cout << "rules of legality are not asked for\n";
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
      .for_easyasc = is_for_easyasc(given.format, profile),
      .refusals = !given.legal && given.format.empty()};
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
  command.flag("--legal", given->legal, "only legal programs, for machines that report no refusal");
  command.text("--only", given->only,
               "only these instructions, separated by commas; those that set the mask are always there");
  command.text("--for", given->format,
               "easyasc: only what `lanecheck export --as easyasc` can write, which includes --legal");
  command.text("--output,-o", given->output, "write the exam to this file");
  command.footer(
      R"(The exam tells each mutant from the documents, and the options of each open reading from each other, by the final
UB alone. The table names what it does not tell apart, and why. The programs are packed into launches of at most 192
KiB of UB; `lanecheck export` writes them as source. The last programs are those that a machine must refuse: each is
just outside of one rule of legality, or is forbidden by one option of a reading alone, and has a launch of its own. If
a machine refuses none of them, `lanecheck judge` skips them. The same seed gives the same exam.

Examples:
  lanecheck distill --profile vmc -o exam.jsonl
  lanecheck export exam.jsonl --as numpy -o launches
  lanecheck serve --recorded < exam.jsonl | lanecheck judge -)");
  command.action([given] { return distill_command(*given); });
}

}  // namespace lanecheck
