// libFuzzer: case files, programs as JSON and programs as text. Whatever is read is either taken or refused
// with an InputError. What is taken is printed and read back as the same program, then goes through what
// `lanecheck replay` and `lanecheck explain` do: legality, the oracle step by step, the example simulator,
// the comparison of both, the lane map.
#include <cstdint>
#include <cstdlib>
#include <sstream>

#include "corpus/case.h"
#include "fuzz/explain/questions/lane_rows.h"
#include "fuzz/simulator/refuse.h"
#include "fuzz/simulator/simulator.h"
#include "oracle/compare/compare.h"
#include "oracle/execute/execute.h"
#include "reports/terminal.h"
#include "spec/legality/find_fault.h"
#include "spec/program/input_error.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// What lanecheck prints it must read.
template <class Check>
void must_hold(Check check) {
  try {
    if (check()) return;
  } catch (const InputError&) {
  }
  std::abort();
}

/// What `lanecheck explain` does with a legal program. Returns the state at its end.
State explain(const Program& program, const Semantics& semantics) {
  std::ostringstream out;
  print_data(out, program);
  State state{program.ub, semantics.initial_mask};
  for (const Instruction& insn : program.instructions) {
    const State before = state;
    execute_one(program, insn, semantics, state);
    out << print_instruction(program, insn) << '\n';
    print_lane_map(out, lane_rows(program, insn, semantics.readings, before, state, state), {});
  }
  return state;
}

void execute_all(const Program& program, const Readings& readings) {
  State simulated;
  const bool ran = !simulator::refusal(program);
  if (ran) simulator::run(program, simulated);
  if (const auto fault = find_fault(program, readings)) {
    describe(program, *fault);
    return;
  }
  const Semantics semantics(readings);
  const State stepped = explain(program, semantics);
  State whole;
  execute(program, semantics, whole);
  must_hold([&] { return whole.ub == stepped.ub && whole.mask == stepped.mask; });
  if (ran) compare(program, semantics, simulated, {true, true});
}

void read_case(std::string_view text) {
  const Case read = parse_case(text, "fuzzer");
  must_hold([&] { return parse_case(print_case(read), "printed").program == read.program; });
  execute_all(read.program, read.readings);
}

void read_text(std::string_view text) {
  const Program read = parse_program(text, "fuzzer");
  must_hold([&] { return parse_program(print(read), "printed") == read; });
  execute_all(read, default_readings(read.profile));
}

}  // namespace
}  // namespace lanecheck

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    text.starts_with('{') ? lanecheck::read_case(text) : lanecheck::read_text(text);
  } catch (const lanecheck::InputError&) {  // the only exception that a file may cause
  }
  return 0;
}
