// A wrong count of reductions is measured last of all: the questions must last until then.
#include <gtest/gtest.h>

#include "fuzz/run/faulty_backend_testing.h"
#include "fuzz/run/run.h"
#include "oracle/execute/execute.h"
#include "spec/mask/footprint.h"
#include "spec/mask/mask_register.h"

namespace lanecheck {
namespace counted_reductions_test {

/// In counter mode a reduction takes the whole last repeat.
Program with_whole_repeats(const Program& given) {
  const Readings readings = default_readings(given.profile);
  Program program = given;
  program.instructions.clear();
  const auto set_total = [&](std::uint64_t total) {
    program.instructions.push_back({.op = Op::set_vector_mask_total});
    program.instructions.back().settings[0] = static_cast<std::uint32_t>(total);
  };
  MaskBits mask;
  for (Instruction insn : given.instructions) {
    mask.load(insn, readings);
    const std::uint64_t count = mask.words[0], lanes = lanes_of(insn);
    const bool is_wrong = mask.mode == Mode::counter && row_of(insn.op).family == Family::reductions &&
                          insn.mask_from != MaskFrom::count && count <= kMostTotal - lanes;
    mask.leave(insn, readings);
    if (is_wrong) {
      set_total((count + lanes - 1) / lanes * lanes);
      insn.mask_from = MaskFrom::reg;
    }
    program.instructions.push_back(insn);
    if (is_wrong) set_total(count);
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
