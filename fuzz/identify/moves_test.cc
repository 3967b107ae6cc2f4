// What identification says of reductions and of the instructions that ignore the mask, on the oracle and on
// faults that are written here.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "fuzz/identify/identify_testing.h"
#include "fuzz/identify/probes/gate_map.h"
#include "oracle/execute/execute.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

TEST(Identify, SaysNothingOfTheReductionsOfTheOracle) {
  for (const char* name :
       {"cadd.f16", "cgadd.f32", "cpadd.f16", "cmax.f32", "cgmax.f16", "cmin.f16", "cgmin.f32"})
    EXPECT_EQ(said(name, ask_oracle()), "") << name;
}

TEST(IdentifyFault, ReductionIgnoresTheMask) {
  const Ask ignores = with([](Instruction& i) {
    if (sets_mask(i) && (i.high | i.low) != 0) i.high = i.low = ~std::uint64_t{0};
  });
  EXPECT_EQ(said("cadd.f32", ignores),
            "lanes 0..63 of cadd.f32 are counted, whatever their slots are, if the mask is not empty");
}

/// The oracle, after `change` has changed each mask for the lanes of an instruction.
template <class Change>
Ask with_mask(Change change) {
  return with([change](Instruction& i) {
    if (!sets_mask(i)) return;
    const MaskWords words = change(MaskWords{i.high, i.low});
    i.high = words.high, i.low = words.low;
  });
}

/// The oracle on a source whose lanes have gone to other places: lane l to `to(l, lanes of a repeat)`, or
/// nowhere if that is no lane.
template <class To>
Ask with_lanes_moved(To to) {
  return [to](const Batch& batch) {
    std::vector<Program> changed(batch.programs.begin(), batch.programs.end());
    for (Program& program : changed) {
      const Instruction& insn = program.instructions.back();
      const std::uint32_t start = start_of(program, insn.operands[1]), size = size_of(insn.src_type);
      const std::vector<std::byte> old = program.ub;
      for (unsigned repeat = 0; repeat < insn.repeat; ++repeat) {
        for (unsigned lane = 0; lane < lanes_of(insn); ++lane)
          std::memset(&program.ub[start + lane_offset(insn, 1, repeat, lane)], 0, size);
        for (unsigned lane = 0; lane < lanes_of(insn); ++lane)
          if (const unsigned other = to(lane, lanes_of(insn)); other < lanes_of(insn))
            std::memcpy(&program.ub[start + lane_offset(insn, 1, repeat, other)],
                        &old[start + lane_offset(insn, 1, repeat, lane)], size);
      }
    }
    ask_oracle()({changed, batch.states, batch.outcomes});
  };
}

TEST(IdentifyFault, AResultIsComputedFromOtherLanes) {
  EXPECT_EQ(said("cpadd.f16", with_lanes_moved([](unsigned lane, unsigned lanes) {
                   return lane % (lanes / 2) * 2 + lane / (lanes / 2);
                 })),
            "each result of cpadd.f16 is computed from other lanes than those of its pair: lane l counts in "
            "result l mod 64 instead of l / 2");
}

TEST(IdentifyFault, TheLastLaneOfADataBlockIsLeftOut) {
  EXPECT_EQ(
      said("cgadd.f32", with_lanes_moved([](unsigned lane, unsigned) { return lane % 8 == 7 ? 999 : lane; })),
      "lanes 7, 15 .. 63 of cgadd.f32, the last lane of each data block, are left out of every result, "
      "even under a full mask");
}

TEST(IdentifyFault, TheRepeatStrideOfResultsCountsDataBlocks) {
  EXPECT_EQ(said("cmax.f32", with([](Instruction& i) {
                   if (!sets_mask(i)) i.operands[0].repeat_stride *= 8;  // 8 results of 4 bytes
                 })),
            "cmax.f32 counts its dst repeat stride in data blocks of 32 bytes instead of units of 4 bytes");
}

std::string said_of_padding(const Ask& ask) {
  Instruction insn;
  EXPECT_TRUE(parse_mnemonic("vpadding.f16", insn));
  const Profile profile = Profile::p310;
  const auto found =
      identify(default_subject(profile, row_of(insn.op), *types_of(insn, profile)), ask).differences;
  return found.empty() ? "" : found[0];
}

TEST(IdentifyFault, PaddingTakesTheOtherEndOfTheDataBlock) {
  EXPECT_EQ(said_of_padding(ask_oracle()), "");
  EXPECT_EQ(said_of_padding(with([](Instruction& i) { i.settings[1] = 1 - i.settings[1]; })),
            "vpadding.f16 exchanges left and right of padSide");
}

TEST(IdentifyFault, PaddingWritesZerosWhereTheMaskIsOff) {
  const Ask zeroes = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::vpadding) return;
    for (unsigned repeat = 0; repeat < insn.repeat; ++repeat)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane)
        if (!has_slot({insn.high, insn.low}, lane))
          std::memset(&state.ub[start_of(program, insn.operands[0]) + lane_offset(insn, 0, repeat, lane)], 0,
                      size_of(insn.dst_type));
  });
  EXPECT_EQ(said_of_padding(zeroes),
            "masked-off lanes of vpadding.f16 receive 0 instead of keeping their old dst");
}

/// The oracle, after which `change` has changed each result of the last instruction; it gets the old bits of
/// its place too.
template <class Change>
Ask with_results(Change change) {
  return then([change](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    const Mask mask = mask_of(program);
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned group = 0; group < results_per_repeat(insn); ++group) {
        const std::size_t at =
            start_of(program, insn.operands[0]) + r * repeat_step(insn, 0) + group * size_of(insn.dst_type);
        std::uint64_t bits = 0;
        std::memcpy(&bits, &state.ub[at], size_of(insn.dst_type));
        const unsigned size = lanes_of(insn) / results_per_repeat(insn);
        const bool on = std::any_of(mask.begin() + group * size, mask.begin() + (group + 1) * size,
                                    [](auto slot) { return slot != 0; });
        const bool any =
            std::any_of(mask.begin(), mask.begin() + lanes_of(insn), [](auto slot) { return slot != 0; });
        bits = change(bits, on, any);
        std::memcpy(&state.ub[at], &bits, size_of(insn.dst_type));
      }
  });
}

TEST(IdentifyFault, AMinimumThatStartsWithZeroIsNotAlwaysZero) {
  EXPECT_EQ(said("cmin.i32", with_results([](std::uint64_t bits, bool on, bool) {
                   return on && static_cast<std::int32_t>(bits) > 0 ? 0 : bits;
                 })),
            "cmin.i32 gives 0 where all elements are greater, even under a full mask, as if it started with "
            "this value");
}

TEST(IdentifyFault, AMaximumThatIsAMagnitudeHasNothingToDoWithMaskedOffElements) {
  EXPECT_EQ(said("cmax.f32", with_results([](std::uint64_t bits, bool on, bool) {
                   return on ? bits & 0x7fffffff : bits;
                 })),
            "cmax.f32 gives inf where all elements are -inf, even under a full mask");
}

const std::string kEmptyBesideOthers = "all of their lanes are off and another lane of their repeat is on";

TEST(IdentifyFault, EmptyResultsAreWrittenIfAnyLaneOfTheirRepeatIsOn) {
  EXPECT_EQ(said("cgmin.i32", with_results([](std::uint64_t bits, bool on, bool any) {
                   return !on && any ? 0x7fffffff : bits;
                 })),
            "results of cgmin.i32 are written (2147483647 in cgmin.i32) if " + kEmptyBesideOthers);
}

/// The neutral element follows from the type.
TEST(IdentifyFault, TheSameIsSaidOfEveryTypeWithoutTheValueOfEmptyResults) {
  const auto general = [](const std::string& name, std::uint64_t value) {
    const auto found = identify(subject_of(name), with_results([=](std::uint64_t bits, bool on, bool any) {
                                  return !on && any ? value : bits;
                                }));
    return found.parts.empty() ? "" : found.parts[0].general;
  };
  EXPECT_EQ(general("cgmin.i16", 0x7fff), "results are written if " + kEmptyBesideOthers);
  EXPECT_EQ(general("cgmax.f32", 0xff800000), "results are written if " + kEmptyBesideOthers);
}

TEST(IdentifyFault, ObeysTheMaskInSomeRepeats) {
  const Ask later = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    const Mask mask = mask_of(program);
    for (unsigned repeat = 1; repeat < insn.repeat; ++repeat)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
        const std::size_t at = start_of(program, insn.operands[0]) + lane_offset(insn, 0, repeat, lane);
        if (mask[lane] == 0) std::memcpy(&state.ub[at], &program.ub[at], size_of(insn.dst_type));
      }
  });
  EXPECT_EQ(said("select.f16", later),
            "select.f16 obeys the mask: lanes whose slot is 0 keep their old dst in every repeat after the "
            "first");
}

TEST(IdentifyFault, ALeastValueThatStaysDidNotSaturate) {
  const Ask stays = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    constexpr std::int32_t kLeast = std::numeric_limits<std::int32_t>::min();
    for (unsigned repeat = 0; repeat < insn.repeat; ++repeat)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
        std::int32_t src = 0;
        std::memcpy(&src,
                    &program.ub[start_of(program, insn.operands[1]) + lane_offset(insn, 1, repeat, lane)], 4);
        if (src == kLeast)
          std::memcpy(&state.ub[start_of(program, insn.operands[0]) + lane_offset(insn, 0, repeat, lane)],
                      &kLeast, 4);
      }
  });
  const std::string text = said("relu.i32", stays);
  EXPECT_NE(text.find("gives -2147483648 if src is the least value of its type, for example"),
            std::string::npos)
      << text;
}

TEST(IdentifyFault, ComparesInAnotherMode) {
  EXPECT_EQ(said("compare_scalar.f32", with([](Instruction& i) {
                   if (i.compare == Compare::le) i.compare = Compare::lt;
                 })),
            "compare_scalar.f32 compares in mode le as in mode lt");
}

TEST(IdentifyFault, FirstLaneOfADataBlockGatesTheBlock) {
  const Ask first_lane = with_mask([](MaskWords mask) {
    MaskWords spread{0, 0};
    for (unsigned slot = 0; slot < 128; ++slot)
      if (has_slot(mask, slot - slot % 16)) (slot < 64 ? spread.low : spread.high) |= 1ULL << (slot % 64);
    return spread;
  });
  EXPECT_EQ(
      said("cgadd.f16", first_lane),
      "lanes 1..15, 17..31, 33..47, 49..63, 65..79, 81..95, 97..111, 113..127 of cgadd.f16 are gated by "
      "the first slot of their data block (slot lane - lane mod 16) instead of their own");
}

TEST(IdentifyFault, NothingIsWrittenIfTheFirstBlockIsEmpty) {
  const Ask nothing = with_mask([](MaskWords mask) {
    return (mask.low & 0xffff) == 0 ? MaskWords{0, 0} : mask;
  });
  EXPECT_EQ(said("cgmax.f16", nothing),
            "results of cgmax.f16 keep their old dst if all lanes of the first result of the repeat are off");
}

TEST(IdentifyFault, AnySlotAboveItWritesALane) {
  const Ask fills = with([](Instruction& insn) {
    for (std::uint64_t* const word : {&insn.high, &insn.low}) {
      if (!sets_mask(insn)) continue;
      for (unsigned by = 1; by < 64; by *= 2) *word |= *word >> by;
      if (word == &insn.high && *word != 0) insn.low = kOnes;
    }
  });
  EXPECT_EQ(said("add.f16", fills),
            "lanes 0..126 of add.f16 are written if their own slot or any slot above it is 1");
}

TEST(IdentifyFault, PlacesOfReductions) {
  EXPECT_EQ(said("cgadd.f32", with([](Instruction& i) { i.repeat -= i.repeat > 1 ? 1 : 0; })),
            "the last repeat of cgadd.f32 is left out, except if it is the only one");
  EXPECT_EQ(said("cmax.f16", with([](Instruction& i) { i.repeat = std::min(i.repeat, 254u); })),
            "cmax.f16 performs at most 254 repeats");
}

TEST(Identify, SaysNothingOfTheMovesOfTheOracle) {
  for (const char* name : {"compare.f16", "compare_scalar.f32", "select.f16", "select.f32", "gather.u16",
                           "gather.f32", "scatter.u16", "brcb.f16"}) {
    const Identification identification = identify(subject_of(name), ask_oracle(), true);
    EXPECT_EQ(identification.differences, std::vector<std::string>{}) << name;
    EXPECT_EQ(identification.why_not(), "") << name;
  }
}

TEST(IdentifyFault, CompareBitsHighestFirst) {
  const Ask highest_first = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    for (unsigned n = 0; n < insn.repeat * lanes_of(insn) / 8; ++n) {
      std::byte& byte = state.ub[start_of(program, insn.operands[0]) + n];
      std::byte reversed{0};
      for (unsigned bit = 0; bit < 8; ++bit) reversed |= (byte >> bit & std::byte{1}) << (7 - bit);
      byte = reversed;
    }
  });
  EXPECT_EQ(said("compare.f16", highest_first), "bit L of a repeat of compare.f16 is that of lane L xor 7");
}

TEST(IdentifyFault, SelectObeysTheMask) {
  const Ask obeys = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    const Mask mask = mask_of(program);
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
        const auto at = start_of(program, insn.operands[0]) + lane_offset(insn, 0, r, lane);
        if (mask[lane] == 0) std::memcpy(&state.ub[at], &program.ub[at], size_of(insn.dst_type));
      }
  });
  EXPECT_EQ(said("select.f16", obeys), "select.f16 obeys the mask: lanes whose slot is 0 keep their old dst");
}

TEST(IdentifyFault, SelectTakesTheControlBitAndTheMask) {
  const Ask ands = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    const Mask mask = mask_of(program);
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
        const auto at = [&](unsigned k) {
          return start_of(program, insn.operands[k]) + lane_offset(insn, k, r, lane);
        };
        const unsigned src1 = insn.operands.size() > 3 && row_of(insn.op).operands[3].role == "src1" ? 3 : 2;
        if (mask[lane] == 0) std::memcpy(&state.ub[at(0)], &program.ub[at(src1)], size_of(insn.dst_type));
      }
  });
  EXPECT_EQ(said("select.f16", ands),
            "select.f16 obeys the mask: lanes whose slot is 0 take src1, whatever control says");
}

TEST(IdentifyFault, OffsetsAndControlOfTheFirstRepeatReused) {
  const auto reuse = [](unsigned k, unsigned bytes) {
    return [k, bytes](const Batch& batch) {
      std::vector<Program> changed(batch.programs.begin(), batch.programs.end());
      for (Program& program : changed) {
        const Instruction& insn = program.instructions.back();
        const auto from = start_of(program, insn.operands[k]);
        for (unsigned r = 1; r < insn.repeat; ++r)
          std::memcpy(&program.ub[from + r * bytes], &program.ub[from], bytes);
      }
      ask_oracle()({changed, batch.states, batch.outcomes});
      for (std::size_t n = 0; n < changed.size(); ++n)
        for (std::size_t byte = 0; byte < changed[n].ub.size(); ++byte)
          if (batch.states[n].ub[byte] == changed[n].ub[byte])
            batch.states[n].ub[byte] = batch.programs[n].ub[byte];
    };
  };
  EXPECT_EQ(
      said("gather.u16", reuse(2, 512)),
      "lanes 0..127 of gather.u16 use the same offset of operand offsets of repeat 0 instead of their own "
      "in every repeat after the first");
  EXPECT_EQ(
      said("select.f16", reuse(1, 16)),
      "lanes 0..127 of select.f16 use the same bit of control of repeat 0 instead of their own in every "
      "repeat after the first");
}

TEST(IdentifyFault, BroadcastTakesTwiceAsManyElementsForEachRepeat) {
  const auto with_step = [](std::uint32_t (*step)(const Instruction&)) {
    return then([step](const Program& program, State& state) {
      const Instruction& insn = program.instructions.back();
      for (unsigned r = 0; r < insn.repeat; ++r)
        for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
          const std::size_t from = start_of(program, insn.operands[1]) + 2 * (step(insn) * r + lane / 16);
          std::copy_n(program.ub.data() + from, 2,
                      state.ub.data() + start_of(program, insn.operands[0]) + lane_offset(insn, 0, r, lane));
        }
    });
  };
  const std::string start = "data block B of repeat R of brcb.u16 uses element ";
  const std::string end = " * R + B of src instead of element 8 * R + B";
  EXPECT_EQ(said("brcb.u16", with_step([](const Instruction&) { return 16U; })), start + "16" + end);
  EXPECT_EQ(said("brcb.u16", with_step([](const Instruction&) { return 9U; })), start + "9" + end);
  EXPECT_EQ(said("brcb.u16", with_step([](const Instruction& i) { return i.operands[0].repeat_stride; })),
            start + "S" + end + ", where S is the repeat stride of dst");
}

TEST(IdentifyFault, BroadcastLeavesItsLastBlockOut) {
  const Ask leaves_out = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    const auto at = start_of(program, insn.operands[0]) + lane_offset(insn, 0, insn.repeat - 1, 112);
    std::copy_n(program.ub.data() + at, kBlockBytes, state.ub.data() + at);
  });
  EXPECT_EQ(said("brcb.u16", leaves_out), "data block 7 of brcb.u16 is not written in the last repeat");
}

TEST(IdentifyFault, ValuesAreNamedIfAllMapsAreRight) {
  const Ask saturates = [](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Semantics semantics;
      semantics.readings.integer_overflow = IntegerOverflow::saturates;
      execute(batch.programs[n], Semantics(semantics.readings), batch.states[n]);
      batch.outcomes[n] = Ran{};
    }
  };
  EXPECT_EQ(
      said("sub.i32", saturates),
      "sub.i32 computes as under reading integer_overflow=saturates (the result is clamped to the type)");
  EXPECT_EQ(said("adds.i16", with([](Instruction& i) {
                   if (i.op == Op::adds)
                     i.scalar = scalar_of(Element::i16, static_cast<double>(i.scalar.bits & 0xff));
                 })),
            "adds.i16 uses only the lowest 8 bits of its scalar");
  const Ask flushes = [](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program changed = batch.programs[n];
      const Allocation& src = changed.allocations[changed.instructions.back().operands[1].allocation];
      for (std::uint32_t at = src.offset; at < src.offset + src.bytes; at += 2)
        if ((changed.ub[at + 1] & std::byte{0x7c}) == std::byte{0})  // the exponent of an f16
          changed.ub[at] = std::byte{0}, changed.ub[at + 1] &= std::byte{0x80};
      execute(changed, Semantics(), batch.states[n]);
      batch.outcomes[n] = Ran{};
    }
  };
  EXPECT_EQ(said("cast.f32.f16", flushes), "cast.f32.f16 reads subnormal numbers as 0");
}

}  // namespace
}  // namespace lanecheck
