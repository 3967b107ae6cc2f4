// Results of no active lane that get what an earlier reduction had there. Expected: what the simulator here
// keeps.
#include "fuzz/explain/earlier/results_of_earlier.h"

#include <gtest/gtest.h>

#include "fuzz/explain/earlier/carried_fields.h"
#include "fuzz/explain/name_finding_testing.h"
#include "oracle/execute/execute.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace results_of_earlier_test {

/// Eight results of cgmax.i32 and cgadd.i32 are kept; all of them are written, also those of no active lane.
Backend keeps_its_results() {
  return function_backend("keeps its results", "", [](const Program& program, State& state) -> Outcome {
    execute(prefix(program, 0), Semantics{}, state);
    std::array<std::int32_t, 8> results{};
    std::array<bool, 8> filled{};
    for (const Instruction& insn : program.instructions) {
      execute_one(program, insn, Semantics{}, state);
      if ((insn.op != Op::cgmax && insn.op != Op::cgadd) || insn.src_type != Element::i32) continue;
      for (unsigned repeat = 0; repeat < insn.repeat; ++repeat)
        for (unsigned block = 0; block < 8; ++block) {
          std::byte* const at =
              &state.ub[start_of(program, insn.operands[0]) + repeat * repeat_step(insn, 0) + 4 * block];
          const bool is_active = std::any_of(&state.mask[8 * block], &state.mask[8 * block + 8],
                                             [](auto slot) { return slot != 0; });
          if (is_active) results[block] = load<std::int32_t>(at);
          filled[block] = filled[block] || is_active;
          if (filled[block]) store(at, results[block]);
        }
    }
    return Ran{};
  });
}

TEST(ResultsOfEarlier, ABlockOfNoActiveLaneGetsTheResultOfBefore) {
  for (const std::string earlier : {"cgmax.i32", "cgadd.i32"}) {
    const Finding finding = named(
        "ub 1024\nalloc a i32 0 32 = 0 x8\nalloc s i32 64 256 = 4 x64\nalloc b i32 352 32 = 1 x8\n"
        "alloc t i32 416 256 = 3 x64\n" +
            earlier +
            " a+0 rep=1, s+0 blk=1 rep=8, repeat=1\n"
            "set_mask high=0x0 low=0xffffffffffffff\ncgmax.i32 b+0 rep=1, t+0 blk=1 rep=8, repeat=1\n",
        keeps_its_results());
    EXPECT_EQ(finding.what,
              "cgmax.i32 writes, as a result of no active lane, the result that instruction 1 (" + earlier +
                  ") had there, instead of keeping dst");
  }
}

}  // namespace results_of_earlier_test
}  // namespace lanecheck
