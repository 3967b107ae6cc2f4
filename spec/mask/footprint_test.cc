// Where operands lie: distances and sizes worked out by hand from block strides, repeat strides and the
// packed forms that the documents describe.
#include "spec/mask/footprint.h"

#include <gtest/gtest.h>

#include "spec/program/profile.h"

namespace lanecheck {
namespace footprint_test {

using enum Element;

Instruction instruction(Op op, Element dst, Element src, std::uint32_t repeat = 1) {
  Instruction insn;
  insn.op = op;
  insn.dst_type = dst;
  insn.src_type = src;
  insn.repeat = repeat;
  return insn;
}
Instruction instruction(Op op, Element type, std::uint32_t repeat = 1) {
  return instruction(op, type, type, repeat);
}

void put(Instruction& insn, std::string_view name, std::uint32_t value) {
  const auto& settings = row_of(insn.op).settings;
  for (unsigned n = 0; n < settings.size(); ++n)
    if (settings[n].name == name) insn.settings[n] = value;
  ASSERT_EQ(setting(insn, name), value);
}

void stride(Instruction& insn, unsigned k, std::uint32_t block, std::uint32_t repeat) {
  insn.operands[k].block_stride = block;
  insn.operands[k].repeat_stride = repeat;
}

std::uint64_t whole_extent(const Instruction& insn, unsigned k) {
  return extent(insn, k, lanes_of(insn));
}

using Pieces = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

Pieces pieces_of(const Instruction& insn, unsigned k) {
  Pieces pieces;
  for_each_piece(insn, k, [&](std::uint64_t from, std::uint64_t bytes) { pieces.emplace_back(from, bytes); });
  return pieces;
}

// Data blocks and strides.

TEST(Footprint, ContiguousRepeatsTake256BytesEach) {
  EXPECT_EQ(whole_extent(instruction(Op::adds, f32, 1), 0), 256u);
  EXPECT_EQ(whole_extent(instruction(Op::adds, f32, 3), 0), 768u);
  EXPECT_EQ(whole_extent(instruction(Op::adds, f32, 0), 0), 0u);
}

TEST(Footprint, TheRepeatStrideCountsBlocksOf32Bytes) {
  Instruction adds = instruction(Op::adds, f32, 3);
  stride(adds, 0, 1, 9);
  EXPECT_EQ(repeat_step(adds, 0), 9u * 32);
  EXPECT_EQ(whole_extent(adds, 0), 2u * 9 * 32 + 256);
}

TEST(Footprint, TheBlockStrideCountsBlocksOf32Bytes) {
  Instruction adds = instruction(Op::adds, f32);
  stride(adds, 0, 2, 16);
  EXPECT_EQ(whole_extent(adds, 0), 7u * 64 + 32) << "the last of 8 blocks starts 7 strides in";
  EXPECT_EQ(extent(adds, 0, 1), 4u) << "lane 0 alone";
  EXPECT_EQ(extent(adds, 0, 9), 64u + 4) << "lane 8 opens the second block";
}

TEST(Footprint, PiecesAreTheBlocksInTheOrderOfTheRepeats) {
  Instruction adds = instruction(Op::adds, f32, 2);
  stride(adds, 0, 2, 20);
  const Pieces pieces = pieces_of(adds, 0);
  ASSERT_EQ(pieces.size(), 16u);
  for (unsigned b = 0; b < 8; ++b) {
    EXPECT_EQ(pieces[b], Pieces::value_type(b * 64, 32));
    EXPECT_EQ(pieces[8 + b], Pieces::value_type(20 * 32 + b * 64, 32));
  }
}

TEST(Footprint, VMC_3_1_cast_wider_TheNarrowerOperandOfACastHasFourBlocks) {
  Instruction cast = instruction(Op::cast, f32, f16, 2);
  stride(cast, 1, 1, 4);
  EXPECT_EQ(pieces_of(cast, 0).size(), 16u);
  EXPECT_EQ(pieces_of(cast, 1).size(), 8u);
  EXPECT_EQ(whole_extent(cast, 1), 2u * 128) << "64 halves in each repeat";
}

TEST(Footprint, OperandsAreContiguousIfNothingLiesBetweenTheirBlocks) {
  Instruction cast = instruction(Op::cast, f32, f16);
  EXPECT_TRUE(is_contiguous(cast, 0));
  EXPECT_FALSE(is_contiguous(cast, 1)) << "repeat stride 8, but a repeat of 64 halves has 4 blocks";
  stride(cast, 1, 1, 4);
  EXPECT_TRUE(is_contiguous(cast, 1));
  stride(cast, 0, 2, 8);
  EXPECT_FALSE(is_contiguous(cast, 0));
}

// Results of reductions (VMC 3.2, 3.3).

TEST(Footprint, VMC_3_2_ResultsOfARepeatAreOneEightOrHalfTheLanes) {
  EXPECT_EQ(repeat_bytes(instruction(Op::cadd, f16), 0), 2u);
  EXPECT_EQ(repeat_bytes(instruction(Op::cgadd, f32), 0), 8u * 4);
  EXPECT_EQ(repeat_bytes(instruction(Op::cpadd, f16), 0), 64u * 2);
}

TEST(Footprint, TheRepeatStrideOfAReductionCountsTheResultsOfARepeat) {
  Instruction cadd = instruction(Op::cadd, f16, 4);
  stride(cadd, 0, 1, 1);
  EXPECT_EQ(whole_extent(cadd, 0), 8u);
  stride(cadd, 0, 1, 3);
  EXPECT_EQ(whole_extent(cadd, 0), 3u * 3 * 2 + 2);
  Instruction cgadd = instruction(Op::cgadd, f32, 2);
  stride(cgadd, 0, 1, 2);
  EXPECT_EQ(pieces_of(cgadd, 0), (Pieces{{0, 32}, {64, 32}}));
}

TEST(Footprint, TheExtremeWithItsIndexTakesWhatItsOrderSays) {
  Instruction extreme = instruction(Op::cmax_index, f16);
  const unsigned bytes[] = {4, 4, 2, 4};  // value and index, index and value, value, a 32-bit index
  for (unsigned order = 0; order < 4; ++order) {
    put(extreme, "order", order);
    EXPECT_EQ(repeat_bytes(extreme, 0), bytes[order]) << order;
  }
}

// Packed bits (VMC 4).

TEST(Footprint, VMC_4_packed_result_ACompareOfNElementsWritesNOver8Bytes) {
  EXPECT_EQ(whole_extent(instruction(Op::compare, u8, f16, 3), 0), 3u * 16);
  EXPECT_EQ(whole_extent(instruction(Op::compare, u8, f32, 3), 0), 3u * 8);
  Instruction strided = instruction(Op::compare, u8, f16, 3);
  stride(strided, 0, 5, 9);
  EXPECT_EQ(whole_extent(strided, 0), 3u * 16) << "packed bits have no stride";
}

TEST(Footprint, VMC_4_packed_control_OfAHalfTileOf64By64Is64By8Bytes) {
  const Instruction select = instruction(Op::select, f16, 64 * 64 / 128);
  EXPECT_EQ(whole_extent(select, 1), 64u * 8);
}

// Moves, sorts and GatherMask.

TEST(Footprint, GatherTakesAnOffsetOf4BytesForEachElementAndReachesAsFarAsTheySay) {
  Instruction gather = instruction(Op::gather, f16, 2);
  stride(gather, 0, 1, 16);
  EXPECT_EQ(whole_extent(gather, 2), 2u * 128 * 4);
  EXPECT_EQ(whole_extent(gather, 0), 16u * 32 + 256);
  EXPECT_EQ(whole_extent(gather, 1), 0u);
  EXPECT_TRUE(pieces_of(gather, 1).empty());
}

TEST(Footprint, BrcbReadsEightElementsARepeat) {
  EXPECT_EQ(whole_extent(instruction(Op::brcb, f16, 3), 1), 3u * 8 * 2);
}

TEST(Footprint, RecordsOfTheSortsHave8Bytes) {
  EXPECT_EQ(whole_extent(instruction(Op::sort32, f16, 2), 0), 2u * 32 * 8);
  Instruction four = instruction(Op::mergesort4, f32);
  four.lengths = {2, 0};
  EXPECT_EQ(whole_extent(four, 0), 4u * 2 * 8);
  Instruction two = instruction(Op::mergesort_2seq, f32);
  two.lengths = {1, 3};
  EXPECT_EQ(whole_extent(two, 0), 4u * 8);
  EXPECT_EQ(whole_extent(two, 1), 8u);
  EXPECT_EQ(whole_extent(two, 2), 24u);
}

TEST(Footprint, GM_1_FixedPatternsKeepEverySecondEveryFourthOrEveryElement) {
  Instruction gather = instruction(Op::gather_mask, f16);
  const unsigned kept[] = {0, 64, 64, 32, 32, 32, 32, 128};  // of 128 elements, by pattern
  for (unsigned pattern = 1; pattern <= 7; ++pattern) {
    put(gather, "pattern", pattern);
    EXPECT_EQ(repeat_bytes(gather, 0), kept[pattern] * 2) << pattern;
  }
}

TEST(Footprint, GM_5_dense_KeptElementsOfARepeatFollowThoseOfTheOneBefore) {
  Instruction gather = instruction(Op::gather_mask, f16, 2);
  put(gather, "pattern", 3);
  put(gather, "counter", 1);
  put(gather, "mask", 70);  // elements 0, 4, ..., 68 of each repeat: 18
  EXPECT_EQ(pieces_of(gather, 0), (Pieces{{0, 36}, {36, 36}}));
  put(gather, "pattern", 6);  // elements 3, 7, ..., 67: 17
  EXPECT_EQ(pieces_of(gather, 0), (Pieces{{0, 34}, {34, 34}}));
}

TEST(Footprint, GM_2_AUserPatternHasABitForEachElementInWholeWords) {
  Instruction gather = instruction(Op::gather_mask_user, f16, 2);
  stride(gather, 2, 1, 1);
  EXPECT_EQ(pieces_of(gather, 2), (Pieces{{0, 16}, {32, 16}}));
  put(gather, "counter", 1);
  put(gather, "mask", 17);
  EXPECT_EQ(repeat_bytes(gather, 2), 4u) << "17 bits are two words of 16";
}

TEST(Footprint, GM_5_count_TheReturnedCountIsWrittenEvenIfThereAreNoRepeats) {
  EXPECT_EQ(whole_extent(instruction(Op::gather_mask, f16, 0), 2), 8u);
  EXPECT_EQ(whole_extent(instruction(Op::gather_mask, f16, 2), 2), 8u);
}

TEST(Footprint, SourcesThatShareBytesWithDst) {
  // dst is bytes 0 to 255. src0 begins in its last data block, src1 behind it.
  Program program{Profile::vmc, {{"a", f16, 0, 1024}}, {}, {}};
  program.ub.resize(1024);
  Instruction insn = instruction(Op::add, f16);
  insn.operands[1].offset = 224;
  insn.operands[2].offset = 256;
  EXPECT_EQ(sources_that_share_dst(program, insn), (std::vector<unsigned>{1}));
  insn.operands[1].offset = 512;
  EXPECT_EQ(sources_that_share_dst(program, insn), std::vector<unsigned>{});
  EXPECT_EQ(sources_that_share_dst(program, instruction(Op::gather, f16)), std::nullopt);
  EXPECT_EQ(sources_that_share_dst(program, instruction(Op::reset_mask, f16)), std::vector<unsigned>{});
}

// Counter mode.

ResolvedInstruction counted(Op op, Element type, std::uint32_t count) {
  return resolve(instruction(op, type), Mode::counter, count, default_readings(Profile::p310));
}

TEST(Footprint, SVM_2_tail_TheLastRepeatHasTheElementsThatAreLeft) {
  const ResolvedInstruction here = counted(Op::adds, f16, 300);
  EXPECT_EQ(lanes_in(here, 0), 128u);
  EXPECT_EQ(lanes_in(here, 1), 128u);
  EXPECT_EQ(lanes_in(here, 2), 44u);
  EXPECT_EQ(lanes_in(here, 3), 0u);
  EXPECT_EQ(extent(here, 0), 600u) << "300 halves";
}

TEST(Footprint, SVM_2_strides_RepeatsOnTheSamePlaceReachAsFarAsTheFullestOne) {
  ResolvedInstruction here = counted(Op::adds, f16, 300);
  stride(here.insn, 0, 1, 0);
  EXPECT_EQ(extent(here, 0), 256u);
}

TEST(Footprint, VP_3_count_read_PaddingReadsTheDataBlockOfTheLastElementInFull) {
  const ResolvedInstruction here = counted(Op::vpadding, f16, 300);  // 44 left: two blocks and 12 elements
  EXPECT_EQ(extent(here, 0), 600u);
  EXPECT_EQ(extent(here, 1), 512u + 3 * 32);
}

}  // namespace footprint_test
}  // namespace lanecheck
