// One fault in the code that takes the strides of all operands is one finding, and its law is said.
#include <gtest/gtest.h>

#include <algorithm>

#include "fuzz/run/faulty_backend_testing.h"
#include "fuzz/run/run.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace shared_strides_test {

std::vector<Finding> findings(const Backend& backend, Profile profile = Profile::vmc,
                              std::uint64_t seed = 1) {
  RunOptions options;
  options.seed = seed;
  options.mix.profile = profile;
  options.readings = default_readings(profile);
  options.cases = 1500;
  options.illegal_in_32 = 0;
  return run(options, backend).findings;
}

/// The oracle, after `change` has changed each operand that is addressed in data blocks.
template <class Change>
Backend with_operands(Change change) {
  return that_runs([change](const Program& given) {
    return each_changed(given, [change](Instruction& insn) {
      for (unsigned k = 0; k < row_of(insn.op).operands.size(); ++k)
        if (row_of(insn.op).operands[k].walk == Walk::blocks) change(insn, insn.operands[k]);
    });
  });
}

void expect_one(const std::vector<Finding>& found, const std::string& law) {
  ASSERT_EQ(found.size(), 1u) << (found.empty() ? "no finding" : found.back().what);
  const std::size_t of = found[0].what.find(" of "), verb = found[0].what.find(' ', of + 4);
  EXPECT_EQ(found[0].what.substr(0, of) + found[0].what.substr(verb, law.size() - of), law) << found[0].what;
  EXPECT_EQ(found[0].matter, Matter::address);
  EXPECT_GE(found[0].instructions.size(), 8u);
}

TEST(SharedStrides, BlockStrideAndRepeatStrideAreExchanged) {
  expect_one(findings(with_operands([](const Instruction&, Operand& operand) {
               std::swap(operand.block_stride, operand.repeat_stride);
             })),
             "all operands in data blocks exchange block stride and repeat stride");
}

TEST(SharedStrides, TheRepeatStrideIs8IfThereAreSeveralRepeats) {
  expect_one(findings(with_operands([](const Instruction& insn, Operand& operand) {
               if (insn.repeat > 2) operand.repeat_stride = 8;
             })),
             "all operands in data blocks walk with repeat stride 8 if repeat times are more than 2");
}

/// A fast path for what is taken to lie in a row because its repeats do.
TEST(SharedStrides, TheBlockStrideIsForgottenIfTheRepeatStrideIs8) {
  expect_one(findings(with_operands([](const Instruction&, Operand& operand) {
               if (operand.repeat_stride == 8) operand.block_stride = 1;
             })),
             "all operands in data blocks walk with block stride 1 if the repeat stride is 8");
}

/// Another repeat starts as many walks further as the repeat stride says.
TEST(SharedStrides, TheRepeatStrideIsMultipliedByTheBlockStride) {
  for (const Profile profile : {Profile::vmc, Profile::a2})
    expect_one(
        findings(with_operands([](const Instruction&, Operand& operand) {
                   operand.repeat_stride *= operand.block_stride;
                 }),
                 profile),
        "all operands in data blocks walk with a repeat stride that is multiplied by the block stride");
}

/// The probes of an instruction do not name the law: programs with more room do.
TEST(SharedStrides, TheRepeatStrideOfOneInstructionIsMultipliedByTheBlockStride) {
  const auto found = findings(with_operands([](const Instruction& insn, Operand& operand) {
    if (insn.op == Op::exp && &operand == &insn.operands[0]) operand.repeat_stride *= operand.block_stride;
  }));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].what.find("walks with a repeat stride that is multiplied by the block stride"),
            std::string::npos)
      << found[0].what;
}

TEST(SharedStrides, TheStridesOfSourcesAloneAreExchanged) {
  expect_one(findings(with_operands([](const Instruction& insn, Operand& operand) {
               if (&operand != &insn.operands[0]) std::swap(operand.block_stride, operand.repeat_stride);
             })),
             "all sources in data blocks exchange block stride and repeat stride");
}

/// A fast path for what lies in a row, with a wrong condition.
TEST(SharedStrides, TheRepeatStrideIsForgottenIfTheBlockStrideIs1) {
  expect_one(
      findings(with_operands([](const Instruction& insn, Operand& operand) {
        const auto k = static_cast<unsigned>(&operand - insn.operands.data());
        const std::uint32_t in_a_row =
            lanes_of(insn) * size_of(operand_type(insn, row_of(insn.op).operands[k])) / kBlockBytes;
        if (operand.block_stride == 1) operand.repeat_stride = std::min(operand.repeat_stride, in_a_row);
      })),
      "all operands in data blocks lie in a row if the block stride is 1 and the repeat stride leaves a "
      "gap between repeats");
}

/// The oracle, with `change` applied to operand `k` of each instruction, whether it stays legal or not; there
/// is more room behind UB.
Backend with_room(const std::function<void(Instruction&, unsigned k)>& change) {
  return function_backend("roomy", "", [change](const Program& given, State& state) -> Outcome {
    Program program = given;
    program.ub.resize(kMaxUbBytes);
    for (Instruction& insn : program.instructions)
      for (unsigned k = 0; k < row_of(insn.op).operands.size(); ++k) {
        if (row_of(insn.op).operands[k].walk == Walk::blocks) change(insn, k);
        if (start_of(program, insn.operands[k]) + extent(insn, k, lanes_of(insn)) > program.ub.size())
          return Errored{"IndexError"};
      }
    execute(program, Semantics(default_readings(given.profile)), state);
    state.ub.resize(given.ub.size());
    return Ran{};
  });
}

/// In ascendc-a2 few programs have a dst with such a stride, and the first findings are of reductions, whose
/// dst has none.
TEST(SharedStrides, AStrideOf0ThatSourcesAloneTakeAsAnotherIsNotSaidOfDst) {
  const Backend backend = with_room([](Instruction& insn, unsigned k) {
    if (k > 0 && insn.operands[k].block_stride == 0) insn.operands[k].block_stride = 1;
  });
  expect_one(findings(backend, Profile::a2), "all sources in data blocks take a block stride of 0 as 1");
  const auto found = findings(backend);  // it says one source first, and then the others, or all at once
  ASSERT_EQ(found.size(), 1u) << (found.empty() ? "no finding" : found.back().what);
  const std::string& said = found[0].what;
  EXPECT_NE(said.find(" a block stride of 0 as 1; also "), std::string::npos) << said;
  EXPECT_TRUE(said.starts_with("src") || said.starts_with("all sources in data blocks ")) << said;
  EXPECT_EQ((" " + said).find(" dst"), std::string::npos) << said;
  EXPECT_EQ(std::ranges::count(found[0].operands, "dst"), 0) << said;
  EXPECT_EQ(found[0].matter, Matter::address);
  EXPECT_GE(found[0].instructions.size(), 8u);
}

TEST(SharedStrides, AStrideOf0ThatAllOperandsTakeAsAnotherIsOneLaw) {
  const Backend backend = with_room([](Instruction& insn, unsigned k) {
    if (insn.operands[k].repeat_stride == 0) insn.operands[k].repeat_stride = 8;
  });
  expect_one(findings(backend), "all operands in data blocks take a repeat stride of 0 as 8");
  const auto found = findings(backend, Profile::tik);  // the first case shows src alone
  ASSERT_EQ(found.size(), 1u) << found.back().what;
  EXPECT_TRUE(found[0].what.starts_with("all operands in data blocks of ")) << found[0].what;
  EXPECT_EQ(found[0].what.find("also of"), std::string::npos) << found[0].what;
}

/// Its instructions obey the law as well, but the law does not give what they leave. With some seeds (1) all
/// of its smallest programs show the law alone.
TEST(SharedStrides, AnotherFaultBesideTheLawIsAFindingOfItsOwn) {
  const auto found =
      findings(that_runs([](const Program& given) {
                 Program program = each_changed(given, [](Instruction& insn) {
                   for (unsigned k = 0; k < row_of(insn.op).operands.size(); ++k)
                     if (row_of(insn.op).operands[k].walk == Walk::blocks)
                       std::swap(insn.operands[k].block_stride, insn.operands[k].repeat_stride);
                 });
                 for (Instruction& insn : program.instructions)
                   if (insn.op == Op::adds && insn.dst_type == Element::f32)
                     insn.scalar = scalar_of(Element::f32, insn.scalar.value + 1);
                 return program;
               }),
               Profile::vmc, 2);
  const auto says = [&](std::string_view text) {
    return std::ranges::count_if(
        found, [&](const Finding& each) { return each.what.find(text) != std::string::npos; });
  };
  EXPECT_EQ(says("exchange block stride and repeat stride"), 1);
  EXPECT_EQ(says("adds.f32"), 1);
}

/// Then other instructions are right, and nothing is said of them.
TEST(SharedStrides, AFaultOfOneInstructionIsNoLawOfAll) {
  const auto found = findings(with_operands([](const Instruction& insn, Operand& operand) {
    if (insn.op == Op::mul) operand.block_stride = 1;
  }));
  ASSERT_FALSE(found.empty());
  for (const Finding& each : found) {
    EXPECT_EQ(each.what.find("all operands in data blocks"), std::string::npos) << each.what;
    for (const std::string& insn : each.instructions) EXPECT_TRUE(insn.starts_with("mul.")) << insn;
  }
}

/// select does not look at the mask, so that it always takes the short way for a full mask.
TEST(SharedStrides, AStrideThatCountsUnderAFullMaskAloneIsNotSaidOfEveryMask) {
  const auto found = findings(that_runs([](const Program& given) {
    Program program = given;
    MaskWords mask = kAllSlots;
    for (Instruction& insn : program.instructions) {
      if (insn.op == Op::set_mask) mask = {insn.high, insn.low};
      if (insn.op == Op::reset_mask) mask = kAllSlots;
      const bool is_full = lanes_of(insn) <= 64 ? mask.low == kAllSlots.low : mask == kAllSlots;
      if ((is_elementwise(insn) && is_full) || insn.op == Op::select) insn.operands[0].block_stride = 1;
    }
    return program;
  }));
  ASSERT_EQ(found.size(), 2u);
  for (const Finding& each : found) {
    const bool of_select = each.what.find("whatever is given") != std::string::npos;
    EXPECT_TRUE(of_select || each.what.find("if the mask is full") != std::string::npos) << each.what;
    for (const std::string& insn : each.instructions)
      EXPECT_EQ(insn.starts_with("select."), of_select) << insn << ": " << each.what;
  }
}

}  // namespace shared_strides_test
}  // namespace lanecheck
