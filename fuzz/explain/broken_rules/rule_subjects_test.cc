// A measured law of addresses breaks no rule about masks, and a law of masks none about addresses.
#include "fuzz/explain/broken_rules/rule_subjects.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "fuzz/explain/name_finding_testing.h"
#include "oracle/execute/execute.h"

namespace lanecheck {
namespace {

using Ids = std::vector<std::string>;
using InsnChange = std::function<void(Instruction&)>;

/// Right, except that instructions are changed before they run.
Backend with_changed(const InsnChange& change) {
  return function_backend("changed", "", [=](const Program& given, State& state) -> Outcome {
    Program program = given;
    for (Instruction& insn : program.instructions) change(insn);
    execute(program, Semantics(default_readings(given.profile)), state);
    return Ran{};
  });
}

constexpr std::string_view kAddressPrograms[] = {
    R"(ub 10304
alloc d f16 0 2048
alloc s f16 2048 4096 = 1 x700, 2 x700, 3 x648
alloc t f16 6144 4096 = 3 x700, 1 x700, 5 x648
set_mask high=0xffffffffffffffff low=0xfffffffffffffff0
add.f16 d+0 blk=1 rep=8, s+0 blk=2 rep=17, t+0 blk=1 rep=9, repeat=3
)",
    R"(ub 10304
alloc d f16 0 512 = 7 x256
alloc s f16 2048 2048 = 1 x300, 2 x300, 3 x424
cgmax.f16 d+0 rep=2, s+0 blk=2 rep=17, repeat=3
)",
    R"(profile tik
ub 10304
alloc d i32 0 2048
alloc s i32 2048 2048 = 1 x100, 2 x100, 3 x312
adds.i32 d+0 blk=1 rep=8, s+0 blk=1 rep=0, scalar=3, count=150, repeat=1
)",
    R"(profile tik
ub 10304
alloc d f16 0 2048
alloc s f16 2048 2048 = 1 x300, 2 x300, 3 x424
adds.f16 d+0 blk=1 rep=9, s+0 blk=1 rep=3, scalar=3, mask=0xffffffffffffffff:0xfffffffffffffff0, repeat=3
)",
    R"(profile ascendc-a2
ub 10304
alloc d i16 0 4096
alloc s i16 4096 4096 = 1 x700, 2 x700, 3 x648
vmins.i16 d+0 blk=1 rep=9, s+0 blk=2 rep=17, scalar=2, mask=120, repeat=3
)",
};

constexpr std::string_view kMaskPrograms[] = {
    R"(profile tik
ub 10304
alloc d f16 0 2048
alloc s f16 2048 2048 = 1 x300, 2 x300, 3 x424
adds.f16 d+0 blk=1 rep=9, s+0 blk=1 rep=8, scalar=3, mask=0xffffffffffffff0f:0xfffffff7fffffff0, repeat=3
)",
    R"(profile tik
ub 10304
alloc d f16 0 2048 = 1 x300, 2 x300, 3 x424
adds.f16 d+0 blk=1 rep=8, d+0 blk=1 rep=8, scalar=3, mask=0xffffffffffffffff:0xffffffffffffffff, repeat=3
)",
    R"(profile ascendc-a2
ub 10304
alloc d i16 0 4096
alloc s i16 4096 4096 = 1 x700, 2 x700, 3 x648
vmins.i16 d+0 blk=1 rep=9, s+0 blk=2 rep=17, scalar=2, mask=0xffffffffffffff0f:0xfffffff7fffffff0, repeat=3
)",
};

struct ClaimedRules {
  Ids addresses{}, masks{};
  unsigned measured = 0;
};

bool speaks_of_addresses(const std::string& rule) {
  return rule.find("stride") != std::string::npos || rule.starts_with("TIK-3") || rule.starts_with("TIK-4") ||
         rule.starts_with("TIK-5") || rule == "SVM-2-repeats" || rule.starts_with("VMC-4-packed");
}

std::string text_of(const Finding& finding, const std::string& rule) {
  return rule + ": " + finding.what;
}

/// The rules that findings with a measured cause name. A cause that is measured as the `other` matter is no
/// question of rules.
ClaimedRules claimed(std::span<const std::string_view> programs, const std::vector<InsnChange>& faults,
                     Matter other) {
  ClaimedRules drawn;
  for (const std::string_view program : programs)
    for (const InsnChange& fault : faults) {
      const Backend backend = with_changed(fault);
      Program given = parse_program(program, "test");
      State expected, actual;
      execute(given, Semantics(default_readings(given.profile)), expected);
      backend.run(given, actual);
      if (expected.ub == actual.ub) continue;
      const Finding finding = named(program, backend);
      if (finding.measured.empty() || finding.matter == other) continue;
      ++drawn.measured;
      for (const std::string& rule : finding.rules)
        (speaks_of_addresses(rule) ? drawn.addresses : drawn.masks).push_back(text_of(finding, rule));
    }
  return drawn;
}

std::vector<InsnChange> address_faults() {
  std::vector<InsnChange> faults;
  for (const unsigned k : {0U, 1U, 2U})
    for (const auto field : {&Operand::block_stride, &Operand::repeat_stride}) {
      const auto with = [&](auto taken) {
        faults.emplace_back([=](Instruction& insn) {
          if (!row_of(insn.op).has_repeat || row_of(insn.op).operands.size() <= k) return;
          if (insn.op == Op::cgmax && k == 0) return;
          insn.operands[k].*field = static_cast<std::uint32_t>(taken(insn));
        });
      };
      with([=](const Instruction& insn) { return insn.operands[k == 0 ? 1 : 0].*field; });
      with([=](const Instruction& insn) {
        const auto given = insn.operands[k].*field;
        return given == 0 ? 8 : given;
      });
      with([=](const Instruction& insn) { return (insn.operands[k].*field) & 7; });
      with([=](const Instruction&) { return field == &Operand::block_stride ? 1 : 8; });
    }
  return faults;
}

std::vector<InsnChange> mask_faults() {
  const auto words = [](auto change) {
    return InsnChange([=](Instruction& insn) {
      if (insn.mask_from == MaskFrom::bitwise) change(insn.high, insn.low);
    });
  };
  return {words([](auto& high, auto& low) { high &= 0xffffffff, low &= 0xffffffff; }),
          words([](auto& high, auto& low) { std::swap(high, low); }),
          words([](auto& high, auto& low) { high = ~high, low = ~low; }),
          words([](auto&, auto& low) { low &= ~std::uint64_t{1}; }),
          words([](auto& high, auto&) { high = 0; }),
          words([](auto& high, auto& low) { high = low = ~std::uint64_t{0}; })};
}

TEST(RuleSubjects, ALawOfAddressesBreaksNoRuleOfMasks) {
  const ClaimedRules drawn = claimed(kAddressPrograms, address_faults(), Matter::mask);
  EXPECT_GE(drawn.measured, 20U);
  EXPECT_EQ(drawn.masks, Ids{});
}

TEST(RuleSubjects, ALawOfMasksBreaksNoRuleOfAddresses) {
  const ClaimedRules drawn = claimed(kMaskPrograms, mask_faults(), Matter::address);
  EXPECT_GE(drawn.measured, 6U);
  EXPECT_EQ(drawn.addresses, Ids{});
  EXPECT_NE(drawn.masks, Ids{});
}

/// A mistake of gather_mask makes most of its rules fail.
TEST(RuleSubjects, ALawOfGatherMaskBreaksTheRulesOfItsOwnMatterAlone) {
  const auto broken = [](std::string_view call, const InsnChange& change) {
    const std::string program = R"(profile ascendc-a2
ub 10304
alloc d i16 0 2048
alloc s i16 2048 4096 = 1 x300, 2 x300, 3 x300, 4 x300, 5 x300, 6 x300, 7 x248
alloc p u8 6144 128 = 1 x40, 7 x40, 9 x48
alloc c u64 6272 32
)";
    return named(program + std::string(call), with_changed([&](Instruction& insn) {
                   if (row_of(insn.op).compacts) change(insn);
                 }))
        .rules;
  };
  constexpr std::string_view kFixed =
      "gather_mask.i16 d+0, s+0 blk=2 rep=17, c+0, pattern=3, counter=0, mask=0, repeat=3\n";
  EXPECT_EQ(broken(kFixed, [](Instruction& insn) { insn.operands[1].repeat_stride = 8; }),
            Ids{"GM-4-repeat-stride"});
  EXPECT_EQ(broken(kFixed, [](Instruction& insn) { insn.operands[1].block_stride = 1; }),
            Ids{"GM-4-block-stride"});
  EXPECT_EQ(broken("gather_mask_user.i16 d+0, s+0 blk=1 rep=8, p+0 rep=1, c+0, counter=0, mask=0, repeat=3\n",
                   [](Instruction& insn) {
                     if (insn.op == Op::gather_mask_user) insn.operands[2].repeat_stride *= 2;
                   }),
            Ids{"GM-2-user-stride"});
  EXPECT_EQ(broken("gather_mask.i16 d+0, s+0 blk=1 rep=17, c+0, pattern=3, counter=1, mask=200, repeat=2\n",
                   [](Instruction& insn) {
                     auto& mask = insn.settings[*setting_index(row_of(insn.op), "mask")];
                     if (insn.settings[*setting_index(row_of(insn.op), "counter")] != 0)
                       mask = std::min(mask, 128U);
                   }),
            Ids{"GM-3-counter-per-repeat"});
}

/// The rules that stay of a measured law.
Ids left(const Difference& law, Matter matter, Ids rules) {
  MeasuredCause cause;
  cause.difference = law;
  cause.matter = matter;
  drop_rules_of_other_matters(rules, cause);
  return rules;
}

/// The law decides, whatever rules its witness fails.
TEST(RuleSubjects, OnlyRulesThatTheLawSpeaksOfStay) {
  const Ids tik{"TIK-1-bits", "TIK-1-list-order", "TIK-3-repeats", "TIK-4-stride", "TIK-5-in-place-repeats"};
  Difference law{MapKind::src, "src of adds.i32 takes a repeat stride of 0 as 8", {}};
  EXPECT_EQ(left(law, Matter::address, tik), Ids{"TIK-4-stride"});
  EXPECT_EQ(left({MapKind::gate, "", {}}, Matter::mask, tik), (Ids{"TIK-1-bits", "TIK-1-list-order"}));
  law = {MapKind::dst, "lanes 32..63 of adds.i32 are never written", {}};
  law.gates = GateKind::never;
  EXPECT_EQ(left(law, Matter::mask, tik), Ids{"TIK-1-bits"});
  law = {MapKind::dst, "the last repeat of adds.i32 is left out", {}};
  law.of_repeats = true;
  EXPECT_EQ(left(law, Matter::address, tik), Ids{"TIK-3-repeats"});
  law.of_repeats = false;
  law.in_place = true;
  EXPECT_EQ(left(law, Matter::address, tik), (Ids{"TIK-4-stride", "TIK-5-in-place-repeats"}));
  const Ids vmc{"VMC-1-no-advance", "VMC-3.1-writes-active", "VMC-3.1-cast-wider", "VMC-4-packed-control"};
  EXPECT_EQ(left({MapKind::src1, "", {}}, Matter::address, vmc), Ids{});
  EXPECT_EQ(left({MapKind::control, "", {}}, Matter::address, vmc), Ids{"VMC-4-packed-control"});
  law = {MapKind::values, "select_number.i32 rounds its scalar to f32", {}};
  EXPECT_EQ(left(law, Matter::arithmetic, vmc), Ids{});
  law = {MapKind::dst, "", {}};
  law.of_lane_count = true;
  EXPECT_EQ(left(law, Matter::address, vmc), Ids{"VMC-3.1-cast-wider"});
  // A gate that is open tells nothing of the number of lanes, and words that do not arrive nothing of a sign.
  const Ids masks{"VMC-3.1-cast-wider", "VMC-2-low-word", "VMC-2-unsigned-words"};
  law = {MapKind::gate, "lanes 0..63 of cast.f32.f16 are written, whatever their slots are", {}};
  EXPECT_EQ(left(law, Matter::mask, masks), Ids{"VMC-2-low-word"});
  law = {MapKind::state, "each word of the mask is taken as 0 if its bit 63 is 1", {}};
  EXPECT_EQ(left(law, Matter::mask, masks), masks);
  // Slots that follow another slot tell nothing of the order of bits, nor of slots from 128 on.
  law = {MapKind::state, "after set_mask, slots 64..127 of the mask are 1 if slot 63 is 1", {}};
  const Ids words{"VMC-2-high-word", "VMC-2-lowest-bit-first", "VMC-2-unsigned-words",
                  "VMC-7-set-mask-range"};
  EXPECT_EQ(left(law, Matter::mask, words), (Ids{"VMC-2-high-word", "VMC-2-unsigned-words"}));
}

/// What a law says of any mask decides which of the rules about gates it contradicts.
TEST(RuleSubjects, ALawOfGatesBreaksTheRulesThatItContradicts) {
  const Ids gates{"VMC-0-one-pattern", "VMC-1-prefix-16bit", "VMC-1-slot-per-element", "SVM-1-16bit",
                  "TIK-1-list-order"};
  Difference law{MapKind::gate, "", {}};
  const auto under = [&](auto on) {
    law.law = GateLaw{{}, [on](unsigned, unsigned lane, const MaskWords& mask) -> std::optional<bool> {
                        return on(lane, [&](unsigned slot) {
                          return ((slot < 64 ? mask.low : mask.high) >> slot % 64 & 1) != 0;
                        });
                      }};
    return left(law, Matter::mask, gates);
  };
  law.gates = GateKind::several;
  EXPECT_EQ(under([](unsigned lane, auto has) { return has(lane) || has(lane ^ 1); }),
            Ids{"VMC-1-slot-per-element"})
      << "all slots govern, and no lane ignores them";
  law.gates = GateKind::always;
  EXPECT_EQ(under([](unsigned lane, auto has) { return lane < 64 ? has(lane) : true; }),
            (Ids{"VMC-0-one-pattern", "VMC-1-prefix-16bit", "VMC-1-slot-per-element"}));
  law.gates = GateKind::never;
  EXPECT_EQ(under([](unsigned lane, auto has) { return lane < 64 && has(lane); }),
            (Ids{"VMC-1-prefix-16bit", "VMC-1-slot-per-element", "SVM-1-16bit"}));
  law.gates = GateKind::slot;
  EXPECT_EQ(under([](unsigned lane, auto has) { return has(lane ^ 64); }),
            (Ids{"VMC-1-slot-per-element", "TIK-1-list-order"}));
}

/// VMC 3.1: what an element that is off receives is wrong, and not which one is off.
TEST(RuleSubjects, ALawOfWhatMaskedOffLanesReceiveBreaksNoRuleOfSlots) {
  const Ids rules{"VMC-3.1-keeps-masked-off", "VMC-0-one-pattern", "VMC-1-slot-per-element",
                  "VMC-1-prefix-16bit"};
  Difference law{
      MapKind::gate, "masked-off lanes of adds.f16 receive 0 instead of keeping their old dst", {}};
  law.masked_off = "0";
  EXPECT_EQ(left(law, Matter::mask, rules), Ids{"VMC-3.1-keeps-masked-off"});
}

/// VMC 3.3: a result without an active lane leaves its destination alone.
TEST(RuleSubjects, ALawOfPlacesBreaksTheRuleOfEmptyResultsIfItSpeaksOfThem) {
  Difference law{MapKind::dst, "", {}};
  EXPECT_EQ(left(law, Matter::address, {"VMC-3.3-cgmax-empty"}), Ids{});
  law.of_empty = true;
  EXPECT_EQ(left(law, Matter::address, {"VMC-3.3-cgmax-empty"}), Ids{"VMC-3.3-cgmax-empty"});
}

}  // namespace
}  // namespace lanecheck
