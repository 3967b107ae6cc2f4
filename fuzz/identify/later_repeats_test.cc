// What identification says if only later repeats are written elsewhere.
#include <gtest/gtest.h>

#include "fuzz/identify/identify_testing.h"
#include "fuzz/identify/places/later_repeats.h"
#include "fuzz/identify/probes/gate_map.h"
#include "fuzz/identify/probes/place_map.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace later_repeats_test {

/// The oracle, except that dst walks with repeat stride `stride` from repeat `from` on, or with `goes_on`,
/// from there on.
Ask with_stride_from(unsigned from, unsigned stride, bool goes_on = false) {
  return [=](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program split = batch.programs[n];
      const Instruction insn = split.instructions.back();
      if (!row_of(insn.op).has_repeat) {
        ask_oracle()({{&split, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
        continue;
      }
      split.instructions.pop_back();
      for (unsigned repeat = 0; repeat < insn.repeat; ++repeat) {
        Instruction one = insn;
        one.repeat = 1;
        for (unsigned k = 0; k < row_of(insn.op).operands.size(); ++k) {
          const bool is_moved = k == 0 && repeat >= from;
          const unsigned own = insn.operands[k].repeat_stride,
                         first = goes_on ? from - 1 : 0,  // the first repeat of the other stride
              before = is_moved ? first * own : repeat * own, steps = is_moved ? repeat - first : 0;
          const bool in_a_row = row_of(insn.op).operands[k].walk == Walk::elements;  // the source of brcb
          one.operands[k].offset += in_a_row ? static_cast<unsigned>(repeat * repeat_step(insn, k))
                                             : 32 * (before + steps * stride);
        }
        split.instructions.push_back(one);
      }
      ask_oracle()({{&split, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
    }
  };
}

std::string said_of(unsigned repeats, unsigned stride, const Ask& ask, const char* name = "relu.i32") {
  Subject subject = subject_of(name);
  subject.insn.repeat = repeats;
  for (unsigned k = 0; k < 2; ++k) {
    subject.insn.operands[k].block_stride = 1;
    subject.insn.operands[k].repeat_stride = k == 0 ? stride : 8;
  }
  const auto all = identify({Profile::vmc, {}, {subject.insn}, {}}, 0, ask, false, false).differences;
  return all.empty() ? "" : all[0];
}

TEST(IdentifyLaterRepeats, NamesTheStrideOfLaterRepeats) {
  EXPECT_EQ(said_of(7, 9, with_stride_from(4, 8, true)),
            "from repeat 4 (counted from 0) on, dst of relu.i32 walks with repeat stride 8, counted from the "
            "repeat before");
  EXPECT_EQ(
      said_of(6, 16, with_stride_from(3, 24)),
      "repeats from 3 (counted from 0) on of relu.i32 are written as with repeat stride 24 instead of 16 "
      "(seen with the strides of this case)");
}

/// What is measured of the last of three repeats alone: a place is seen, and no stride.
TEST(IdentifyLaterRepeats, OneRepeatTellsItsPlaceAlone) {
  const auto said_of_place = [](const Ask& ask) {
    Subject subject = subject_of("relu.i32");
    subject.insn.repeat = 3;
    subject.insn.operands[0] = {0, 0, 1, 16};
    subject.insn.operands[1] = {1, 0, 1, 8};
    const MaskWords full = full_mask(subject);
    const auto law = later_repeats_moved(subject, measure_places(subject, full, ask),
                                         measure_places(subject, full, ask_oracle()));
    return law ? law->what : "";
  };
  EXPECT_EQ(said_of_place(with_stride_from(2, 0)),
            "repeat 2 (counted from 0) of relu.i32 is written at the place of repeat 0 instead of 32 data "
            "blocks behind it");
  EXPECT_EQ(said_of_place(with_stride_from(2, 9, true)),
            "repeat 2 (counted from 0) of relu.i32 is written 25 data blocks behind repeat 0 instead of 32 "
            "data blocks behind it");
}

TEST(IdentifyLaterRepeats, NamesTheStrideOfLaterRepeatsOfAMove) {
  EXPECT_EQ(said_of(6, 16, with_stride_from(4, 8, true), "brcb.i32"),
            "from repeat 4 (counted from 0) on, dst of brcb.i32 walks with repeat stride 8, counted from the "
            "repeat before");
}

/// The case has 5 repeats, and other repeat times tell the stride.
TEST(IdentifyLaterRepeats, OtherRepeatTimesTellTheStride) {
  EXPECT_EQ(said_of(5, 16, with_stride_from(4, 8, true)),
            "from repeat 4 (counted from 0) on, dst of relu.i32 walks with repeat stride 8, counted from the "
            "repeat "
            "before");
}

/// VMC section 1: repeat R of a source lies R repeat strides behind repeat 0. Here it is run in chunks.
TEST(IdentifyLaterRepeats, ASourceThatStartsAgain) {
  const Ask chunks = with_single_repeats([](Instruction& one, const Instruction& whole, unsigned repeat) {
    if (!row_of(one.op).has_repeat) return;
    const Instruction taken = one_repeat(whole, repeat % 100);
    for (unsigned k = 1; k < row_of(one.op).operands.size(); ++k) one.operands[k] = taken.operands[k];
  });
  for (const std::string name : {"relu.i32", "add.f32"}) {
    const std::string role = name == "relu.i32" ? "src" : "src0";
    EXPECT_EQ(said(name, chunks),
              role + " of " + name +
                  " starts again at repeat 0 every 100 repeats: repeat R reads repeat R mod 100");
  }
  Subject subject = subject_of("add.f32");
  subject.insn.repeat = 101;
  for (unsigned k = 0; k < 3; ++k) {
    subject.insn.operands[k].block_stride = 1;
    subject.insn.operands[k].repeat_stride = k == 0 ? 0 : 1;
  }
  const auto all = identify({Profile::vmc, {}, {subject.insn}, {}}, 0, chunks, false, true).differences;
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0],
            "src0 of add.f32 starts again at repeat 0 every 100 repeats: repeat R reads repeat R mod 100");
}

TEST(IdentifyLaterRepeats, TheBlockStrideIsIgnoredFromTheSecondOn) {
  const Ask ask = with_single_repeats([](Instruction& one, const Instruction&, unsigned repeat) {
    if (one.op == Op::brcb && repeat > 0) one.operands[0].block_stride = 1;
  });
  EXPECT_EQ(said_of(4, 16, ask, "brcb.u16"),
            "from repeat 1 (counted from 0) on, dst of brcb.u16 walks with block stride 1");
}

/// The smallest program has 5 repeats: more of them tell "the last repeat" from "from repeat 4 on".
TEST(IdentifyLaterRepeats, MoreRepeatsThanTheProgramHasAreAsked) {
  const Ask ask = with_single_repeats([](Instruction& one, const Instruction& whole, unsigned repeat) {
    if (one.op == Op::add && repeat >= 4) one.operands[2].offset -= 32 * whole.operands[2].repeat_stride;
  });
  Subject subject = subject_of("add.f16");
  subject.insn.repeat = 5;
  for (unsigned k = 0; k < 3; ++k) {
    subject.insn.operands[k].block_stride = 1;
    subject.insn.operands[k].repeat_stride = 8;
  }
  const auto all = identify({Profile::vmc, {}, {subject.insn}, {}}, 0, ask, false, true).differences;
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(
      all[0],
      "lanes 0..127 of add.f16 read src1 at the same lane of repeat R - 1 instead of their own of repeat R "
      "from repeat 4 (counted from 0) on (seen with repeat 5, operands in a row)");
}

TEST(IdentifyLaterRepeats, NothingIsSaidOfTheOracle) {
  EXPECT_EQ(said_of(7, 4, ask_oracle()), "");
  EXPECT_EQ(said_of(7, 9, with_stride_from(7, 8)), "");
}

}  // namespace later_repeats_test
}  // namespace lanecheck
