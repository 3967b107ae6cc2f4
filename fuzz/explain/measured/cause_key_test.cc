// The part of a measured difference that other instructions share.
#include "fuzz/explain/measured/cause_key.h"

#include <gtest/gtest.h>

#include "fuzz/explain/measured/measured_cause.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

Instruction instruction(const std::string& name, Profile profile = Profile::vmc) {
  Instruction insn;
  EXPECT_TRUE(parse_mnemonic(name, insn)) << name;
  const TypePair types = *types_of(insn, profile);
  return default_subject(profile, row_of(insn.op), types).insn;
}

std::string key(const std::string& name, const Difference& difference, bool plain = true) {
  return cause_key(difference, instruction(name), plain);
}

TEST(CauseKey, LeavesOutTheInstruction) {
  EXPECT_EQ(key("add.f16", {MapKind::gate, "lanes 64..127 of add.f16 are gated by slots 0..63", ""}),
            "gate: lanes P/2..P-1 are gated by slots 0..P/2-1");
  EXPECT_EQ(key("abs.f16", {MapKind::dst, "the last repeat of abs.f16 is left out", ""}),
            "dst: the last repeat is left out");
}

TEST(CauseKey, IsTheSameForInstructionsThatCanBeGivenACountAndOthers) {
  const auto writes = [](const std::string& name, const std::string& condition) {
    return key(name,
               {MapKind::dst, name + " writes nothing in odd repeats (counted from 0)" + condition, ""});
  };
  EXPECT_EQ(writes("adds.f32", ", but not with a count of its own"), writes("dup.u32", ""));
}

TEST(CauseKey, IsTheSameForAllLanesOfEveryWidth) {
  const std::string all = "gate: all lanes are written whatever the mask is in some repeats";
  EXPECT_EQ(key("add.f32", {MapKind::gate, "lanes 0..63 of add.f32 are written whatever the mask is",
                            "in the last repeat"}),
            all);
  EXPECT_EQ(key("add.i8",
                {MapKind::gate, "lanes 0..127 of add.i8 are written whatever the mask is", "in repeat 2"}),
            all);
}

TEST(CauseKey, IsTheSameForAllLanesOfWhatIsReadByEveryWidth) {
  const auto reads = [](const std::string& name, const std::string& lanes) {
    return key(name, {MapKind::src1,
                      "lanes " + lanes + " of " + name + " read src1 at the same lane of repeat R - 1", ""});
  };
  EXPECT_EQ(reads("add.f16", "0..127"), reads("add.i8", "0..255"));
}

TEST(CauseKey, BitsOfAComparisonAreCountedAlikeInEveryType) {
  const auto bits = [](const std::string& name) {
    return key(name, {MapKind::dst, "bit L of a repeat of " + name + " is that of lane L xor 8", ""});
  };
  EXPECT_EQ(bits("compare.f16"), bits("compare.f32"));
}

TEST(CauseKey, IsTheSameForPartsOfEverySecondDataBlock) {
  const auto lanes = [](const std::string& name, const std::string& numbers) {
    return key(name, {MapKind::dst, "lanes " + numbers + " of " + name + " are not written", ""});
  };
  EXPECT_EQ(lanes("brcb.f16", "24..31, 56..63, 88..95, 120..127"),
            lanes("brcb.f32", "12..15, 28..31, 44..47, 60..63"));
  EXPECT_NE(lanes("brcb.f16", "24..31, 56..63, 88..95, 120..127"),
            lanes("brcb.f32", "8..15, 24..31, 40..47, 56..63"));
}

TEST(CauseKey, IsTheSameForPartsOfARepeatOfEveryWidth) {
  const auto lanes = [](const std::string& name, const std::string& numbers) {
    return key(name, {MapKind::gate, numbers + " of " + name + " are never written", ""});
  };
  EXPECT_EQ(lanes("add.f16", "lanes 64..127"), lanes("add.f32", "lanes 32..63"));
  EXPECT_EQ(lanes("add.f16", "lanes 112..126"), lanes("add.f32", "lanes 56..62"));
  EXPECT_EQ(lanes("add.f16", "lanes 123..127"), lanes("add.f32", "lanes 59..63"));
  EXPECT_NE(lanes("add.f16", "lanes 64..127"), lanes("add.f32", "lanes 0..31"));
  EXPECT_NE(lanes("add.f16", "lanes 3..5"), lanes("add.f16", "lanes 3..6"));
}

TEST(CauseKey, IsTheSameForReductionsThatCountWhatOthersWrite) {
  EXPECT_EQ(
      key("cadd.f32", {MapKind::gate, "cadd.f32 ignores the mask: all lanes are counted whatever it is", ""}),
      key("add.f32", {MapKind::gate, "add.f32 ignores the mask: all lanes are written whatever it is", ""}));
}

TEST(CauseKey, NumbersOfResultsOfDataBlocksAndOfPatternsAreNoNumbersOfLanes) {
  EXPECT_EQ(key("cgmax.f16", {MapKind::dst, "result 7 of cgmax.f16 is not written", ""}),
            key("cgmax.f32", {MapKind::dst, "result 7 of cgmax.f32 is not written", ""}));
  Instruction gathers = instruction("gather_mask.u32", Profile::a2);
  const Difference exchanges{MapKind::dst, "gather_mask.u32 exchanges fixed patterns 1 and 2", ""};
  gathers.settings[1] = 1;  // in counter mode
  gathers.settings[2] = 2;
  const std::string of_two = cause_key(exchanges, gathers, true);
  gathers.settings[2] = 70;
  EXPECT_EQ(of_two, cause_key(exchanges, gathers, true));
}

TEST(CauseKey, NumbersOfBytesAreNoNumbersOfLanes) {
  const auto behind = [](const std::string& name, const std::string& bytes) {
    return key(name, {MapKind::dst, name + " writes 0 into the " + bytes + " bytes behind the results", ""});
  };
  EXPECT_EQ(behind("cpadd.f16", "128"), behind("cpadd.f32", "128"));
  EXPECT_NE(behind("cpadd.f16", "128"), behind("cpadd.f16", "64"));
}

TEST(CauseKey, IsTheSameForBothSourcesAndForTheOnlyOne) {
  const auto of = [](const std::string& name, const std::string& lane, const std::string& sources) {
    return key(name, {MapKind::src,
                      "bit 0 of " + name + " uses lane " + lane + " of " + sources +
                          " of repeat R - 1 instead of its own of repeat R",
                      ""});
  };
  EXPECT_EQ(of("compare.f16", "127", "src0 and src1"), of("compare_scalar.f32", "63", "src"));
}

TEST(CauseKey, LeavesDistancesOutThatFollowFromTheType) {
  const std::string of = "the results of consecutive repeats of ", packed = ": they are packed";
  EXPECT_EQ(key("cmax.f16", {MapKind::dst, of + "cmax.f16 lie 2 bytes apart instead of 4" + packed, ""}),
            key("cmax.f32", {MapKind::dst, of + "cmax.f32 lie 4 bytes apart instead of 8" + packed, ""}));
}

TEST(CauseKey, ADistanceOfResultsIsNoStrideOfAnOperand) {
  const auto of = [](const std::string& name, const std::string& what) {
    return key(name, {MapKind::dst, what, ""}, false);
  };
  const std::string walks = of("cmax.f16", "dst of cmax.f16 walks with repeat stride 2 instead of 1");
  EXPECT_NE(
      of("cmax.f16",
         "the results of consecutive repeats of cmax.f16 lie 2 bytes apart instead of 4: they are packed, as "
         "if the repeat stride were 1"),
      walks);
  const std::string extra =
      "brcb.i32 writes 64 elements of dst that it must not write, between number 832 and "
      "number 895 (with repeat time 5 and a repeat stride of 32)";
  EXPECT_EQ(of("brcb.i32", extra).find_first_of("0123456789"), std::string::npos) << of("brcb.i32", extra);
}

TEST(CauseKey, IsMadeOfWhatIsSaidOfEveryType) {
  Difference difference{MapKind::contribution,
                        "results of cgmin.i16 are written (32767) if a lane of their repeat is on", ""};
  difference.general = "results are written if a lane of their repeat is on";
  EXPECT_EQ(key("cgmin.i16", difference),
            "contribution: results are written if a lane of their repeat is on");
}

TEST(CauseKey, IsThatOfTheDifferenceIfItHasOne) {
  Difference difference{MapKind::values, "8 of 512 results of add.f16 are wrong under a full mask", ""};
  difference.key = "values: wrong results of add.f16";
  EXPECT_EQ(key("add.f16", difference), "values: wrong results of add.f16");
}

TEST(CauseKey, OtherStridesAreOneCauseForAllSources) {
  EXPECT_EQ(key("abs.f16", {MapKind::src, "src of abs.f16 walks with repeat stride 8 instead of 0", ""}),
            "src: does not follow a stride of 0");
  EXPECT_EQ(key("mul.f16", {MapKind::src1, "src1 of mul.f16 walks with block stride 1 instead of 3", ""}),
            key("mul.f16", {MapKind::src0, "src0 of mul.f16 walks with block stride 2 instead of 4", ""}));
}

TEST(CauseKey, IsSharedByFamiliesIfTheyMayShareTheCode) {
  MeasuredCause cause;
  cause.key = "dst: the last repeat is left out";
  cause.is_shared = true;
  EXPECT_EQ(id_of(cause, "elementwise"), id_of(cause, "reduction"));
  cause.is_shared = false;
  EXPECT_NE(id_of(cause, "elementwise"), id_of(cause, "reduction"));
}

/// GM: in counter mode GatherMask takes its own mode for its count.
TEST(CauseKey, AStrideInCounterModeIsOneLawAlsoOfGatherMask) {
  Difference of_mul{MapKind::src0,
                    "src0 of mul.i16 walks with repeat stride 8, whatever is given, in counter mode", ""};
  of_mul.stride = StrideLaw{};
  EXPECT_EQ(key("mul.i16", of_mul), cause_key({MapKind::src0,
                                               "src0 of gather_mask.f16 walks with repeat stride 8, whatever "
                                               "is given, if the mask mode is counter mode before",
                                               ""},
                                              instruction("gather_mask.f16", Profile::a2), true));
}

TEST(CauseKey, NamesTheOwnerOfStridesButNotTheirNumbers) {
  const Difference block = {MapKind::src1,
                            "src1 of mul.f16 walks with the block stride of src0 instead of its own", ""};
  EXPECT_EQ(key("mul.f16", block, false), "src1: walks with the strides of src0");
  EXPECT_EQ(
      key("mul.f16", {MapKind::dst, "dst of mul.f16 walks with block stride 1 instead of 2", ""}, false),
      "dst: walks with other strides");
}

/// A full mask is said in the sentence, or behind it if it was seen with strides of each operand's own.
TEST(CauseKey, AConditionOfALawOfStridesMayStandBehindIt) {
  const std::string walks = "dst of mul.f16 walks with block stride 1";
  const std::string inside = key("mul.f16", {MapKind::dst, walks + " if the mask is full", ""}, false);
  EXPECT_EQ(
      key("mul.f16",
          {MapKind::dst, walks + ", whatever is given", "if the mask is full (seen with repeat 3)"}, false),
      inside);
  EXPECT_NE(key("mul.f16", {MapKind::dst, walks + ", whatever is given", ""}, false), inside);
}

TEST(CauseKey, ADistanceOfEightIsNoDataBlockOfF32) {
  const auto of = [](const std::string& name, const std::string& lanes) {
    return key(
        name, {MapKind::control, lanes + " of " + name + " use bit L xor 8 of control instead of bit L", ""});
  };
  EXPECT_EQ(of("select.f16", "lanes 0..127"), of("select.f32", "lanes 0..63"));
}

TEST(CauseKey, CountsNoNumbersOfAShapeThatACaseBrought) {
  EXPECT_EQ(key("mul.f16", {MapKind::src1, "src1 of mul.f16 starts 16 elements later", ""}, false),
            "src1: src1 starts # elements later");
}

TEST(CauseKey, IsTheSameForANumberWhoeverBringsIt) {
  const std::string law = "takes 128 elements if the length n is 65 or more";
  const auto of = [&](const std::string& name, const std::string& start) {
    return key(name, {MapKind::length, start + name + " " + law, ""});
  };
  EXPECT_EQ(of("add.f16", "for a contiguous mask of its own "),
            of("mul.f16", "for a contiguous mask from the register an instruction such as "));
}

TEST(CauseKey, DataBlocksInReverseOrderAreOneLawForEveryWidth) {
  const auto mirrored = [](const std::string& name, const std::string& lanes, const std::string& last) {
    return key(name, {MapKind::gate,
                      lanes + " of " + name + " are gated by slot lane xor " + last +
                          " instead of each by its own slot",
                      ""});
  };
  EXPECT_EQ(mirrored("relu.i8", "lanes 0..127", "31"), mirrored("relu.f32", "lanes 0..63", "7"));
  EXPECT_NE(mirrored("relu.i8", "lanes 0..127", "31"), mirrored("relu.f32", "lanes 0..63", "15"));
}

/// Of f32, 8 is the number of elements of a data block. As a number of bits it says nothing of them.
TEST(CauseKey, ANumberOfBitsIsNoPartOfARepeat) {
  const std::string what = " uses only the lowest 8 bits of the count n (n mod 256)";
  EXPECT_EQ(key("sqrt.f16", {MapKind::length, "sqrt.f16" + what, ""}),
            key("mul.f32", {MapKind::length, "mul.f32" + what, ""}));
}

TEST(CauseKey, ANumberOfADataBlockIsNoPartOfARepeat) {
  const auto of = [](const std::string& name) {
    return key(name, {MapKind::dst, "data block 7 of " + name + " is not written", "in the last repeat"});
  };
  EXPECT_EQ(of("brcb.u16"), of("brcb.i32"));
}

TEST(CauseKey, LeavesOutWhatElementsBehindACountActLike) {
  const auto of = [&](const std::string& name, const std::string& takes) {
    return key(name, {MapKind::length,
                      "in counter mode " + name + " takes " + takes +
                          " for the elements of the last repeat behind the count n",
                      ""});
  };
  EXPECT_EQ(of("cmin.f16", "-65504"), of("cmin.f32", "-3.40282347e+38"));
}

TEST(CauseKey, DoesNotCountAnExampleOfAGate) {
  const auto of = [](const std::string& name, const std::string& lanes, const std::string& mask) {
    return key(name, {MapKind::gate,
                      lanes + " of " + name +
                          " are not gated by any single slot, for example lane 0 of "
                          "repeat 0 is written under the mask " +
                          mask,
                      ""});
  };
  EXPECT_EQ(of("add.f16", "lanes 0..127", "0x0:0x0"), of("add.f32", "lanes 0..63", "0xf:0x0"));
}

TEST(CauseKey, LanesThatAreNeverWrittenAreOneLawForAllFamilies) {
  const std::string written =
      key("cast.f16.i16", {MapKind::dst, "lane 127 of cast.f16.i16 is never written", ""});
  EXPECT_EQ(written, "gate: lane P-1 are never written");
  EXPECT_EQ(key("vmins.u8", {MapKind::gate, "lane 255 of vmins.u8 is never written", ""}), written);
  EXPECT_EQ(
      key("cpadd.f16", {MapKind::gate, "lane 127 of cpadd.f16 is never counted, whatever the mask is", ""}),
      written);
  Difference left_out{MapKind::contribution,
                      "lane 127 of cmax.f16, the last lane of each repeat, is left out of every result, even "
                      "under a full mask",
                      ""};
  left_out.general = "the last lane of each repeat, is left out of every result, even under a full mask";
  EXPECT_EQ(key("cmax.f16", left_out), written);
  EXPECT_EQ(key("select.f32", {MapKind::dst, "lane 63 of select.f32 is not written", ""}), written);
  EXPECT_EQ(key("compare.f16", {MapKind::dst, "bit 127 of compare.f16 is not written", ""}), written);
  EXPECT_NE(key("select.f16", {MapKind::dst, "lane 63 of select.f16 is not written", ""}), written);
}

TEST(CauseKey, TheSlotsOfTheFirstDataBlockAreOneLawForEveryWidth) {
  const auto repeated = [](const std::string& name, const std::string& lanes, const std::string& per,
                           const std::string& instead) {
    return key(name, {MapKind::gate,
                      "lanes " + lanes + " of " + name + " are gated by slot lane mod " + per +
                          " instead of " + instead,
                      ""});
  };
  const std::string own = "each by its own slot";
  EXPECT_EQ(repeated("dup.f16", "16..127", "16", own), repeated("dup.u32", "8..63", "8", own));
  EXPECT_EQ(repeated("dup.f16", "16..127", "16", own),
            repeated("dup.u8", "32..255", "32",
                     "lanes 32..127 by their own slots and lanes 128..255 being written under every mask"));
  EXPECT_NE(repeated("dup.f16", "16..127", "16", own), repeated("dup.u32", "16..63", "16", own));
}

TEST(CauseKey, TheFirstLaneOfEachResultIsOneLawForAllReductions) {
  EXPECT_EQ(
      key("cgmin.f16",
          {MapKind::gate, "lanes 0, 16 .. 112 of cgmin.f16 are counted if any slot of their data block is 1",
           ""}),
      key("cmin.f32", {MapKind::gate,
                       "lane 0 of cmin.f32 is counted, whatever its slot is, if the part of the mask for "
                       "these lanes is not empty",
                       ""}));
}

TEST(CauseKey, SlotsThatAnInstructionChangesAreCountedInItsLanes) {
  const std::string law = " of the mask, wherever one slot of its group of 2 neighbours is 1";
  EXPECT_EQ(key("cpadd.i32", {MapKind::mask_register, "cpadd.i32 leaves 1 in slots 0..63" + law, ""}),
            key("cpadd.f16", {MapKind::mask_register, "cpadd.f16 leaves 1 in all slots" + law, ""}));
}

TEST(CauseKey, InPlaceIsOneCaseWhicheverSourceItIs) {
  const std::string law = " ignores the mask: all lanes are written whatever it is, in place (dst is also ";
  const std::string apart = "), and not if they lie apart";
  EXPECT_EQ(key("exp.f16", {MapKind::gate, "exp.f16" + law + "the first source" + apart, ""}),
            key("add.f32", {MapKind::gate, "add.f32" + law + "src1" + apart, ""}));
}

TEST(CauseKey, EqualScoresOfOneQueueAreThoseOfSort32) {
  const auto ties = [](const std::string& name, const std::string& law) {
    Difference difference{MapKind::values, name + " " + law, ""};
    difference.of_all_sorts = true;
    return key(name, difference);
  };
  EXPECT_EQ(ties("sort32.f16", "takes equal scores in reversed order"),
            ties("mergesort_2seq.f32", "takes equal scores in reversed order, also those of one queue"));
  const std::string groups = "merges queues 0..1 and queues 2..3 apart";
  EXPECT_EQ(ties("mergesort4.f16", groups), ties("mergesort4.f32", groups));
}

}  // namespace
}  // namespace lanecheck
