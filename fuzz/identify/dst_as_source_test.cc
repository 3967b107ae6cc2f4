// Elements that are taken from dst instead of from the source.
#include "fuzz/identify/identify_testing.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace dst_as_source_test {

/// The last instruction finds in its source, from the start on, what dst holds.
Ask takes_dst(Op op) {
  const auto copied = [op](const Program& given) {
    Program program = given;
    const Instruction& insn = program.instructions.back();
    if (insn.op != op) return program;
    const std::uint32_t dst = start_of(program, insn.operands[0]), src = start_of(program, insn.operands[1]);
    const auto bytes = static_cast<std::ptrdiff_t>(program.ub.size() - std::max(dst, src));
    std::copy_n(given.ub.begin() + dst, std::min<std::ptrdiff_t>(bytes, dst < src ? src - dst : bytes),
                program.ub.begin() + src);
    return program;
  };
  return [copied](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      const Program &given = batch.programs[n], changed = copied(given);
      ask_oracle()({{&changed, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
      State& state = batch.states[n];
      for (std::size_t at = 0; at < given.ub.size(); ++at)  // nothing was copied: only dst is written
        if (state.ub[at] == changed.ub[at]) state.ub[at] = given.ub[at];
    }
  };
}

TEST(DstAsSource, IsNoInstructionThatPerformsNoRepeat) {
  EXPECT_EQ(said("gather.u16", takes_dst(Op::gather)),
            "gather.u16 takes its elements from dst instead of from src");
  EXPECT_EQ(said("gather.f32", takes_dst(Op::gather)),
            "gather.f32 takes its elements from dst instead of from src");
}

}  // namespace dst_as_source_test
}  // namespace lanecheck
