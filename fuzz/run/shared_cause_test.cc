// One fault in many instructions is one finding. The faults are written here: the oracle runs other programs
// than it was given, as an implementation with this fault would.
#include <gtest/gtest.h>

#include <algorithm>

#include "fuzz/run/run.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/program/profile.h"

namespace lanecheck {
namespace {

constexpr MaskWords kFull = {~std::uint64_t{0}, ~std::uint64_t{0}};

Instruction set_mask(MaskWords words) {
  Instruction insn;
  insn.op = Op::set_mask;
  insn.high = words.high;
  insn.low = words.low;
  return insn;
}

bool is_elementwise(const Instruction& insn) {
  const Row& row = row_of(insn.op);
  return row.mask == MaskUse::gates_writeback &&
         std::ranges::all_of(row.operands, [](const auto& each) { return each.walk == Walk::blocks; });
}

/// Gives the mask of repeat `repeat` of `insn`, under the mask that was set.
using MaskOf = std::function<MaskWords(const Instruction& insn, unsigned repeat, MaskWords mask)>;

/// Every repeat of an elementwise instruction as an instruction of its own, under a mask of its own.
Program repeat_by_repeat(const Program& given, const MaskOf& mask_of) {
  Program program = given;
  program.instructions.clear();
  MaskWords mask = kFull;
  for (const Instruction& insn : given.instructions) {
    if (insn.op == Op::set_mask) mask = {insn.high, insn.low};
    if (insn.op == Op::reset_mask) mask = kFull;
    if (!is_elementwise(insn)) {
      program.instructions.push_back(insn);
      continue;
    }
    for (unsigned repeat = 0; repeat < insn.repeat; ++repeat) {
      program.instructions.push_back(set_mask(mask_of(insn, repeat, mask)));
      Instruction one = insn;
      one.repeat = 1;
      for (unsigned k = 0; k < row_of(insn.op).operands.size(); ++k)
        one.operands[k].offset += repeat * insn.operands[k].repeat_stride * kBlockBytes;
      program.instructions.push_back(one);
    }
    program.instructions.push_back(set_mask(mask));
  }
  return program;
}

Backend that_runs(std::function<Program(const Program&)> change) {
  return function_backend("faulty", "", [=](const Program& given, State& state) -> Outcome {
    const Program program = change(given);
    if (const auto fault = find_fault(program)) return Errored{describe(program, *fault)};
    execute(program, Semantics{}, state);
    return Ran{};
  });
}

std::vector<Finding> findings(const Backend& backend, std::uint64_t cases = 600) {
  RunOptions options;
  options.mix.with_boundaries = false;
  options.cases = cases;
  options.illegal_in_32 = 0;
  const auto found = run(options, backend).findings;
  for (std::size_t n = 1; n < found.size(); ++n) ADD_FAILURE() << found[n].id << ": " << found[n].what;
  return found;
}

bool is_16_bit(const Instruction& insn) {
  return size_of(insn.dst_type) == 2 && size_of(insn.src_type) == 2;
}

/// For all types of 16 bits this would be a known mistake.
TEST(SharedCause, GatesOfOneTypeByTheLowSlots) {
  const auto found = findings(that_runs([](const Program& program) {
    return repeat_by_repeat(program, [](const Instruction& insn, unsigned, MaskWords mask) {
      return is_16_bit(insn) && insn.dst_type == Element::f16 ? MaskWords{mask.low, mask.low} : mask;
    });
  }));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].cause, "gate: lanes 64..127 are gated by slots 0..63 instead of 64..127");
  EXPECT_NE(found[0].what.find(" are gated by slots 0..63 instead of 64..127; also in "), std::string::npos)
      << found[0].what;
  EXPECT_EQ(found[0].matter, Matter::mask);
  EXPECT_GE(found[0].instructions.size(), 10u);
  EXPECT_FALSE(found[0].measured.empty());
}

TEST(SharedCause, TheLastOfSeveralRepeatsIgnoresTheMask) {
  const auto found = findings(that_runs([](const Program& program) {
    return repeat_by_repeat(program, [](const Instruction& insn, unsigned repeat, MaskWords mask) {
      return insn.repeat > 1 && repeat + 1 == insn.repeat ? kFull : mask;
    });
  }));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].what.find("are written whatever the mask is in the last repeat"), std::string::npos)
      << found[0].what;
}

TEST(SharedCause, FromTheThirdRepeatOnTheMaskMovesOn) {
  const auto found = findings(that_runs([](const Program& program) {
    return repeat_by_repeat(program, [](const Instruction& insn, unsigned repeat, MaskWords mask) {
      return is_16_bit(insn) && repeat >= 2 ? MaskWords{mask.low, mask.high} : mask;
    });
  }));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].what.find("are gated by slot lane xor 64"), std::string::npos) << found[0].what;
  EXPECT_NE(found[0].what.find("from repeat 2 (counted from 0) on"), std::string::npos) << found[0].what;
}

TEST(SharedCause, TheSecondSourceWalksWithTheStridesOfTheFirst) {
  const auto found = findings(that_runs([](const Program& given) {
    Program program = given;
    for (Instruction& insn : program.instructions) {
      const Instruction before = insn;
      if (row_of(insn.op).form != Form::binary) continue;
      insn.operands[2].block_stride = insn.operands[1].block_stride;
      insn.operands[2].repeat_stride = insn.operands[1].repeat_stride;
      if (find_fault(program)) insn = before;
    }
    return program;
  }));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].cause, "src1: walks with the strides of src0");
  EXPECT_EQ(found[0].matter, Matter::address);
}

/// Probes name their allocations after the operands, and this fault does not show there.
TEST(SharedCause, WhatNoProbeShowsIsOneFindingIfTheLanesShowTheSame) {
  const auto found = findings(that_runs([](const Program& program) {
    return repeat_by_repeat(program, [&](const Instruction&, unsigned, MaskWords mask) {
      constexpr std::uint64_t kEven = 0x5555555555555555;
      return program.allocations[0].name != "dst" ? MaskWords{mask.high | kEven, mask.low | kEven} : mask;
    });
  }));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].id, "unexplained-elementwise-writes-masked-off");
  EXPECT_NE(found[0].what.find("which may have another cause"), std::string::npos) << found[0].what;
}

}  // namespace
}  // namespace lanecheck
