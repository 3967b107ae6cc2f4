// The mask register: what the documents say of each way to set it, with values worked out by hand.
#include <gtest/gtest.h>

#include "spec/mask/mask_register.h"
#include "spec/program/profile.h"

namespace lanecheck {
namespace {

using enum Element;

Instruction instruction(Op op, Element type = f16) {
  Instruction insn;
  insn.op = op;
  insn.dst_type = insn.src_type = type;
  return insn;
}

void put(Instruction& insn, std::string_view name, std::uint32_t value) {
  const auto& settings = row_of(insn.op).settings;
  for (unsigned n = 0; n < settings.size(); ++n)
    if (settings[n].name == name) insn.settings[n] = value;
  ASSERT_EQ(setting(insn, name), value);
}

Instruction with_mask(Instruction insn, MaskFrom from, std::uint64_t high, std::uint64_t low) {
  insn.mask_from = from;
  insn.high = high;
  insn.low = low;
  return insn;
}

TEST(MaskSetter, HasTheWordsAndATypeOnlyIfItTakesOne) {
  const Instruction plain = mask_setter(Op::set_mask, {1, 2}, i16);
  EXPECT_EQ(plain.op, Op::set_mask);
  EXPECT_EQ(plain.high, 1u);
  EXPECT_EQ(plain.low, 2u);
  EXPECT_EQ(plain.src_type, Instruction().src_type);
  const Instruction typed = mask_setter(Op::set_vector_mask, {1, 2}, i16);
  EXPECT_EQ(typed.dst_type, i16);
  EXPECT_EQ(typed.src_type, i16);
}

bool is_on(const MaskWords& words, unsigned slot) {
  return ((slot < 64 ? words.low : words.high) >> slot % 64 & 1) != 0;
}

bool is_on(const MaskBits& mask, unsigned slot) {
  return (mask.words[slot / 64] >> slot % 64 & 1) != 0;
}

/// The register after `insns`, each with its effect before and after it computes.
MaskBits after(std::initializer_list<Instruction> insns, Profile profile = Profile::a2) {
  MaskBits mask;
  for (const Instruction& insn : insns) mask.apply(insn, default_readings(profile));
  return mask;
}

// Setting the register.

TEST(MaskRegister, VMC_1_default_mask_AProgramStartsWithAll256SlotsOn) {
  for (unsigned slot = 0; slot < kMaskSlots; ++slot) EXPECT_TRUE(is_on(MaskBits{}, slot)) << slot;
  EXPECT_EQ(MaskBits{}.mode, Mode::normal);
  EXPECT_EQ(MaskBits{}.origin, MaskOrigin::initial);
}

TEST(MaskRegister, VMC_2_argument_order_High2Low8SwitchesOnSlots3And65) {
  Mask mask = kFullMask;
  set_mask(mask, 2, 8);
  for (unsigned slot = 0; slot < 128; ++slot) EXPECT_EQ(mask[slot], slot == 3 || slot == 65) << slot;
}

TEST(MaskRegister, VMC_2_lowest_bit_first_Bit0IsTheLowestSlotAndBit63TheHighest) {
  Mask mask{};
  set_mask(mask, 1, kOnes ^ kOnes >> 1);  // bit 0 of high, bit 63 of low
  for (unsigned slot = 0; slot < kMaskSlots; ++slot) EXPECT_EQ(mask[slot], slot == 63 || slot == 64) << slot;
}

TEST(MaskRegister, VMC_2_upper_half_stays_SetMaskLeavesSlots128To255AsTheyAre) {
  Mask off{};
  set_mask(off, kOnes, kOnes);
  for (unsigned slot = 0; slot < kMaskSlots; ++slot) EXPECT_EQ(off[slot], slot < 128) << slot;
  Mask on = kFullMask;
  set_mask(on, 0, 0);
  for (unsigned slot = 0; slot < kMaskSlots; ++slot) EXPECT_EQ(on[slot], slot >= 128) << slot;
}

TEST(MaskRegister, VMC_2_reset_ResetMaskPutsAll256SlotsBackTo1) {
  const MaskBits mask =
      after({with_mask(instruction(Op::set_vector_mask), MaskFrom::reg, 0, 5), instruction(Op::reset_mask)});
  for (unsigned slot = 0; slot < kMaskSlots; ++slot) EXPECT_TRUE(is_on(mask, slot)) << slot;
  EXPECT_EQ(mask.origin, MaskOrigin::reset);
}

TEST(MaskRegister, BitsAndSlotsAreTheSameMask) {
  Mask slots{};
  for (unsigned slot = 0; slot < kMaskSlots; slot += 5) slots[slot] = 1;
  const MaskBits bits = bits_of(slots, Mode::counter, MaskOrigin::set);
  for (unsigned slot = 0; slot < kMaskSlots; ++slot) EXPECT_EQ(is_on(bits, slot), slot % 5 == 0) << slot;
  EXPECT_EQ(bits.mode, Mode::counter);
  EXPECT_EQ(bits.total(), mask_word(slots, 0) & 0xffffffff);
}

TEST(MaskRegister, AnyOfLooksAtTheFirstLanesAlone) {
  MaskBits mask;
  mask.words = {std::uint64_t{1} << 32, 0, 0, 1};
  EXPECT_FALSE(mask.any_of(32));
  EXPECT_TRUE(mask.any_of(64));
  mask.words[0] = 0;
  EXPECT_FALSE(mask.any_of(64));
  EXPECT_FALSE(mask.any_of(128));
  EXPECT_TRUE(mask.any_of(256));
}

// Contiguous and bitwise masks of normal mode.

TEST(MaskOperand, SVM_1_contiguous_OfEveryRepeatTheFirstNElementsTakePart) {
  for (const unsigned lanes : {32u, 64u, 128u})  // of 64-, 32- and 16-bit operands
    for (unsigned n = 1; n <= lanes; ++n)
      for (unsigned slot = 0; slot < lanes; ++slot)
        EXPECT_EQ(is_on(contiguous_words(n, lanes, FullLength::whole_register), slot), slot < n)
            << n << " of " << lanes << ": " << slot;
}

TEST(MaskOperand, UnderFullLengthIsItsLanes32OfA64BitTypeSwitchOn32Slots) {
  const MaskWords words = contiguous_words(32, 32, FullLength::its_lanes);
  EXPECT_EQ(words.high, 0u);
  EXPECT_EQ(words.low, 0xffffffffu);
  EXPECT_EQ(contiguous_words(128, 128, FullLength::its_lanes).high, kOnes);
}

TEST(MaskOperand, OnlyUnderWholeRegisterOfCastsDoes32OfACastWithA64BitTypeSwitchOnAllSlots) {
  Instruction cast = with_mask(instruction(Op::cast), MaskFrom::contiguous, 0, 32);
  cast.dst_type = Element::i64;
  cast.src_type = Element::f32;
  Readings readings = default_readings(Profile::a2);
  EXPECT_EQ(operand_words(cast, readings).low, 0xffffffffu);
  readings.full_length = FullLength::whole_register_of_casts;
  EXPECT_EQ(operand_words(cast, readings).low, kOnes);
  EXPECT_EQ(operand_words(cast, readings).high, kOnes);
  cast.low = 31;
  EXPECT_EQ(operand_words(cast, readings).low, 0x7fffffffu);
}

TEST(MaskOperand, SVM_1_contiguous_WordsOfSomeLengths) {
  const auto words = [](unsigned n, unsigned lanes) {
    const MaskWords both = contiguous_words(n, lanes, FullLength::whole_register);
    return std::pair(both.high, both.low);
  };
  EXPECT_EQ(words(1, 128), std::pair(std::uint64_t{0}, std::uint64_t{1}));
  EXPECT_EQ(words(64, 128), std::pair(std::uint64_t{0}, kOnes));
  EXPECT_EQ(words(65, 128), std::pair(std::uint64_t{1}, kOnes));
  EXPECT_EQ(words(127, 128), std::pair(kOnes >> 1, kOnes));
  EXPECT_EQ(words(128, 128), std::pair(kOnes, kOnes));
  EXPECT_EQ(words(63, 64), std::pair(std::uint64_t{0}, kOnes >> 1));
  EXPECT_EQ(words(31, 32), std::pair(std::uint64_t{0}, std::uint64_t{0x7fffffff}));
}

TEST(MaskOperand, TIK_1_bits_TheList08MeansTheFourthElementAlone) {
  const Instruction adds = with_mask(instruction(Op::adds), MaskFrom::bitwise, 0, 8);
  const MaskWords words = operand_words(adds, default_readings(Profile::tik));
  for (unsigned slot = 0; slot < 128; ++slot) EXPECT_EQ(is_on(words, slot), slot == 3) << slot;
}

TEST(MaskOperand, TIK_1_list_order_TheFirstNumberOfTheListHoldsTheHigh64Elements) {
  MaskBits mask;
  mask.load(with_mask(instruction(Op::adds), MaskFrom::bitwise, 1, 2), default_readings(Profile::tik));
  for (unsigned slot = 0; slot < 128; ++slot) EXPECT_EQ(is_on(mask, slot), slot == 64 || slot == 1) << slot;
  EXPECT_EQ(mask.origin, MaskOrigin::operand);
}

TEST(MaskOperand, AnInstructionWithoutOneComputesUnderTheRegister) {
  MaskBits mask;
  mask.set_words({7, 9});
  mask.load(instruction(Op::adds), default_readings(Profile::a2));
  EXPECT_EQ(mask.words[0], 9u);
  EXPECT_EQ(mask.words[1], 7u);
  EXPECT_EQ(mask.origin, MaskOrigin::set);
}

TEST(MaskOperand, SVM_1_length_SetVectorMask5SwitchesOnTheFirstFiveElementsOfARepeat) {
  Instruction set = instruction(Op::set_vector_mask_len);
  put(set, "len", 5);
  const MaskBits mask = after({set});
  for (unsigned slot = 0; slot < 128; ++slot) EXPECT_EQ(is_on(mask, slot), slot < 5) << slot;
}

// Modes.

TEST(MaskMode, SVM_4_mode_alone_SetMaskCountAndSetMaskNormLeaveTheMask) {
  const Instruction set = with_mask(instruction(Op::set_vector_mask), MaskFrom::reg, 6, 9);
  const MaskBits counter = after({set, instruction(Op::set_mask_count)});
  EXPECT_EQ(counter.mode, Mode::counter);
  EXPECT_EQ(counter.words, after({set}).words);
  const MaskBits normal = after({set, instruction(Op::set_mask_count), instruction(Op::set_mask_norm)});
  EXPECT_EQ(normal.mode, Mode::normal);
  EXPECT_EQ(normal.words, after({set}).words);
}

TEST(MaskMode, SVM_4_mask_alone_SetVectorMaskLeavesTheMode) {
  const Instruction set = with_mask(instruction(Op::set_vector_mask), MaskFrom::reg, 0, 300);
  EXPECT_EQ(after({set}).mode, Mode::normal);
  const MaskBits counter = after({instruction(Op::set_mask_count), set});
  EXPECT_EQ(counter.mode, Mode::counter);
  EXPECT_EQ(counter.total(), 300u);
}

TEST(MaskMode, SVM_2_length_SetVectorMask300InCounterModeMakes300TheCount) {
  Instruction set = instruction(Op::set_vector_mask_total);
  put(set, "len", 300);
  EXPECT_EQ(after({instruction(Op::set_mask_count), set}).total(), 300u);
}

TEST(MaskMode, SVM_3_reset_mode_ResetMaskLeavesTheMode) {
  EXPECT_EQ(after({instruction(Op::set_mask_count), instruction(Op::reset_mask)}).mode, Mode::counter);
}

TEST(MaskMode, SVM_4_first_n_after_TheFormForTheFirstNElementsEndsInNormalModeWithAFullMask) {
  const Instruction adds = with_mask(instruction(Op::adds), MaskFrom::count, 0, 300);
  const Readings readings = default_readings(Profile::a2);
  MaskBits mask;
  mask.set_words({0, 1});
  mask.load(adds, readings);
  EXPECT_EQ(mask.mode, Mode::counter);
  EXPECT_EQ(mask.total(), 300u);
  mask.leave(adds, readings);
  EXPECT_EQ(mask.mode, Mode::normal);
  EXPECT_EQ(mask.words, MaskBits{}.words);
}

TEST(MaskMode, SVM_4_operand_stays_AContiguousOperandStaysInTheRegister) {
  const MaskBits mask = after({with_mask(instruction(Op::adds), MaskFrom::contiguous, 0, 5)});
  EXPECT_EQ(mask.words[0], 0x1fu);
  EXPECT_EQ(mask.words[1], 0u);
}

TEST(MaskMode, GM_6_mode_after_GatherMaskEndsInNormalMode) {
  for (const Op op : {Op::gather_mask, Op::gather_mask_user})
    EXPECT_EQ(after({instruction(Op::set_mask_count), instruction(op)}).mode, Mode::normal);
}

TEST(MaskMode, VMC_4_mask_stays_InstructionsThatIgnoreTheMaskLeaveIt) {
  const Instruction set = with_mask(instruction(Op::set_mask), MaskFrom::reg, 6, 9);
  for (const Op op : {Op::select, Op::compare, Op::gather, Op::scatter, Op::sort32, Op::brcb})
    EXPECT_EQ(after({set, instruction(op)}, Profile::vmc).words, after({set}, Profile::vmc).words)
        << row_of(op).name;
}

// Counter mode, resolved.

ResolvedInstruction in_counter_mode(const Instruction& insn, std::uint32_t count) {
  return resolve(insn, Mode::counter, count, default_readings(Profile::a2));
}

TEST(CounterMode, SVM_2_repeats_300ElementsOf16BitsTakeThreeRepeatsWhateverTheRepeatTimes) {
  Instruction adds = instruction(Op::adds);
  for (const std::uint32_t repeat : {0u, 1u, 7u}) {
    adds.repeat = repeat;
    const ResolvedInstruction here = in_counter_mode(adds, 300);  // 128 + 128 + 44
    EXPECT_EQ(here.insn.repeat, 3u);
    EXPECT_EQ(here.total, 300u);
  }
}

TEST(CounterMode, SVM_2_total_WholeRepeatsAndNone) {
  EXPECT_EQ(in_counter_mode(instruction(Op::adds, f32), 128).insn.repeat, 2u);
  EXPECT_EQ(in_counter_mode(instruction(Op::adds, f32), 129).insn.repeat, 3u);
  EXPECT_EQ(in_counter_mode(instruction(Op::adds, f32), 1).insn.repeat, 1u);
  EXPECT_EQ(in_counter_mode(instruction(Op::adds, f32), 0).insn.repeat, 0u);
}

TEST(CounterMode, NormalModeKeepsTheRepeatTimesAndHasNoTotal) {
  Instruction adds = instruction(Op::adds);
  adds.repeat = 7;
  const ResolvedInstruction here = resolve(adds, MaskBits{}, default_readings(Profile::a2));
  EXPECT_EQ(here.insn, adds);
  EXPECT_EQ(here.total, kNoTotal);
}

TEST(CounterMode, AnInstructionThatTakesNoMaskKeepsItsRepeatTimes) {
  Instruction compare = instruction(Op::compare);
  compare.dst_type = u8;
  compare.repeat = 2;
  EXPECT_EQ(in_counter_mode(compare, 300).insn.repeat, 2u);
  EXPECT_EQ(in_counter_mode(compare, 300).total, kNoTotal);
}

TEST(CounterMode, TIK_2_counter_TheReadingAsNormalTakesTheCountForAContiguousMask) {
  const Instruction adds = with_mask(instruction(Op::adds), MaskFrom::count, 0, 70);
  Readings readings = default_readings(Profile::tik);
  MaskBits mask;
  mask.load(adds, readings);
  EXPECT_EQ(mask.mode, Mode::counter);
  EXPECT_EQ(resolve(adds, mask, readings).total, 70u);
  readings.tik_counter = TikCounter::as_normal;
  MaskBits normal;
  normal.load(adds, readings);
  EXPECT_EQ(normal.mode, Mode::normal);
  for (unsigned slot = 0; slot < 128; ++slot) EXPECT_EQ(is_on(normal, slot), slot < 70) << slot;
}

TEST(CounterMode, GM_3_counter_TheTwoConfigurationsOfGatherMask) {
  Instruction gather = instruction(Op::gather_mask);
  put(gather, "counter", 1);
  put(gather, "mask", 300);
  gather.repeat = 2;
  Readings readings;
  readings.gather_counter = GatherCounter::per_repeat;  // configuration 1: 2 repeats of 300 elements
  EXPECT_EQ(resolve(gather, MaskBits{}, readings).insn.repeat, 2u);
  EXPECT_EQ(resolve(gather, MaskBits{}, readings).total, kNoTotal);
  EXPECT_EQ(lanes_of(gather), 300u);
  readings.gather_counter = GatherCounter::total;  // configuration 2: 300 elements, 128 + 128 + 44
  const ResolvedInstruction here = resolve(gather, MaskBits{}, readings);
  EXPECT_EQ(here.insn.repeat, 3u);
  EXPECT_EQ(here.total, 300u);
  EXPECT_EQ(lanes_of(here.insn), 128u);
}

}  // namespace
}  // namespace lanecheck
