// Another function of the right elements, where a count decides which elements take part.
#include <gtest/gtest.h>

#include <cstring>

#include "fuzz/identify/given_number_testing.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

/// The count of the last instruction, which stands in the instruction before it; 0 in normal mode.
std::uint32_t count_before(const Program& program) {
  const auto& all = program.instructions;
  const bool counts = all.front().op == Op::set_mask_count;
  return counts && all.size() > 1 ? static_cast<std::uint32_t>(all[all.size() - 2].low) : 0;
}

/// The oracle, but in counter mode the repeats that are `chosen(repeat, count, lanes)` exchange the sources.
template <class Chosen>
Ask exchanges_sources(Chosen chosen) {
  return then([chosen](const Program& program, State& state) {
    const std::uint32_t count = count_before(program);
    if (count == 0) return;
    Program exchanged = program;
    Instruction& insn = exchanged.instructions.back();
    std::swap(insn.operands[1], insn.operands[2]);
    const State other = state_after(exchanged);
    const unsigned lanes = lanes_of(insn);
    for (std::uint32_t n = 0; n < count; ++n) {
      if (!chosen(n / lanes, count, lanes)) continue;
      const std::size_t at = start_of(program, insn.operands[0]) + lane_offset(insn, 0, n / lanes, n % lanes);
      std::copy_n(&other.ub[at], size_of(insn.dst_type), &state.ub[at]);
    }
  });
}

std::string said(const Ask& ask) {
  return said_of_numbers("sub.i16", MaskGiven::total, ask);
}

TEST(ValuesUnderCount, OfALastRepeatThatIsNotFull) {
  const auto partial = [](std::uint32_t repeat, std::uint32_t count, unsigned lanes) {
    return count < (repeat + 1) * lanes;
  };
  EXPECT_EQ(said(exchanges_sources(partial)),
            "sub.i16 computes src1 - src0 instead of src0 - src1, in counter mode in the last repeat, if the "
            "count does not fill the last repeat");
}

TEST(ValuesUnderCount, OfEveryCount) {
  const auto every = [](std::uint32_t, std::uint32_t, unsigned) { return true; };
  EXPECT_EQ(said(exchanges_sources(every)),
            "sub.i16 computes src1 - src0 instead of src0 - src1, in counter mode");
}

/// Masks show it, too: then it is no matter of the count.
TEST(ValuesUnderCount, NothingOfAScalarThatIsAlwaysTakenAsUnsigned) {
  const Ask zero_extends = then([](const Program& program, State& state) {
    Program changed = program;
    Instruction& insn = changed.instructions.back();
    if (insn.op == Op::vmaxs && value_of(Element::i16, insn.scalar.bits) < 0) {
      const std::uint32_t dst = start_of(program, insn.operands[0]);
      for (std::uint32_t at = dst; at < dst + program.allocations[insn.operands[0].allocation].bytes; at += 2)
        if (state.ub[at] != program.ub[at] || state.ub[at + 1] != program.ub[at + 1])
          std::memcpy(&state.ub[at], &insn.scalar.bits, 2);
    }
  });
  Subject subject = subject_of("vmaxs.i16", Profile::a2);
  subject.insn.scalar = scalar_of(Element::i16, -2);
  subject.insn.repeat = 1;
  for (const MaskGiven given : {MaskGiven::count, MaskGiven::total})
    EXPECT_EQ(number_differences(shapes_of_case(subject), given, zero_extends).size(), 0U);
}

TEST(ValuesUnderCount, OfTheFirstRepeat) {
  const auto first = [](std::uint32_t repeat, std::uint32_t, unsigned) { return repeat == 0; };
  EXPECT_EQ(said(exchanges_sources(first)),
            "sub.i16 computes src1 - src0 instead of src0 - src1, in counter mode in the first repeat");
}

}  // namespace
}  // namespace lanecheck
