// One fault in many instructions is one finding.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "fuzz/explain/measured/mask_laws.h"
#include "fuzz/explain/questions/locate.h"
#include "fuzz/run/faulty_backend_testing.h"
#include "fuzz/run/find_backend.h"
#include "fuzz/run/run.h"
#include "oracle/execute/execute.h"
#include "spec/mask/footprint.h"
#include "spec/program/profile.h"

namespace lanecheck {
namespace {

std::vector<Finding> all_findings(const Backend& backend, std::uint64_t cases = 600) {
  RunOptions options;
  options.mix.with_boundaries = false;
  options.cases = cases;
  options.illegal_in_32 = 0;
  return run(options, backend).findings;
}

/// There must be one.
std::vector<Finding> findings(const Backend& backend, std::uint64_t cases = 600) {
  const auto found = all_findings(backend, cases);
  for (std::size_t n = 1; n < found.size(); ++n) ADD_FAILURE() << found[n].id << ": " << found[n].what;
  return found;
}

/// For all types of 16 bits this would be a known mistake.
TEST(SharedCause, GatesOfOneTypeByTheLowSlots) {
  const auto found = findings(that_runs([](const Program& program) {
    return repeat_by_repeat(program, [](const Instruction& insn, unsigned, MaskWords mask) {
      return is_16_bit(insn) && insn.dst_type == Element::f16 ? MaskWords{mask.low, mask.low} : mask;
    });
  }));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].cause, "gate: lanes P/2..P-1 are gated by slots 0..P/2-1 instead of P/2..P-1");
  EXPECT_NE(found[0].what.find(" are gated by slots 0..63 instead of 64..127; also in "), std::string::npos)
      << found[0].what;
  EXPECT_EQ(found[0].matter, Matter::mask);
  EXPECT_GE(found[0].instructions.size(), 10u);
  EXPECT_FALSE(found[0].measured.empty());
  // The rules that all these instructions break, not those of the first one alone.
  for (const char* broken : {"VMC-1-slot-per-element", "VMC-1-prefix-16bit", "VMC-3.1-binary",
                             "VMC-3.1-unary-scalar", "VMC-3.1-dup"})
    EXPECT_EQ(std::ranges::count(found[0].rules, broken), 1) << broken;
  EXPECT_EQ(found[0].rules.front(), "VMC-1-slot-per-element");
  // The gates of all repeats are wrong alike, and every sum is written.
  for (const char* kept : {"VMC-1-every-repeat", "VMC-1-no-advance", "VMC-3.2-not-preserved"})
    EXPECT_EQ(std::ranges::count(found[0].rules, kept), 0) << kept;
}

void flush(std::byte* at) {
  const auto bits = load<std::uint16_t>(at);
  if ((bits & 0x7c00) == 0) store(at, static_cast<std::uint16_t>(bits & 0x8000));
}

/// Flushes the f16 results of one instruction: of an elementwise one in the active lanes, else what changed.
void flush_results(const Program& program, const Instruction& insn, const State& before, State& state) {
  const Row& row = row_of(insn.op);
  if (row.mask == MaskUse::gates_writeback && row.operands[0].walk == Walk::blocks) {
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane)
        if (before.mask[lane] != 0)
          flush(&state.ub[start_of(program, insn.operands[0]) + lane_offset(insn, 0, r, lane)]);
    return;
  }
  for (std::size_t at = 0; at + 2 <= state.ub.size(); at += 2)
    if (std::memcmp(&before.ub[at], &state.ub[at], 2) != 0) flush(&state.ub[at]);
}

TEST(SharedCause, SubnormalResultsThatAreFlushed) {
  const auto found =
      findings(function_backend("flushes", "", [](const Program& program, State& state) -> Outcome {
        state = State{};
        state.ub = program.ub;
        for (const Instruction& insn : program.instructions) {
          const State before = state;
          execute_one(program, insn, Semantics{}, state);
          const Row& row = row_of(insn.op);
          const bool records = row.sorts || row.lengths > 0 || row.compares;
          if (!row.operands.empty() && insn.dst_type == Element::f16 && !records)
            flush_results(program, insn, before, state);
        }
        return Ran{};
      }));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(
      found[0].what.starts_with("instructions with f16 results write 0 instead of subnormal numbers; all "))
      << found[0].what;
  EXPECT_EQ(found[0].matter, Matter::arithmetic);
  EXPECT_TRUE(found[0].rules.empty());
}

TEST(SharedCause, TheLastOfSeveralRepeatsIgnoresTheMask) {
  const auto found = findings(that_runs([](const Program& program) {
    return repeat_by_repeat(program, [](const Instruction& insn, unsigned repeat, MaskWords mask) {
      return insn.repeat > 1 && repeat + 1 == insn.repeat ? kAllSlots : mask;
    });
  }));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].what.find("ignores the mask: all lanes are written whatever it is in the last repeat"),
            std::string::npos)
      << found[0].what;
}

TEST(SharedCause, FromTheThirdRepeatOnTheMaskMovesOn) {
  const auto found = findings(that_runs([](const Program& program) {
    return repeat_by_repeat(program, [](const Instruction& insn, unsigned repeat, MaskWords mask) {
      return is_16_bit(insn) && repeat >= 2 ? MaskWords{mask.low, mask.high} : mask;
    });
  }));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].what.find("are gated by slot lane xor 64"), std::string::npos) << found[0].what;
  EXPECT_NE(found[0].what.find("from repeat 2 (counted from 0) on"), std::string::npos) << found[0].what;
  EXPECT_EQ(std::ranges::count(found[0].rules, "VMC-1-every-repeat"), 1);
  EXPECT_EQ(std::ranges::count(found[0].rules, "VMC-1-slot-per-element"), 0);
}

/// The mask moves on by the lanes of the type; slots 128 to 255 of the register are 1.
TEST(SharedCause, WhatTypesOfAnotherSizeShowInAnotherWayIsOneFinding) {
  const auto found = findings(that_runs([](const Program& program) {
                                return repeat_by_repeat(
                                    program, [](const Instruction& insn, unsigned repeat, MaskWords mask) {
                                      const unsigned lanes = lanes_of(insn);
                                      const unsigned further = repeat < 2 ? 0 : (repeat - 1) * lanes % 256;
                                      MaskWords moved{0, 0};
                                      for (unsigned lane = 0; lane < std::min(lanes, 128u); ++lane) {
                                        const unsigned slot = (lane + further) % 256;
                                        if (slot < 128 && !has_slot(mask, slot)) continue;
                                        (lane < 64 ? moved.low : moved.high) |= std::uint64_t{1} << lane % 64;
                                      }
                                      return moved;
                                    });
                              }),
                              1500);
  ASSERT_EQ(found.size(), 1u);
  const std::string& what = found[0].what;
  const std::size_t others = what.find("-bit types may have the same cause (");
  ASSERT_NE(others, std::string::npos) << what;
  EXPECT_NE(what.find(" by slot (L + 64 * (r - 1)) mod 256 if r is 2 or more; slots from 128 on act like 1"),
            std::string::npos);
  EXPECT_NE(what.find(" ignores the mask: all lanes are written whatever it is in repeats 2, 4 "),
            std::string::npos);
  EXPECT_EQ(std::ranges::count(found[0].rules, "VMC-1-no-advance"), 1);
  EXPECT_EQ(found[0].united.size(), 1u);
}

Mask with_words(Mask mask, MaskWords words) {
  for (unsigned slot = 0; slot < 128; ++slot) mask[slot] = has_slot(words, slot) ? 1 : 0;
  return mask;
}

/// The first cases of ascendc-a2, directed ones among them.
RunOptions first_cases_of_a2() {
  RunOptions options;
  options.mix.profile = Profile::a2;
  options.readings = default_readings(Profile::a2);
  options.cases = 1500;
  options.illegal_in_32 = 0;
  return options;
}

/// SVM: the register takes both words. Here it takes them if the low one is another than before.
TEST(SharedCause, WhatIsKeptOfAnEarlierInstructionIsOneFinding) {
  const RunOptions options = first_cases_of_a2();
  const auto found =
      run(options, function_backend("caches", "",
                                    [](const Program& program, State& state) -> Outcome {
                                      state = State{};
                                      state.ub = program.ub;
                                      std::optional<MaskWords> kept;
                                      for (const Instruction& insn : program.instructions) {
                                        execute_one(program, insn, Semantics(default_readings(Profile::a2)),
                                                    state);
                                        if (kept && mask_word(state.mask, 0) == kept->low)
                                          state.mask = with_words(state.mask, *kept);
                                        kept = MaskWords{mask_word(state.mask, 1), mask_word(state.mask, 0)};
                                      }
                                      return Ran{};
                                    }))
          .findings;
  for (std::size_t n = 1; n < found.size(); ++n) ADD_FAILURE() << found[n].id << ": " << found[n].what;
  ASSERT_FALSE(found.empty());
  EXPECT_NE(found[0].what.find("if its low word is the one that was set before"), std::string::npos)
      << found[0].what;
}

/// A second mistake that shows once in many cases of the first one: it is told beside it, and no finding is
/// lost.
TEST(SharedCause, AFewCasesOfTheSameInstructionThatALawDoesNotExplain) {
  const Backend gates = that_runs([](const Program& program) {
    return repeat_by_repeat(program, [](const Instruction& insn, unsigned, MaskWords mask) {
      return insn.dst_type == Element::f16 ? MaskWords{mask.low, mask.low} : mask;
    });
  });
  const auto found = findings(
      function_backend("two", "",
                       [&](const Program& program, State& state) -> Outcome {
                         const Outcome outcome = gates.run(program, state);
                         if (program.instructions.empty()) return outcome;
                         const Instruction& last = program.instructions.back();
                         unsigned sum = 0;  // of all bytes: no law of instructions says when it is wrong
                         for (const std::byte each : program.ub) sum += std::to_integer<unsigned>(each);
                         if (is_elementwise(last) && sum % 251 == 20)
                           state.ub[start_of(program, last.operands[0])] ^= std::byte{1};
                         return outcome;
                       }),
      900);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].what.find("; no law was found for this, which may have the same cause (1 case, first "),
            std::string::npos)
      << found[0].what;
  EXPECT_EQ(found[0].united.size(), 1u);
}

/// Of one size of elements, two findings are two: nothing says that they have one cause.
TEST(SharedCause, TwoMistakesInTypesOfOneSizeStayTwoFindings) {
  const auto found =
      all_findings(that_runs([](const Program& program) {
                     return repeat_by_repeat(program, [](const Instruction& insn, unsigned, MaskWords mask) {
                       if (insn.dst_type == Element::f16) return MaskWords{mask.low, mask.low};
                       return insn.dst_type == Element::i16 ? kAllSlots : mask;
                     });
                   }),
                   1500);
  EXPECT_EQ(found.size(), 2u);
}

TEST(SharedCause, TheSecondSourceWalksWithTheStridesOfTheFirst) {
  const auto found = findings(that_runs([](const Program& given) {
    return each_changed(given, [](Instruction& insn) {
      if (row_of(insn.op).form != Form::binary) return;
      insn.operands[2].block_stride = insn.operands[1].block_stride;
      insn.operands[2].repeat_stride = insn.operands[1].repeat_stride;
    });
  }));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].cause, "src1: walks with the strides of src0");
  EXPECT_EQ(found[0].matter, Matter::address);
}

/// Some data are the same if src0 stayed in place of src1.
TEST(SharedCause, DataThatHideTheOperandNameNoOther) {
  RunOptions options;
  options.cases = 1500;
  options.illegal_in_32 = 0;
  const auto found = run(options, that_runs([](const Program& given) {
                           return each_changed(given, [](Instruction& insn) {
                             if (insn.op == Op::compare) insn.operands[2].repeat_stride = 0;
                           });
                         }))
                         .findings;
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].what.find("src1 of compare."), std::string::npos) << found[0].what;
  EXPECT_EQ(found[0].what.find("also of src0"), std::string::npos) << found[0].what;
}

/// Probes name their allocations after the operands, and this fault does not show there. Where sums
/// accumulate over repeats, active lanes are wrong too.
TEST(SharedCause, WhatNoProbeShowsIsOneFindingForEachThingThatTheLanesShow) {
  const auto found = all_findings(that_runs([](const Program& program) {
    return repeat_by_repeat(program, [&](const Instruction&, unsigned, MaskWords mask) {
      constexpr std::uint64_t kEven = 0x5555555555555555;
      return program.allocations[0].name != "dst" ? MaskWords{mask.high | kEven, mask.low | kEven} : mask;
    });
  }));
  const auto off = std::ranges::find(found, "unexplained-elementwise-writes-masked-off", &Finding::id);
  ASSERT_NE(off, found.end());
  EXPECT_NE(off->what.find("which may have another cause"), std::string::npos) << off->what;
  for (const Finding& each : found)
    EXPECT_TRUE(each.id == off->id || each.id == "unexplained-elementwise-right-in-one-repeat") << each.id;
}

/// Every instruction that obeys the mask looks wrong.
TEST(SharedCause, OneLawOfTheMasksThatInstructionsRunUnder) {
  for (const std::string_view id :
       {"measured-state-late-set-mask", "measured-state-stale-mask-reduction", "measured-state-mask-once-any",
        "measured-state-kept-mask-over-reset-lanes"}) {
    const auto laws = mask_laws();
    const auto law = std::ranges::find(laws, id, &MaskLaw::id);
    const auto found = findings(
        that_runs([&](const Program& program) { return law->model(program, Semantics(Readings{})); }));
    ASSERT_EQ(found.size(), 1u) << id;
    EXPECT_EQ(found[0].id, id);
    EXPECT_EQ(found[0].what, law->sentence);
  }
}

/// A field that is too narrow, in all operands of all instructions.
TEST(SharedCause, OneLawOfTheStridesOfAllOperands) {
  const auto found = findings(that_runs([](const Program& given) {
                                return each_changed(given, [](Instruction& insn) {
                                  for (Operand& operand : insn.operands) operand.repeat_stride %= 16;
                                });
                              }),
                              1500);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].what.find("uses only the lowest 4 bits of its repeat stride; also of "),
            std::string::npos)
      << found[0].what;
  EXPECT_GE(found[0].operands.size(), 2u);
}

/// Of an own mask this is a known mistake, of a mask for the register it is measured: it is one fault.
TEST(SharedCause, AMistakeThatAMutantAndALawName) {
  const auto one_more = [](std::uint64_t n, Element type) {
    return std::min<std::uint64_t>(n + 1, 8 * kBlockBytes / size_of(type));
  };
  const Backend backend = that_runs([=](const Program& given) {
    return each_changed(given, [=](Instruction& insn) {
      if (insn.mask_from == MaskFrom::contiguous) insn.low = one_more(insn.low, insn.src_type);
      if (insn.op == Op::set_vector_mask_len)
        insn.settings[0] = static_cast<std::uint32_t>(one_more(insn.settings[0], insn.dst_type));
    });
  });
  RunOptions options;
  options.mix.profile = Profile::a2;
  options.readings = default_readings(Profile::a2);
  options.mix.with_boundaries = false;
  options.cases = 400;
  options.illegal_in_32 = 0;
  const auto found = run(options, backend).findings;
  for (std::size_t n = 1; n < found.size(); ++n) ADD_FAILURE() << found[n].id << ": " << found[n].what;
  ASSERT_FALSE(found.empty());
  EXPECT_NE(found[0].what.find("takes 1 element more than the length n, except if n fills the repeat"),
            std::string::npos)
      << found[0].what;
  EXPECT_EQ(std::ranges::count(found[0].rules, "SVM-1-length"), 1);
  EXPECT_EQ(std::ranges::count(found[0].rules, "SVM-1-contiguous"), 1);
}

/// VMC section 3: the reductions of data blocks share the code that leaves empty blocks out. Two of them may
/// be two mistakes.
TEST(SharedCause, OneMistakeInThreeReductionsIsOneFinding) {
  const auto ids = [](const std::string& backend) {
    std::set<std::string> all;
    for (const Finding& each : all_findings(find_backend(backend), 1500)) all.insert(each.id);
    return all;
  };
  using Names = std::set<std::string>;
  const std::string two = "wrong:cgmax-writes-empty+cgmin-writes-empty";
  EXPECT_EQ(ids(two), (Names{"cgmax-writes-empty", "cgmin-writes-empty"}));
  EXPECT_EQ(ids(two + "+cgadd-writes-empty"), Names{"several-writes-empty"});
}

/// SVM-2-total, SVM-2-repeats: reductions run in normal mode, where that is legal, though counter mode is on.
TEST(SharedCause, ReductionsIgnoreCounterMode) {
  const auto found = run(first_cases_of_a2(), that_runs([](const Program& given) {
                           Program program = given;
                           auto& list = program.instructions;
                           for (std::size_t n = 0; n < list.size(); ++n) {
                             State before;
                             execute(prefix(program, n), Semantics(default_readings(given.profile)), before);
                             if (row_of(list[n].op).family != Family::reductions) continue;
                             if (before.mode != Mode::counter) continue;
                             const Program kept = program;
                             list.insert(list.begin() + static_cast<std::ptrdiff_t>(n) + 1,
                                         Instruction{.op = Op::set_mask_count});
                             list.insert(list.begin() + static_cast<std::ptrdiff_t>(n),
                                         Instruction{.op = Op::set_mask_norm});
                             if (find_fault(program))
                               program = kept;
                             else
                               n += 2;
                           }
                           return program;
                         }))
                         .findings;
  ASSERT_EQ(found.size(), 1u) << found.back().what;
  EXPECT_NE(
      found[0].what.find(" ignores the counter mode that set_mask_count sets: it runs its repeat times, "
                         "and takes the count for the bits of a mask; also in "),
      std::string::npos)
      << found[0].what;
  EXPECT_EQ(found[0].rules, (std::vector<std::string>{"SVM-2-total", "SVM-2-repeats"}));
}

}  // namespace
}  // namespace lanecheck
