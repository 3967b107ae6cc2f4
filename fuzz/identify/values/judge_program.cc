#include "fuzz/identify/values/judge_program.h"

#include <algorithm>
#include <cstring>

#include "oracle/compare/accept.h"
#include "oracle/execute/execute.h"
#include "spec/mask/footprint.h"
#include "spec/program/profile.h"

namespace lanecheck {

void judge_program(const Program& program, const State& actual, std::vector<JudgedResult>& results) {
  const Instruction& insn = program.instructions.back();
  const Row& row = row_of(insn.op);
  State expected;
  const AcceptMap lenient = accept_sets(program, Semantics(default_readings(program.profile)), expected);
  const std::size_t start = start_of(program, insn.operands[0]);
  const unsigned bits = row.compares ? 1 : 8 * size_of(operand_type(insn, row.operands[0]));
  const std::uint32_t count =
      insn.repeat * (has_result_of_each_lane(insn) ? lanes_of(insn) : results_per_repeat(insn));
  for (std::uint32_t n = 0; n < count; ++n) {
    const std::size_t at = start + std::size_t{n} * bits / 8, bytes = std::max(1u, bits / 8);
    JudgedResult result{&program, n, 0, 0, false};
    std::memcpy(&result.actual, &actual.ub[at], bytes);
    std::memcpy(&result.expected, &expected.ub[at], bytes);
    if (row.compares) {
      result.actual = result.actual >> n % 8 & 1;
      result.expected = result.expected >> n % 8 & 1;
    }
    if (result.actual != result.expected)
      for (std::size_t byte = at; byte < at + bytes; ++byte)
        result.is_wrong |= actual.ub[byte] != expected.ub[byte] && !lenient.admits(actual.ub, byte);
    results.push_back(result);
  }
}

}  // namespace lanecheck
