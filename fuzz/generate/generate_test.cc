// Properties of generated programs, on few programs.
#include <array>
#include <set>

#include "fuzz/generate/edge.h"
#include "fuzz/generate/generate_testing.h"
#include "spec/legality/find_fault.h"
#include "spec/mask/footprint.h"
#include "spec/text/fnv.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

Program program_of(std::uint64_t seed, std::uint64_t index) {
  Program program;
  generate(seed, index, Mix{}, program);
  return program;
}

/// Its instructions would take more than the 192 KiB of UB.
TEST(Generate, AProgramThatIsTooLargeLosesItsLastInstructions) {
  const Program program = program_of(1, 887);
  EXPECT_FALSE(find_fault(program));
  EXPECT_FALSE(program.instructions.empty());
}

class GeneratorOfProfile : public testing::TestWithParam<Profile> {};
INSTANTIATE_TEST_SUITE_P(Generator, GeneratorOfProfile, testing::ValuesIn(kEveryProfile), test_name_of);

TEST_P(GeneratorOfProfile, StepsProgramsJustInsideAndJustOutsideOfOneRule) {
  Program program;
  for (std::uint64_t index = 0; index < 150; ++index) {
    const EdgeCase edge = generate_at_edge(7, index, Mix{.profile = GetParam()}, program);
    const auto fault = find_fault(program);
    ASSERT_EQ(fault.has_value(), edge.outside) << edge.rule->id << '\n' << print(program);
    if (edge.outside) {
      ASSERT_EQ(fault->rule, edge.rule) << fault->what << '\n' << print(program);
    }
  }
}

/// (That offsets are not written by the instructions that are given: legality_test.)
TEST_P(GeneratorOfProfile, FindsTheSameFaultIfTheInstructionsAreGivenApart) {
  Program program;
  for (std::uint64_t index = 0; index < 300; ++index) {
    generate_at_edge(11, index, Mix{.profile = GetParam()}, program);
    const auto fault = find_fault(program);
    Program without = program;
    without.instructions.clear();
    const auto apart = find_fault(without, program.instructions, default_readings(GetParam()));
    ASSERT_EQ(apart.has_value(), fault.has_value()) << print(program);
    if (fault) {
      ASSERT_EQ(apart->what, fault->what) << print(program);
      ASSERT_EQ(apart->instruction, fault->instruction) << print(program);
    }
  }
}

/// A backend that keeps what it computed for an instruction shows it when the same one comes again.
TEST_P(GeneratorOfProfile, RepeatsInstructionsUnderAnotherMask) {
  const auto same_places = [](const Instruction& a, const Instruction& b) {
    for (unsigned k = 0; k < row_of(a.op).operands.size(); ++k)
      if (a.operands[k].allocation != b.operands[k].allocation ||
          a.operands[k].offset != b.operands[k].offset)
        return false;
    return a.op == b.op && a.dst_type == b.dst_type && a.src_type == b.src_type && a.repeat == b.repeat;
  };
  unsigned repeated = 0;
  Program program;
  for (std::uint64_t index = 0; index < 4000; ++index) {
    generate(3, index, Mix{.profile = GetParam()}, program);
    const Instruction* last = nullptr;
    for (const Instruction& each : program.instructions) {
      if (row_of(each.op).operands.empty()) continue;
      repeated += last != nullptr && same_places(*last, each) ? 1 : 0;
      last = &each;
    }
  }
  EXPECT_GE(repeated, 20u);
}

/// A field of 8 bits does not hold how far such a repeat starts behind the first, in data blocks. UB holds
/// other data there than 256 data blocks before.
TEST(Generator, ReachesRepeatsThatStart256DataBlocksBehindTheFirst) {
  std::set<std::pair<Op, unsigned>> reached;
  for (std::uint64_t index = 0; index < 12000; ++index) {
    const Program program = program_of(1, index);
    for (const Instruction& insn : program.instructions)
      for (unsigned k = 0; k < row_of(insn.op).operands.size(); ++k) {
        if (insn.repeat < 2 || (insn.repeat - 1) * insn.operands[k].repeat_stride < 256) continue;
        const std::size_t start = start_of(program, insn.operands[k]);
        const std::byte* bytes = program.ub.data() + start;
        if (k > 0 && start + 257 * kBlockBytes <= program.ub.size() &&
            std::equal(bytes, bytes + kBlockBytes, bytes + 256 * kBlockBytes))
          continue;
        reached.emplace(insn.op, k);
      }
  }
  for (const Row& row : instruction_table())
    for (unsigned k = 0; k < row.operands.size(); ++k)
      if (row.in(Profile::vmc).offered && row.has_repeat && row.operands[k].walk == Walk::blocks) {
        EXPECT_TRUE(reached.contains({row.op, k})) << row.name << ' ' << row.operands[k].role;
      }
}

/// An offset of 16 bits, in bytes, does not reach so far. UB holds other data there than 64 KiB before.
TEST_P(GeneratorOfProfile, ReachesFurtherThan64KiBWithRepeatsAndOffsets) {
  constexpr std::size_t kReach = 64 * 1024;
  std::set<std::pair<Op, unsigned>> repeats, offsets;
  Program program;
  for (std::uint64_t index = 0; index < 3000; ++index) {
    generate(1, index, Mix{.profile = GetParam()}, program);
    for (const Instruction& insn : program.instructions) {
      const Row& row = row_of(insn.op);
      if (insn.repeat < 2) continue;
      for (unsigned k = 0; k < row.operands.size(); ++k) {
        const std::size_t start = start_of(program, insn.operands[k]);
        const std::byte* far = program.ub.data() + start + kReach;
        const bool has_room = start + kReach + kBlockBytes <= program.ub.size();
        const bool shows = has_room && (k == 0 || !std::equal(far, far + kBlockBytes, far - kReach));
        if (!shows) continue;
        if (row.operands[k].walk == Walk::blocks &&
            (insn.repeat - 1) * insn.operands[k].repeat_stride * kBlockBytes >= kReach)
          repeats.emplace(insn.op, k);
        if (row.operands[k].walk != Walk::indexed) continue;
        const std::byte* read = program.ub.data() + start_of(program, insn.operands[2]);
        for (unsigned n = 0; n < insn.repeat * offsets_per_repeat(insn); ++n)
          if (load<std::uint32_t>(read + 4 * n) >= kReach) offsets.emplace(insn.op, k);
      }
    }
  }
  for (const Row& row : instruction_table())
    for (unsigned k = 0; k < row.operands.size(); ++k) {
      if (!row.in(GetParam()).offered || !row.has_repeat) continue;
      const Walk walk = row.operands[k].walk;
      const std::pair place{row.op, k};
      if (walk == Walk::blocks) {
        EXPECT_TRUE(repeats.contains(place)) << row.name << ' ' << row.operands[k].role;
      }
      if (walk == Walk::indexed) {
        EXPECT_TRUE(offsets.contains(place)) << row.name;
      }
    }
}

/// A backend may take two sources that start at one place for the same source.
TEST_P(GeneratorOfProfile, LetsBothSourcesStartAtOnePlaceWithOtherStrides) {
  std::set<Op> met;
  Program program;
  for (std::uint64_t index = 0; index < 3000; ++index) {
    generate(1, index, Mix{.profile = GetParam()}, program);
    for (const Instruction& insn : program.instructions) {
      const Row& row = row_of(insn.op);
      if (row.operands.size() < 3 || row.operands[2].role != "src1" || insn.repeat < 2) continue;
      const Operand &first = insn.operands[1], &second = insn.operands[2];
      if (first.allocation == second.allocation && first.offset == second.offset &&
          first.repeat_stride != second.repeat_stride)
        met.insert(insn.op);
    }
  }
  unsigned binary = 0;
  for (const Row& row : instruction_table()) {
    if (!row.in(GetParam()).offered || row.form != Form::binary) continue;
    ++binary;
    EXPECT_TRUE(met.contains(row.op)) << row.name;
  }
  EXPECT_EQ(binary == 0, GetParam() == Profile::tik);
}

/// A backend may keep a count in 16 bits, or the length of a queue in 8: for each way to give it, and some
/// offer a few instructions only.
TEST_P(GeneratorOfProfile, MeetsCountsAndLengthsThatNeedMoreBitsEarly) {
  unsigned own = 0, by_total = 0, by_words = 0, of_gather_mask = 0;
  bool long_queue = false;
  Program program;
  for (std::uint64_t index = 0; index < 2000; ++index) {
    generate(1, index, Mix{.profile = GetParam()}, program);
    MaskBits mask;
    for (const Instruction& insn : program.instructions) {
      const Row& row = row_of(insn.op);
      const bool sets_words = insn.op == Op::set_vector_mask && mask.mode == Mode::counter;
      own += insn.mask_from == MaskFrom::count && insn.low > 0xffff;
      by_total += insn.op == Op::set_vector_mask_total && insn.settings[0] > 0xffff;
      by_words += sets_words && insn.low > 0xffff;
      of_gather_mask += row.compacts && setting(insn, "counter") == 1 && setting(insn, "mask") > 0xffff;
      long_queue |= row.lengths > 0 && std::max(insn.lengths[0], insn.lengths[1]) > 255;
      mask.apply(insn, default_readings(GetParam()));
    }
  }
  const ProfileRow& profile = row_of(GetParam());
  const unsigned least = 2;
  EXPECT_GE(own, GetParam() == Profile::vmc ? 0 : least);
  EXPECT_GE(by_total, profile.has_modes ? least : 0);
  EXPECT_GE(by_words, profile.has_modes ? least : 0);
  EXPECT_GE(of_gather_mask, row_of(Op::gather_mask).in(GetParam()).offered ? least : 0);
  EXPECT_EQ(long_queue, row_of(Op::mergesort_2seq).in(GetParam()).offered);
}

/// A backend may walk through an operand in place as if it had no gaps.
TEST_P(GeneratorOfProfile, PutsOperandsWithGapsInPlaceEarly) {
  std::set<Op> in_place;
  Program program;
  for (std::uint64_t index = 0; index < 2000; ++index) {
    generate(1, index, Mix{.profile = GetParam()}, program);
    for (const Instruction& insn : program.instructions)
      for (unsigned k = 1; k < row_of(insn.op).operands.size(); ++k)
        if (insn.operands[k].allocation == insn.operands[0].allocation && insn.operands[0].block_stride > 1 &&
            insn.operands[k].offset == insn.operands[0].offset)
          in_place.insert(insn.op);
  }
  for (const Row& row : instruction_table())
    if (row.in(GetParam()).offered && (row.form == Form::binary || row.form == Form::unary) &&
        !row_of(GetParam()).block_stride_fixed) {
      EXPECT_TRUE(in_place.contains(row.op)) << row.name;
    }
}

/// GM: a user pattern may select nothing in one repeat, and the repeats behind it go on in dst.
TEST(Generator, HasUserPatternsThatSelectNothingInOneRepeat) {
  unsigned found = 0;
  Program program;
  for (std::uint64_t index = 0; index < 3000; ++index) {
    generate(3, index, Mix{.profile = Profile::p310, .family = Family::gather_mask}, program);
    for (const Instruction& insn : program.instructions) {
      if (insn.op != Op::gather_mask_user || setting(insn, "counter") != 0) continue;
      for (unsigned r = 0; r + 1 < insn.repeat; ++r) {
        const std::size_t at = start_of(program, insn.operands[2]) +
                               std::size_t{r} * insn.operands[2].repeat_stride * kBlockBytes;
        const auto pattern = std::span(program.ub).subspan(at, lanes_of(insn) / 8);
        found += std::ranges::all_of(pattern, [](std::byte each) { return each == std::byte{0}; }) ? 1 : 0;
      }
    }
  }
  EXPECT_GE(found, 20u);
}

/// SVM: select_bits loads the compare mask, which stays for the instructions behind it.
TEST(Generator, AsksForTheCompareMaskThatSelectBitsLoads) {
  unsigned found = 0;
  Program program;
  for (std::uint64_t index = 0; index < 4000; ++index) {
    generate(3, index, Mix{.profile = Profile::a2}, program);
    const auto& list = program.instructions;
    for (std::size_t n = 0; n + 1 < list.size(); ++n)
      found += list[n].op == Op::select_bits && list[n + 1].op == Op::get_cmpmask ? 1 : 0;
  }
  EXPECT_GE(found, 20u);
}

/// A backend may read the operand of set_cmpmask when the bits are used, which is too late.
TEST(Generator, WritesIntoTheOperandOfSetCmpmaskBeforeItsBitsAreUsed) {
  unsigned written = 0;
  Program program;
  for (std::uint64_t index = 0; index < 2000; ++index) {
    generate(1, index, Mix{.profile = Profile::a2}, program);
    const auto& list = program.instructions;
    for (std::size_t n = 0; n + 2 < list.size(); ++n) {
      if (list[n].op != Op::set_cmpmask || list[n + 2].op != Op::select_cmpmask) continue;
      const Operand& read = list[n].operands[0];
      const Operand& dst = list[n + 1].operands[0];
      if (row_of(list[n + 1].op).writes_dst() && dst.allocation == read.allocation) ++written;
    }
  }
  EXPECT_GE(written, 3u);
}

/// The same control, at the same place, after other bits were loaded in between.
TEST(Generator, LoadsOtherBitsBetweenTwoSelectBits) {
  unsigned found = 0;
  Program program;
  for (std::uint64_t index = 0; index < 1500; ++index) {
    generate(1, index, Mix{.profile = Profile::a2}, program);
    const auto& list = program.instructions;
    const Instruction* before = nullptr;
    bool is_loaded = false;
    for (const Instruction& insn : list) {
      if (insn.op == Op::set_cmpmask) is_loaded = true;
      if (insn.op != Op::select_bits) continue;
      if (before != nullptr && is_loaded && before->operands[1].allocation == insn.operands[1].allocation)
        ++found;
      before = &insn;
      is_loaded = false;
    }
  }
  EXPECT_GE(found, 1u);
}

/// A simulator may hand on what an instruction has computed, also for lanes that were off.
TEST_P(GeneratorOfProfile, ReadsWhatAnInstructionHasWrittenAtTheSamePlacesEarly) {
  unsigned found = 0;
  Program program;
  for (std::uint64_t index = 0; index < 1500; ++index) {
    generate(1, index, Mix{.profile = GetParam()}, program);
    const Instruction* writer = nullptr;
    for (const Instruction& insn : program.instructions) {
      const Row& row = row_of(insn.op);
      if (row.operands.size() > 1 && writer != nullptr && insn.operands[1] == writer->operands[0]) ++found;
      if (row.writes_dst()) writer = row.operands[0].walk == Walk::blocks ? &insn : nullptr;
    }
  }
  EXPECT_GE(found, 20u);
}

/// VMC-2: only set_mask and reset_mask change the mask. An instruction that changes it shows that in the next
/// one that obeys the mask, and only if that has lanes that are off.
TEST(Generator, PutsAMaskedInstructionBehindEveryOtherEarly) {
  std::set<std::string> missing;
  for (const Row& row : instruction_table())
    for (const TypePair& types : row.in(Profile::vmc).pairs)
      if (row.mask != MaskUse::is_mask_state && !row.operands.empty())
        missing.insert(mnemonic({.op = row.op, .dst_type = types.dst, .src_type = types.src}));
  ASSERT_GT(missing.size(), 200u);
  Program program;
  for (std::uint64_t index = 0; index < 3000 && !missing.empty(); ++index) {
    generate(1, index, Mix{}, program);
    const auto& list = program.instructions;
    for (std::size_t n = 1; n + 1 < list.size(); ++n) {
      const Instruction &mask = list[n - 1], &next = list[n + 1];
      const bool is_partial = mask.op == Op::set_mask && (mask.low != kOnes || mask.high != kOnes);
      if (is_partial && row_of(next.op).mask == MaskUse::gates_writeback) missing.erase(mnemonic(list[n]));
    }
  }
  EXPECT_EQ(missing, std::set<std::string>{});
}

/// TIK-2-counter-repeats: a count of its own decides, also beside a Scalar of 0.
TEST(Generator, GivesEachInstructionThatCountsRepeatTimesOf0FromAScalarEarly) {
  constexpr std::uint64_t kEarly = 2000;
  std::set<Op> counting, with_none;
  Program program;
  for (std::uint64_t index = 0; index < kEarly; ++index) {
    generate(1, index, {.profile = Profile::tik}, program);
    for (const Instruction& insn : program.instructions) {
      if (insn.mask_from != MaskFrom::count) continue;
      counting.insert(insn.op);
      if (insn.repeat == 0 && insn.scalar_repeat) with_none.insert(insn.op);
    }
  }
  EXPECT_GE(counting.size(), 2u);
  EXPECT_EQ(with_none, counting);
}

TEST_P(GeneratorOfProfile, LetsDstAndASourceOfEachInstructionEndWhereUbEndsEarly) {
  constexpr std::uint64_t kEarly = 1500;
  std::set<std::string_view> walking, dst_ends, source_ends;
  Program program;
  for (std::uint64_t index = 0; index < kEarly; ++index) {
    generate(1, index, {.profile = GetParam()}, program);
    ASSERT_FALSE(find_fault(program)) << print(program);
    for (const Instruction& insn : program.instructions) {
      const auto operands = row_of(insn.op).operands;
      const auto walks = [](const OperandColumn& operand) { return operand.walk == Walk::blocks; };
      if (operands.size() < 2 || !std::ranges::all_of(operands, walks) || insn.repeat == 0) continue;
      if (!row_of(insn.op).writes_dst()) continue;
      walking.insert(row_of(insn.op).name);
      for (unsigned k = 0; k < operands.size(); ++k) {
        const std::uint64_t last = lane_offset(insn, k, insn.repeat - 1, lanes_of(insn) - 1);
        const std::size_t end =
            start_of(program, insn.operands[k]) + last + size_of(operand_type(insn, operands[k]));
        if (end == program.ub.size()) (k == 0 ? dst_ends : source_ends).insert(row_of(insn.op).name);
      }
    }
  }
  EXPECT_EQ(dst_ends, walking);
  EXPECT_EQ(source_ends, walking);
}

TEST(Generator, IsAFunctionOfSeedAndIndexAlone) {
  Program reused;
  for (std::uint64_t index = 140'000; index < 140'500; ++index) {
    generate(9, index, Mix{}, reused);
    EXPECT_EQ(reused, program_of(9, index));
  }
  EXPECT_NE(program_of(9, 140'001), program_of(10, 140'001));
  EXPECT_NE(program_of(9, 140'000), program_of(9, 140'001));
}

/// Compilers evaluate the arguments of a call in different orders: two draws among them make two cases.
TEST_P(GeneratorOfProfile, MakesTheSameCasesUnderEveryCompiler) {
  Fnv bytes;
  Program program;
  for (std::uint64_t index = 0; index < 3000; ++index) {  // all directed cases are among them
    generate(1, index, {.profile = GetParam()}, program);
    bytes.add(print(program));
    for (const std::byte each : program.ub) bytes.add(std::to_integer<std::uint8_t>(each));
  }
  constexpr std::array<std::uint64_t, kProfiles> kKept = {0x6206223585f7b048, 0x9ce3dd7a6492906a,
                                                          0xb54b9fb8ec07ddec, 0x553f4af03f5027df};
  EXPECT_EQ(bytes.digest(), kKept[static_cast<std::size_t>(GetParam())]) << std::hex << bytes.digest();
}

}  // namespace
}  // namespace lanecheck
