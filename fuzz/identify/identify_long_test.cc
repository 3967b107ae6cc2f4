// The built-in simulator, which shares no code with the oracle, is measured in every instruction that has
// probes.
#include <gtest/gtest.h>

#include "fuzz/identify/identify.h"
#include "fuzz/identify/probes/move_map.h"
#include "fuzz/identify/probes/place_map.h"
#include "fuzz/simulator/simulator.h"
#include "spec/program/profile.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

Ask ask_simulator() {
  return [](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      simulator::run(batch.programs[n], batch.states[n]);
      batch.outcomes[n] = Ran{};
    }
  };
}

TEST(IdentifyLong, EveryMeasurableInstructionOfTheSimulatorIsAsDocumented) {
  unsigned measured = 0;
  for (const ProfileRow& profile : profiles())
    for (const Row& row : instruction_table()) {
      if (!row.in(profile.profile).offered || !(has_place_probes(row) || has_move_probes(row))) continue;
      for (const TypePair& types : row.in(profile.profile).pairs) {
        const Subject subject = default_subject(profile.profile, row, types);
        const Identification identification = identify(subject, ask_simulator(), true);
        EXPECT_EQ(identification.differences, std::vector<std::string>{})
            << profile.name << " " << mnemonic(subject.insn);
        ++measured;
        if (profile.profile != Profile::vmc) continue;
        EXPECT_EQ(identification.why_not(), "") << mnemonic(subject.insn);
      }
    }
  EXPECT_GT(measured, 100u);
}

}  // namespace
}  // namespace lanecheck
