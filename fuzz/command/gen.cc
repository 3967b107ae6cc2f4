// lanecheck gen: generated cases, with their expected results or as questions, as JSON Lines or in a folder.
#include <iostream>
#include <memory>
#include <stdexcept>

#include "corpus/case.h"
#include "fuzz/command/options.h"
#include "fuzz/recorded/folder.h"
#include "oracle/execute/execute.h"
#include "reports/exit_code.h"
#include "reports/output_file.h"
#include "spec/program/input_error.h"

namespace lanecheck {
namespace {

struct GenCommand {
  ProfileGroup profile;
  WindowGroup window;
  bool questions = false;  ///< without the expected results
  std::string folder;      ///< for questions in plain files
};

void print_line(const std::string& line) {
  std::cout << line;
  if (!std::cout) throw std::runtime_error("standard output: could not be written");
}

void print_cases(const GenCommand& given, const RunOptions& run) {
  const Semantics semantics(run.readings);
  Case c;
  c.readings = run.readings;
  State state;
  for (std::uint64_t n = 0; n < given.window.cases; ++n) {
    const std::uint64_t index = given.window.first + n;
    generate(run.seed, index, run.mix, c.program);
    execute(c.program, semantics, state);
    c.rule = "generated";
    c.about = "case " + std::to_string(index) + " of seed " + std::to_string(run.seed);
    c.source = "the oracle";
    c.expect = state;
    print_line(print_case_line(c));
  }
}

void print_questions(const GenCommand& given, const RunOptions& run) {
  Program program;
  for (std::uint64_t n = 0; n < given.window.cases; ++n) {
    generate(run.seed, given.window.first + n, run.mix, program);
    print_line(question_line(program, given.window.first + n, given.window.cases));
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
  for (std::uint64_t n = 0; n < given.window.cases; ++n) {
    generate(run.seed, given.window.first + n, run.mix, program);
    questions.add(program, given.window.first + n, given.window.cases);
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
  command.footer(R"(`lanecheck judge` judges the results of --questions and --folder.

Examples:
  lanecheck gen --cases 100 --first 1000000 > cases.jsonl
  lanecheck gen --questions --cases 100 | python3 my_sim.py > answers.jsonl)");
  command.action([given] { return gen_command(*given); });
}

}  // namespace lanecheck
