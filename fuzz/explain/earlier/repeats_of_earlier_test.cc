// The repeats that an earlier instruction needed in counter mode. Expected: what each simulator here keeps.
#include "fuzz/explain/earlier/repeats_of_earlier.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "fuzz/explain/name_finding_testing.h"
#include "oracle/execute/execute.h"

namespace lanecheck {
namespace repeats_of_earlier_test {

using Forgets = std::function<bool(const Instruction&)>;

/// Counts the repeats of the first instruction in counter mode and has no more in later ones, until
/// `forgets`. All operands of its programs lie in a row: what later repeats wrote is taken back.
Backend keeps_repeats(const Forgets& forgets) {
  return function_backend("keeps", "", [forgets](const Program& program, State& state) -> Outcome {
    execute(prefix(program, 0), Semantics{}, state);
    const Semantics semantics(default_readings(program.profile));
    std::size_t kept = 0;
    for (const Instruction& insn : program.instructions) {
      const bool counts = !row_of(insn.op).operands.empty() &&
                          (insn.mask_from == MaskFrom::count || state.mode == Mode::counter);
      const std::uint64_t elements =
          insn.mask_from == MaskFrom::count ? insn.low : mask_word(state.mask, 0) & 0xffffffff;
      if (forgets(insn)) kept = 0;
      const std::vector<std::byte> old = state.ub;
      execute_one(program, insn, semantics, state);
      if (!counts) continue;
      if (kept == 0) kept = (elements + lanes_of(insn) - 1) / lanes_of(insn);
      const Allocation& dst = program.allocations[insn.operands[0].allocation];
      for (std::size_t byte = kept * kRepeatBytes; byte < dst.bytes; ++byte)
        state.ub[dst.offset + byte] = old[dst.offset + byte];
    }
    return Ran{};
  });
}

constexpr const char* kTik = R"(
profile tik
ub 2048
alloc a f32 0 512 = 0 x128
alloc b i32 512 512 = 0 x128
alloc s f32 1024 512 = 1 x128
alloc t i32 1536 512 = 1 x128
adds.f32 a+0 blk=1 rep=8, s+0 blk=1 rep=8, scalar=3, count=64, repeat=1
adds.i32 b+0 blk=1 rep=8, t+0 blk=1 rep=8, scalar=3, count=100, repeat=1
)";

constexpr const char* kRegister = R"(
profile ascendc-a2
ub 2048
alloc a f16 0 512 = 0 x256
alloc b i32 512 512 = 0 x128
alloc s f16 1024 512 = 1 x256
alloc t i32 1536 512 = 1 x128
set_mask_count
set_vector_mask.f16 high=0x0 low=0x64
adds.f16 a+0 blk=1 rep=8, s+0 blk=1 rep=8, scalar=3, repeat=1
adds.i32 b+0 blk=1 rep=8, t+0 blk=1 rep=8, scalar=3, repeat=1
)";

TEST(RepeatsOfEarlier, TheCountOfAnOperandIsCountedOnce) {
  EXPECT_EQ(named(kTik, keeps_repeats([](const Instruction&) { return false; })).what,
            "adds.i32 runs at most as many repeats in counter mode as the earlier adds.f32 (instruction 1)");
}

TEST(RepeatsOfEarlier, TheCountInTheRegisterIsCountedOnce) {
  EXPECT_EQ(named(kRegister, keeps_repeats([](const Instruction&) { return false; })).what,
            "adds.i32 runs at most as many repeats in counter mode as the earlier adds.f16 (instruction 3)");
}

TEST(RepeatsOfEarlier, UntilTheRegisterIsSet) {
  const Forgets at_setter = [](const Instruction& insn) {
    return row_of(insn.op).mask == MaskUse::is_mask_state;
  };
  EXPECT_EQ(named(kRegister, keeps_repeats(at_setter)).what,
            "adds.i32 runs at most as many repeats in counter mode as the earlier adds.f16 (instruction 3), "
            "not if set_vector_mask.f16 comes between them");
}

/// Two repeats in all instructions that count is another mistake.
TEST(RepeatsOfEarlier, NotSaidOfAFixedNumberOfRepeats) {
  const Backend fixed = function_backend("fixed", "", [](const Program& program, State& state) -> Outcome {
    execute(prefix(program, 0), Semantics{}, state);
    for (Instruction insn : program.instructions) {
      if (insn.mask_from == MaskFrom::count) insn.low = std::min<std::uint64_t>(insn.low, lanes_of(insn));
      execute_one(program, insn, Semantics(default_readings(Profile::tik)), state);
    }
    return Ran{};
  });
  EXPECT_EQ(named(kTik, fixed).what.find("at most as many repeats"), std::string::npos);
}

}  // namespace repeats_of_earlier_test
}  // namespace lanecheck
