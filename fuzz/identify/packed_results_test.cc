// What is said of packed results that do not lie where they should.
#include <algorithm>

#include "fuzz/identify/identify_testing.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace {

/// VMC 4: n elements give n / 8 bytes of packed bits, repeat after repeat. Here those of repeat r of a
/// comparison start `start_of_repeat(bytes of a repeat, r)` bytes behind dst.
template <class Start>
Ask with_packed_results(Start start_of_repeat) {
  return then([=](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::compare) return;
    const unsigned bytes = lanes_of(insn) / 8;
    const auto start = static_cast<std::ptrdiff_t>(start_of(program, insn.operands[0]));
    std::vector<std::byte> results(state.ub.begin() + start, state.ub.begin() + start + insn.repeat * bytes);
    std::copy_n(program.ub.begin() + start, results.size(), state.ub.begin() + start);
    for (unsigned r = 0; r < insn.repeat; ++r)
      std::copy_n(results.begin() + r * bytes, bytes, state.ub.begin() + start + start_of_repeat(bytes, r));
  });
}

TEST(PackedResults, OverwriteEachOther) {
  const Ask near = with_packed_results([](unsigned bytes, unsigned r) { return r * std::min(bytes, 8U); });
  EXPECT_EQ(said("compare.f16", near),
            "the results of consecutive repeats of compare.f16 lie 8 bytes apart instead of 16");
  EXPECT_EQ(said("compare.f32", near), "");
  const Ask wraps = with_packed_results([](unsigned bytes, unsigned r) { return r * bytes % 256; });
  for (const std::string name : {"compare.f16", "compare.f32"})
    EXPECT_TRUE(
        said(name, wraps)
            .starts_with(
                name +
                " keeps only the lowest 8 bits of how many bytes behind dst the results of a repeat start"))
        << said(name, wraps);
}

}  // namespace
}  // namespace lanecheck
