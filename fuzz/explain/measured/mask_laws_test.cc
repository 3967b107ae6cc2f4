// The laws by which instructions get another mask are told from each other, from a backend that is right, and
// from one that ignores the mask.
#include "fuzz/explain/measured/mask_laws.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "fuzz/identify/probes/one_repeat.h"
#include "oracle/execute/execute.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace mask_laws_test {

using Change = std::function<Program(const Program&)>;

std::optional<MaskLaw> measured(const Change& change, const Capabilities& offers = {}) {
  const Documented documented(Profile::vmc, Readings{}, {});
  Backend backend = function_backend("law", "", [change](const Program& program, State& state) -> Outcome {
    execute(change(program), Semantics{}, state);
    return Ran{};
  });
  backend.capabilities = offers;
  AskedBackend asked(backend, Profile::vmc);
  return measure_mask_law(asked, documented);
}

TEST(MaskLaws, EachIsMeasured) {
  for (const MaskLaw& law : mask_laws()) {
    const auto found = measured([&](const Program& program) { return law.model(program, Semantics{}); });
    ASSERT_TRUE(found) << law.id;
    EXPECT_EQ(found->sentence, law.sentence);
    EXPECT_EQ(found->id, law.id);
  }
}

TEST(MaskLaws, AMaskThatTakesEffectLateMayBeShownAtOnce) {  // VMC-2-low-word
  const std::vector<MaskLaw> all = mask_laws();
  const auto late = std::ranges::find_if(all, [](const MaskLaw& each) {
    return each.sentence.starts_with("set_mask and reset_mask take effect");
  });
  ASSERT_NE(late, all.end());
  const Program program = parse_program(
      "ub 256\nalloc a i16 0 256 = 0 x128\nset_mask high=0x0 low=0x1\ndup.i16 a+0 blk=1 rep=8, scalar=1, "
      "repeat=1\nset_mask high=0x0 low=0x7\n",
      "a mask that nothing uses");
  State state, right;
  execute(late->model(program, Semantics{}), Semantics{}, state);
  execute(program, Semantics{}, right);
  const Shown shown(true, false);
  EXPECT_NE(state.mask, right.mask);
  EXPECT_TRUE(late->gives(program, Semantics{}, state, shown));
  state.mask = right.mask;
  EXPECT_TRUE(late->gives(program, Semantics{}, state, shown));
  EXPECT_FALSE(late->gives(program, Semantics{}, right, shown));  // the addition ran under the new mask
}

/// Those that are `fits` take the place of a set_mask that stands before them.
Program before_their_masks(Program program, const std::function<bool(const Instruction&)>& fits) {
  for (std::size_t n = 1; n < program.instructions.size(); ++n)
    if (fits(program.instructions[n]) && program.instructions[n - 1].op == Op::set_mask) {
      std::swap(program.instructions[n - 1], program.instructions[n]);
      ++n;
    }
  return program;
}

TEST(MaskLaws, AreNotSaidOfOthers) {
  const auto is_nothing = [](const Change& change) { EXPECT_FALSE(measured(change)); };
  is_nothing([](const Program& program) { return program; });
  for (const Op op : {Op::set_mask, Op::reset_mask})
    is_nothing([op](Program program) {
      std::erase_if(program.instructions, [op](const Instruction& insn) { return insn.op == op; });
      return program;
    });
  is_nothing([](const Program& program) {
    return before_their_masks(program, [](const Instruction& insn) { return insn.op == Op::cadd; });
  });
}

TEST(MaskLaws, OfAReductionNamesTheMaskOfBefore) {
  const auto found = measured([](const Program& program) {
    return before_their_masks(
        program, [](const Instruction& insn) { return insn.op == Op::cadd || insn.op == Op::cgadd; });
  });
  ASSERT_TRUE(found);
  EXPECT_EQ(found->sentence, "a reduction directly after set_mask uses the mask that was there before it");
}

/// A mask that arrives one instruction late has arrived behind an instruction that ignores masks.
TEST(MaskLaws, AnInstructionThatIgnoresTheMaskMayComeInBetween) {
  const auto late = [](bool behind_any) {
    return measured([behind_any](const Program& program) {
      Program changed = program;
      changed.instructions.clear();
      std::optional<Instruction> set;
      for (const Instruction& insn : program.instructions) {
        const bool ignores = row_of(insn.op).mask == MaskUse::ignores;
        if (set && (insn.op == Op::set_mask || insn.op == Op::reset_mask || (ignores && behind_any))) {
          changed.instructions.push_back(*set);
          set.reset();
        }
        if (insn.op == Op::set_mask) {
          set = insn;
          continue;
        }
        changed.instructions.push_back(insn);
        if (set && !ignores && insn.op != Op::reset_mask) {
          changed.instructions.push_back(*set);
          set.reset();
        }
      }
      return changed;
    });
  };
  const auto directly = late(true), first = late(false);
  ASSERT_TRUE(directly);
  EXPECT_EQ(directly->sentence,
            "an instruction directly after set_mask uses the mask that was there before it");
  ASSERT_TRUE(first);
  EXPECT_EQ(
      first->sentence,
      "the first instruction that obeys the mask after set_mask uses the mask that was there before it");
}

/// A mask that arrives one repeat late: set_mask is fed into a pipeline.
TEST(MaskLaws, OfAFirstRepeatBreaksVmc1EveryRepeat) {
  const auto found = measured([](const Program& program) {
    Program changed = program;
    changed.instructions.clear();
    std::optional<Instruction> set;
    MaskWords now{~0ull, ~0ull}, before = now;
    for (const Instruction& insn : program.instructions) {
      const bool is_masked =
          row_of(insn.op).mask == MaskUse::gates_writeback || row_of(insn.op).mask == MaskUse::neutral_source;
      if (insn.op == Op::set_mask) {
        before = std::exchange(now, {insn.high, insn.low});
        set = insn;
      }
      if (insn.op == Op::reset_mask) {
        now = {~0ull, ~0ull};
        set.reset();
      }
      if (!set || !is_masked) {
        changed.instructions.push_back(insn);
        continue;
      }
      changed.instructions.push_back(mask_setter(Op::set_mask, before));
      changed.instructions.push_back(one_repeat(insn, 0));
      changed.instructions.push_back(*set);
      for (unsigned repeat = 1; repeat < insn.repeat; ++repeat)
        changed.instructions.push_back(one_repeat(insn, repeat));
      set.reset();
    }
    return changed;
  });
  ASSERT_TRUE(found);
  EXPECT_EQ(found->sentence,
            "the first instruction that obeys the mask after set_mask uses the mask that was there before it "
            "in its "
            "first repeat");
  EXPECT_EQ(found->rules.front(), "VMC-1-every-repeat");
}

/// It leaves no state that could be compared.
TEST(MaskLaws, ABackendThatBreaksOnASequenceShowsNone) {
  const Documented documented(Profile::vmc, Readings{}, {});
  const Backend backend = function_backend("breaks", "", [](const Program& program, State& state) -> Outcome {
    const bool sums = std::ranges::any_of(program.instructions,
                                          [](const Instruction& insn) { return insn.op == Op::cadd; });
    if (sums) return Errored{"it broke"};
    Program without = program;
    std::erase_if(without.instructions, [](const Instruction& insn) { return insn.op == Op::set_mask; });
    execute(without, Semantics{}, state);
    return Ran{};
  });
  AskedBackend asked(backend, Profile::vmc);
  EXPECT_FALSE(measure_mask_law(asked, documented));
}

/// Those that the backend does not offer are left out.
TEST(MaskLaws, NeedFewInstructions) {
  const auto found = measured(
      [](const Program& program) {
        return before_their_masks(program, [](const Instruction& insn) { return insn.op == Op::cgadd; });
      },
      Capabilities{false,
                   {{"set_mask", "", "", "", ""},
                    {"reset_mask", "", "", "", ""},
                    {"cgadd", "", "", "", ""},
                    {"dup", "", "", "", ""}}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->id, "measured-state-stale-mask-reduction");
}

}  // namespace mask_laws_test
}  // namespace lanecheck
