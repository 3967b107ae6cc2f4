// An operand whose repeats lie as far apart as the repeat stride of another operand says.
#include <gtest/gtest.h>

#include "fuzz/identify/identify_testing.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace distance_laws_test {

/// What is said of `name` if operand `k` moves on by `unit` bytes times the repeat stride of operand `other`.
/// A repeat that would leave UB is not executed.
std::string said_if_moved(const std::string& name, unsigned k, unsigned other, std::uint32_t unit) {
  const Op op = subject_of(name).insn.op;
  return said(name, with_program([=](Program& program) {
                const Instruction whole = program.instructions.back();
                if (whole.op != op) return;
                program.instructions.pop_back();
                for (unsigned r = 0; r < whole.repeat; ++r) {
                  Instruction one = one_repeat(whole, r);
                  one.operands[k].offset =
                      whole.operands[k].offset + r * unit * whole.operands[other].repeat_stride;
                  const std::uint32_t reach = row_of(op).operands[k].walk == Walk::indexed ? 4096 : 0;
                  Instruction last = one;
                  last.operands[k].offset += reach;
                  if (is_inside_ub(program, last)) program.instructions.push_back(one);
                }
              }));
}

/// The number that one program shows is no constant: it follows the other stride.
TEST(DistanceLaws, RepeatsFollowTheRepeatStrideOfAnotherOperand) {
  const std::string moves = " moves on from repeat to repeat by ";
  EXPECT_EQ(said_if_moved("cgmax.i16", 1, 0, 256),
            "src of cgmax.i16" + moves + "8 data blocks times the repeat stride of dst");
  EXPECT_EQ(said_if_moved("cgmax.i16", 0, 1, 2),
            "dst of cgmax.i16" + moves + "as many elements as the repeat stride of src has data blocks");
  EXPECT_EQ(said_if_moved("select.i16", 1, 0, 2),
            "control of select.i16" + moves + "as many bits as the repeat stride of dst has elements");
  EXPECT_EQ(said_if_moved("compare.f16", 0, 1, 2),
            "dst of compare.f16" + moves + "as many bits as the repeat stride of src0 has elements");
  EXPECT_EQ(said_if_moved("scatter.i16", 0, 1, 32),
            "dst of scatter.i16" + moves + "the repeat stride of src, in data blocks");
}

}  // namespace distance_laws_test
}  // namespace lanecheck
