// A counter mode that stays on takes later masks for counts. Huge counts are not asked for again and again.
#include "fuzz/explain/smallest/small_masks.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "fuzz/explain/explain.h"
#include "fuzz/explain/questions/locate.h"
#include "oracle/execute/execute.h"
#include "spec/program/profile.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr std::string_view kSubThenOr = R"(profile ascendc-a2
ub 1280
alloc x i32 0 160 = 1 x40
alloc y i32 160 160 = 2 x40
alloc d u16 320 256 = 0 x128
alloc a u16 576 256 = 0 x128
alloc b u16 832 256 = 1 x128
sub.i32 x+0 blk=1 rep=8, y+0 blk=1 rep=8, x+0 blk=1 rep=8, count=40, repeat=1
)";

/// The count form of sub leaves counter mode on, and nobody sees it. `far`: how many counts led outside of
/// UB, where the last elements fill the rest of UB.
Backend that_keeps_counter_mode(unsigned& far) {
  Backend backend =
      function_backend("counts on", "", [&far](const Program& program, State& state) -> Outcome {
        const Semantics semantics(default_readings(program.profile));
        execute(prefix(program, 0), semantics, state);
        bool counts = false;
        for (Instruction insn : program.instructions) {
          if (counts && (insn.mask_from == MaskFrom::contiguous || insn.mask_from == MaskFrom::bitwise)) {
            if (insn.mask_from == MaskFrom::contiguous)
              insn.low = insn.low < 64 ? (1ull << insn.low) - 1 : ~0ull;
            const std::uint64_t count = insn.low & 0xffffffff;
            insn.mask_from = MaskFrom::count;
            insn.high = 0;
            insn.low = std::min<std::uint64_t>(count, lanes_of(insn));
            if (count > 1024) {
              ++far;
              std::fill(state.ub.end() - 64, state.ub.end(), std::byte{7});
            }
          } else if (insn.mask_from == MaskFrom::reg && counts) {
            state.mode = Mode::counter;
            state.mask = {};
            for (unsigned bit = 0; bit < 6; ++bit) state.mask[bit] = 40 >> bit & 1;
          }
          execute_one(program, insn, semantics, state);
          counts = insn.op == Op::sub && insn.mask_from == MaskFrom::count;
        }
        return Ran{};
      });
  backend.shows_mask = backend.shows_mode = false;
  return backend;
}

Finding explained(const std::string& text, unsigned& far) {
  const Backend backend = that_keeps_counter_mode(far);
  const Documented documented(Profile::a2, default_readings(Profile::a2), {});
  AskedBackend asked(backend, Profile::a2);
  return explain(parse_program(text, "test"), {}, asked, documented, true);
}

TEST(SmallMasks, AModeThatStaysOnBreaksSvm4FirstNAfterThoughMasksLeadOutsideOfUb) {
  for (const std::string mask : {"mask=128", "mask=0x0:0xffffffffffffffff", "mask=2"}) {
    unsigned far = 0;
    const Finding finding =
        explained(std::string(kSubThenOr) + "vor.u16 d+0 blk=1 rep=8, a+0 blk=1 rep=8, b+0 blk=1 rep=8, " +
                      mask + ", repeat=1\n",
                  far);
    EXPECT_EQ(finding.what, "sub.i32 leaves counter mode on instead of switching to normal mode");
    EXPECT_TRUE(has_small_masks(finding.program)) << print(finding.program);
    EXPECT_LE(far, 24u) << mask;  // of the predicate; it was 39 to 56
  }
}

/// Its dst has no elements, so that all that is written lies outside.
TEST(SmallMasks, ARepeatThoughRepeatTimesAre0BreaksTik3ScalarZero) {
  const Backend once = function_backend("once", "", [](const Program& given, State& state) -> Outcome {
    Program program = given;
    program.ub.resize(given.ub.size() + kRepeatBytes);
    for (Instruction& insn : program.instructions)
      if (insn.op == Op::dup) insn.repeat = std::max(insn.repeat, 1u);
    execute(program, Semantics(default_readings(given.profile)), state);
    state.ub.resize(given.ub.size());
    return Ran{};
  });
  const Documented documented(Profile::tik, default_readings(Profile::tik), {});
  AskedBackend asked(once, Profile::tik);
  const Finding finding = explain(parse_program(R"(profile tik
ub 64
alloc a f32 0 0
dup.f32 a+0 blk=1 rep=8, scalar=3, mask=0x0:0xffffffffffffffff, repeat=scalar:0
)",
                                                "test"),
                                  {}, asked, documented, true);
  EXPECT_EQ(finding.what, "dup.f32 performs a repeat although its repeat times are 0");
  EXPECT_EQ(finding.rules, std::vector<std::string>{"TIK-3-scalar-zero"});
}

}  // namespace
}  // namespace lanecheck
