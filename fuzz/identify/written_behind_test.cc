// What is said of instructions that write more than their results.
#include <cstring>

#include "fuzz/identify/identify_testing.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace written_behind_test {

/// The oracle, repeat by repeat; after each one of `op`, `change(step)` changes UB of the program of this
/// repeat.
template <class Change>
Ask after_each_repeat(Op op, Change change) {
  return [=](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program step = batch.programs[n];
      const Instruction whole = step.instructions.back();
      if (whole.op != op) {
        ask_oracle()({{&step, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
        continue;
      }
      for (unsigned r = 0; r < std::max(whole.repeat, 1U); ++r) {
        step.instructions.back() = whole.repeat == 0 ? whole : one_repeat(whole, r);
        ask_oracle()({{&step, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
        step.ub = batch.states[n].ub;
        if (whole.repeat > 0) change(step);
      }
      batch.states[n].ub = step.ub;
    }
  };
}

/// `more(ub, start)` writes into UB, from where the repeat starts in dst.
template <class More>
Ask with_more_written(Op op, More more) {
  return after_each_repeat(
      op, [more](Program& step) { more(step.ub, start_of(step, step.instructions.back().operands[0])); });
}

TEST(WrittenBehind, ASumOf16BitsWrites32) {
  const Ask ask = with_more_written(Op::cadd, [](std::vector<std::byte>& ub, std::size_t start) {
    if (start + 4 <= ub.size()) std::fill_n(&ub[start + 2], 2, std::byte{0});
  });
  EXPECT_EQ(said("cadd.f16", ask), "cadd.f16 writes 0 into the 2 bytes behind the results of each repeat");
}

TEST(WrittenBehind, ASumTwice) {
  const Ask ask = with_more_written(Op::cadd, [](std::vector<std::byte>& ub, std::size_t start) {
    if (start + 8 <= ub.size()) std::memcpy(&ub[start + 4], &ub[start], 4);
  });
  EXPECT_EQ(said("cadd.i32", ask),
            "cadd.i32 writes the last element of the results of each repeat into the 4 bytes behind it, too");
}

TEST(WrittenBehind, ZerosUpToAWholeRepeat) {
  const Ask ask = with_more_written(Op::cpadd, [](std::vector<std::byte>& ub, std::size_t start) {
    const std::size_t end = start + 128;
    if (end < ub.size()) std::fill_n(&ub[end], std::min<std::size_t>(128, ub.size() - end), std::byte{0});
  });
  EXPECT_EQ(said("cpadd.i32", ask),
            "cpadd.i32 writes 0 into the 128 bytes behind the results of each repeat");
}

/// Of the last data block of a repeat: the others are written over.
TEST(WrittenBehind, ABroadcastInto64Bytes) {
  const Ask ask = with_more_written(Op::brcb, [](std::vector<std::byte>& ub, std::size_t start) {
    const std::size_t end = start + kRepeatBlocks * kBlockBytes;
    if (end + kBlockBytes <= ub.size()) std::memcpy(&ub[end], &ub[end - kBlockBytes], kBlockBytes);
  });
  EXPECT_EQ(
      said("brcb.u16", ask),
      "brcb.u16 writes the last element of the results of each repeat into the 32 bytes behind it, too");
}

TEST(WrittenBehind, ZerosUpToTheEndOfTheDataBlock) {
  const Ask ask = with_more_written(Op::cadd, [](std::vector<std::byte>& ub, std::size_t start) {
    const std::size_t end = (start + 4 + 31) / 32 * 32;
    std::fill(ub.begin() + static_cast<std::ptrdiff_t>(start + 4),
              ub.begin() + static_cast<std::ptrdiff_t>(end), std::byte{0});
  });
  EXPECT_EQ(said("cadd.f32", ask), "cadd.f32 fills the data block behind the results of each repeat with 0");
}

/// As the instruction that also gives an index does.
TEST(WrittenBehind, TheLaneOfAMaximum) {
  const Ask ask = after_each_repeat(Op::cmax, [](Program& step) {
    const Instruction& one = step.instructions.back();
    const std::size_t at = start_of(step, one.operands[0]), src = start_of(step, one.operands[1]);
    const Mask mask = mask_of(step);
    for (unsigned lane = 0; lane < lanes_of(one); ++lane)
      if (mask[lane] != 0 &&
          std::memcmp(&step.ub[src + lane_offset(one, 1, 0, lane)], &step.ub[at], 4) == 0) {
        std::memcpy(&step.ub[at + 4], &lane, 4);
        return;
      }
  });
  EXPECT_EQ(said("cmax.i32", ask), "cmax.i32 writes the lane of its result into the element behind it, too");
}

}  // namespace written_behind_test
}  // namespace lanecheck
