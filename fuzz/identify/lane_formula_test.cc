// What identification says of casts whose operands are taken to have other data blocks than they have.
#include <cstring>

#include "fuzz/identify/identify_testing.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace {

/// Where lane `lane` of operand `k` lies if a data block of `bytes` bytes holds `held` elements and leaves
/// the rest free.
std::size_t place_in_blocks(const Program& program, unsigned k, unsigned repeat, unsigned lane, unsigned held,
                            unsigned bytes = kBlockBytes) {
  const Instruction& insn = program.instructions.back();
  const Operand& operand = insn.operands[k];
  const unsigned size = size_of(k == 0 ? insn.dst_type : insn.src_type);
  return start_of(program, operand) + repeat * repeat_step(insn, k) +
         std::size_t{lane / held} * operand.block_stride * bytes + lane % held * size;
}

std::size_t documented_place(const Program& program, unsigned k, unsigned repeat, unsigned lane) {
  const Instruction& insn = program.instructions.back();
  return start_of(program, insn.operands[k]) + lane_offset(insn, k, repeat, lane);
}

TEST(LaneFormula, DstOfANarrowingCastHasBlocksThatAreHalfFull) {
  const Ask halves = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::cast || insn.dst_type != Element::f16 || insn.src_type != Element::f32) return;
    const Mask mask = mask_of(program);
    const auto right = state.ub;
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane)
        std::memcpy(&state.ub[documented_place(program, 0, r, lane)],
                    &program.ub[documented_place(program, 0, r, lane)], 2);
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
        const std::size_t at = place_in_blocks(program, 0, r, lane, 8);
        if (mask[lane] != 0 && at + 2 <= state.ub.size())
          std::memcpy(&state.ub[at], &right[documented_place(program, 0, r, lane)], 2);
      }
  });
  EXPECT_EQ(said("cast.f16.f32", halves),
            "cast.f16.f32 takes data blocks of the operand with the narrower type (dst) to hold only as many "
            "elements as those of the wider one");
}

/// The oracle, which reads the source of a cast from `src` to `dst` as if data blocks of `bytes` bytes held
/// as many elements as those of dst.
Ask reads_blocks_of_dst(Element dst, Element src, unsigned bytes) {
  return [=](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      const Program& program = batch.programs[n];
      const Instruction& insn = program.instructions.back();
      const bool is_wrong = insn.op == Op::cast && insn.src_type == src && insn.dst_type == dst;
      Program changed = program;
      for (unsigned r = 0; is_wrong && r < insn.repeat; ++r)
        for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
          const std::size_t from = place_in_blocks(program, 1, r, lane, per_block(dst), bytes);
          if (from + size_of(src) <= program.ub.size())
            std::memcpy(&changed.ub[documented_place(program, 1, r, lane)], &program.ub[from], size_of(src));
        }
      State& state = batch.states[n];
      ask_oracle()({{&changed, 1}, {&state, 1}, batch.outcomes.subspan(n, 1)});
      for (std::size_t at = 0; at < state.ub.size(); ++at)
        if (state.ub[at] == changed.ub[at]) state.ub[at] = program.ub[at];
    }
  };
}

TEST(LaneFormula, SrcOfAWideningCastHasBlocksThatAreHalfRead) {
  EXPECT_EQ(said("cast.i32.f16", reads_blocks_of_dst(Element::i32, Element::f16, 32)),
            "cast.i32.f16 takes data blocks of the operand with the narrower type (src) to hold only as many "
            "elements as those of the wider one");
}

/// The elements behind those of a data block are read from the next one, which may be read again.
TEST(LaneFormula, SrcOfANarrowingCastHasBlocksThatAreReadPastTheirEnd) {
  EXPECT_EQ(
      said("cast.f16.f32", reads_blocks_of_dst(Element::f16, Element::f32, 32)),
      "cast.f16.f32 takes data blocks of src to hold as many elements as those of dst: 16 instead of 8");
}

/// With a block stride of 1 nothing shows.
TEST(LaneFormula, SrcOfAWideningCastHasABlockStrideOfHalves) {
  EXPECT_EQ(
      said("cast.i32.f16", reads_blocks_of_dst(Element::i32, Element::f16, 16)),
      "the operand of cast.i32.f16 with the narrower type (src) is addressed as if its data blocks had 16 "
      "bytes: its block stride counts 8 elements, as many as a data block of the other operand holds, "
      "instead of 16 (seen with repeat 3, each operand with strides of its own)");
}

/// Both f16 sources of an f32 result are read with 8 elements in each data block.
TEST(LaneFormula, BothSourcesHaveBlocksThatAreHalfRead) {
  const Ask halves = [](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      const Program& program = batch.programs[n];
      const Instruction& insn = program.instructions.back();
      const bool is_wrong = insn.op == Op::muladddst && insn.src_type != insn.dst_type;
      Program changed = program;
      for (unsigned k = 1; is_wrong && k <= 2; ++k)
        for (unsigned r = 0; r < insn.repeat; ++r)
          for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
            const std::size_t from = place_in_blocks(program, k, r, lane, 8);
            if (from + 2 <= program.ub.size())
              std::memcpy(&changed.ub[documented_place(program, k, r, lane)], &program.ub[from], 2);
          }
      State& state = batch.states[n];
      ask_oracle()({{&changed, 1}, {&state, 1}, batch.outcomes.subspan(n, 1)});
      for (std::size_t at = 0; at < state.ub.size(); ++at)
        if (state.ub[at] == changed.ub[at]) state.ub[at] = program.ub[at];
    }
  };
  EXPECT_EQ(said("muladddst.f32.f16", halves),
            "muladddst.f32.f16 takes data blocks of the operands with the narrower type (src0 and src1) to "
            "hold only "
            "as many elements as those of the wider one");
}

/// A repeat of a narrowing cast has as many lanes as the narrower type gives: it goes on where the next data
/// blocks lie.
TEST(LaneFormula, LanesCountedByTheNarrowerType) {
  const Ask by_dst = [](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program changed = batch.programs[n];
      const Instruction insn = changed.instructions.back();
      if (insn.op == Op::cast && 2 * size_of(insn.dst_type) == size_of(insn.src_type)) {
        changed.instructions.pop_back();
        for (unsigned r = 0; r < 2 * insn.repeat; ++r) {
          Instruction half = insn;
          half.repeat = 1;
          for (unsigned k = 0; k < 2; ++k)
            half.operands[k].offset += static_cast<std::uint32_t>(r / 2 * repeat_step(insn, k)) +
                                       r % 2 * (k == 0 ? 4 : 8) * insn.operands[k].block_stride * kBlockBytes;
          changed.instructions.push_back(half);
        }
      }
      if (find_fault(changed))  // it would leave UB
        batch.outcomes[n] = Errored{"crashed", true};
      else
        ask_oracle()({{&changed, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
    }
  };
  EXPECT_EQ(
      said("cast.f16.f32", by_dst),
      "cast.f16.f32 counts the lanes of a repeat by dst, the narrower type: they are 128 instead of 64");
}

}  // namespace
}  // namespace lanecheck
