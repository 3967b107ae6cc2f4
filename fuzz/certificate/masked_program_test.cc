#include "fuzz/certificate/masked_program.h"

#include <gtest/gtest.h>

#include <set>

#include "fuzz/certificate/covering_masks.h"
#include "fuzz/certificate/mask_coverage.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/program/profile.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

TEST(MaskedProgram, IsLegalUnderEveryMaskAndMeetsIt) {
  for (const ProfileRow& profile : profiles())
    for (const MaskedProgram& each : masked_programs(profile.profile))
      for (const MaskWords mask : covering_masks(each.slots, 2)) {
        const Program program = each.under(mask);
        const auto fault = find_fault(program);
        ASSERT_FALSE(fault) << profile.name << ' ' << each.name << ": " << describe(program, *fault);
        const MaskWords met = mask_met(program, each.at);
        ASSERT_EQ(met.high, mask.high) << profile.name << ' ' << each.name;
        ASSERT_EQ(met.low, mask.low) << profile.name << ' ' << each.name;
      }
}

TEST(MaskedProgram, IsLegalUnderEveryReading) {
  unsigned checked = 0;
  for (const ProfileRow& profile : profiles())
    for (const Reading& reading : readings())
      for (unsigned option = 0; reading.open_in(profile.profile) && option < reading.options.size(); ++option)
        for (const MaskedProgram& each : masked_programs(profile.profile)) {
          Readings chosen = default_readings(profile.profile);
          reading.set(chosen, option);
          EXPECT_FALSE(find_fault(each.under({0, 1}), chosen))
              << profile.name << ' ' << each.name << ' ' << reading.id;
          ++checked;
        }
  EXPECT_GT(checked, 1000u);
}

TEST(MaskedProgram, ExistsForEveryInstructionAndTypesOfAProfile) {
  for (const ProfileRow& profile : profiles()) {
    std::set<std::string> expected, made;
    for (const Row& row : instruction_table())
      for (const TypePair& types : row.in(profile.profile).pairs) {
        Instruction insn;
        insn.op = row.op;
        insn.dst_type = types.dst;
        insn.src_type = types.src;
        if (row.in(profile.profile).offered && row.mask != MaskUse::is_mask_state)
          expected.insert(mnemonic(insn));
      }
    for (const MaskedProgram& each : masked_programs(profile.profile)) made.insert(each.name);
    if (profile.profile == Profile::vmc) expected.erase("set_cmpmask");  // nothing shows what it writes
    EXPECT_EQ(made, expected) << profile.name;
  }
}

TEST(MaskedProgram, HasResultsThatDifferFromTheOldDst) {
  for (const ProfileRow& profile : profiles())
    for (const MaskedProgram& each : masked_programs(profile.profile)) {
      const Program program =
          each.under({each.slots > 64 ? kOnes : 0, each.slots > 32 ? kOnes : kOnes >> 32});
      State state;
      execute(program, Semantics(default_readings(profile.profile)), state);
      EXPECT_NE(state.ub, program.ub) << profile.name << ' ' << each.name;
    }
}

}  // namespace
}  // namespace lanecheck
