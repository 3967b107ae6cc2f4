// When a fault happens: with which strides, asked with data that move along, and in which way to count.
#include <gtest/gtest.h>

#include "fuzz/explain/explain.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/mask/footprint.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace predicate_ways_test {

std::string predicate_with(const std::function<void(const Program&, State&)>& run, std::string_view text) {
  const Program program = parse_program(text, "test");
  EXPECT_FALSE(find_fault(program));
  const Documented documented(program.profile, default_readings(program.profile), {});
  const Backend backend = function_backend("faulty", "", [=](const Program& given, State& state) -> Outcome {
    execute(given, Semantics(default_readings(given.profile)), state);
    if (!given.instructions.empty()) run(given, state);
    return Ran{};
  });
  AskedBackend asked(backend, program.profile);
  return explain(program, {}, asked, documented, true).predicate;
}

/// The maximum is kept from repeat to repeat. The greatest element lies in a data block that other strides do
/// not reach.
TEST(PredicateWays, ElementsMoveWithTheBlockStride) {
  const auto keeps_maximum = [](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::cmax || insn.src_type != Element::i32 || insn.operands[0].repeat_stride != 0) return;
    std::int32_t most = std::numeric_limits<std::int32_t>::min();
    for (unsigned repeat = 0; repeat < insn.repeat; ++repeat)
      for (unsigned lane = 0; lane < 64; ++lane)
        most = std::max(
            most, load<std::int32_t>(
                      &program.ub[start_of(program, insn.operands[1]) + lane_offset(insn, 1, repeat, lane)]));
    if (insn.repeat > 0) store(&state.ub[start_of(program, insn.operands[0])], most);
  };
  const std::string predicate = predicate_with(keeps_maximum, R"(
ub 1024
alloc d i32 0 32 = 0 x8
alloc s i32 32 768 = -91 x94, -55, -92 x97
cmax.i32 d+0 rep=0, s+0 blk=1 rep=8, repeat=3
)");
  EXPECT_NE(predicate.find("for every block stride tried (1 of src, 2 of src)"), std::string::npos)
      << predicate;
}

/// Which offsets there are does not matter, so one repeat shows that it is not wrong.
TEST(PredicateWays, OneRepeatOfAGatherThatObeysTheMaskInALaterOne) {
  const auto obeys_in_last = [](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::gather || insn.repeat < 2) return;
    State before;
    execute(Program{program.profile, program.allocations, {program.instructions.front()}, program.ub},
            Semantics{}, before);
    for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
      const std::size_t at =
          start_of(program, insn.operands[0]) + lane_offset(insn, 0, insn.repeat - 1, lane);
      if (before.mask[lane] == 0) std::copy_n(&program.ub[at], size_of(insn.dst_type), &state.ub[at]);
    }
  };
  const std::string predicate = predicate_with(obeys_in_last, R"(
ub 2048
alloc d u16 0 512 = 0 x256
alloc s u16 512 512 = 1 x256
alloc o u32 1024 1024 = 0 x256
set_mask high=0xffffffffffffffff low=0xfffffffffffffffe
gather.u16 d+0 rep=8, s+0, o+0, repeat=2
)");
  EXPECT_NE(predicate.find("with repeat time 2, 3, 8, not with repeat time 1"), std::string::npos)
      << predicate;
}

TEST(PredicateWays, InOneWayToCount) {
  const auto stays_in_counter_mode = [](const Program& program, State& state) {
    const Instruction& last = program.instructions.back();
    if (last.op != Op::gather_mask || last.settings[1] != 0) return;
    for (const Instruction& insn : program.instructions)
      if (insn.op == Op::set_mask_count) state.mode = Mode::counter;
  };
  const std::string predicate = predicate_with(stays_in_counter_mode, R"(
profile ascendc-a2
ub 1024
alloc d i32 0 256 = 0 x64
alloc s i32 256 256 = 3 x64
alloc n u64 512 32
set_mask_count
gather_mask.i32 d+0, s+0 blk=1 rep=8, n+0, pattern=1, counter=0, mask=0, repeat=1
)");
  EXPECT_NE(predicate.find("with counter=0, not with counter=1"), std::string::npos) << predicate;
}

}  // namespace predicate_ways_test
}  // namespace lanecheck
