// Properties of generated programs, on many programs.
#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "fuzz/generate/builder.h"
#include "fuzz/generate/data.h"
#include "fuzz/generate/edge.h"
#include "fuzz/generate/generate_testing.h"
#include "spec/legality/find_fault.h"
#include "spec/text/number.h"
#include "spec/text/program_json.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

class ManyPrograms : public testing::TestWithParam<Profile> {};
INSTANTIATE_TEST_SUITE_P(Generator, ManyPrograms, testing::ValuesIn(kEveryProfile), test_name_of);

TEST_P(ManyPrograms, AreLegal) {
  Program program;
  const std::uint64_t step = 7;  // through the boundary tables and beyond
  for (std::uint64_t n = 0; n < 40'000; ++n) {
    generate(3, n * step, Mix{.profile = GetParam()}, program);
    const auto fault = find_fault(program);
    ASSERT_FALSE(fault) << "case " << n * step << ": " << describe(program, *fault) << '\n' << print(program);
  }
}

/// UB may be full, or end behind an operand.
TEST_P(ManyPrograms, LAW_layout_HaveRoomForWholeRepeatsUnderEverySeed) {
  constexpr std::uint64_t kSeeds = 50, kCases = 240;  // the longest instructions come first
  Program program;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed)
    for (std::uint64_t index = 0; index < kCases; ++index) {
      generate(seed, index, Mix{.profile = GetParam()}, program);
      const auto fault = find_fault(program);
      ASSERT_FALSE(fault) << "case " << index << " of seed " << seed << ": " << describe(program, *fault);
    }
}

TEST_P(ManyPrograms, ReadBackFromTextAndJsonToTheSameProgram) {
  Mix mix{.profile = GetParam()};
  mix.with_boundaries = false;
  Program program;
  for (std::uint64_t index = 0; index < 600; ++index) {
    generate(4, index, mix, program);
    ASSERT_EQ(parse_program(print(program), "text"), program) << print(program);
    ASSERT_EQ(program_from_json(nlohmann::json::parse(to_json(program).dump()), "json"), program)
        << print(program);
  }
}

TEST_P(ManyPrograms, StandOnBothSidesOfEveryRuleThatHasAnEdge) {
  std::map<std::string_view, std::array<unsigned, 2>> seen;
  Program program;
  for (std::uint64_t index = 0; index < 1500; ++index) {
    const EdgeCase edge = generate_at_edge(8, index, Mix{.profile = GetParam()}, program);
    const auto fault = find_fault(program);
    ASSERT_EQ(fault.has_value(), edge.outside) << edge.rule->id << '\n' << print(program);
    if (edge.outside) {
      ASSERT_EQ(fault->rule, edge.rule) << fault->what << '\n' << print(program);
    }
    ++seen[edge.rule->id][edge.outside ? 1 : 0];
  }
  for (const LegalityRule& rule : legality_rules()) {
    if (rule.edge == nullptr || !rule.holds_in(GetParam())) continue;
    EXPECT_GT(seen[rule.id][0], 0u) << rule.id << " inside";
    EXPECT_GT(seen[rule.id][1], 0u) << rule.id << " outside";
  }
}

constexpr std::uint64_t kFewCases = 1500;  ///< within which a fault of one parameter shows

/// The strides with which the operands that walk by blocks meet several repeats; block strides also alone.
struct WalkedStrides {
  std::map<std::pair<Op, unsigned>, std::set<std::uint32_t>> block, repeat;
};

WalkedStrides walked_strides(Profile profile) {
  WalkedStrides walked;
  Program program;
  for (std::uint64_t index = 0; index < kFewCases; ++index) {
    generate(1, index, Mix{.profile = profile}, program);
    for (const Instruction& insn : program.instructions)
      for (unsigned k = 0; k < row_of(insn.op).operands.size(); ++k) {
        if (insn.repeat > 0) walked.block[{insn.op, k}].insert(insn.operands[k].block_stride);
        if (insn.repeat > 1) walked.repeat[{insn.op, k}].insert(insn.operands[k].repeat_stride);
      }
  }
  return walked;
}

TEST_P(ManyPrograms, TryTheStridesOfEachOperandEarly) {
  WalkedStrides walked = walked_strides(GetParam());
  const bool fixed = row_of(GetParam()).block_stride_fixed;
  for (const Row& row : instruction_table())
    for (unsigned k = 0; k < row.operands.size(); ++k) {
      const bool apart = k == 0 && row.reads_dst && !row_of(GetParam()).read_dst_may_meet;
      if (!row.in(GetParam()).offered || row.operands[k].walk != Walk::blocks || apart) continue;
      for (const std::uint32_t stride : {2u, 255u}) {
        EXPECT_TRUE(fixed || walked.block[std::pair(row.op, k)].contains(stride))
            << row.name << k << ' ' << stride;
      }
      if (GetParam() == Profile::vmc) {  // LAW-stride-range: up to 65535
        EXPECT_GT(*walked.block[std::pair(row.op, k)].rbegin(), 255u) << row.name << k;
      }
      if (!row.has_repeat) continue;
      for (const std::uint32_t stride : {0u, 1u, 2u, 255u}) {
        EXPECT_TRUE(walked.repeat[std::pair(row.op, k)].contains(stride)) << row.name << k << ' ' << stride;
      }
    }
}

/// The extreme values are limits, infinities, zeros and their neighbours.
TEST_P(ManyPrograms, TryEachExtremeValueAsEachScalarEarly) {
  std::set<std::tuple<Op, Element, Element, std::uint64_t>> seen;
  Program program;
  for (std::uint64_t index = 0; index < kFewCases; ++index) {
    generate(1, index, Mix{.profile = GetParam()}, program);
    for (const Instruction& insn : program.instructions)
      if (takes_scalar(insn)) seen.emplace(insn.op, insn.dst_type, insn.src_type, insn.scalar.bits);
  }
  for (const Row& row : instruction_table())
    for (const TypePair& types : row.in(GetParam()).pairs) {
      Instruction insn;
      insn.op = row.op;
      insn.dst_type = types.dst;
      insn.src_type = types.src;
      if (!takes_scalar(insn)) continue;
      for (std::uint64_t n = 0; n < kExtremes; ++n) {
        const std::uint64_t bits = extreme(scalar_type(insn), n);
        EXPECT_TRUE(seen.contains(std::tuple(row.op, types.dst, types.src, bits))) << row.name << ' ' << bits;
      }
    }
}

/// A short cut for a product with 1 or a sum with 0 must obey the mask.
TEST(ManyCalls, TryTheScalars0And1UnderPartialMasksEarly) {
  std::set<std::tuple<Op, Element, double>> seen;
  Program program;
  for (std::uint64_t index = 0; index < kFewCases; ++index) {
    generate(1, index, Mix{.profile = Profile::vmc}, program);
    MaskWords mask{kOnes, kOnes};
    for (const Instruction& insn : program.instructions) {
      if (insn.op == Op::set_mask) mask = {insn.high, insn.low};
      if (insn.op == Op::reset_mask) mask = {kOnes, kOnes};
      const std::uint64_t lowest = mask.low & 0xffffffff;  // of the lanes that every type has
      if (takes_scalar(insn) && insn.repeat > 0 && lowest != 0 && lowest != 0xffffffff)
        seen.emplace(insn.op, insn.dst_type, value_of(scalar_type(insn), insn.scalar.bits));
    }
  }
  for (const Row& row : instruction_table())
    for (const TypePair& types : row.in(Profile::vmc).pairs)
      for (const double number : {0.0, 1.0})
        if (row.has_scalar && row.mask == MaskUse::gates_writeback) {
          EXPECT_TRUE(seen.contains(std::tuple(row.op, types.dst, number))) << row.name << ' ' << number;
        }
}

/// Has the instruction a bit of control for each lane?
bool reads_control_bits(const Row& row) {
  return row.operands.size() > 1 && row.operands[1].role == "control" && row.operands[1].walk == Walk::bits;
}

/// A short cut for a repeat that takes one source alone must look at the other repeats, too.
TEST_P(ManyPrograms, SelectOneSourceInAWholeRepeatBesideOthersEarly) {
  std::set<std::pair<Op, std::byte>> seen;
  Program program;
  for (std::uint64_t index = 0; index < kFewCases; ++index) {
    generate(1, index, Mix{.profile = GetParam()}, program);
    for (const Instruction& insn : program.instructions) {
      if (!reads_control_bits(row_of(insn.op)) || insn.repeat < 2) continue;
      const std::size_t bytes = lanes_of(insn) / 8;
      const std::byte* const first = program.ub.data() + start_of(program, insn.operands[1]);
      const auto holds_only = [&](unsigned repeat, std::byte byte) {
        return std::all_of(first + repeat * bytes, first + (repeat + 1) * bytes,
                           [=](std::byte b) { return b == byte; });
      };
      if (holds_only(0, *first) && !holds_only(1, *first)) seen.emplace(insn.op, *first);
    }
  }
  for (const Row& row : instruction_table())
    for (const std::byte byte : {std::byte{0}, std::byte{0xff}})
      if (row.in(GetParam()).offered && row.has_repeat && reads_control_bits(row)) {
        EXPECT_TRUE(seen.contains(std::pair(row.op, byte))) << row.name;
      }
}

/// Without a repeat, a source of zeros would hide a repeat that an implementation computes anyway.
TEST_P(ManyPrograms, HaveDataInSourcesThatNoRepeatReads) {
  std::set<Op> seen;
  Program program;
  for (std::uint64_t index = 0; index < kFewCases; ++index) {
    generate(1, index, Mix{.profile = GetParam()}, program);
    for (const Instruction& insn : program.instructions) {
      const Row& row = row_of(insn.op);
      if (!row.has_repeat || insn.repeat > 0 || row.operands.back().walk != Walk::blocks) continue;
      const std::byte* from = program.ub.data() + start_of(program, insn.operands[row.operands.size() - 1]);
      if (std::any_of(from, from + kBlockBytes, [](std::byte b) { return b != std::byte{0}; }))
        seen.insert(row.op);
    }
  }
  for (const Row& row : instruction_table())
    if (row.in(GetParam()).offered && row.has_repeat && row.operands.back().walk == Walk::blocks) {
      EXPECT_TRUE(seen.contains(row.op)) << row.name;
    }
}

/// A simulator may keep something of an instruction for the next one of its kind: a scalar, a mask, a mode.
TEST_P(ManyPrograms, HoldEveryInstructionTwiceWithAnotherScalar) {
  std::map<Op, unsigned> twice;
  Program program;
  for (std::uint64_t index = 0; index < 6000; ++index) {
    generate(5, index, Mix{.profile = GetParam()}, program);
    const Instruction* before = nullptr;  // the one that computes
    for (const Instruction& insn : program.instructions) {
      if (row_of(insn.op).mask == MaskUse::is_mask_state) continue;
      if (takes_scalar(insn) && before != nullptr && before->op == insn.op &&
          before->dst_type == insn.dst_type && before->scalar.bits != insn.scalar.bits)
        ++twice[insn.op];
      before = &insn;
    }
  }
  for (const Row& row : instruction_table())
    if (row.has_scalar && row.in(GetParam()).offered) {
      EXPECT_GT(twice[row.op], 0u) << row.name;
    }
}

/// A simulator may keep the bits that it read for the first one.
TEST_P(ManyPrograms, WriteTheControlOfSelectsBetweenTwoOfThemEarly) {
  using Place = std::pair<std::uint16_t, std::uint32_t>;
  const auto place_of_control = [](const Instruction& insn) -> std::optional<Place> {
    const auto k = control_in_ub(row_of(insn.op));
    if (!k) return {};
    return Place{insn.operands[*k].allocation, insn.operands[*k].offset};
  };
  std::map<Op, unsigned> again;
  Program program;
  for (std::uint64_t index = 0; index < 1500; ++index) {
    generate(1, index, Mix{.profile = GetParam()}, program);
    const auto& list = program.instructions;
    for (std::size_t n = 0; n < list.size(); ++n) {
      const auto place = place_of_control(list[n]);
      bool is_written = false;
      for (std::size_t later = n + 1; place && later < list.size(); ++later) {
        const Operand& dst = list[later].operands[0];
        if (list[later].op == Op::compare && Place{dst.allocation, dst.offset} == *place) is_written = true;
        if (is_written && list[later].op == list[n].op && place_of_control(list[later]) == place)
          ++again[list[n].op];
      }
    }
  }
  for (const Row& row : instruction_table())
    if (row.in(GetParam()).offered && control_in_ub(row)) {
      EXPECT_GT(again[row.op], 0u) << row.name;
    }
}

/// A backend may keep a user pattern by its place in UB.
TEST_P(ManyPrograms, WritesAUserPatternBetweenTwoThatUseItEarly) {
  unsigned found = 0;
  Program program;
  for (std::uint64_t index = 0; index < 2000; ++index) {
    generate(1, index, Mix{.profile = GetParam()}, program);
    std::map<unsigned, bool> is_written;  // the allocations of patterns
    for (const Instruction& insn : program.instructions) {
      if (const auto at = is_written.find(insn.operands[0].allocation);
          insn.op == Op::dup && at != is_written.end())
        at->second = true;
      if (insn.op != Op::gather_mask_user) continue;
      const auto [at, is_new] = is_written.try_emplace(insn.operands[2].allocation);
      found += !is_new && at->second ? 1 : 0;
    }
  }
  EXPECT_GE(found, row_of(Op::gather_mask_user).in(GetParam()).offered ? 1U : 0U);
}

/// A backend may keep what it made of a mask, and forget to drop it at ResetMask.
TEST_P(ManyPrograms, RunEachInstructionBeforeAndAfterAResetOfTheMaskEarly) {
  std::set<Op> seen;
  Program program;
  for (std::uint64_t index = 0; index < 2000; ++index) {
    generate(1, index, Mix{.profile = GetParam()}, program);
    const Readings readings = default_readings(GetParam());
    MaskBits mask;
    const Instruction* masked = nullptr;  // what met a partial mask last
    for (const Instruction& insn : program.instructions) {
      if (!computes(row_of(insn.op), GetParam()) || !takes_register(row_of(insn.op), GetParam())) {
        mask.apply(insn, readings);
        continue;
      }
      const bool is_full = mask.words[0] == ~std::uint64_t{0} && mask.words[1] == ~std::uint64_t{0};
      const bool is_register = insn.mask_from == MaskFrom::reg && mask.mode == Mode::normal;
      if (masked != nullptr && is_full && is_register && masked->op == insn.op &&
          masked->dst_type == insn.dst_type)
        seen.insert(insn.op);
      masked = is_register && !is_full ? &insn : nullptr;
      mask.apply(insn, readings);
    }
  }
  for (const Row& row : instruction_table()) {
    if (!computes(row, GetParam()) || !takes_register(row, GetParam())) continue;
    EXPECT_TRUE(seen.contains(row.op)) << row.name;
  }
}

/// Under "ResetMask does nothing in counter mode" SVM's register stays as it was for the next instruction.
TEST(ManyCalls, ResetTheMaskInCounterModeAndLeaveThatMode) {
  unsigned seen = 0;
  Program program;
  for (std::uint64_t index = 0; index < 4000; ++index) {
    generate(5, index, Mix{.profile = Profile::p310}, program);
    const auto& list = program.instructions;
    for (std::size_t n = 1; n + 1 < list.size(); ++n)
      seen += list[n - 1].op == Op::set_mask_count && list[n].op == Op::reset_mask &&
              list[n + 1].op == Op::set_mask_norm;
  }
  EXPECT_GT(seen, 0u);
}

/// A backend may take an offset that is that of the lane before for one that was already done.
TEST(GeneratedOffsets, AreSometimesThoseOfTheLaneBefore) {
  std::set<Op> seen;
  Program program;
  for (std::uint64_t index = 0; index < 3000; ++index) {
    generate(1, index, Mix{.profile = Profile::a2}, program);
    for (const Instruction& insn : program.instructions) {
      const auto indexed = indexed_operand(row_of(insn.op));
      if (!indexed || *indexed == 0) continue;
      const std::byte* read = program.ub.data() + start_of(program, insn.operands[2]);
      const unsigned per = offsets_per_repeat(insn);
      for (unsigned n = 1; n < insn.repeat * per; ++n)
        if (n % per != 0 && load<std::uint32_t>(read + 4 * n) == load<std::uint32_t>(read + 4 * n - 4))
          seen.insert(insn.op);
    }
  }
  EXPECT_TRUE(seen.contains(Op::gather));
  EXPECT_TRUE(seen.contains(Op::gatherb));
}

}  // namespace
}  // namespace lanecheck
