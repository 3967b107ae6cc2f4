// When a fault happens: nothing is said of types and times whose programs only have other data or other
// lanes.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "fuzz/explain/explain.h"
#include "oracle/execute/execute.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

Finding finding_with(const std::function<void(const Program&, State&)>& run, std::string_view text) {
  const Documented documented(Profile::vmc, Readings{}, {});
  const Backend backend =
      function_backend("faulty", "", [=](const Program& program, State& state) -> Outcome {
        run(program, state);
        return Ran{};
      });
  AskedBackend asked(backend, Profile::vmc);
  return explain(parse_program(text, "test"), {}, asked, documented, true);
}

std::string predicate_with(const std::function<void(const Program&, State&)>& run, std::string_view text) {
  return finding_with(run, text).predicate;
}

/// The high word of the mask leaves 64 lanes of f16, and none of f32.
TEST(PredicateData, ATypeWithMoreLanesMeetsTheLanesOfTheFindingToo) {
  const auto writes_nothing_of_one_lane = [](const Program& program, State& state) {
    State before;
    execute(program, Semantics(), state);
    if (program.instructions.empty()) return;
    const Instruction& last = program.instructions.back();
    if (last.op != Op::cmax || !is_float(last.dst_type)) return;
    Program earlier = program;
    earlier.instructions.pop_back();
    execute(earlier, Semantics(), before);
    unsigned active = 0;
    for (unsigned lane = 0; lane < lanes_of(last); ++lane) active += before.mask[lane];
    if (active == 1) state.ub = before.ub;
  };
  const std::string predicate = predicate_with(writes_nothing_of_one_lane, R"(ub 512
alloc d f32 0 64 = 7 x16
alloc s f32 64 256 = 5 x64
set_mask high=0xffffffffffffffff low=0x1
cmax.f32 d+0 rep=1, s+0 blk=1 rep=8, repeat=1
)");
  EXPECT_EQ(predicate.find("not as f16"), std::string::npos) << predicate;
  EXPECT_NE(predicate.find("not as i16, i32"), std::string::npos) << predicate;
}

/// Sums in dst, repeat by repeat, that are rounded once: whether it shows hangs on all sums before.
TEST(PredicateData, OfSumsOverRepeatsNothingIsSaidNotToShowIt) {
  const auto rounds_once = [](const Program& program, State& state) {
    execute(program, Semantics(), state);
    if (program.instructions.empty()) return;
    const Instruction& last = program.instructions.back();
    if (last.op != Op::muladddst || last.dst_type != Element::f16 || last.src_type != Element::f16) return;
    if (last.operands[0].repeat_stride != 0 || program.instructions.size() != 1) return;
    const auto value = [&](unsigned k, unsigned r, unsigned lane) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, &program.ub[start_of(program, last.operands[k]) + lane_offset(last, k, r, lane)], 2);
      return static_cast<float>(value_of(Element::f16, bits));
    };
    for (unsigned lane = 0; lane < 128; ++lane) {
      float sum = value(0, 0, lane);
      for (unsigned r = 0; r < last.repeat; ++r) sum += value(1, r, lane) * value(2, r, lane);
      const std::uint64_t bits = nearest(Element::f16, sum);
      std::memcpy(&state.ub[start_of(program, last.operands[0]) + lane_offset(last, 0, 0, lane)], &bits, 2);
    }
  };
  const std::string predicate = predicate_with(rounds_once, R"(ub 4096
alloc d f16 0 256 = 2048 x128
alloc s f16 256 1024 = 1 x512
muladddst.f16 d+0 blk=1 rep=0, s+0 blk=1 rep=8, s+0 blk=1 rep=8, repeat=2
)");
  EXPECT_EQ(predicate.find("not with repeat time"), std::string::npos) << predicate;
  EXPECT_EQ(predicate.find("not with block stride"), std::string::npos) << predicate;
}

/// At repeat time 8 the 64 bytes of dst are full: the zeros land behind it, where zeros lie already.
TEST(PredicateData, OfAWriteBehindDstNothingIsSaidNotToShowItForWantOfRoom) {
  const auto writes_sixteen_bytes = [](const Program& program, State& state) {
    execute(program, Semantics(), state);
    if (program.instructions.empty()) return;
    const Instruction& last = program.instructions.back();
    if (last.op != Op::compare_scalar || size_of(last.src_type) != 4 || last.repeat == 0) return;
    const std::size_t end = start_of(program, last.operands[0]) + last.repeat * std::size_t{8};
    std::fill_n(state.ub.begin() + static_cast<std::ptrdiff_t>(end), 8, std::byte{0});
  };
  const Finding finding = finding_with(writes_sixteen_bytes, R"(ub 352
alloc d u8 0 32 = 1 x32
alloc s f32 64 256 = 0 x64
compare_scalar.f32 d+0, s+0 blk=1 rep=8, scalar=1, gt, repeat=1
)");
  EXPECT_EQ(finding.predicate.find("not with repeat time"), std::string::npos) << finding.predicate;
}

/// A longer src0 moves src1 by a data block to a multiple of 64 bytes.
TEST(PredicateData, ThePlaceOfASourceIsNotTakenForAStrideOfAnotherOne) {
  const auto starts_at_64_bytes = [](const Program& program, State& state) {
    Program moved = program;
    for (Instruction& each : moved.instructions) {
      if (each.op != Op::sub) continue;
      const Allocation& home = moved.allocations[each.operands[2].allocation];
      if ((home.offset + each.operands[2].offset) % 64 == 0) continue;
      each.operands[2].allocation = static_cast<std::uint16_t>(moved.allocations.size());
      moved.allocations.push_back(home);
      moved.allocations.back().offset -= 32;
    }
    execute(moved, Semantics(), state);
  };
  const Finding finding = finding_with(starts_at_64_bytes, R"(ub 864
alloc a i16 0 256 = 0 x128
alloc b i16 288 256 = 1 x128
alloc d i16 576 256 = 0 x128
sub.i16 d+0 blk=1 rep=8, a+0 blk=1 rep=8, b+0 blk=1 rep=8, repeat=1
)");
  EXPECT_EQ(finding.predicate.find("not with block stride"), std::string::npos) << finding.predicate;
  EXPECT_EQ(finding.passes.find("stride"), std::string::npos) << finding.passes;
}

}  // namespace
}  // namespace lanecheck
