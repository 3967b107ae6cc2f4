// Two faults at once, neither of which has a mutant: each gets the finding that it gets alone, also where
// every program that shows one of them may show the other one.
#include <gtest/gtest.h>

#include <set>

#include "fuzz/run/drawn_testing.h"
#include "fuzz/run/faulty_backend_testing.h"
#include "fuzz/run/run.h"

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

std::set<std::string> ids(Profile profile, const std::vector<Fault>& faults) {
  std::set<std::string> all;
  const Report report = run(drawn_legal(profile, 800), that_runs([&](const Program& program) {
                              return each_changed(program, [&](Instruction& insn) {
                                for (const Fault& fault : faults) fault(insn);
                              });
                            }));
  for (const Finding& finding : report.findings) all.insert(finding.id);
  return all;
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

TEST(BesideCauses, AStrideBesideAMaskOperand) {
  expect_each_is_found(Profile::tik, own_mask_signs_words, src_takes_repeat_stride_of_dst);
}

TEST(BesideCauses, AWrongValueBesideAMaskOperand) {
  expect_each_is_found(Profile::tik, own_mask_signs_words, axpy_takes_a_scalar_of_0);
}

}  // namespace beside_causes_test
}  // namespace lanecheck
