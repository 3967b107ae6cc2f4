// Reductions that look elsewhere for what takes part: in the repeat before, or by the address of an element.
#include <cstring>

#include "fuzz/identify/given_number_testing.h"
#include "fuzz/identify/identify_testing.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace elements_of_before_test {

/// Puts what stands in `from` where lane `lane` of repeat `repeat` lies in operand `k`.
void put(std::vector<std::byte>& ub, const std::vector<std::byte>& from, const Program& program, unsigned k,
         std::uint64_t at, std::uint64_t is) {
  const Instruction& insn = program.instructions.back();
  const std::uint32_t start = start_of(program, insn.operands[k]);
  std::memcpy(&ub[start + at], &from[start + is], size_of(insn.src_type));
}

/// In counter mode, the elements behind the count are those of the repeat before. Results without an element
/// before the count stay as they are.
Ask filled_once() {
  return [](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      const Program& program = batch.programs[n];
      const Instruction& insn = program.instructions.back();
      const std::uint64_t lanes = lanes_of(insn), group = lanes / results_per_repeat(insn);
      std::uint64_t count = 0;
      Program changed = program;
      change_numbers(changed, [&](std::uint64_t given, const Instruction&) {
        count = given;
        return (given + lanes - 1) / lanes * lanes;
      });
      const auto last = static_cast<unsigned>(count / lanes);
      const auto offset = [&](unsigned k, unsigned r, unsigned lane) {
        return lane_offset(insn, k, r, lane);
      };
      if (row_of(insn.op).mask != MaskUse::neutral_source || count % lanes == 0 || last == 0) {
        batch.states[n] = state_after(program);
      } else {
        for (auto lane = static_cast<unsigned>(count % lanes); lane < lanes; ++lane)
          put(changed.ub, program.ub, program, 1, offset(1, last, lane), offset(1, last - 1, lane));
        const State filled = state_after(changed);
        batch.states[n] = state_after(program);
        const auto result = static_cast<unsigned>(count % lanes / group);
        const std::uint64_t at = last * repeat_step(insn, 0) + std::uint64_t{result} * size_of(insn.dst_type);
        if (count % group != 0) put(batch.states[n].ub, filled.ub, program, 0, at, at);
      }
      batch.outcomes[n] = Ran{};
    }
  };
}

/// SVM section 2: elements past the count take no part.
TEST(ElementsOfBefore, StandForThoseBehindTheCount) {
  for (const std::string name : {"cadd.f32", "cmax.f16", "cgmin.f32", "cpadd.f16"})
    EXPECT_EQ(said_of_numbers(name, MaskGiven::total, filled_once()),
              name +
                  " takes the elements of the repeat before in place of those of the last repeat behind the "
                  "count n, in counter mode");
}

/// VMC section 3: the slot of an element is that of its lane, wherever its data block lies.
TEST(ElementsOfBefore, SlotsAreLookedUpByTheAddress) {
  const Ask by_address = with_program([](Program& program) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::cgadd && insn.op != Op::cgmax) return;
    const unsigned per = per_block(insn.src_type);
    const Mask given = mask_of(program);
    MaskWords words{};
    for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
      const unsigned block = lane / per * insn.operands[1].block_stride % kRepeatBlocks;
      if (given[block * per + lane % per] == 0) continue;
      (lane < 64 ? words.low : words.high) |= std::uint64_t{1} << lane % 64;
    }
    for (Instruction& each : program.instructions)
      if (sets_mask(each)) each.high = words.high, each.low = words.low;
  });
  for (const std::string name : {"cgadd.f32", "cgmax.f16"})
    EXPECT_EQ(said(name, by_address),
              name + " counts data block b of src by the slots of block (b * the block stride of src) mod 8");
}

}  // namespace elements_of_before_test
}  // namespace lanecheck
