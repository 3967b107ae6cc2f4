// Mistakes in shifts: another distance, other bits that come in.
#include <algorithm>

#include "fuzz/identify/identify_testing.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace shift_laws_test {

/// The place of an element in UB.
std::size_t place(const Program& program, unsigned k, unsigned repeat, unsigned lane) {
  const Instruction& insn = program.instructions.back();
  return start_of(program, insn.operands[k]) + lane_offset(insn, k, repeat, lane);
}

template <class T>
T element(const Program& program, unsigned k, unsigned repeat, unsigned lane) {
  return load<T>(&program.ub[place(program, k, repeat, lane)]);
}

TEST(ShiftLaws, TheDistanceOfAShift) {
  const auto shifts = [](auto change) {
    return with([change](Instruction& insn) {
      if (insn.op == Op::shl) insn.settings[0] = change(insn.settings[0]);
    });
  };
  EXPECT_EQ(first_said("shl.u32", shifts([](unsigned by) { return by % 16; })),
            "shl.u32 takes its distance modulo 16");
  EXPECT_EQ(first_said("shl.u32", shifts([](unsigned by) { return by % 32; })),
            "shl.u32 takes its distance modulo the width of its type");
  EXPECT_EQ(first_said("shl.i16", shifts([](unsigned by) { return std::min(by, 15U); })),
            "shl.i16 shifts by at most 15 bits");
}

State with_inverted_dst(Program program) {
  const Allocation& dst = program.allocations[program.instructions.back().operands[0].allocation];
  for (std::uint32_t n = 0; n < dst.bytes; ++n) program.ub[dst.offset + n] = ~program.ub[dst.offset + n];
  State state;
  Outcome outcome = NotRun{};
  ask_oracle()({{&program, 1}, {&state, 1}, {&outcome, 1}});
  return state;
}

/// The oracle, with another result in each place that `op` writes: compute(element of src, settings).
template <class T, class Compute>
Ask shifts_to(Op op, Compute compute) {
  return then([=](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != op || sizeof(T) != size_of(insn.dst_type)) return;
    const auto documented = state.ub;
    const State other = with_inverted_dst(program);
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
        const std::size_t at = place(program, 0, r, lane);
        if (load<T>(&documented[at]) == load<T>(&other.ub[at]))  // else it keeps its old dst
          store(&state.ub[at], static_cast<T>(compute(element<T>(program, 1, r, lane), insn.settings[0])));
      }
  });
}

TEST(ShiftLaws, AShiftThatRoundsIfItIsShorterThanItsType) {
  const Ask rounds = shifts_to<std::int32_t>(Op::shr, [](std::int64_t element, unsigned by) {
    return by > 0 && by < 32 ? (element + (std::int64_t{1} << (by - 1))) >> by : element >> std::min(by, 31U);
  });
  EXPECT_EQ(first_said("shr.i32", rounds),
            "shr.i32 adds half of the last place to its result, which rounds it to the nearest, if its "
            "distance is less than the width of its type");
}

TEST(ShiftLaws, AShiftThatDivides) {
  const Ask divides = shifts_to<std::int32_t>(Op::shr, [](std::int64_t element, unsigned by) {
    return element / (std::int64_t{1} << std::min(by, 40U));
  });
  EXPECT_EQ(first_said("shr.i32", divides),
            "shr.i32 divides by a power of two and rounds towards zero instead of down");
}

}  // namespace shift_laws_test
}  // namespace lanecheck
