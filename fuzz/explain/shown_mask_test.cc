// The mask that a backend shows at the end, and the one that its instructions obey.
#include "fuzz/explain/shown_mask.h"

#include <gtest/gtest.h>

#include "fuzz/explain/explain.h"
#include "fuzz/explain/name_finding_testing.h"
#include "oracle/execute/execute.h"

namespace lanecheck {
namespace {

constexpr std::string_view kSetMask = R"(
ub 32
alloc a u8 0 32 = 0 x32
set_mask high=0x1 low=0xff00
)";

/// The oracle, which shows a full mask, or really has one.
Backend with_full_mask(bool obeys_it) {
  return function_backend("full", "", [=](const Program& program, State& state) -> Outcome {
    Program changed = program;
    if (obeys_it)
      std::erase_if(changed.instructions, [](const Instruction& insn) { return insn.op == Op::set_mask; });
    execute(changed, Semantics(default_readings(program.profile)), state);
    state.mask = kFullMask;
    return Ran{};
  });
}

Finding explained(const Backend& backend) {
  const Program program = parse_program(kSetMask, "test");
  const Documented documented(program.profile, default_readings(program.profile), {});
  AskedBackend asked(backend, program.profile);
  return explain(program, {}, asked, documented, true);
}

/// VMC-2-low-word is obeyed: only what is shown is wrong.
TEST(ShownMask, AnotherMaskIsShownThanTheOneThatIsObeyed) {
  EXPECT_EQ(
      explained(with_full_mask(false)).what,
      "the mask that it shows at the end of a program is not the one that its instructions obey: a dup.u8 "
      "behind this program writes the documented lanes");
}

TEST(ShownMask, NothingIsSaidIfTheShownMaskIsObeyed) {
  EXPECT_NE(explained(with_full_mask(true)).id, "measured-shown-mask");
}

}  // namespace
}  // namespace lanecheck
