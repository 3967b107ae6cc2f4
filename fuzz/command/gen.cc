// lanecheck gen: generated cases with their expected results, as JSON Lines.
#include <iostream>
#include <memory>
#include <stdexcept>

#include "corpus/case.h"
#include "fuzz/command/options.h"
#include "oracle/execute/execute.h"
#include "reports/exit_code.h"

namespace lanecheck {
namespace {

struct GenCommand {
  ProfileGroup profile;
  WindowGroup window;
};

int gen_command(const GenCommand& given) {
  given.window.check();
  const RunOptions run = run_options(given.profile.profile(), {}, given.window.seed);
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
    std::cout << print_case_line(c);
    if (!std::cout) throw std::runtime_error("standard output: could not be written");
  }
  return kConforms;
}

}  // namespace

void add_gen(CommandLine& line) {
  Command command = line.add("gen", "print generated cases with their expected results as JSON Lines");
  const auto given = std::make_shared<GenCommand>();
  given->window.cases = 10;
  given->profile.declare(command);
  given->window.declare(command);
  command.footer("Example:\n  lanecheck gen --cases 100 --first 1000000 > cases.jsonl");
  command.action([given] { return gen_command(*given); });
}

}  // namespace lanecheck
