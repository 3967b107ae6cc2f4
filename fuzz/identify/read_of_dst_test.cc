// What is said of instructions that read their old dst at other places than they write.
#include "fuzz/identify/given_number_testing.h"
#include "fuzz/identify/probes/one_repeat.h"
#include "fuzz/identify/probes/place_map.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace {

/// The oracle, after the old dst of `op` was moved to where `change` makes the instruction write.
template <class Change>
Ask with_old_dst_read(Op op, Change change) {
  return with_program([=](Program& moved) {
    const Program given = moved;
    const Instruction& insn = given.instructions.back();
    if (insn.op != op) return;
    Instruction reading = insn;
    change(reading);
    const unsigned size = size_of(insn.dst_type);
    const std::size_t start = start_of(given, insn.operands[0]);
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane)
        std::copy_n(&given.ub[start + size * static_cast<unsigned>(element_at(reading, 0, r, lane))], size,
                    &moved.ub[start + size * static_cast<unsigned>(element_at(insn, 0, r, lane))]);
  });
}

TEST(ReadOfDst, WithAnotherBlockStride) {
  EXPECT_EQ(said("muladddst.i32",
                 with_old_dst_read(Op::muladddst, [](Instruction& i) { i.operands[0].block_stride = 1; })),
            "the old dst of muladddst.i32 is read with block stride 1 instead of the block stride of dst");
}

TEST(ReadOfDst, WithTheStrideOfASource) {
  EXPECT_EQ(
      said("axpy.f32",
           with_old_dst_read(
               Op::axpy, [](Instruction& i) { i.operands[0].repeat_stride = i.operands[1].repeat_stride; })),
      "the old dst of axpy.f32 is read with the repeat stride of src instead of the repeat stride of dst");
}

TEST(ReadOfDst, WithAllStridesOfASource) {
  const Ask ask = with_old_dst_read(Op::axpy, [](Instruction& i) {
    i.operands[0].block_stride = i.operands[1].block_stride;
    i.operands[0].repeat_stride = i.operands[1].repeat_stride;
  });
  EXPECT_EQ(said("axpy.f16", ask),
            "the old dst of axpy.f16 is read with the strides of src instead of those of dst");
}

/// TIK has no block strides here.
TEST(ReadOfDst, OfRepeat0WhereBlockStridesAreFixed) {
  const Ask ask = with_old_dst_read(Op::axpy, [](Instruction& i) { i.operands[0].repeat_stride = 0; });
  const auto found = identify(subject_of("axpy.f16", Profile::tik), ask).differences;
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0],
            "the old dst of axpy.f16 is that of repeat 0 in every repeat, as it was before the instruction");
}

/// Each repeat reads where repeat 0 has written by then.
TEST(ReadOfDst, OfRepeat0AsEachRepeatFindsIt) {
  const Ask ask = [](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program part = batch.programs[n];
      const Instruction insn = part.instructions.back();
      const auto run = [&](const Program& program) {
        ask_oracle()({{&program, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
      };
      if (insn.op != Op::axpy || insn.repeat == 0) {
        run(part);
        continue;
      }
      const std::size_t repeat = std::size_t{kBlockBytes} * insn.operands[0].repeat_stride;
      const std::size_t start = start_of(part, insn.operands[0]);
      for (unsigned r = 0; r < insn.repeat; ++r) {
        for (unsigned block = 0; block < kRepeatBlocks; ++block) {
          const std::size_t at = start + std::size_t{kBlockBytes} * block * insn.operands[0].block_stride;
          std::copy_n(part.ub.begin() + static_cast<std::ptrdiff_t>(at), kBlockBytes,
                      part.ub.begin() + static_cast<std::ptrdiff_t>(at + r * repeat));
        }
        part.instructions.back() = one_repeat(insn, r);
        run(part);
        part.ub = batch.states[n].ub;
      }
    }
  };
  EXPECT_EQ(said("axpy.f16", ask),
            "the old dst of axpy.f16 is read with repeat stride 0 instead of the repeat stride of dst");
}

TEST(ReadOfDst, FromTheRepeatBeforeIsNotRepeatStride0) {
  const Ask ask = [](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program step = batch.programs[n];
      const Instruction insn = step.instructions.back();
      const bool adds_up = insn.op == Op::axpy && insn.repeat > 1;
      const std::size_t start = start_of(step, insn.operands[0]);
      for (unsigned r = 0; adds_up && r < insn.repeat; ++r) {
        const unsigned size = size_of(insn.dst_type);
        step.instructions.back() = one_repeat(insn, r);
        for (unsigned lane = 0; r > 0 && lane < lanes_of(insn); ++lane)
          std::copy_n(&step.ub[start + size * static_cast<unsigned>(element_at(insn, 0, r - 1, lane))], size,
                      &step.ub[start + size * static_cast<unsigned>(element_at(insn, 0, r, lane))]);
        ask_oracle()({{&step, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
        step.ub = batch.states[n].ub;
      }
      if (!adds_up) ask_oracle()({{&step, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
    }
  };
  EXPECT_EQ(said("axpy.f32", ask),
            "the old dst of axpy.f32 is read from the places of the repeat before it in every repeat but the "
            "first");
}

TEST(ReadOfDst, WithTheStridesOfTheFirstSourceIsOneMistake) {
  const auto key = [](const char* name, Op op) {
    const Ask reads = with_old_dst_read(op, [](Instruction& i) {
      i.operands[0].block_stride = i.operands[1].block_stride;
      i.operands[0].repeat_stride = i.operands[1].repeat_stride;
    });
    const auto found = identify(subject_of(name), reads);
    return found.parts.empty() ? "" : found.parts[0].key;
  };
  EXPECT_EQ(key("axpy.f32", Op::axpy), "dst: the old dst is read with the strides of the first source");
  EXPECT_EQ(key("muladddst.f32", Op::muladddst), key("axpy.f32", Op::axpy));
}

/// The oracle on memory in which the lanes of a last repeat that the count does not fill are 0.
TEST(ReadOfDst, AsZeroInALastRepeatThatIsNotFull) {
  const Ask forgets = [](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program program = batch.programs[n];
      const Instruction& insn = program.instructions.back();
      std::uint64_t count = 0;
      for (const Instruction& each : program.instructions)
        if (each.op == Op::set_vector_mask) count = each.low;
      const bool counts = program.instructions[0].op == Op::set_mask_count;
      const unsigned size = size_of(insn.dst_type);
      if (counts && row_of(insn.op).reads_dst)
        for (std::uint64_t lane = count / lanes_of(insn) * lanes_of(insn); lane < count; ++lane)
          std::fill_n(&program.ub[start_of(program, insn.operands[0]) +
                                  lane_offset(insn, 0, static_cast<unsigned>(lane / lanes_of(insn)),
                                              static_cast<unsigned>(lane % lanes_of(insn)))],
                      size, std::byte{0});
      execute(program, Semantics(default_readings(program.profile)), batch.states[n]);
      batch.outcomes[n] = Ran{};
    }
  };
  for (const std::string name : {"muladddst.f32", "axpy.f16", "axpy.f32.f16"}) {
    const auto found =
        number_differences(shapes_of(subject_of(name, Profile::a2)), MaskGiven::total, forgets);
    ASSERT_EQ(found.size(), 1u) << name;
    EXPECT_EQ(found[0].sentence(), "the old dst of " + name +
                                       " counts as 0 in the last repeat, in counter mode if the count does "
                                       "not fill the last repeat");
  }
}

/// A case of muladddst that falls through to fusedmuladd: said as a formula, as that has not all of its
/// types.
TEST(ReadOfDst, AsAFactor) {
  const Ask falls_through = with([](Instruction& insn) {
    if (insn.op == Op::muladddst) insn.op = Op::fusedmuladd;
  });
  EXPECT_EQ(first_said("muladddst.f16", falls_through),
            "muladddst.f16 computes old dst * src0 + src1 instead of src0 * src1 + old dst");
}

}  // namespace
}  // namespace lanecheck
