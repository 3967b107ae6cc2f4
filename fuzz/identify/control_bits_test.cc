// Faults in what selects and gatherb read beside their data: bits of control, and offsets of data blocks.
#include <algorithm>
#include <span>

#include "fuzz/identify/identify_testing.h"
#include "fuzz/identify/probes/probe.h"

namespace lanecheck {
namespace {

TEST(SelectedBits, ControlOfSelectBitsIsMeasured) {
  const auto with_control = [](auto change) {
    return [change](const Batch& batch) {
      for (std::size_t n = 0; n < batch.programs.size(); ++n) {
        const Program& program = batch.programs[n];
        const std::uint32_t start = start_of(program, program.instructions.back().operands[1]);
        Program changed = program;
        for (std::uint32_t byte = 0; byte < 16; ++byte)
          changed.ub[start + byte] = change(std::span(program.ub).subspan(start, 16), byte);
        ask_oracle()({{&changed, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
        std::copy_n(program.ub.begin() + start, 16, batch.states[n].ub.begin() + start);
      }
    };
  };
  EXPECT_EQ(
      first_said("select_bits.f16", with_control([](auto control, unsigned n) { return control[n ^ 1]; })),
      "lanes 0..127 of select_bits.f16 use bit L xor 8 of control instead of bit L");
  EXPECT_EQ(first_said("select_bits.f32", with_control([](auto control, unsigned n) { return ~control[n]; })),
            "select_bits.f32 takes src0 where the bit of control is 0, and src1 where it is 1");
  EXPECT_EQ(
      first_said("select_bits.f16",
                 with_control([](auto control, unsigned n) { return n < 14 ? control[n] : ~control[n]; })),
      "lanes 112..127 of select_bits.f16 take src0 where the bit of control is 0, and src1 where it is 1");
  for (const bool src0 : {true, false})
    EXPECT_EQ(first_said("select_bits.f16", with_control([=](auto control, unsigned n) {
                           return n < 14 ? control[n] : std::byte(src0 ? 0xff : 0);
                         })),
              std::string("lanes 112..127 of select_bits.f16 are ") + (src0 ? "always" : "never") +
                  " taken from src0, whatever control says");
}

TEST(SelectedBits, AShortCutForARepeatThatTakesOneSourceAlone) {
  const auto with_short_cut = [](bool of_zeros) -> Ask {
    return [of_zeros](const Batch& batch) {
      for (std::size_t n = 0; n < batch.programs.size(); ++n) {
        const Program& program = batch.programs[n];
        const Instruction& insn = program.instructions.back();
        const std::uint32_t start = start_of(program, insn.operands[1]), each = lanes_of(insn) / 8;
        Program changed = program;
        const auto first = program.ub.begin() + start;
        const bool is_whole = std::count(first, first + each, *first) == each;
        const bool is_taken = *first == std::byte{0xff} || (of_zeros && *first == std::byte{0});
        if (insn.op == Op::select && is_whole && is_taken)
          std::fill_n(changed.ub.begin() + start, insn.repeat * each, *first);
        ask_oracle()({{&changed, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
        std::copy_n(first, insn.repeat * each, batch.states[n].ub.begin() + start);
      }
    };
  };
  const std::string uses = "select.f32 uses the control bits of repeat 0 in every repeat if these are all ";
  EXPECT_EQ(first_said("select.f32", with_short_cut(true)), uses + "0 or all 1");
  EXPECT_EQ(first_said("select.f32", with_short_cut(false)), uses + "1");
}

TEST(SelectedBits, AByteOfControlThatCountsAsOneBit) {
  const Ask ask = [](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      const Program& program = batch.programs[n];
      const Instruction& insn = program.instructions.back();
      const std::uint32_t start = start_of(program, insn.operands[1]), all = insn.repeat * lanes_of(insn) / 8;
      Program changed = program;
      if (insn.op == Op::select)
        for (std::uint32_t at = start; at < start + all; ++at)
          if (changed.ub[at] != std::byte{0}) changed.ub[at] = std::byte{0xff};
      ask_oracle()({{&changed, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
      std::copy_n(program.ub.begin() + start, all, batch.states[n].ub.begin() + start);
    }
  };
  EXPECT_EQ(first_said("select.f16", ask),
            "select.f16 takes the 8 bits of each byte of control together: all of their lanes take src0 if "
            "any bit of them is 1");
}

/// Of three repeats, only repeat 1 is wrong: that is an odd one, and the one behind repeat 0.
TEST(SelectedBits, WhatOddRepeatsTakeIsToldFromWhatRepeat1Takes) {
  const Ask before = [](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      const Program& program = batch.programs[n];
      const Instruction& insn = program.instructions.back();
      const std::uint32_t start = start_of(program, insn.operands[1]), each = lanes_of(insn) / 8;
      Program changed = program;
      for (unsigned r = 1; insn.op == Op::select && r < insn.repeat; r += 2)
        std::copy_n(program.ub.begin() + start + (r - 1) * each, each, changed.ub.begin() + start + r * each);
      ask_oracle()({{&changed, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
      std::copy_n(program.ub.begin() + start, insn.repeat * each, batch.states[n].ub.begin() + start);
    }
  };
  EXPECT_EQ(first_said("select.f32", before),
            "lanes 0..63 of select.f32 use the same bit of control of repeat R - 1 instead of their own of "
            "repeat R in "
            "every odd repeat (counted from 0)");
}

/// Each repeat writes 32 bytes, of which its results are the first 8.
TEST(ComparedBits, ZerosUpToTheEndOfADataBlock) {
  const Ask fills = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::compare || insn.repeat == 0) return;
    const std::size_t last = start_of(program, insn.operands[0]) + lanes_of(insn) / 8 * (insn.repeat - 1);
    for (std::size_t at = last + lanes_of(insn) / 8; at < std::min(last + 32, state.ub.size()); ++at)
      state.ub[at] = std::byte{0};
  });
  EXPECT_EQ(
      first_said("compare.f32", fills),
      "compare.f32 fills dst up with 0 behind its results, up to 32 bytes from where its last repeat starts");
}

/// The oracle, after which zeros stand behind the results of a comparison, up to a whole data block.
Ask with_zeros_behind(std::size_t size) {
  return then([size](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::compare) return;
    const std::size_t start = start_of(program, insn.operands[0]);
    const std::size_t end = start + insn.repeat * lanes_of(insn) / 8;
    for (std::size_t at = end; at < (end + size - 1) / size * size && at < state.ub.size(); ++at)
      state.ub[at] = std::byte{0};
  });
}

TEST(ComparedBits, ZerosThatAreAsManyAsTheBitsOfARepeat) {
  for (const std::string name : {"compare.f16", "compare.f32"})
    for (const Profile profile : {Profile::a2, Profile::vmc}) {
      const auto found = identify(subject_of(name, profile), with_zeros_behind(32)).differences;
      ASSERT_EQ(found.size(), 1U) << name;
      EXPECT_EQ(found[0],
                name + " fills dst up with 0 behind its results, up to the end of their data block");
    }
}

/// As if each repeat wrote twice its bits.
TEST(ComparedBits, ZerosAsFarAsOneMoreRepeatWouldReach) {
  const Ask fills = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::compare || insn.repeat == 0) return;
    const std::size_t each = lanes_of(insn) / 8,
                      end = start_of(program, insn.operands[0]) + insn.repeat * each;
    for (std::size_t at = end; at < std::min(end + each, state.ub.size()); ++at) state.ub[at] = std::byte{0};
  });
  EXPECT_EQ(said("compare.f32", fills),
            "compare.f32 fills dst up with 0 behind its results, as far as one more repeat would reach");
}

/// VMC section 4: a comparison writes its bits, whatever stood there.
TEST(ComparedBits, AreMergedWithTheOldOnes) {
  struct Merge {
    std::string text;
    std::byte (*of)(std::byte old, std::byte result);
  };
  const Merge merges[] = {
      {" leaves a bit of dst at 1 that was 1 before: the old bits are merged with its own by OR",
       [](std::byte old, std::byte result) { return old | result; }},
      {" leaves a bit of dst at 0 that was 0 before: the old bits are merged with its own by AND",
       [](std::byte old, std::byte result) { return old & result; }},
      {" inverts a bit of dst where its own is 1: the old bits are merged with its own by XOR",
       [](std::byte old, std::byte result) { return old ^ result; }}};
  for (const Merge& merge : merges)
    for (const std::string name : {"compare.i16", "compare_scalar.f32"}) {
      const Ask merges_bits = then([of = merge.of](const Program& program, State& state) {
        const Instruction& insn = program.instructions.back();
        if (!row_of(insn.op).compares) return;
        const std::size_t start = start_of(program, insn.operands[0]);
        for (unsigned n = 0; n < insn.repeat * lanes_of(insn) / 8; ++n)
          state.ub[start + n] = of(program.ub[start + n], state.ub[start + n]);
      });
      EXPECT_EQ(said(name, merges_bits), name + merge.text);
    }
}

/// VMC section 4: the bits of each repeat are written, not those of the first one alone.
TEST(ComparedBits, AreMergedWithTheOldOnesFromTheSecondRepeatOn) {
  const Ask merges_bits = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (!row_of(insn.op).compares) return;
    const std::size_t start = start_of(program, insn.operands[0]), each = lanes_of(insn) / 8;
    for (std::size_t n = each; n < insn.repeat * each; ++n) state.ub[start + n] |= program.ub[start + n];
  });
  for (const std::string name : {"compare.i16", "compare_scalar.f32"})
    EXPECT_EQ(said(name, merges_bits),
              name +
                  " leaves a bit of dst at 1 that was 1 before: the old bits are merged with its own by OR "
                  "in every repeat after the first");
}

/// VMC 4: an even number of repeats, of which neighbours exchange their offsets, is no reverse order.
TEST(Gathered, NeighbouringRepeatsThatExchangeOffsetsAreNotSaidToBeReversed) {
  const Ask exchanged = with_program([](Program& split) {
    const Instruction whole = split.instructions.back();
    if (whole.op != Op::gather || whole.repeat != 2) return;
    split.instructions.pop_back();
    for (unsigned r = 0; r < 2; ++r) {
      Instruction one = one_repeat(whole, r);
      one.operands[2].offset = one_repeat(whole, 1 - r).operands[2].offset;
      split.instructions.push_back(one);
    }
  });
  const Program program = parse_program(
      "ub 4096\nalloc d f32 0 512 = 0 x128\nalloc s f32 512 512 = 1 x64, 2 x64\n"
      "alloc o u32 1024 512 = 0 x64, 256 x64\ngather.f32 d+0 rep=8, s+0, o+0, repeat=2\n",
      "test");
  const auto found = identify(program, 0, exchanged, false, false).differences;
  ASSERT_FALSE(found.empty());
  EXPECT_NE(found[0].find("of operand offsets of repeat 1 - R instead of"), std::string::npos) << found[0];
}

/// VMC 4: brcb fills data block b with element b of its repeat.
TEST(Broadcast, TakesTheNextElement) {
  const Ask rotated = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::brcb) return;
    const State right = state;
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned b = 0; b < kRepeatBlocks; ++b) {
        const unsigned per = lanes_of(insn) / kRepeatBlocks;
        const auto at = [&](unsigned block) {
          return start_of(program, insn.operands[0]) + lane_offset(insn, 0, r, block * per);
        };
        std::copy_n(&right.ub[at((b + 1) % kRepeatBlocks)], kBlockBytes, &state.ub[at(b)]);
      }
  });
  for (const std::string name : {"brcb.f32", "brcb.u16"})
    EXPECT_EQ(said(name, rotated), "data block b of repeat R of " + name +
                                       " is filled with element 8 * R + (b + 1) mod 8 of src instead of "
                                       "element 8 * R + b");
}

/// VMC-4-packed-result: bit L is that of lane L. The bytes of a repeat lie in reverse order.
TEST(ComparedBits, InAnotherOrder) {
  const Ask reverses = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (!row_of(insn.op).compares) return;
    const auto each = static_cast<std::ptrdiff_t>(lanes_of(insn) / 8);
    const auto start = state.ub.begin() + static_cast<std::ptrdiff_t>(start_of(program, insn.operands[0]));
    for (std::ptrdiff_t r = 0; r < static_cast<std::ptrdiff_t>(insn.repeat); ++r)
      std::reverse(start + r * each, start + (r + 1) * each);
  });
  for (const std::string name : {"compare.f32", "compare_scalar.i32"})
    EXPECT_EQ(said(name, reverses), "bit L of a repeat of " + name + " is that of lane L xor 56");
}

TEST(SelectedBits, OddRepeatsThatAreLeftOutAreToldFromRepeat1) {
  const Ask even = with_single_repeats([](Instruction& one, const Instruction& all, unsigned repeat) {
    if (all.op == Op::select && repeat % 2 == 1) one.repeat = 0;
  });
  EXPECT_EQ(first_said("select.f32", even),
            "select.f32 writes nothing under masks that are 0 from slot 64 on in every odd repeat (counted "
            "from 0)");
}

TEST(Gatherb, DataBlocksOfGatherbAreNamedForEveryType) {
  const auto reversed = [](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      const Program& program = batch.programs[n];
      const Instruction& insn = program.instructions.back();
      const std::uint32_t start = start_of(program, insn.operands[kOffsetsOperand]);
      Program changed = program;
      for (std::uint32_t number = 0; number < 8 * insn.repeat; ++number)
        std::copy_n(program.ub.begin() + start + 4 * (number ^ 7), 4,
                    changed.ub.begin() + start + 4 * number);
      ask_oracle()({{&changed, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
      std::copy_n(program.ub.begin() + start, 32 * insn.repeat, batch.states[n].ub.begin() + start);
    }
  };
  for (const std::string type : {"u16", "u32"})
    EXPECT_EQ(first_said("gatherb." + type, reversed),
              "data blocks 0..7 of gatherb." + type +
                  " use offset 7 - B of operand offsets of the same repeat instead of offset B");
}

}  // namespace
}  // namespace lanecheck
