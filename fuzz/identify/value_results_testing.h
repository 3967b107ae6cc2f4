// For tests of values: the oracle with other results of one instruction, which has one result a lane.
#pragma once

#include "fuzz/identify/identify_testing.h"
#include "spec/mask/footprint.h"

namespace lanecheck {

/// The oracle, except for `result(program, lane, at, documented)` in active lanes of `op`, where `at(k)` is
/// the place in UB of the lane's element of operand k.
template <class T, class Result>
Ask with_results(Op op, Result result) {
  return then([=](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != op) return;
    const Mask mask = mask_of(program);
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
        if (mask[lane % 128] == 0) continue;
        const auto at = [&](unsigned k) {
          return start_of(program, insn.operands[k]) + lane_offset(insn, k, r, lane);
        };
        std::byte* const place = &state.ub[at(0)];
        store(place, static_cast<T>(result(program, lane, at, load<T>(place))));
      }
  });
}

}  // namespace lanecheck
