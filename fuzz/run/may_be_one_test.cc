// Findings that may have one cause, although nothing proves it, become one.
#include <gtest/gtest.h>

#include "fuzz/identify/probes/one_repeat.h"
#include "fuzz/run/faulty_backend_testing.h"
#include "fuzz/run/run.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace may_be_one_test {

/// `directed`: with the cases that come first in a run, in which casts meet numbers that are not whole.
std::vector<Finding> findings(const Backend& backend, std::uint64_t cases, bool directed = false) {
  RunOptions options;
  options.mix.with_boundaries = directed;
  options.cases = cases;
  options.illegal_in_32 = 0;
  return run(options, backend).findings;
}

/// Counts take whole data blocks, and a contiguous mask of at most 64 elements leaves slots 64..127 on: each
/// shows in types that the other one does not show in, and both are of numbers of elements.
TEST(MayBeOne, ACountAndAContiguousMaskAreTwoMistakes) {
  RunOptions options;
  options.mix.profile = Profile::tik;
  options.mix.with_boundaries = false;
  options.cases = 300;
  options.illegal_in_32 = 0;
  const auto found =
      run(options, that_runs([](const Program& program) {
            Program given = program;
            for (Instruction& insn : given.instructions) {
              const unsigned per = per_block(insn.dst_type);
              if (insn.mask_from == MaskFrom::count) insn.low = (insn.low + per - 1) / per * per;
              if (insn.mask_from != MaskFrom::contiguous || lanes_of(insn) < 128 || insn.low > 64) continue;
              insn.mask_from = MaskFrom::bitwise;
              insn.low = insn.low == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << insn.low) - 1;
              insn.high = ~std::uint64_t{0};
            }
            return given;
          }))
          .findings;
  ASSERT_EQ(found.size(), 2u);
  for (const Finding& each : found)
    EXPECT_EQ(each.what.find("may have the same cause"), std::string::npos) << each.what;
}

/// Results that meet and sources that meet dst show it; a reading says it of the first alone.
TEST(MayBeOne, RepeatsInReverseOrder) {
  const auto found = findings(that_runs([](const Program& program) {
                                Program given = program;
                                given.instructions.clear();
                                for (const Instruction& insn : program.instructions) {
                                  const bool turns = row_of(insn.op).form == Form::binary;
                                  for (unsigned r = turns ? repeats_of(insn) : 0; r-- > 0;)
                                    given.instructions.push_back(one_repeat(insn, r));
                                  if (!turns) given.instructions.push_back(insn);
                                }
                                return given;
                              }),
                              6000);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].what.find("executes its repeats from the last to the first"), std::string::npos)
      << found[0].what;
}

/// 16 bytes are the unit of some instructions, and twice that is a data block; of others it is 2 or 128
/// bytes.
TEST(MayBeOne, DstRepeatStridesOfReductionsInOtherUnits) {
  const auto found = findings(
      that_runs([](const Program& program) {
        Program given = program;
        for (Instruction& insn : given.instructions) {
          const Row& row = row_of(insn.op);
          if (row.operands.empty() || row.operands[0].walk != Walk::results || insn.dst_type != Element::f16)
            continue;
          Instruction twice = insn;
          twice.operands[0].repeat_stride *= 2;
          if (is_inside_ub(given, twice)) insn = twice;
        }
        return given;
      }),
      1500);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].what.find("counts its dst repeat stride in "), std::string::npos) << found[0].what;
}

/// The distance of a repeat in 8 bits: of dst in some instructions, of src in others.
TEST(MayBeOne, TheSameLawOfTwoOperands) {
  const auto found = findings(that_runs([](const Program& program) {
                                Program given = program;
                                given.instructions.clear();
                                for (const Instruction& insn : program.instructions) {
                                  const bool is_wrong = insn.op == Op::vnot || insn.op == Op::abs;
                                  const unsigned k = insn.op == Op::abs ? 1 : 0;
                                  for (unsigned r = 0; is_wrong && r < insn.repeat; ++r) {
                                    Instruction one = one_repeat(insn, r);
                                    const std::uint32_t blocks = r * insn.operands[k].repeat_stride;
                                    one.operands[k].offset = insn.operands[k].offset + 32 * (blocks & 255);
                                    given.instructions.push_back(one);
                                  }
                                  if (!is_wrong) given.instructions.push_back(insn);
                                }
                                return given;
                              }),
                              3000);
  ASSERT_EQ(found.size(), 1u);
  const bool of_src = found[0].what.starts_with("src of abs.");
  EXPECT_TRUE(of_src || found[0].what.starts_with("dst of vnot.")) << found[0].what;
  EXPECT_NE(
      found[0].what.find(of_src ? "; also of dst, in abs, vnot of " : "; also of src, in abs, vnot of "),
      std::string::npos)
      << found[0].what;
}

/// The same early exit of instructions that write lanes and of others that count them.
TEST(MayBeOne, TheSameConditionOnTheMask) {
  const auto found = findings(that_runs([](const Program& program) {
                                Program given = program;
                                given.instructions.clear();
                                for (const Instruction& insn : program.instructions) {
                                  Program before = program;
                                  before.instructions = given.instructions;
                                  State state;
                                  execute(before, Semantics{}, state);
                                  const bool is_left_out = mask_word(state.mask, 0) == 0 &&
                                                           (insn.op == Op::add || insn.op == Op::cgadd) &&
                                                           insn.dst_type == Element::f16;
                                  if (!is_left_out) given.instructions.push_back(insn);
                                }
                                return given;
                              }),
                              3000);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].instructions, (std::vector<std::string>{"add.f16", "cgadd.f16"})) << found[0].what;
}

/// Types of 8 bits have mode none as well as rint. u8 is rounded as in mode round, the others as in mode
/// ceil.
TEST(MayBeOne, OtherRoundingsInOneModeOfSeveralTypes) {
  const auto found = findings(
      that_runs([](const Program& program) {
        Program given = program;
        for (Instruction& insn : given.instructions) {
          const bool is_wrong =
              insn.round == Round::rint || (insn.round == Round::none && size_of(insn.dst_type) == 1);
          if (insn.op == Op::cast && insn.src_type == Element::f16 && !is_float(insn.dst_type) && is_wrong)
            insn.round = insn.dst_type == Element::u8 ? Round::round : Round::ceil;
        }
        return given;
      }),
      1500, true);
  ASSERT_EQ(found.size(), 1u);
  for (const std::string type : {"cast.i8.f16", "cast.u8.f16"})
    EXPECT_NE(found[0].what.find(type), std::string::npos) << found[0].what;
}

}  // namespace may_be_one_test
}  // namespace lanecheck
