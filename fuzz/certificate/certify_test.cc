#include "fuzz/certificate/certify.h"

#include <gtest/gtest.h>

#include "fuzz/certificate/covering_masks.h"
#include "fuzz/certificate/mask_coverage.h"
#include "fuzz/generate/draws.h"
#include "fuzz/run/find_backend.h"
#include "oracle/execute/execute.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace {

constexpr char kSentence[] =
    "any fault of this instruction that depends on at most 3 mask bits was exercised";

MaskedProgram named(const std::string& name, Profile profile = Profile::vmc) {
  for (MaskedProgram& each : masked_programs(profile))
    if (each.name == name) return std::move(each);
  throw std::logic_error("no program of " + name);
}

/// For 128 slots, strength 3.
const std::vector<MaskWords>& covering() {
  static const std::vector<MaskWords> masks = covering_masks(128, 3);
  return masks;
}

/// `program` has 128 slots.
Certificate certified(const Backend& backend, const MaskedProgram& program) {
  return Certifier(backend, default_readings(program.program.profile), 3).certify(program, covering());
}

unsigned bit(MaskWords mask, unsigned slot) {
  return (slot < 64 ? mask.low >> slot : mask.high >> (slot - 64)) & 1;
}

/// The oracle, except that `wrong` says what it does instead with a program; nothing: what it must do.
Backend oracle_except(std::function<std::optional<Outcome>(const Program&, State&)> wrong) {
  return function_backend("except", "",
                          [wrong = std::move(wrong)](const Program& program, State& state) -> Outcome {
                            execute(program, Semantics(default_readings(program.profile)), state);
                            return wrong(program, state).value_or(Ran{});
                          });
}

/// A lane that is wrong exactly when three slots of the mask are 1, 0, 1.
struct PlantedFault {
  unsigned lane;
  std::array<unsigned, 3> slots;

  bool shows(MaskWords mask) const {
    return bit(mask, slots[0]) == 1 && bit(mask, slots[1]) == 0 && bit(mask, slots[2]) == 1;
  }
};

PlantedFault drawn_fault(Draws& draws, const MaskedProgram& program) {
  PlantedFault fault{draws.below(lanes_of(program.program.instructions.back())), {}};
  do {
    for (unsigned& slot : fault.slots) slot = draws.below(program.slots);
  } while (fault.slots[0] == fault.slots[1] || fault.slots[0] == fault.slots[2] ||
           fault.slots[1] == fault.slots[2]);
  return fault;
}

Backend with_fault(const PlantedFault& fault) {
  return oracle_except([fault](const Program& program, State& state) -> std::optional<Outcome> {
    const Instruction& insn = program.instructions.back();
    if (!fault.shows(mask_met(program, program.instructions.size() - 1))) return {};
    const std::uint32_t at =
        start_of(program, insn.operands[0]) + static_cast<std::uint32_t>(lane_offset(insn, 0, 0, fault.lane));
    state.ub[at] ^= std::byte{0x40};
    return {};
  });
}

TEST(Certificate, CatchesAThousandFaultsOfThreeMaskBits) {
  const std::pair<Profile, const char*> subjects[] = {{Profile::vmc, "add.f16"},
                                                      {Profile::vmc, "muls.f32"},
                                                      {Profile::a2, "abs.f16"},
                                                      {Profile::tik, "adds.f32"}};
  Draws draws(12, 0);
  for (const auto& [profile, name] : subjects) {
    const MaskedProgram program = named(name, profile);
    const std::vector<MaskWords> masks = covering_masks(program.slots, 3);
    const Backend oracle = oracle_backend("oracle", Semantics(default_readings(profile)));
    ASSERT_TRUE(Certifier(oracle, default_readings(profile), 3).certify(program).holds());
    for (unsigned n = 0; n < 250; ++n) {
      const PlantedFault fault = drawn_fault(draws, program);
      const Backend backend = with_fault(fault);
      Certifier certifier(backend, default_readings(profile), 3);
      const Certificate certificate = certifier.certify(program, masks);
      ASSERT_TRUE(certificate.failing) << name << " lane " << fault.lane << " slots " << fault.slots[0] << ' '
                                       << fault.slots[1] << ' ' << fault.slots[2];
      EXPECT_TRUE(fault.shows(certificate.failing_mask));
      EXPECT_EQ(certificate.sentence(), "");
    }
  }
}

TEST(Certificate, SaysWhatTheMasksShow) {
  const Certificate certificate = certified(find_backend("oracle"), named("cadd.i32"));
  EXPECT_EQ(certificate.sentence(), kSentence);
  EXPECT_EQ(certificate.masks, covering().size());
  EXPECT_EQ(certificate.slots, 128u);
  EXPECT_FALSE(certified(find_backend("wrong:cadd-keeps-dst"), named("cadd.i32")).holds());
}

TEST(Certificate, IsWithdrawnIfTheMasksLeaveAHole) {
  const Backend oracle = find_backend("oracle");
  const MaskedProgram program = named("add.f16");
  Certifier certifier(oracle, default_readings(Profile::vmc), 3);
  EXPECT_TRUE(certifier.certify(program).holds());  // what was proven before counts for the same masks alone
  std::vector<MaskWords> masks = covering();
  std::erase_if(masks,
                [](MaskWords mask) { return bit(mask, 0) == 0 && bit(mask, 1) == 0 && bit(mask, 2) == 0; });
  const Certificate certificate = certifier.certify(program, masks);
  EXPECT_EQ(certificate.why_not,
            "the masks that were run leave a hole: no mask has slot 0 = 0, slot 1 = 0, slot 2 = 0");
  EXPECT_EQ(certificate.sentence(), "");
  EXPECT_FALSE(certifier.certify(program, {}).holds());
}

/// What is said if `outcome` comes instead of an answer for one of the masks.
Certificate with_outcome(const Outcome& outcome) {
  const MaskedProgram program = named("add.f16");
  const MaskWords last = covering().back();
  const Backend backend = oracle_except([&](const Program& asked, State&) -> std::optional<Outcome> {
    if (mask_met(asked, 1).low != last.low) return {};
    return outcome;
  });
  return certified(backend, program);
}

TEST(Certificate, IsWithdrawnIfOneMaskWasNotCompared) {
  EXPECT_EQ(with_outcome(Skipped{"no time"}).why_not, "a program is skipped: no time");
  EXPECT_EQ(with_outcome(NotRun{}).why_not, "the backend runs no more programs");
  EXPECT_TRUE(with_outcome(Refused{"odd mask"}).failing);
  EXPECT_EQ(with_outcome(Errored{"crash"}).why_not,
            "the backend fails under mask " + mask_text(covering().back()) + ": crash");
  for (const Outcome& outcome : {Outcome(Skipped{"no time"}), Outcome(NotRun{}), Outcome(Refused{"odd mask"}),
                                 Outcome(Errored{"crash"})})
    EXPECT_EQ(with_outcome(outcome).sentence(), "");
}

TEST(Certificate, IsWithdrawnForWhatIsNotOnOffer) {
  Backend backend = find_backend("oracle");
  backend.profiles = {"tik"};
  EXPECT_EQ(certified(backend, named("add.f16")).why_not,
            "a program is skipped: profile vmc is not on offer");
}

}  // namespace
}  // namespace lanecheck
