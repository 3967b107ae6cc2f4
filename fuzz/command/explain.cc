// lanecheck explain: execute one program on the oracle and show what each instruction writes.
#include "fuzz/explain/questions/lane_rows.h"

#include <unistd.h>

#include <iostream>
#include <memory>
#include <optional>

#include "corpus/case.h"
#include "fuzz/command/options.h"
#include "fuzz/command/signals.h"
#include "fuzz/explain/questions/locate.h"
#include "fuzz/run/judge.h"
#include "oracle/compare/compare.h"
#include "oracle/execute/execute.h"
#include "reports/exit_code.h"
#include "reports/format.h"
#include "reports/terminal.h"
#include "spec/legality/find_fault.h"
#include "spec/program/input_error.h"
#include "spec/program/profile.h"
#include "spec/text/input_file.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

struct ExplainCommand {
  BackendGroup backend;
  ProfileGroup profile;
  ReadingsGroup readings;
  SeedGroup seed;
  std::string path;                    ///< case file (JSON) or program (text)
  std::optional<std::uint64_t> index;  ///< of a generated case, instead of a file
};

struct ExplainedProgram {
  std::string name;
  Program program;
  Readings readings;
};

/// The case that `run` sends to this backend; without a backend, all of the generated case.
ExplainedProgram generated(const ExplainCommand& given, const Backend* backend) {
  RunOptions run = run_options(given.profile.profile(), given.readings, given.seed.seed);
  ExplainedProgram explained{"case " + std::to_string(*given.index), {}, {}};
  if (backend == nullptr) {
    generate(run.seed, *given.index, run.mix, explained.program);
  } else {
    require_profile(*backend, run.mix.profile);
    pin_readings_of(*backend, run);
    if (const std::string why = generate_for(*backend, run, *given.index, explained.program); !why.empty())
      throw InputError(explained.name, "`run` does not send it to this backend: " + why);
  }
  explained.readings = run.readings;
  return explained;
}

ExplainedProgram from_text(const std::string& path) {
  Program program = parse_program(read_input_file(path), path);
  const Readings readings = default_readings(program.profile);
  return {path, std::move(program), readings};
}

ExplainedProgram from_case(const std::string& path) {
  Case c = load_case(path);
  return {path, std::move(c.program), c.readings};
}

/// The program that is asked for (a generated one is made for `backend` if it is not null), which is legal
/// under its readings.
ExplainedProgram load(const ExplainCommand& given, const Backend* backend) {
  if (!given.index && given.path.empty())
    throw InputError("explain", "give a case file, a program, or --seed and --index");
  ExplainedProgram explained;
  if (given.index) {
    explained = generated(given, backend);
  } else {
    explained = given.path.ends_with(".json") ? from_case(given.path) : from_text(given.path);
    given.readings.pin_into(explained.readings, explained.program.profile);
  }
  if (const auto fault = find_fault(explained.program, explained.readings))
    throw InputError(explained.name, "illegal: " + describe(explained.program, *fault) + " (" +
                                         std::string(fault->rule->id) + "); it is not executed");
  return explained;
}

void print_mask(const Mask& mask) {
  std::cout << "   mask ";
  for (unsigned slot = 0; slot < kMaskSlots; ++slot)
    std::cout << (slot % 64 == 0 && slot > 0 ? "\n        " : "") << (mask[slot] != 0 ? '#' : '.');
  std::cout << '\n';
}

void print_step(const ExplainedProgram& explained, const Instruction& insn, const State& before,
                const State& after, const Style& style) {
  if (before.mode != after.mode)
    std::cout << "   mode " << kModeNames[static_cast<std::size_t>(after.mode)] << '\n';
  if (before.mask != after.mask || row_of(insn.op).mask == MaskUse::is_mask_state) print_mask(after.mask);
  const auto lanes = lane_rows(explained.program, insn, explained.readings, before, after, after);
  if (!lanes.empty()) print_lane_map(std::cout, lanes, style);
}

/// What `backend` leaves after the first `count` instructions, beside what the oracle computes. False if it
/// differs or does not run them.
bool print_actual(const ExplainedProgram& explained, std::size_t count, const Backend& backend,
                  const State& before, const State& expected, const Style& style) {
  const Program part = prefix(explained.program, count);
  const std::string name = printable(backend.name);
  if (const auto why = skips(part, backend)) {
    std::cout << "   " << name << " skips this: " << printable(*why) << '\n';
    return true;
  }
  State actual;
  const Outcome outcome = backend.run(part, actual);
  if (!std::holds_alternative<Ran>(outcome)) {
    std::cout << "   " << name << " does not run this\n";
    return false;
  }
  const Comparison comparison =
      compare(part, Semantics(explained.readings), actual, backend.shown(part.profile));
  std::cout << "   " << name << (comparison.agrees ? " agrees\n" : " differs:\n");
  if (comparison.agrees) return true;
  Finding shown;
  shown.program = part;
  shown.instruction = count - 1;
  shown.lanes = lane_rows(part, part.instructions.back(), explained.readings, before, expected, actual);
  const ResolvedInstruction resolved =
      describe_mask(shown, part.instructions.back(), before, explained.readings);
  shown.outside = bytes_outside_dst(part, resolved.insn, before, expected, actual, comparison.bytes);
  shown.mask_differs = comparison.mask_differs;
  shown.expected = expected;
  shown.actual = as_shown(std::move(actual), expected, backend.shown(part.profile));
  print_lane_map(std::cout, shown.lanes, style);
  print_differences(std::cout, shown);
  return false;
}

/// Shows the program step by step; `backend` may be null. Throws Stopped after a signal.
int show_steps(const ExplainedProgram& explained, const Backend* backend) {
  const Program& program = explained.program;
  const Style style = style_of(STDOUT_FILENO);
  const Semantics semantics(explained.readings);
  State state{program.ub, semantics.initial_mask};
  bool agrees = true;
  std::cout << "profile " << row_of(program.profile).name << ", " << program.ub.size() << " bytes of UB\n";
  print_data(std::cout, program);
  for (std::size_t n = 0; n < program.instructions.size(); ++n) {
    const Instruction& insn = program.instructions[n];
    if (stop_requested()) throw Stopped();
    const State before = state;
    execute_one(program, insn, semantics, state);
    std::cout << n + 1 << "  " << print_instruction(program, insn) << '\n';
    print_step(explained, insn, before, state, style);
    if (backend != nullptr) agrees &= print_actual(explained, n + 1, *backend, before, state, style);
  }
  return agrees ? kConforms : kDiverges;
}

int explain_command(const ExplainCommand& given, bool asks) {
  std::optional<ExplainedProgram> explained;
  if (!given.index) explained = load(given, nullptr);
  handle_stop_signals();  // not before: a file that never ends must be ended by a signal
  std::optional<Backend> backend;
  if (asks) backend = stoppable(given.backend.find());
  const Backend* const asked = backend ? &*backend : nullptr;
  if (given.index) explained = load(given, asked);
  try {
    return show_steps(*explained, asked);
  } catch (const Stopped&) {
    std::cout << "interrupted: the steps after this one were not shown\n";
    return kFailure;
  }
}

}  // namespace

void add_explain(CommandLine& line) {
  Command command = line.add("explain", "execute one program and show the mask and the lanes of each step");
  const auto given = std::make_shared<ExplainCommand>();
  const Argument path = command.text("path", given->path, "case file (JSON) or program (text)");
  const Argument index =
      command.number("--index", given->index, "index of a generated case, instead of a file").excludes(path);
  given->seed.declare(command).needs(index);
  given->profile.declare(command).needs(index);  // a file says its own profile
  given->readings.declare(command);
  std::vector<Argument> attaching;
  const Argument backend = given->backend.declare(command, &attaching);
  for (Argument& each : attaching) each.needs(backend);
  command.footer(
      std::string(kIndexHelp) +
      " Without --backend, all of the generated case is shown.\n\n"
      "The lines of a finding, from its first instruction to its last allocation, are a program: copy them\n"
      "into a file, with a line 'profile NAME' above them if the profile is not vmc.\n\n"
      "Examples:\n  lanecheck explain program.txt\n  lanecheck explain corpus/VMC-3.1-dup/f32.json\n"
      "  lanecheck explain --seed 1 --index 3\n"
      "  lanecheck explain program.txt --backend wrong:dup-ignores-mask");
  command.action([given, backend] { return explain_command(*given, backend.given()); });
}

}  // namespace lanecheck
