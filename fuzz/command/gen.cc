// lanecheck gen: generated cases, with their expected results or as questions, as JSON Lines or in a folder.
#include <algorithm>
#include <iostream>
#include <memory>
#include <sstream>

#include "corpus/case.h"
#include "fuzz/command/options.h"
#include "fuzz/command/standard_output.h"
#include "fuzz/recorded/folder.h"
#include "oracle/execute/execute.h"
#include "reports/exit_code.h"
#include "reports/output_file.h"
#include "spec/legality/find_fault.h"
#include "spec/program/input_error.h"
#include "spec/text/did_you_mean.h"

namespace lanecheck {
namespace {

struct GenCommand {
  ProfileGroup profile;
  WindowGroup window;
  bool questions = false;  ///< without the expected results
  std::string folder;      ///< for questions in plain files
  std::string only;        ///< instructions, with commas: add,cast.f16.f32
};

/// The rows of "add,cast.f16.f32". Throws InputError for one that matches nothing.
Capabilities offers_of(const std::string& only, Profile profile) {
  Capabilities offers;
  if (only.empty()) return offers;
  offers.everything = false;
  std::istringstream list(only);
  for (std::string text; std::getline(list, text, ',');) {
    const std::size_t dot = text.find('.');
    Capability offer{text.substr(0, dot), {}, {}, {}, {}};
    const std::string types = dot == std::string::npos ? "" : text.substr(dot + 1);
    const Row* row = find_row(offer.instruction);
    if (row == nullptr || !row->in(profile).offered)
      throw InputError("--only " + text, "there is no instruction '" + offer.instruction +
                                             "' in this profile; `lanecheck offers` lists them" +
                                             did_you_mean_instruction(offer.instruction, profile));
    offer.src = types.substr(types.find('.') + 1);  // all of it if there is only one type
    if (!row->compares) offer.dst = types.substr(0, types.find('.'));
    offers.rows.push_back(std::move(offer));
    if (const std::string fault = fault_of(offers); !fault.empty())
      throw InputError("--only " + text, fault.substr(fault.find(": ", fault.find('}')) + 2));
  }
  return offers;
}

/// The generated cases of a command: all cases of its window, or with --only the first ones, so many as the
/// window has, that have one of the instructions and stay legal without all others.
class Cases {
 public:
  Cases(const GenCommand& given, const RunOptions& run)
      : given_(given),
        run_(run),
        offers_(offers_of(given.only, run.mix.profile)),
        next_(given.window.first) {}

  /// Makes the next case, and returns its index. Throws InputError if 200,000 generated cases have none.
  std::uint64_t next(Program& program) {
    constexpr std::uint64_t kMostInVain = 200'000;
    for (std::uint64_t tried = 0; tried < kMostInVain; ++tried) {
      generate(run_.seed, next_++, run_.mix, program);
      if (keeps(program)) return next_ - 1;
    }
    throw InputError("--only " + given_.only,
                     "no legal program has these instructions; in this profile, others "
                     "must set the mask or its mode for them");
  }

 private:
  /// Leaves out what is not asked for, except what sets the mask. False if nothing is left to be asked.
  bool keeps(Program& program) const {
    if (offers_.everything) return true;
    std::erase_if(program.instructions, [&](const Instruction& insn) {
      return row_of(insn.op).mask != MaskUse::is_mask_state && !offers_.include(insn, program.profile);
    });
    const bool asks = std::ranges::any_of(program.instructions, [&](const Instruction& insn) {
      return offers_.include(insn, program.profile);
    });
    return asks && !find_fault(program);
  }

  const GenCommand& given_;
  const RunOptions& run_;
  Capabilities offers_;
  std::uint64_t next_;
};

void print_cases(const GenCommand& given, const RunOptions& run) {
  const Semantics semantics(run.readings);
  Case c;
  c.readings = run.readings;
  State state;
  Cases cases(given, run);
  for (std::uint64_t n = 0; n < given.window.cases && !output_is_lost(); ++n) {
    const std::uint64_t index = cases.next(c.program);
    execute(c.program, semantics, state);
    c.rule = "generated";
    c.about = "case " + std::to_string(index) + " of seed " + std::to_string(run.seed);
    c.source = "the oracle";
    c.expect = state;
    std::cout << print_case_line(c);
  }
}

void print_questions(const GenCommand& given, const RunOptions& run) {
  Program program;
  Cases cases(given, run);
  for (std::uint64_t n = 0; n < given.window.cases && !output_is_lost(); ++n) {
    const std::uint64_t index = cases.next(program);
    std::cout << question_line(program, index, given.window.cases);
  }
}

/// Old results must not be judged by new questions, so the folder must not have any of the files.
void write_folder(const GenCommand& given, const RunOptions& run) {
  const std::filesystem::path folder = given.folder;
  make_folder(folder);
  for (const char* const each : {kManifest, kInput, kOutput})
    if (std::filesystem::exists(folder / each))
      throw InputError((folder / each).string(),
                       "exists; give a folder without earlier questions and results");
  FolderQuestions questions;
  Program program;
  Cases cases(given, run);
  for (std::uint64_t n = 0; n < given.window.cases; ++n) {
    const std::uint64_t index = cases.next(program);
    questions.add(program, index, given.window.cases);
  }
  OutputFile(folder / kInput).write(questions.input());
  OutputFile(folder / kManifest).write(questions.manifest());
}

int gen_command(const GenCommand& given) {
  given.window.check();
  const RunOptions run = run_options(given.profile.profile(), {}, given.window.seed);
  if (!given.folder.empty())
    write_folder(given, run);
  else if (given.questions)
    print_questions(given, run);
  else
    print_cases(given, run);
  return kConforms;
}

}  // namespace

void add_gen(CommandLine& line) {
  Command command = line.add("gen", "print generated cases with their expected results as JSON Lines");
  const auto given = std::make_shared<GenCommand>();
  given->window.cases = 10;
  given->profile.declare(command);
  given->window.declare(command);
  const Argument questions = command.flag(
      "--questions", given->questions,
      "print programs without expected results, as JSON Lines to which a simulator adds its results");
  command
      .text("--folder", given->folder,
            "write the questions into this folder: manifest.json and input.bin, for machines that leave "
            "output.bin")
      .excludes(questions);
  command.text("--only", given->only,
               "only these instructions, separated by commas, with element types or without: "
               "add,cadd.f16,cast.f16.f32; those that set the mask are always there");
  command.footer(R"(`lanecheck judge` judges the results of --questions and --folder. With --only, all other
instructions are left out of the cases, and cases without these instructions are passed over, so that a simulator that
has only these answers every question.

Examples:
  lanecheck gen --cases 100 --first 1000000 > cases.jsonl
  lanecheck gen --questions --cases 100 | python3 my_sim.py > answers.jsonl
  lanecheck gen --questions --only add,cadd.f16 | python3 my_sim.py | lanecheck judge -)");
  command.action([given] { return gen_command(*given); });
}

}  // namespace lanecheck
