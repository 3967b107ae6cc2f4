// Faults of reductions that are seen under a full mask only.
#include "fuzz/identify/identify_testing.h"
#include "oracle/execute/execute.h"

namespace lanecheck {
namespace full_mask_only_test {

/// The oracle, except that a full mask becomes `other`.
Ask full_becomes(const MaskWords& other) {
  return [other](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program changed = batch.programs[n];
      const Instruction& last = changed.instructions.back();
      const MaskWords full = full_mask({changed.profile, last});
      for (Instruction& insn : changed.instructions)
        if (sets_mask(insn) && insn.low == full.low && (insn.high & full.high) == full.high) {
          insn.high = other.high & full.high;
          insn.low = other.low;
        }
      ask_oracle()({{&changed, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
    }
  };
}

constexpr std::uint64_t kAll = ~std::uint64_t{0};

TEST(FullMaskOnly, ALaneIsLeftOut) {
  const Ask last = full_becomes({kAll, kAll >> 1});
  EXPECT_EQ(
      said("cadd.i32", last),
      "lane 63 of cadd.i32, the last lane of each repeat, is left out of every result, under a full mask "
      "only");
  EXPECT_EQ(
      said("cmin.f32", last),
      "lane 63 of cmin.f32, the last lane of each repeat, is left out of every result, under a full mask "
      "only");
  EXPECT_EQ(
      said("cgmax.f16", full_becomes({0xfffefffefffefffe, 0xfffefffefffefffe})),
      "lanes 0, 16 .. 112 of cgmax.f16, the first lane of each data block, are left out of every result, "
      "under a full mask only");
}

/// A path for full masks that ignores the block stride, and counter mode has its own path.
TEST(FullMaskOnly, ABlockStrideIsIgnoredInNormalMode) {
  const auto ignores = [](bool also_counted) {
    return with_program([=](Program& program) {
      MaskWords mask{kAll, kAll};
      bool counts = false;
      for (Instruction& insn : program.instructions) {
        if (insn.op == Op::set_mask_count || insn.op == Op::set_mask_norm)
          counts = insn.op == Op::set_mask_count;
        if (sets_mask(insn)) mask = {insn.high, insn.low};
        const MaskWords full = full_mask({program.profile, insn}),
                        own = insn.mask_from == MaskFrom::bitwise ? MaskWords{insn.high, insn.low} : mask;
        const bool is_counted = counts || insn.mask_from == MaskFrom::count;
        const bool is_full = (own.high & full.high) == full.high && (own.low & full.low) == full.low;
        if (row_of(insn.op).mask == MaskUse::neutral_source && (is_counted ? also_counted : is_full))
          insn.operands[1].block_stride = 1;
      }
    });
  };
  for (const std::string name : {"cadd.f32", "cgmax.f16"}) {
    const std::string text = "src of " + name + " walks with block stride 1 if the mask is full";
    EXPECT_EQ(first_said(name, ignores(false)), text + ", but not in counter mode");
    EXPECT_EQ(first_said(name, ignores(true)), text);
  }
}

}  // namespace full_mask_only_test
}  // namespace lanecheck
