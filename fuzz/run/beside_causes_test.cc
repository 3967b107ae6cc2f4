// Two faults at once, neither of which has a mutant: each gets the finding that it gets alone, also where
// every program that shows one of them may show the other one.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "fuzz/explain/questions/locate.h"
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
Backend with_cgadd_that_closes_up(const Fault& of_set_mask) {
  return function_backend("faulty", "", [=](const Program& program, State& state) -> Outcome {
    execute(prefix(program, 0), Semantics{}, state);
    for (Instruction insn : program.instructions) {
      of_set_mask(insn);
      const State before = state;
      execute_one(program, insn, Semantics{}, state);
      if (insn.op == Op::cgadd && insn.operands[0].repeat_stride > 0) close_up(program, insn, before, state);
    }
    return Ran{};
  });
}

TEST(BesideCauses, ResultsThatCloseUpBesideAMaskThatSetMaskGetsWrong) {
  const std::set<std::string> alone = ids(Profile::vmc, with_cgadd_that_closes_up([](Instruction&) {}));
  EXPECT_EQ(alone.size(), 1u);
  for (const auto of_set_mask : {set_mask_signs_high_word, set_mask_signs_words}) {
    std::set<std::string> both = ids(Profile::vmc, {of_set_mask});
    both.insert(alone.begin(), alone.end());
    EXPECT_EQ(both.size(), 2u);
    EXPECT_EQ(ids(Profile::vmc, with_cgadd_that_closes_up(of_set_mask)), both);
  }
}

/// In its last repeat, gather leaves the elements unwritten whose slots are 0, if it has several repeats.
Backend with_gather_that_obeys_the_mask(bool signs_words) {
  return function_backend("faulty", "", [=](const Program& program, State& state) -> Outcome {
    execute(prefix(program, 0), Semantics{}, state);
    for (Instruction insn : program.instructions) {
      if (signs_words) set_mask_signs_words(insn);
      const State before = state;
      execute_one(program, insn, Semantics{}, state);
      for (unsigned lane = 0; insn.op == Op::gather && insn.repeat > 1 && lane < lanes_of(insn); ++lane) {
        const std::size_t at =
            start_of(program, insn.operands[0]) + lane_offset(insn, 0, insn.repeat - 1, lane);
        if (before.mask[lane] == 0) std::copy_n(&before.ub[at], size_of(insn.dst_type), &state.ub[at]);
      }
    }
    return Ran{};
  });
}

/// Few programs have a gather, and many of those leave a wrong mask, too.
TEST(BesideCauses, AnInstructionThatIsRareBesideAMaskThatSetMaskGetsWrong) {
  std::set<std::string> both = ids(Profile::vmc, with_gather_that_obeys_the_mask(false));
  EXPECT_EQ(both.size(), 1u);
  both.merge(ids(Profile::vmc, {set_mask_signs_words}));
  EXPECT_EQ(both.size(), 2u);
  EXPECT_EQ(ids(Profile::vmc, with_gather_that_obeys_the_mask(true)), both);
}

TEST(BesideCauses, AStrideBesideAMaskOperand) {
  expect_each_is_found(Profile::tik, own_mask_signs_words, src_takes_repeat_stride_of_dst);
}

TEST(BesideCauses, AWrongValueBesideAMaskOperand) {
  expect_each_is_found(Profile::tik, own_mask_signs_words, axpy_takes_a_scalar_of_0);
}

void axpy_src_takes_repeat_stride_of_dst(Instruction& insn) {
  if (insn.op == Op::axpy) src_takes_repeat_stride_of_dst(insn);
}

void dup_takes_half_of_64(Instruction& insn) {
  if (insn.op == Op::dup && insn.mask_from == MaskFrom::contiguous && insn.low == 64) insn.low = 32;
}

/// Where dup writes what axpy then writes again, the first wrong byte does not tell which of them is wrong.
TEST(BesideCauses, NoFindingNamesTheInstructionOfAnother) {
  const Report report =
      run(drawn_legal(Profile::tik, 1500), that_runs([](const Program& program) {
            return with_faults(program, {axpy_src_takes_repeat_stride_of_dst, dup_takes_half_of_64});
          }));
  EXPECT_EQ(report.findings.size(), 2u);
  for (const Finding& each : report.findings) {
    const auto names = [&](std::string_view start) {
      return std::ranges::any_of(each.instructions,
                                 [&](const std::string& name) { return name.starts_with(start); });
    };
    EXPECT_NE(names("axpy."), names("dup.")) << each.what;
  }
}

}  // namespace beside_causes_test
}  // namespace lanecheck
