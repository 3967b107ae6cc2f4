// A wrong count of reductions is measured last of all: the questions must last until then.
#include <gtest/gtest.h>

#include "fuzz/run/faulty_backend_testing.h"
#include "fuzz/run/run.h"
#include "oracle/execute/execute.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace counted_reductions_test {

/// In counter mode a reduction takes the whole last repeat.
Program with_whole_repeats(const Program& given) {
  Program program = given;
  program.instructions.clear();
  bool counts = false;
  std::uint64_t held = 0;
  for (Instruction insn : given.instructions) {
    if (insn.op == Op::set_mask_count || insn.op == Op::set_mask_norm) counts = insn.op == Op::set_mask_count;
    if (insn.op == Op::set_vector_mask_total) held = insn.settings[0];
    const bool has_words = insn.op == Op::set_vector_mask || insn.mask_from == MaskFrom::bitwise;
    if (counts && has_words) held = insn.low;
    if (insn.mask_from == MaskFrom::count || row_of(insn.op).compacts)
      counts = false;                                                               // they leave normal mode
    if (insn.op == Op::reset_mask || insn.op == Op::set_vector_mask_len) held = 0;  // no number of elements
    const bool is_wrong = counts && row_of(insn.op).family == Family::reductions && held != 0;
    Instruction total;
    total.op = Op::set_vector_mask_total;
    if (is_wrong) {
      const std::uint64_t lanes = lanes_of(insn);
      total.settings[0] = static_cast<std::uint32_t>((held + lanes - 1) / lanes * lanes);
      program.instructions.push_back(total);
      insn.mask_from = MaskFrom::reg;
    }
    program.instructions.push_back(insn);
    if (!is_wrong) continue;
    total.settings[0] = static_cast<std::uint32_t>(held);
    program.instructions.push_back(total);
  }
  return program;
}

TEST(CountedReductions, SVM_2_reductions_AWholeLastRepeatIsOneFinding) {
  RunOptions options;
  options.mix.profile = Profile::a2;
  options.readings = default_readings(Profile::a2);
  options.cases = 3000;
  options.illegal_in_32 = 0;
  const Backend backend = function_backend("faulty", "", [](const Program& given, State& state) -> Outcome {
    execute(with_whole_repeats(given), Semantics(default_readings(given.profile)), state);
    return Ran{};
  });
  const auto findings = run(options, backend).findings;
  for (const Finding& each : findings)
    EXPECT_NE(each.what.find("takes whole repeats of"), std::string::npos) << each.what;
  EXPECT_EQ(findings.size(), 1u);
}

}  // namespace counted_reductions_test
}  // namespace lanecheck
