// A set_mask that takes effect late is told from a backend that is right, and from one that ignores the mask.
#include "fuzz/explain/late_mask.h"

#include <gtest/gtest.h>

#include "oracle/execute/execute.h"

namespace lanecheck {
namespace {

std::optional<LateUntil> measured(const std::function<Program(const Program&)>& change) {
  const Documented documented(Profile::vmc, Readings{}, {});
  const Backend backend =
      function_backend("late", "", [change](const Program& program, State& state) -> Outcome {
        execute(change(program), Semantics{}, state);
        return Ran{};
      });
  AskedBackend asked(backend, Profile::vmc);
  return measure_late_mask(asked, documented);
}

TEST(LateMask, IsMeasured) {
  for (const LateUntil until : {LateUntil::after_next, LateUntil::after_next_gated})
    EXPECT_EQ(measured([until](const Program& program) { return with_late_masks(program, until); }), until);
}

TEST(LateMask, IsNotSaidOfOthers) {
  EXPECT_EQ(measured([](const Program& program) { return program; }), std::nullopt);
  EXPECT_EQ(measured([](Program program) {
              std::erase_if(program.instructions, [](const Instruction& i) { return i.op == Op::set_mask; });
              return program;
            }),
            std::nullopt);
}

}  // namespace
}  // namespace lanecheck
