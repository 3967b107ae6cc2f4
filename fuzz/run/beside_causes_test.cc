// Two faults at once, neither of which has a mutant: each gets the finding that it gets alone, also where
// every program that shows one of them may show the other one.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "fuzz/explain/locate.h"
#include "fuzz/run/drawn_testing.h"
#include "fuzz/run/faulty_backend_testing.h"
#include "fuzz/run/run.h"
#include "oracle/execute/execute.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace beside_causes_test {

using Fault = std::function<void(Instruction&)>;

std::uint64_t with_sign_of_bit_31(std::uint64_t word) {
  return (word >> 31 & 1) != 0 ? word | 0xffffffff00000000 : word;
}

void set_mask_signs_words(Instruction& insn) {
  if (insn.op != Op::set_mask) return;
  insn.high = with_sign_of_bit_31(insn.high);
  insn.low = with_sign_of_bit_31(insn.low);
}

void set_mask_signs_high_word(Instruction& insn) {
  if (insn.op == Op::set_mask && (insn.low >> 63) != 0) insn.high = ~std::uint64_t{0};
}

void own_mask_signs_words(Instruction& insn) {
  if (insn.mask_from != MaskFrom::bitwise || lanes_of(insn) != 128) return;
  insn.low = with_sign_of_bit_31(insn.low);
  insn.high = with_sign_of_bit_31(insn.high);
}

void sub_exchanges_sources(Instruction& insn) {
  if (insn.op == Op::sub) std::swap(insn.operands[1], insn.operands[2]);
}

void src_takes_repeat_stride_of_dst(Instruction& insn) {
  if (is_elementwise(insn) && insn.op != Op::dup)
    insn.operands[1].repeat_stride = insn.operands[0].repeat_stride;
}

void axpy_takes_a_scalar_of_0(Instruction& insn) {
  if (insn.op != Op::axpy) return;
  insn.scalar = {};
}

Program with_faults(const Program& program, const std::vector<Fault>& faults) {
  return each_changed(program, [&](Instruction& insn) {
    for (const Fault& fault : faults) fault(insn);
  });
}

std::set<std::string> ids(Profile profile, const Backend& backend) {
  std::set<std::string> all;
  const Report report = run(drawn_legal(profile, 800), backend);
  for (const Finding& finding : report.findings) all.insert(finding.id);
  return all;
}

std::set<std::string> ids(Profile profile, const std::vector<Fault>& faults) {
  return ids(profile, that_runs([&](const Program& program) { return with_faults(program, faults); }));
}

void expect_each_is_found(Profile profile, const Fault& one, const Fault& other) {
  const auto first = ids(profile, {one}), second = ids(profile, {other});
  EXPECT_EQ(first.size(), 1u);
  EXPECT_EQ(second.size(), 1u);
  std::set<std::string> both = first;
  both.insert(second.begin(), second.end());
  EXPECT_EQ(ids(profile, {one, other}), both);
}

TEST(BesideCauses, AWrongValueBesideAMaskThatSetMaskGetsWrong) {
  expect_each_is_found(Profile::vmc, set_mask_signs_words, sub_exchanges_sources);
}

TEST(BesideCauses, AStrideBesideAMaskThatSetMaskGetsWrong) {
  expect_each_is_found(Profile::vmc, set_mask_signs_words, src_takes_repeat_stride_of_dst);
}

/// The results of a repeat of cgadd that have active lanes move up to the places of those that have none.
void close_up(const Program& program, const Instruction& insn, const State& before, State& state) {
  const std::uint32_t size = size_of(insn.dst_type), lanes = kBlockBytes / size;
  for (unsigned r = 0; r < insn.repeat; ++r) {
    const std::uint64_t dst = start_of(program, insn.operands[0]) + r * repeat_step(insn, 0);
    const auto results = static_cast<std::ptrdiff_t>(dst);
    std::vector<std::byte> moved;
    for (unsigned block = 0; block < kRepeatBlocks; ++block) {
      const auto slots = before.mask.begin() + block * lanes;
      if (std::count(slots, slots + lanes, 1) == 0) continue;
      const auto at = state.ub.begin() + results + block * size;
      moved.insert(moved.end(), at, at + size);
    }
    std::copy_n(before.ub.begin() + results, kRepeatBlocks * size, state.ub.begin() + results);
    std::ranges::copy(moved, state.ub.begin() + results);
  }
}

/// The oracle with both faults, or one of them.
Backend with_cgadd_that_closes_up(bool signs_high_word) {
  return function_backend("faulty", "", [=](const Program& program, State& state) -> Outcome {
    execute(prefix(program, 0), Semantics{}, state);
    for (Instruction insn : program.instructions) {
      if (signs_high_word) set_mask_signs_high_word(insn);
      const State before = state;
      execute_one(program, insn, Semantics{}, state);
      if (insn.op == Op::cgadd && insn.operands[0].repeat_stride > 0) close_up(program, insn, before, state);
    }
    return Ran{};
  });
}

TEST(BesideCauses, ResultsThatCloseUpBesideAMaskThatSetMaskGetsWrong) {
  std::set<std::string> both = ids(Profile::vmc, with_cgadd_that_closes_up(false));
  EXPECT_EQ(both.size(), 1u);
  both.merge(ids(Profile::vmc, {set_mask_signs_high_word}));
  EXPECT_EQ(both.size(), 2u);
  EXPECT_EQ(ids(Profile::vmc, with_cgadd_that_closes_up(true)), both);
}

TEST(BesideCauses, AStrideBesideAMaskOperand) {
  expect_each_is_found(Profile::tik, own_mask_signs_words, src_takes_repeat_stride_of_dst);
}

TEST(BesideCauses, AWrongValueBesideAMaskOperand) {
  expect_each_is_found(Profile::tik, own_mask_signs_words, axpy_takes_a_scalar_of_0);
}

}  // namespace beside_causes_test
}  // namespace lanecheck
