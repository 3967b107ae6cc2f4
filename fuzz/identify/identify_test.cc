// What identification says of the oracle and of faults that are written here: the oracle runs another program
// than it was given, as an implementation with this fault would.
#include <gtest/gtest.h>

#include <cstring>

#include "fuzz/identify/identify_testing.h"
#include "fuzz/identify/probes/gate_map.h"
#include "fuzz/identify/probes/place_map.h"
#include "spec/legality/find_fault.h"
#include "spec/mask/footprint.h"
#include "spec/program/profile.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

TEST(Identify, SaysNothingOfTheOracle) {
  for (const char* name : {"add.f16", "abs.i8", "cast.f32.f16", "cast.i16.f32", "muladddst.f32",
                           "axpy.f32.f16", "dup.u8", "exp.f16", "rec.f32", "vmins.i32", "vand.u16"}) {
    const Identification identification = identify(subject_of(name), ask_oracle(), true);
    EXPECT_EQ(identification.differences, std::vector<std::string>{}) << name;
    EXPECT_EQ(identification.why_not(), "") << name;
  }
}

TEST(Identify, DocumentedGatesAreTheSlotsOfTheLanes) {
  for (const char* name : {"add.f16", "add.f32", "add.i8", "cast.f32.f16"}) {
    const Subject subject = shapes_of(subject_of(name))[0].subject;
    const auto gates = measure_gates(subject, ask_oracle());
    ASSERT_TRUE(gates.map) << name;
    for (unsigned repeat = 0; repeat < gates.map->repeats; ++repeat)
      for (unsigned lane = 0; lane < gates.map->lanes; ++lane) {
        // VMC 1: slot i gates element i of every repeat; VMC 2: set_mask leaves slots 128 to 255 at 1.
        const Gate expected =
            lane < 128 ? Gate{GateKind::slot, static_cast<std::uint8_t>(lane)} : Gate{GateKind::always, 0};
        EXPECT_EQ(gates.map->at(repeat, lane), expected) << name << " lane " << lane;
      }
  }
}

TEST(Identify, DocumentedPlacesAreThoseOfTheFootprint) {
  for (const char* name : {"add.f16", "cast.i16.f32", "cast.f16.i8", "adds.i32"})
    for (const Shape& shape : shapes_of(subject_of(name))) {
      const Instruction& insn = shape.subject.insn;
      const PlaceMaps maps = measure_places(shape.subject, full_mask(shape.subject), ask_oracle());
      ASSERT_TRUE(maps.destination.map) << name;
      std::size_t written = 0;
      for (const bool each : maps.destination.map->written) written += each ? 1 : 0;
      EXPECT_EQ(written, std::size_t{insn.repeat} * lanes_of(insn)) << name << ", " << shape.name;
      for (unsigned repeat = 0; repeat < insn.repeat; ++repeat)
        for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
          const auto place =
              static_cast<std::int32_t>(lane_offset(insn, 0, repeat, lane) / size_of(insn.dst_type));
          EXPECT_TRUE(maps.destination.map->writes(place));
          for (const auto& source : maps.sources) {
            ASSERT_TRUE(source.map) << source.why_not;
            EXPECT_EQ(static_cast<std::uint64_t>(source.map->at(place)) * size_of(insn.src_type),
                      lane_offset(insn, source.map->operand, repeat, lane))
                << name << ", " << shape.name << ", repeat " << repeat << ", lane " << lane;
          }
        }
    }
}

TEST(IdentifyFault, MaskWordsSwapped) {
  EXPECT_EQ(said("add.f16", with([](Instruction& i) { std::swap(i.high, i.low); })),
            "lanes 0..127 of add.f16 are gated by slot lane xor 64 instead of each by its own slot");
}

TEST(IdentifyFault, HighLanesGatedByLowSlots) {
  EXPECT_EQ(said("add.f16", with([](Instruction& i) { i.high = i.low; })),
            "lanes 64..127 of add.f16 are gated by slots 0..63 instead of 64..127");
}

TEST(IdentifyFault, GateInverted) {
  EXPECT_EQ(said("muls.f32", with([](Instruction& i) { i.high = ~i.high, i.low = ~i.low; })),
            "lanes 0..63 of muls.f32 are gated, inverted (written if the slot is 0), by their own slots");
}

TEST(IdentifyFault, MaskIgnored) {
  EXPECT_EQ(said("cast.i16.f32", with([](Instruction& i) { i.high = i.low = ~std::uint64_t{0}; })),
            "cast.i16.f32 ignores the mask: all lanes are written whatever it is");
}

TEST(IdentifyFault, HighestBitOfAWordLost) {
  EXPECT_EQ(said("sub.i16", with([](Instruction& i) { i.low &= ~(std::uint64_t{1} << 63); })),
            "lane 63 of sub.i16 is never written");
}

TEST(IdentifyFault, EmptyLowWordMeansFull) {
  EXPECT_EQ(said("add.f32", with([](Instruction& i) {
                   if (sets_mask(i) && i.low == 0) i.low = ~std::uint64_t{0};
                 })),
            "lanes 0..63 of add.f32 are written, whatever their slots are, if the part of the mask for these "
            "lanes is empty");
}

/// Of 8-bit types, also the lanes that no mask switches off.
TEST(IdentifyFault, NothingIsWrittenIfTheLowWordIsEmpty) {
  const Ask skips = then([](const Program& program, State& state) {
    const Mask mask = mask_of(program);
    if (std::none_of(mask.begin(), mask.begin() + 64, [](auto slot) { return slot; })) state.ub = program.ub;
  });
  const std::string kept = " are kept, whatever their slots are, if the low word is 0";
  EXPECT_EQ(said("abs.i8", skips), "all lanes of abs.i8" + kept);
  EXPECT_EQ(said("vmax.u8", skips), "all lanes of vmax.u8" + kept);
  EXPECT_EQ(said("abs.f16", skips), "lanes 0..127 of abs.f16" + kept);
}

TEST(IdentifyFault, SlotsReversedInEachByte) {
  EXPECT_EQ(said("dup.u16", with([](Instruction& i) {
                   for (std::uint64_t* word : {&i.high, &i.low}) {
                     std::uint64_t reversed = 0;
                     for (unsigned bit = 0; bit < 64; ++bit) reversed |= (*word >> bit & 1) << (bit ^ 7);
                     *word = reversed;
                   }
                 })),
            "lanes 0..127 of dup.u16 are gated by slot lane xor 7 instead of each by its own slot");
}

/// Whatever the size of an element, a word that is read in reverse order is said in the same way.
TEST(IdentifyFault, AWordOfTheMaskInReverseOrder) {
  const auto reversed = [](std::uint64_t Instruction::*word) {
    return with([word](Instruction& i) {
      std::uint64_t bits = 0;
      for (unsigned bit = 0; bit < 64; ++bit) bits |= (i.*word >> bit & 1) << (63 - bit);
      if (sets_mask(i)) i.*word = bits;
    });
  };
  EXPECT_EQ(said("vand.i16", reversed(&Instruction::high)),
            "the last lanes (64..127) of vand.i16 are gated by the slots of the high word in reverse order");
  EXPECT_EQ(said("vand.u8", reversed(&Instruction::low)),
            "the first lanes (0..63) of vand.u8 are gated by the slots of the low word in reverse order");
}

TEST(IdentifyFault, SecondSourceHasTheBlockStrideOfTheFirst) {
  EXPECT_EQ(
      said("mul.f16", with([](Instruction& i) { i.operands[2].block_stride = i.operands[1].block_stride; })),
      "src1 of mul.f16 walks with the block stride of src0 instead of its own");
}

TEST(IdentifyFault, LastRepeatLeftOut) {
  EXPECT_EQ(said("abs.f16", with([](Instruction& i) { i.repeat -= i.repeat > 1 ? 1 : 0; })),
            "the last repeat of abs.f16 is left out, except if it is the only one");
}

TEST(IdentifyFault, AtMost254Repeats) {
  EXPECT_EQ(said("abs.f16", with([](Instruction& i) { i.repeat = std::min(i.repeat, 254u); })),
            "abs.f16 performs at most 254 repeats");
}

TEST(IdentifyFault, OneRepeatMore) {
  EXPECT_EQ(said("relu.f32", with([](Instruction& i) { ++i.repeat; })),
            "relu.f32 performs one repeat more than its repeat times");
}

TEST(IdentifyFault, RepeatStrideOfDstInEightBits) {
  EXPECT_EQ(said("add.f16", with([](Instruction& i) { i.operands[0].repeat_stride %= 256; })),
            "dst of add.f16 uses only the lowest 8 bits of its repeat stride");
}

TEST(IdentifyFault, BlockStrideOfDstIgnored) {
  EXPECT_EQ(said("dup.f32", with([](Instruction& i) { i.operands[0].block_stride = 1; })),
            "dst of dup.f32 walks with block stride 1, whatever is given");
}

TEST(IdentifyFault, FirstSourceStartsOneBlockLate) {
  EXPECT_EQ(said("sub.f32", with([](Instruction& i) { i.operands[1].offset += kBlockBytes; })),
            "src0 of sub.f32 starts 1 data block later");
}

TEST(IdentifyFault, MaskedOffLanesBecomeZero) {
  const Ask zeroes = [](const Batch& batch) {
    ask_oracle()(batch);
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program full = batch.programs[n];
      full.instructions.erase(full.instructions.begin());
      State state;
      Outcome outcome;
      ask_oracle()({{&full, 1}, {&state, 1}, {&outcome, 1}});
      for (std::size_t byte = 0; byte < state.ub.size(); ++byte)
        if (state.ub[byte] != full.ub[byte] && batch.states[n].ub[byte] == full.ub[byte])
          batch.states[n].ub[byte] = std::byte{0};
    }
  };
  EXPECT_EQ(said("dup.i32", zeroes),
            "masked-off lanes of dup.i32 receive 0 instead of keeping their old dst");
}

TEST(IdentifyFault, MaskedOffLanesOfAnInstructionThatReadsDstBecomeZero) {
  const Ask zeroes = then([](const Program& program, State& state) {
    const Instruction &set = program.instructions[0], &insn = program.instructions.back();
    if (!sets_mask(set)) return;
    for (unsigned repeat = 0; repeat < insn.repeat; ++repeat)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane)
        if (!has_slot({set.high, set.low}, lane))
          std::memset(&state.ub[start_of(program, insn.operands[0]) + lane_offset(insn, 0, repeat, lane)], 0,
                      size_of(insn.dst_type));
  });
  EXPECT_EQ(said("muladddst.f16", zeroes),
            "masked-off lanes of muladddst.f16 receive 0 instead of keeping their old dst");
}

TEST(IdentifyFault, ScalarRoundedToF16) {
  EXPECT_EQ(
      said("muls.f32", with([](Instruction& i) {
             if (i.scalar.bits != 0)
               i.scalar = scalar_of(
                   Element::f32,
                   value_of(Element::f16, nearest(Element::f16, value_of(Element::f32, i.scalar.bits))));
           })),
      "muls.f32 rounds its scalar to f16");
}

TEST(IdentifyFault, OneBitOfTheResultIsLost) {
  const Ask loses = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    const Mask mask = mask_of(program);
    for (unsigned r = 0; insn.op == Op::vand && r < insn.repeat; ++r)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane)
        if (mask[lane] != 0)
          state.ub[start_of(program, insn.operands[0]) + lane_offset(insn, 0, r, lane)] &= std::byte{0x7f};
  });
  const std::string all = said("vand.u8", loses);
  EXPECT_NE(all.find("vand.u8 clears the highest bit of its result"), std::string::npos) << all;
}

/// Masked-off lanes receive the element of an operand, `ahead` lanes further.
Ask off_lanes_receive(unsigned operand, unsigned ahead = 0) {
  return then([=](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (sets_mask(insn)) return;
    const Mask mask = mask_of(program);
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane)
        if (mask[lane] == 0)
          std::memcpy(&state.ub[start_of(program, insn.operands[0]) + lane_offset(insn, 0, r, lane)],
                      &program.ub[start_of(program, insn.operands[operand]) +
                                  lane_offset(insn, operand, r, (lane + ahead) % lanes_of(insn))],
                      size_of(insn.dst_type));
  });
}

TEST(IdentifyFault, MaskedOffLanesReceiveAnElement) {
  const std::string end = " instead of keeping their old dst";
  EXPECT_EQ(said("vnot.i16", off_lanes_receive(1)),
            "masked-off lanes of vnot.i16 receive their element of src" + end);
  EXPECT_EQ(said("vmin.i32", off_lanes_receive(1)),
            "masked-off lanes of vmin.i32 receive their element of src0" + end);
  EXPECT_EQ(said("vmax.f16", off_lanes_receive(2)),
            "masked-off lanes of vmax.f16 receive their element of src1" + end);
}

/// The mask is put into the first source, where masked-off elements become 0. Then all lanes are written.
State with_zeros_in_first_source(Program program) {
  Instruction& insn = program.instructions.back();
  const Mask mask = mask_of(program);
  for (unsigned r = 0; r < insn.repeat; ++r)
    for (unsigned lane = 0; lane < lanes_of(insn); ++lane)
      if (mask[lane] == 0)
        std::memset(&program.ub[start_of(program, insn.operands[1]) + lane_offset(insn, 1, r, lane)], 0,
                    size_of(insn.dst_type));
  program.instructions = {insn};
  State state;
  Outcome outcome = NotRun{};
  ask_oracle()({{&program, 1}, {&state, 1}, {&outcome, 1}});
  return state;
}

TEST(IdentifyFault, MaskedOffLanesComputeWithZero) {
  const Ask zeros = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (sets_mask(insn)) return;
    const State left = with_zeros_in_first_source(program);
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
        const std::size_t at = start_of(program, insn.operands[0]) + lane_offset(insn, 0, r, lane);
        std::memcpy(&state.ub[at], &left.ub[at], size_of(insn.dst_type));
      }
  });
  for (const std::string name : {"exp.f16", "sub.i32", "vnot.i16"})
    EXPECT_EQ(said(name, zeros),
              "masked-off lanes of " + name +
                  " receive what it computes with 0 in place of their first source instead "
                  "of keeping their old dst");
}

TEST(IdentifyFault, WordsAreExchangedIfNeitherIs0) {
  const Ask exchanges = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (sets_mask(insn)) return;
    const Mask mask = mask_of(program);
    const auto first = std::span(mask).first(128);
    if (std::ranges::count(first.first(64), 1) == 0 || std::ranges::count(first.last(64), 1) == 0) return;
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
        const std::size_t dst = start_of(program, insn.operands[0]) + lane_offset(insn, 0, r, lane);
        const std::size_t src = start_of(program, insn.operands[1]) + lane_offset(insn, 1, r, lane);
        std::memcpy(&state.ub[dst], &program.ub[mask[lane ^ 64] != 0 ? src : dst], 2);
        if (mask[lane ^ 64] != 0) state.ub[dst + 1] &= std::byte{0x7f};
      }
  });
  EXPECT_EQ(
      said("abs.f16", exchanges),
      "lanes 0..127 of abs.f16 are gated by the slot of the other word (slot lane xor 64), if the smaller "
      "of the two words is not 0");
}

TEST(Identify, ADeathOrARefusalIsNoEvidence) {
  const Ask refuses = [](const Batch& batch) {
    for (Outcome& outcome : batch.outcomes) outcome = Refused{"no"};
  };
  const Identification identification = identify(subject_of("add.f16"), refuses);
  EXPECT_FALSE(identification.measured());
  EXPECT_EQ(identification.why_not(), "plain: the backend refuses it: no");
  EXPECT_TRUE(identification.differences.empty());
}

TEST(IdentifyFault, KeepsTheProductInF64) {
  const Ask in_f64 = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    const auto at = [&](unsigned k) { return start_of(program, insn.operands[k]); };
    for (std::uint32_t n = 0; insn.repeat == 6 && n < 6 * lanes_of(insn); ++n) {
      float src = 0, dst = 0;
      std::memcpy(&src, &program.ub[at(1) + 4 * n], 4);
      std::memcpy(&dst, &program.ub[at(0) + 4 * n], 4);
      dst = static_cast<float>(src * value_of(Element::f32, insn.scalar.bits) + dst);
      std::memcpy(&state.ub[at(0) + 4 * n], &dst, 4);
    }
  });
  EXPECT_EQ(said("axpy.f32", in_f64), "axpy.f32 computes in f64, with one rounding to f32 instead of two");
}

/// The result of the probes must not be 0 by chance.
TEST(IdentifyFault, MaskedOffLanesOfADifferenceReceiveZero) {
  const auto zeros = [](unsigned repeats) -> Ask {
    return [repeats](const Batch& batch) {
      ask_oracle()(batch);
      for (std::size_t n = 0; n < batch.programs.size(); ++n) {
        const Program& program = batch.programs[n];
        const Instruction& insn = program.instructions.back();
        if (insn.op != Op::sub) continue;
        const Mask mask = mask_of(program);
        for (unsigned repeat = 0; repeat < std::min(repeats, insn.repeat); ++repeat)
          for (unsigned lane = 0; lane < lanes_of(insn); ++lane)
            if (mask[lane] == 0)
              std::memset(&batch.states[n]
                               .ub[start_of(program, insn.operands[0]) + lane_offset(insn, 0, repeat, lane)],
                          0, size_of(insn.dst_type));
      }
    };
  };
  const std::string said_of_all = "masked-off lanes of sub.i32 receive 0 instead of keeping their old dst";
  EXPECT_EQ(said("sub.i32", zeros(255)), said_of_all);
  EXPECT_EQ(said("sub.i32", zeros(1)), said_of_all + " in the first repeat");
}

}  // namespace
}  // namespace lanecheck
