// A program with one thing changed has nothing else changed.
#include "fuzz/explain/questions/variation.h"

#include <gtest/gtest.h>

#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// The program gives -1.3, which no binary type holds. A simulator that does not round it is wrong in each
/// type.
TEST(Variation, OtherTypesTakeTheScalarAsTheProgramGivesIt) {
  Variation variation = variation_of(parse_program(R"(
ub 512
alloc d f16 0 256 = 0 x128
alloc s f16 256 256 = -3 x128
lrelu.f16 d+0 blk=1 rep=8, s+0 blk=1 rep=8, scalar=-1.3, repeat=1
)",
                                                   "test"),
                                     0);
  ASSERT_TRUE(set_types(variation, {Element::f32, Element::f32}));
  EXPECT_EQ(variation.insn().scalar.value, -1.3);
  EXPECT_EQ(variation.insn().scalar.bits, nearest(Element::f32, -1.3));
}

}  // namespace
}  // namespace lanecheck
