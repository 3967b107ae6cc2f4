// What identification says of gather and scatter on backends that misread their offsets.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "fuzz/identify/identify_testing.h"

namespace lanecheck {
namespace {

/// The oracle, except that offset number n is `change(offsets, n)`; what is left of the offsets stays as it
/// was. `offsets(n)` reads offset n as documented.
using Offsets = std::function<std::int64_t(unsigned n)>;

Ask with_offsets_of(
    const std::function<std::int64_t(const Offsets&, unsigned n, const Instruction&)>& change) {
  return [change](const Batch& batch) {
    for (std::size_t index = 0; index < batch.programs.size(); ++index) {
      const Program& program = batch.programs[index];
      const Instruction& insn = program.instructions.back();
      const std::uint32_t from = start_of(program, insn.operands[kOffsetsOperand]);
      const Offsets read = [&](unsigned n) {
        std::uint32_t offset = 0;
        std::memcpy(&offset, &program.ub[from + 4 * n], 4);
        return offset;
      };
      Program changed = program;
      Operand& indexed = changed.instructions.back().operands[*indexed_operand(row_of(insn.op))];
      const std::uint32_t start = start_of(program, indexed);
      indexed.offset -= start;  // places are counted from the start of UB
      for (unsigned n = 0; n < insn.repeat * lanes_of(insn); ++n) {
        const auto offset = static_cast<std::uint32_t>(start + change(read, n, insn));
        std::memcpy(&changed.ub[from + 4 * n], &offset, 4);
      }
      State& state = batch.states[index];
      ask_oracle()({{&changed, 1}, {&state, 1}, batch.outcomes.subspan(index, 1)});
      for (std::size_t at = 0; at < state.ub.size(); ++at)
        if (state.ub[at] == changed.ub[at]) state.ub[at] = program.ub[at];
    }
  };
}

Ask with_offsets(const std::function<std::int64_t(const Offsets&, unsigned n)>& change) {
  return with_offsets_of(
      [change](const Offsets& offsets, unsigned n, const Instruction&) { return change(offsets, n); });
}

Ask with_each_offset(const std::function<std::int64_t(std::int64_t)>& change) {
  return with_offsets([change](const Offsets& offsets, unsigned n) { return change(offsets(n)); });
}

TEST(IdentifyOffsets, NamesOffsetsThatAreRounded) {
  const Ask rounds = with_each_offset([](std::int64_t offset) { return offset / 4 * 4; });
  EXPECT_EQ(said("gather.f16", rounds), "offsets of gather.f16 are rounded down to multiples of 4 bytes");
  EXPECT_EQ(said("scatter.f16", rounds), "offsets of scatter.f16 are rounded down to multiples of 4 bytes");
  EXPECT_EQ(said("gather.f32", rounds), "");
}

TEST(IdentifyOffsets, NamesOffsetsThatLoseTheirUpperBits) {
  const Ask cuts = with_each_offset([](std::int64_t offset) { return offset & 0xffff; });
  EXPECT_EQ(said("gather.f32", cuts), "gather.f32 takes its offsets for numbers of type u16");
  EXPECT_EQ(said("scatter.i16", cuts), "scatter.i16 takes its offsets for numbers of type u16");
  const Ask is_signed = with_each_offset([](std::int64_t offset) {
    return static_cast<std::int64_t>(static_cast<std::int16_t>(static_cast<std::uint16_t>(offset)));
  });
  EXPECT_EQ(said("gather.u16", is_signed), "gather.u16 takes its offsets for numbers of type i16");
}

TEST(IdentifyOffsets, NamesOffsetsThatAreCountedInOtherUnits) {
  EXPECT_EQ(said("gather.f16", with_each_offset([](std::int64_t offset) { return offset * 2; })),
            "offsets of gather.f16 are counted in elements instead of bytes");
  EXPECT_EQ(said("scatter.f32", with_each_offset([](std::int64_t offset) { return offset / 4; })),
            "offsets of scatter.f32 are divided by the size of an element");
}

TEST(IdentifyOffsets, NamesTheNumberFromWhichARepeatReads) {
  const Ask by_64 =
      with_offsets([](const Offsets& offsets, unsigned n) { return offsets(n / 128 * 64 + n % 128); });
  EXPECT_EQ(said("gather.u16", by_64),
            "repeat r of gather.u16 reads its offsets from number 64 * r on instead of 128 * r");
  const Ask next = with_offsets([](const Offsets& offsets, unsigned n) { return offsets(n + 1); });
  EXPECT_EQ(said("scatter.u32", next), "scatter.u32 reads operand offsets 1 offset later");
}

/// Offsets lie in a row, whatever the strides of the other operands are.
/// The lanes whose offsets are not read still write, so they are not called unwritten.
TEST(IdentifyOffsets, NamesOffsetsOfARepeatThatAreNotRead) {
  const Ask zeros =
      with_offsets([](const Offsets& offsets, unsigned n) { return n % 128 < 64 ? offsets(n) : 0; });
  for (const std::string name : {"scatter.f16", "gather.u16"})
    EXPECT_EQ(said(name, zeros),
              name + " reads only the first 64 offsets of a repeat: the others are taken as 0");
  const Ask again =
      with_offsets([](const Offsets& offsets, unsigned n) { return offsets(n / 64 * 64 + n % 32); });
  EXPECT_EQ(said("scatter.f32", again),
            "scatter.f32 reads only the first 32 offsets of a repeat: the others are these again");
}

TEST(IdentifyOffsets, NamesTheStrideThatIsTakenForThatOfTheOffsets) {
  const auto by_stride_of = [](unsigned k) {
    return with_offsets_of([k](const Offsets& offsets, unsigned n, const Instruction& insn) {
      const unsigned lanes = lanes_of(insn), step = 8 * insn.operands[k].repeat_stride;
      return offsets(n / lanes * step + n % lanes);
    });
  };
  const std::string instead = " from repeat to repeat, in data blocks, instead of reading them in a row";
  for (const std::string name : {"scatter.u32", "scatter.bf16"})
    EXPECT_EQ(said(name, by_stride_of(1)),
              name + " steps through its offsets by the repeat stride of src" + instead);
  EXPECT_EQ(said("gather.f32", by_stride_of(0)),
            "gather.f32 steps through its offsets by the repeat stride of dst" + instead);
  const Ask by_elements = with_offsets_of([](const Offsets& offsets, unsigned n, const Instruction& insn) {
    const unsigned lanes = lanes_of(insn), step = per_block(insn.dst_type) * insn.operands[0].repeat_stride;
    return offsets(n / lanes * step + n % lanes);
  });
  EXPECT_EQ(said("gather.u16", by_elements),
            "gather.u16 steps through its offsets by the repeat stride of dst from repeat to repeat, in as "
            "many offsets as a data block has elements, instead of reading them in a row");
}

TEST(IdentifyOffsets, NamesStepsFromRepeatToRepeat) {
  const Ask ask = [](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program changed = batch.programs[n];
      const Instruction& insn = changed.instructions.back();
      const std::size_t offsets = start_of(changed, insn.operands[kOffsetsOperand]);
      for (unsigned r = 0; r < insn.repeat; ++r)
        for (unsigned block = 0; block < 8; ++block)
          std::memcpy(&changed.ub[offsets + 4 * (8 * r + block)],
                      &batch.programs[n].ub[offsets + 4 * (r + block)], 4);
      ask_oracle()({{&changed, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
      std::memcpy(&batch.states[n].ub[offsets], &batch.programs[n].ub[offsets], 32 * insn.repeat);
    }
  };
  EXPECT_EQ(first_said("gatherb.u16", ask),
            "data block B of repeat R of gatherb.u16 uses offset R + B of operand offsets instead of offset "
            "8 * R + B");
}

/// The oracle, except that in each repeat the k-th active lane takes offset k.
void take_offsets_by_active_lanes(const Batch& batch) {
  for (std::size_t n = 0; n < batch.programs.size(); ++n) {
    Program changed = batch.programs[n];
    const Instruction insn = changed.instructions.back();
    const MaskWords mask =
        insn.mask_from == MaskFrom::bitwise ? MaskWords{insn.high, insn.low} : MaskWords{kOnes, kOnes};
    const std::size_t offsets = start_of(changed, insn.operands[kOffsetsOperand]);
    for (unsigned r = 0; r < insn.repeat; ++r) {
      const std::size_t row = offsets + 4 * r * lanes_of(insn);
      for (unsigned lane = 0, taken = 0; lane < lanes_of(insn); ++lane)
        if (has_slot(mask, lane))
          std::memcpy(&changed.ub[row + 4 * lane], &batch.programs[n].ub[row + 4 * taken++], 4);
    }
    ask_oracle()({{&changed, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
    std::memcpy(&batch.states[n].ub[offsets], &batch.programs[n].ub[offsets],
                4 * insn.repeat * lanes_of(insn));
  }
}

TEST(IdentifyOffsets, OffsetsThatOnlyActiveLanesTakeChangeNoPlaceOfDst) {
  const std::string what = first_said("gather.u32", take_offsets_by_active_lanes);
  EXPECT_NE(what, "");
  EXPECT_EQ(what.find("must not write"), std::string::npos) << what;
}

TEST(IdentifyOffsets, CountedFromAnotherPlace) {
  EXPECT_EQ(said("gather.f16", with([](Instruction& i) {
                   if (!sets_mask(i)) i.operands[1].offset = 0;
                 })),
            "offsets of gather.f16 are counted from the start of its allocation instead of the start of src");
  const Ask from_allocation =
      with_offsets_of([](const Offsets& offsets, unsigned n, const Instruction& insn) {
        return offsets(n) - static_cast<std::int64_t>(insn.operands[0].offset);
      });
  EXPECT_EQ(
      said("scatter.i16", from_allocation),
      "offsets of scatter.i16 are counted from the start of its allocation instead of the start of dst");
}

TEST(IdentifyOffsets, NamesWhatIsAddedInEachRepeat) {
  constexpr unsigned kLanes = 128;  // of 16-bit types
  const Ask adds = with_offsets([](const Offsets& offsets, unsigned n) {
    return offsets(n) + 32 * static_cast<std::int64_t>(n / kLanes);
  });
  EXPECT_EQ(said("gather.f16", adds),
            "gather.f16 adds 32 * R bytes to each offset of repeat R (counted from 0)");
  const Ask own = with_offsets([](const Offsets& offsets, unsigned n) {
    return offsets(n) + 2 * static_cast<std::int64_t>(n % kLanes);
  });
  EXPECT_EQ(said("scatter.i16", own), "scatter.i16 adds 2 * N bytes to offset N of each repeat");
}

/// The results of the later repeats are written, over those of repeat 0: they are not left out.
TEST(IdentifyOffsets, AScatterThatUsesOffsetsOfOneRepeat) {
  const auto of_repeat_0 = [](unsigned lanes, unsigned from) {
    return with_offsets([=](const Offsets& offsets, unsigned n) {
      return n < from * lanes ? offsets(n) : offsets(n % lanes);
    });
  };
  EXPECT_EQ(said("scatter.bf16", of_repeat_0(128, 0)),
            "scatter.bf16 uses the offsets of repeat 0 in every repeat");
  EXPECT_EQ(said("scatter.f32", of_repeat_0(64, 0)),
            "scatter.f32 uses the offsets of repeat 0 in every repeat");
  const std::string from_2 = said("scatter.f32", of_repeat_0(64, 2));  // not of the last repeat alone
  EXPECT_EQ(from_2.find("in the last repeat"), std::string::npos) << from_2;
  EXPECT_EQ(from_2.find("left out"), std::string::npos) << from_2;
  const Ask one_before =
      with_offsets([](const Offsets& offsets, unsigned n) { return offsets(n / 64 == 1 ? n - 64 : n); });
  EXPECT_EQ(
      said("scatter.i32", one_before),
      "places of other repeats of scatter.i32 hold results of repeat 1 (counted from 0), whose own places "
      "are not written");
}

TEST(IdentifyOffsets, AScatterThatWalksOverItsSourceWithAnotherRepeatStride) {
  const Ask walks = with([](Instruction& i) {
    if (i.op == Op::scatter) i.operands[1].repeat_stride = 8;
  });
  EXPECT_EQ(said("scatter.f32", walks), "src of scatter.f32 walks with repeat stride 8, whatever is given");
}

TEST(IdentifyOffsets, AGatherThatWritesWithAnotherRepeatStride) {
  const Ask walks = with([](Instruction& i) {
    if (i.op == Op::gather) i.operands[0].repeat_stride = 8;
  });
  EXPECT_EQ(said("gather.f32", walks), "dst of gather.f32 walks with repeat stride 8, whatever is given");
}

/// The other repeats are as documented: scatter ignores the mask.
TEST(IdentifyOffsets, ScatterObeysTheMaskInSomeRepeats) {
  const auto obeys = [](unsigned first) {
    return then([first](const Program& program, State& state) {
      const Instruction& insn = program.instructions.back();
      if (insn.op != Op::scatter) return;
      const Mask mask = mask_of(program);
      const unsigned lanes = lanes_of(insn), size = size_of(insn.dst_type);
      for (unsigned n = first * lanes; n < insn.repeat * lanes; ++n) {
        const std::size_t number = start_of(program, insn.operands[kOffsetsOperand]) + std::size_t{4} * n;
        std::uint32_t offset = 0;
        std::memcpy(&offset, &program.ub[number], sizeof offset);
        const std::size_t at = start_of(program, insn.operands[0]) + offset;
        if (mask[n % lanes] == 0) std::memcpy(&state.ub[at], &program.ub[at], size);
      }
    });
  };
  for (const std::string name : {"scatter.u32", "scatter.f16"}) {
    const std::string law = name + " obeys the mask: lanes whose slot is 0 keep their old dst";
    EXPECT_EQ(said(name, obeys(0)), law);
    EXPECT_EQ(said(name, obeys(1)), law + " in every repeat after the first");
  }
}

/// An offset of 0 counts as not given.
TEST(IdentifyOffsets, ScatterThatLeavesOutOffset0) {
  const Ask leaves_out = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::scatter) return;
    const std::size_t start = start_of(program, insn.operands[0]);
    std::memcpy(&state.ub[start], &program.ub[start], size_of(insn.dst_type));
  });
  for (const std::string name : {"scatter.u32", "scatter.f16"})
    EXPECT_EQ(said(name, leaves_out), name + " writes nothing where an offset is 0");
}

/// The oracle, except for the elements, or data blocks, whose offset is 0: they hold `there`, or what they
/// held.
Ask with_elements_of_offset_0(std::optional<std::byte> there) {
  return [there](const Batch& batch) {
    ask_oracle()(batch);
    for (std::size_t index = 0; index < batch.programs.size(); ++index) {
      const Program& program = batch.programs[index];
      const Instruction& insn = program.instructions.back();
      if (!indexed_operand(row_of(insn.op))) continue;
      const bool blocks = row_of(insn.op).moves_blocks;
      const unsigned bytes = blocks ? 32 : size_of(insn.dst_type), count = 256 / bytes;
      for (unsigned n = 0; n < insn.repeat * count; ++n) {
        std::uint32_t offset = 0;
        std::memcpy(&offset, &program.ub[start_of(program, insn.operands[kOffsetsOperand]) + 4 * n], 4);
        const auto lane = n % count * bytes / size_of(insn.dst_type);
        const std::size_t at = start_of(program, insn.operands[0]) + lane_offset(insn, 0, n / count, lane);
        for (unsigned byte = 0; offset == 0 && byte < bytes; ++byte)
          batch.states[index].ub[at + byte] = there.value_or(program.ub[at + byte]);
      }
    }
  };
}

TEST(IdentifyOffsets, NoResultWhereAnOffsetIs0) {
  for (const std::string name : {"gatherb.u16", "gather.u16", "gather.u32"}) {
    EXPECT_EQ(first_said(name, with_elements_of_offset_0({})), name + " writes nothing where an offset is 0");
    EXPECT_EQ(first_said(name, with_elements_of_offset_0(std::byte{0})),
              name + " gives 0 where an offset is 0");
  }
}

}  // namespace
}  // namespace lanecheck
