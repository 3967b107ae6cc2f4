// What is said of packed results that do not lie where they should.
#include <algorithm>
#include <cstring>

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

/// VMC-4-packed-result: `word |= 1 << n`, where 1 is an int, and its shift counts mod 32.
TEST(PackedResults, MeetWhereTheyAreShiftedAsInts) {
  const Ask ask = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::compare) return;
    for (unsigned at = 0; at < insn.repeat * lanes_of(insn) / 8; at += 8) {
      std::byte* const into = &state.ub[start_of(program, insn.operands[0]) + at];
      std::uint64_t results = 0, word = 0;
      std::memcpy(&results, into, 8);
      for (unsigned n = 0; n < 64; ++n)
        if ((results >> n & 1) != 0)
          word |= static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(1U << n % 32)});
      std::memcpy(into, &word, 8);
    }
  });
  for (const std::string name : {"compare.f16", "compare.i32"})
    EXPECT_EQ(said(name, ask),
              name +
                  " packs 64 results as word |= 1 << n in 32 bits: bits n and n + 32 meet in bit n, and bits "
                  "31..63 are 1 if result 31 or 63 is");
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
