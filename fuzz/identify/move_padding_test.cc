// What identification says of padding on backends that pad in another way.
#include <gtest/gtest.h>

#include <cstring>
#include <optional>

#include "fuzz/identify/identify_testing.h"
#include "oracle/execute/execute.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace move_padding_test {

std::string said_of(const std::string& name, const Ask& ask) {
  Instruction insn;
  EXPECT_TRUE(parse_mnemonic(name, insn));
  const Profile profile = Profile::p310;
  const auto found =
      identify(default_subject(profile, row_of(insn.op), *types_of(insn, profile)), ask).differences;
  return found.empty() ? "" : found[0];
}

/// Where a lane of operand `k` of the last instruction lies in UB.
std::size_t place_of(const Program& program, unsigned k, unsigned repeat, unsigned lane) {
  const Instruction& insn = program.instructions.back();
  return start_of(program, insn.operands[k]) + lane_offset(insn, k, repeat, lane);
}

/// The documented padding with other settings.
template <class Change>
Ask with_settings(Change change) {
  return with([change](Instruction& i) {
    if (i.op == Op::vpadding) change(i.settings[0], i.settings[1]);
  });
}

TEST(IdentifyPadding, NamesAWrongSide) {
  EXPECT_EQ(said_of("vpadding.u32", with_settings([](auto& mode, auto& side) {
                      if (mode == 2) side = 0;
                    })),
            "vpadding.u32 ignores padSide, in padMode 2: it always pads on the left");
  EXPECT_EQ(said_of("vpadding.f16", with_settings([](auto&, auto& side) { side = 1; })),
            "vpadding.f16 ignores padSide: it always pads on the right");
  EXPECT_EQ(said_of("vpadding.f16", with_settings([](auto&, auto& side) { side = 1 - side; })),
            "vpadding.f16 exchanges left and right of padSide");
}

/// VP-1-mode-2-left and VP-1-mode-2-right: the element at the far end is left out, not the one at the edge.
TEST(IdentifyPadding, BothSidesAreSaidIfTheyDiffer) {
  const Ask drops_far_end = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::vpadding || insn.settings[0] != 2) return;
    const unsigned per = per_block(insn.dst_type), size = size_of(insn.dst_type);
    const Mask mask = mask_of(program);
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
        const unsigned place = lane % per, zero = insn.settings[1] == 0 ? 0 : per - 1;
        if (mask[lane] == 0 || place == zero) continue;
        const unsigned from = lane - place + per - 1 - place;  // the mirror image, without an offset
        std::memcpy(&state.ub[place_of(program, 0, r, lane)], &program.ub[place_of(program, 1, r, from)],
                    size);
      }
  });
  const auto text = [](const std::string& name) {
    return name +
           " writes the mirror image of element e of that data block instead of the element behind the "
           "mirror "
           "image of element e of that data block to element e (all but the first) of each data block, in "
           "padMode 2 on the left, and the mirror image of element e of that data block instead of the "
           "element "
           "before the mirror image of element e of that data block to element e (all but the last) of each "
           "data block, in padMode 2 on the right";
  };
  for (const std::string name : {"vpadding.i16", "vpadding.f32"})
    for (const unsigned side : {0u, 1u}) {
      Subject subject = subject_of(name, Profile::p310);
      subject.insn.settings[0] = 2;
      subject.insn.settings[1] = side;
      const auto said = identify(subject, drops_far_end).differences;
      ASSERT_FALSE(said.empty());
      EXPECT_EQ(said[0], text(name));
    }
}

/// VP-1-mode-1-left and VP-1-mode-1-right: the data block that is mirrored is the padded one.
TEST(IdentifyPadding, SaysInWhichPadModeAnotherDataBlockIsRead) {
  const Ask next_block = with([](Instruction& i) {
    if (i.op == Op::vpadding && i.settings[0] == 1) i.operands[1].offset += 32;
  });
  Subject subject = subject_of("vpadding.u32", Profile::p310);
  subject.insn.settings[0] = 1;
  const auto said = identify(subject, next_block).differences;
  ASSERT_FALSE(said.empty());
  EXPECT_EQ(said[0], "src of vpadding.u32 starts 1 data block later, in padMode 1");
}

/// VP-1-zero: in padMode 2 a 0 stands for the element that is left out.
TEST(IdentifyPadding, NamesAConstantThatIsNoElementOfSrc) {
  const Ask ones = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::vpadding || insn.settings[0] != 2 || insn.settings[1] != 0) return;
    const unsigned per = per_block(insn.dst_type), size = size_of(insn.dst_type);
    const Mask mask = mask_of(program);
    const std::uint64_t one = nearest(insn.dst_type, 1);
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = 0; lane < lanes_of(insn); lane += per)
        if (mask[lane] != 0) std::memcpy(&state.ub[place_of(program, 0, r, lane)], &one, size);
  });
  EXPECT_EQ(
      said_of("vpadding.i16", ones),
      "vpadding.i16 writes 1 instead of 0 to the first element of each data block, in padMode 2 on the left");
}

/// VP-4-strides, where each data block reads its last element alone.
TEST(IdentifyPadding, ARepeatStrideOf0IsNoAddressThatWraps) {
  Subject subject = subject_of("vpadding.i16", Profile::p310);
  subject.insn.settings[0] = 0;
  subject.insn.settings[1] = 1;
  const auto said = identify(subject, with([](Instruction& i) {
                               if (i.op == Op::vpadding) i.operands[1].repeat_stride = 0;
                             }))
                        .differences;
  ASSERT_FALSE(said.empty());
  EXPECT_EQ(said[0], "src of vpadding.i16 walks with repeat stride 0, whatever is given");
}

/// What is said of padMode 0 on the right if it takes the last active element of a data block, and the first
/// one on the left if that is `on_the_left`, too.
std::string said_of_active_ends(bool on_the_left) {
  const Ask ask = then([=](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::vpadding || insn.settings[0] != 0) return;
    const bool left = insn.settings[1] == 0;
    if (left && !on_the_left) return;
    const Mask mask = mask_of(program);
    const unsigned per = per_block(insn.dst_type), size = size_of(insn.dst_type);
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
        if (mask[lane] == 0) continue;
        unsigned end = lane / per * per + (left ? 0 : per - 1);
        while (mask[end] == 0) left ? ++end : --end;
        std::memcpy(&state.ub[place_of(program, 0, r, lane)], &program.ub[place_of(program, 1, r, end)],
                    size);
      }
  });
  Instruction insn;
  parse_mnemonic("vpadding.f16", insn);
  insn = default_subject(Profile::p310, row_of(insn.op), *types_of(insn, Profile::p310)).insn;
  insn.settings[0] = 0, insn.settings[1] = 1;
  const auto found = identify(Program{Profile::p310, {}, {insn}, {}}, 0, ask, false, true);
  return found.parts.empty() ? "" : found.parts[0].what;
}

TEST(IdentifyPadding, NamesAnEndThatIsSoughtAmongActiveElements) {
  EXPECT_EQ(said_of_active_ends(false),
            "vpadding.f16 uses the last active element of a data block where it should use its last element, "
            "in padMode 0 on the right");
  EXPECT_EQ(said_of_active_ends(true),
            "vpadding.f16 uses the first (last) active element of a data block where it should use its first "
            "(last) element, in padMode 0");
}

TEST(IdentifyPadding, NamesAWrongMode) {
  EXPECT_EQ(
      said_of("vpadding.i16", with_settings([](auto& mode, auto&) {
                if (mode == 1) mode = 2;
              })),
      "vpadding.i16 executes padMode 1 on the left as padMode 2 on the left, and padMode 1 on the right as "
      "padMode 2 on the right");
}

/// The documented padding under other seams.
Ask with_semantics(void (*change)(Semantics&)) {
  return [change](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Semantics semantics(default_readings(batch.programs[n].profile));
      change(semantics);
      execute(batch.programs[n], semantics, batch.states[n]);
      batch.outcomes[n] = Ran{};
    }
  };
}

TEST(IdentifyPadding, NamesOtherPlacesInEachDataBlock) {
  const Ask later = with_semantics([](Semantics& semantics) {
    semantics.seams.pad_from = [](unsigned mode, unsigned side, unsigned lane, unsigned per) {
      const bool wrong = mode == 2 && side == 1;
      return pad_from(mode, side, wrong ? (lane + per - 1) % per : lane, per);
    };
  });
  EXPECT_EQ(
      said_of("vpadding.i16", later),
      "vpadding.i16 writes the elements of each data block 1 place later, the last first, in padMode 2 on "
      "the right");
}

TEST(IdentifyPadding, NamesPaddingOfHalvesOfDataBlocks) {
  const Ask halves = with_semantics([](Semantics& semantics) {
    semantics.seams.pad_from = [](unsigned mode, unsigned side, unsigned lane, unsigned per) {
      const unsigned half = per / 2, from = pad_from(mode, side, lane % half, half);
      return from == half ? per : lane / half * half + from;
    };
  });
  EXPECT_EQ(said_of("vpadding.i32", halves),
            "vpadding.i32 pads halves of data blocks, as if each were one data block");
}

TEST(IdentifyPadding, SaysForEachModeAndSideWhatStandsAtWrongPlaces) {
  const Ask zero_is_an_element = with_semantics([](Semantics& semantics) {
    semantics.seams.pad_from = [](unsigned mode, unsigned side, unsigned lane, unsigned per) {
      const unsigned from = pad_from(mode, side, lane, per);
      return from < per ? from : side == 0 ? 1 : per - 2;
    };
  });
  for (const char* name : {"vpadding.f16", "vpadding.f32"}) {
    EXPECT_EQ(said_of(name, zero_is_an_element),
              std::string(name) +
                  " writes the second element of that data block instead of 0 to the first element of each "
                  "data block, in padMode 2 on the left, and the last element but one of that data block "
                  "instead of 0 to the last element of each data block, in padMode 2 on the right");
  }
}

/// Where a 0 belongs, an index that is one too far reads the next data block; behind the last one there is
/// none.
TEST(IdentifyPadding, NamesAnElementOfTheNextDataBlock) {
  const Ask ask = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::vpadding || insn.settings[0] != 2 || insn.settings[1] != 0) return;
    const Mask mask = mask_of(program);
    const unsigned per = per_block(insn.dst_type), size = size_of(insn.dst_type), lanes = lanes_of(insn);
    for (unsigned n = 0; n + per < insn.repeat * lanes; n += per) {
      const auto at = [&](unsigned k, unsigned e) { return place_of(program, k, e / lanes, e % lanes); };
      if (mask[n % lanes] != 0) std::memcpy(&state.ub[at(0, n)], &program.ub[at(1, n + per)], size);
    }
  });
  EXPECT_EQ(said_of("vpadding.i16", ask),
            "vpadding.i16 writes the first element of the data block behind it instead of 0 to the first "
            "element of each data block (except the last one), in padMode 2 on the left");
}

/// A shift of a whole repeat lets the element of the neighbouring data block in where a 0 belongs.
TEST(IdentifyPadding, NamesAnElementOfTheNeighbourInTheSameRepeat) {
  const Ask ask = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::vpadding || insn.settings[0] != 2) return;
    const Mask mask = mask_of(program);
    const bool left = insn.settings[1] == 0;
    const unsigned per = per_block(insn.dst_type), size = size_of(insn.dst_type), lanes = lanes_of(insn);
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = left ? per : per - 1; lane + 1 < lanes; lane += per) {
        if (mask[lane] == 0) continue;
        std::memcpy(&state.ub[place_of(program, 0, r, lane)],
                    &program.ub[place_of(program, 1, r, left ? lane - per : lane + per)], size);
      }
  });
  EXPECT_EQ(
      said_of("vpadding.u16", ask),
      "vpadding.u16 writes the first element of the data block before it instead of 0 to the first "
      "element of each data block (except the first one of each repeat), in padMode 2 on the left, and "
      "the last element of the data block behind it instead of 0 to the last element of each data block "
      "(except the last one of each repeat), in padMode 2 on the right");
}

/// A 0 that is not written: what is measured is no wrong source.
TEST(IdentifyPadding, NamesThePlaceThatStaysUnwritten) {
  const Ask ask = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::vpadding || insn.settings[0] != 2) return;
    const unsigned per = per_block(insn.dst_type), size = size_of(insn.dst_type);
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = insn.settings[1] == 0 ? 0 : per - 1; lane < lanes_of(insn); lane += per) {
        const std::size_t at = place_of(program, 0, r, lane);
        std::memcpy(&state.ub[at], &program.ub[at], size);
      }
  });
  for (const std::string name : {"vpadding.u16", "vpadding.f32"})
    EXPECT_EQ(
        said_of(name.c_str(), ask),
        name +
            " leaves the first element of each data block unwritten instead of writing 0, in padMode 2 "
            "on the left, and leaves the last element of each data block unwritten instead of writing 0, "
            "in padMode 2 on the right");
}

TEST(IdentifyPadding, NamesReadsOfMaskedOffElements) {
  EXPECT_EQ(said_of("vpadding.f32", with_semantics([](Semantics& s) { s.seams.mask_gates_reads = true; })),
            "vpadding.f32 reads masked-off elements of src as 0");
}

TEST(IdentifyPadding, NamesPaddingOfWholeRepeats) {
  EXPECT_EQ(said_of("vpadding.u16", with_semantics([](Semantics& s) { s.seams.pads_repeats = true; })),
            "vpadding.u16 pads whole repeats, as if each were one data block");
}

/// In the count form, elements past the count are read as what `instead` gives: the bits of an element of the
/// program, or 0.
template <class Instead>
Ask with_reads_past_the_count(Instead instead) {
  return [instead](const Batch& batch) {
    std::vector<Program> changed(batch.programs.begin(), batch.programs.end());
    for (Program& program : changed) {
      const Instruction& insn = program.instructions.back();
      if (insn.op != Op::vpadding || insn.mask_from != MaskFrom::count) continue;
      const unsigned size = size_of(insn.src_type), lanes = lanes_of(insn);
      const std::size_t from = start_of(program, insn.operands[1]);
      for (auto n = static_cast<unsigned>(insn.low); n < insn.low / lanes * lanes + lanes; ++n) {
        const std::optional<unsigned> other = instead(static_cast<unsigned>(insn.low), lanes);
        if (other)
          std::memcpy(&program.ub[from + n * size], &program.ub[from + *other * size], size);
        else
          std::memset(&program.ub[from + n * size], 0, size);
      }
    }
    ask_oracle()({changed, batch.states, batch.outcomes});
    for (std::size_t n = 0; n < changed.size(); ++n) {
      const Instruction& insn = changed[n].instructions.back();
      const std::size_t from = start_of(changed[n], insn.operands[1]);
      std::memcpy(&batch.states[n].ub[from], &batch.programs[n].ub[from], insn.repeat * 256 + 256);
    }
  };
}

TEST(IdentifyPadding, ReadsWhatIsPastTheCountAsZero) {
  EXPECT_EQ(said_of("vpadding.i32",
                    with_reads_past_the_count([](unsigned, unsigned) { return std::optional<unsigned>(); })),
            "vpadding.i32 reads elements of src past the count n as 0, for a count of its own");
}

TEST(IdentifyPadding, ReadsWhatIsPastTheCountAsAnotherElement) {
  EXPECT_EQ(
      said_of("vpadding.u16",
              with_reads_past_the_count([](unsigned count, unsigned) { return std::optional(count - 1); })),
      "vpadding.u16 reads elements of src past the count n as the last element of the repeat that takes "
      "part, for a count of its own");
  EXPECT_EQ(said_of("vpadding.f32", with_reads_past_the_count([](unsigned count, unsigned lanes) {
                      return std::optional(count / lanes * lanes);
                    })),
            "vpadding.f32 reads elements of src past the count n as the first element of the repeat that "
            "takes part, for a count of its own");
}

/// VP-3-count-read: the data block of the last element is read in full.
TEST(IdentifyPadding, PadsTheBlockInWhichTheCountEndsAsIfItEndedThere) {
  const Ask ask = [](const Batch& batch) {
    ask_oracle()(batch);
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      const Program& program = batch.programs[n];
      const Instruction& insn = program.instructions.back();
      if (insn.op != Op::vpadding || insn.mask_from != MaskFrom::count) continue;
      const auto size = static_cast<unsigned>(size_of(insn.src_type));
      const auto left = static_cast<unsigned>(insn.low) % per_block(insn.src_type),
                 start = static_cast<unsigned>(insn.low) - left;
      for (unsigned lane = 0; lane < left; ++lane) {  // a mirror at the last element, and nothing else
        if (insn.settings[0] != 1 || insn.settings[1] != 1) continue;
        std::memcpy(&batch.states[n].ub[start_of(program, insn.operands[0]) + (start + lane) * size],
                    &program.ub[start_of(program, insn.operands[1]) + (start + left - 1 - lane) * size],
                    size);
      }
    }
  };
  EXPECT_EQ(
      said_of("vpadding.f16", ask),
      "vpadding.f16 pads the data block in which the count ends as if the block ended there, in padMode "
      "1 on the right, for a count of its own");
}

}  // namespace move_padding_test
}  // namespace lanecheck
