// What is said of repeats and data blocks that are left out because of what the sources hold.
#include <cstring>

#include "fuzz/identify/identify_testing.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace unwritten_parts_test {

/// The oracle, except that parts (repeats or data `blocks`) of `op` keep their old dst if `is_left` holds for
/// the first and the last source of each lane.
template <class IsLeft>
Ask without_parts(Op op, bool blocks, IsLeft is_left) {
  return then([=](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != op) return;
    State before;
    before.ub = program.ub;
    const auto last = static_cast<unsigned>(row_of(op).operands.size()) - 1;
    const auto at = [&](unsigned k, unsigned r, unsigned lane) {
      return start_of(program, insn.operands[k]) + lane_offset(insn, k, r, lane);
    };
    const unsigned part = lanes_of(insn) / (blocks ? kRepeatBlocks : 1);
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned first = 0; first < lanes_of(insn); first += part) {
        bool left = true;
        for (unsigned lane = first; lane < first + part; ++lane)
          left = left && is_left(value_of(insn.src_type, bits_at(before, at(1, r, lane), insn.src_type)),
                                 value_of(insn.src_type, bits_at(before, at(last, r, lane), insn.src_type)));
        for (unsigned lane = first; left && lane < first + part; ++lane)
          std::memcpy(&state.ub[at(0, r, lane)], &program.ub[at(0, r, lane)], size_of(insn.dst_type));
      }
  });
}

TEST(UnwrittenParts, ARepeatThatReluDoesNotChange) {
  const Ask ask = without_parts(Op::relu, false, [](double source, double) { return source >= 0; });
  for (const std::string name : {"relu.f32", "relu.f16"})
    EXPECT_EQ(said(name, ask), name + " does not write a repeat in which each result is the element of src");
}

TEST(UnwrittenParts, ADataBlockOfEqualSources) {
  const Ask ask = without_parts(Op::vmin, true, [](double first, double last) { return first == last; });
  for (const std::string name : {"vmin.f32", "vmin.i16"})
    EXPECT_EQ(said(name, ask), name + " does not write a data block in which src0 and src1 are equal");
}

}  // namespace unwritten_parts_test
}  // namespace lanecheck
