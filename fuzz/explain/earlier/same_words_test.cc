// A simulator that remembers the words of earlier set_masks (VMC section 2).
#include <gtest/gtest.h>

#include <map>

#include "fuzz/explain/earlier/carried_testing.h"
#include "fuzz/explain/explain.h"
#include "fuzz/explain/name_finding_testing.h"
#include "oracle/execute/execute.h"
#include "spec/program/profile.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace same_words_test {

/// set_mask does nothing if `skips` its words and those of the last one.
template <class Skips>
Backend remembers(Skips skips) {
  return function_backend("remembers", "", [skips](const Program& program, State& state) -> Outcome {
    execute(prefix(program, 0), Semantics{}, state);
    const Instruction* last = nullptr;
    for (const Instruction& insn : program.instructions) {
      const bool sets = insn.op == Op::set_mask;
      if (!sets || last == nullptr || !skips(*last, insn)) execute_one(program, insn, Semantics{}, state);
      if (sets) last = &insn;
    }
    return Ran{};
  });
}

constexpr const char* kProgram = R"(
ub 32
set_mask high=0x5 low=0x7
reset_mask
set_mask high=0x5 low=0x7
)";

TEST(SameWords, SetMaskDoesNothingIfItsWordsAreThoseOfTheLastOne) {
  const Finding finding = named(kProgram, remembers([](const Instruction& last, const Instruction& insn) {
                                  return last.high == insn.high && last.low == insn.low;
                                }));
  EXPECT_EQ(
      finding.what,
      "set_mask has no effect if its words are those of the last set_mask before it, though the mask was "
      "changed between them");
  EXPECT_EQ(finding.id, "carried-same-words");
}

/// Nobody sees the register: an addition shows it.
TEST(SameWords, ASetMaskThatDoesNothingIsNamedIfTheMaskIsHidden) {
  Backend backend = remembers([](const Instruction& last, const Instruction& insn) {
    return last.high == insn.high && last.low == insn.low;
  });
  backend.shows_mask = backend.shows_mode = false;
  const Finding finding = named(R"(
ub 768
alloc d f16 0 256 = 0 x128
alloc a f16 256 256 = 1 x128
set_mask high=0x5 low=0x7
reset_mask
set_mask high=0x5 low=0x7
adds.f16 d+0 blk=1 rep=8, a+0 blk=1 rep=8, scalar=3, repeat=1
)",
                                backend);
  EXPECT_EQ(
      finding.what,
      "set_mask has no effect if its words are those of the last set_mask before it, though the mask was "
      "changed between them");
  EXPECT_EQ(finding.instructions, std::vector<std::string>{"set_mask"});
}

/// Here a bit more does not help: the sentence would be false.
TEST(SameWords, ASecondSetMaskThatNeverWorksHasNothingToDoWithItsWords) {
  const Finding finding =
      named(kProgram, remembers([](const Instruction&, const Instruction&) { return true; }));
  EXPECT_EQ(finding.what.find("its words are those"), std::string::npos) << finding.what;
}

/// Two masks with the same low word, and an instruction under each.
constexpr const char* kTwoMasks = R"(
ub 1024
alloc a f16 0 256 = 0 x128
alloc b f16 256 256 = 0 x128
alloc s f16 512 256 = 2 x128
set_mask high=0xff low=0xf0f0
abs.f16 a+0 blk=1 rep=8, s+0 blk=1 rep=8, repeat=1
set_mask high=0xff00 low=0xf0f0
relu.f16 b+0 blk=1 rep=8, s+0 blk=1 rep=8, repeat=1
)";

/// A mask that is kept while its low word stays the same, without an instruction in between that used it.
TEST(SameWords, AMaskThatIsNotSetIfItsLowWordIsTheOneBefore) {
  const Finding finding =
      named(kTwoMasks, changes([](const Program& program, std::size_t n, Instruction&, Mask& mask) {
              MaskWords words{~std::uint64_t{0}, ~std::uint64_t{0}};
              for (std::size_t at = 0; at < n; ++at)
                if (const Instruction& each = program.instructions[at];
                    each.op == Op::set_mask && each.low != words.low)
                  words = {each.high, each.low};
              set_mask(mask, words.high, words.low);
            }));
  EXPECT_EQ(
      finding.what,
      "relu.f16 uses the mask that was there before instruction 3 (set_mask), if the low word stays the "
      "same");
}

/// What was made of a mask is kept by its low word, also while other masks are set.
TEST(SameWords, AMaskOfAnEarlierOneWithTheSameLowWord) {
  const Finding finding =
      named(kTwoMasks, changes([](const Program& program, std::size_t n, Instruction&, Mask& mask) {
              std::map<std::uint64_t, std::uint64_t> high_of;
              for (std::size_t at = 0; at < n; ++at)
                if (const Instruction& each = program.instructions[at]; each.op == Op::set_mask) {
                  high_of.emplace(each.low, each.high);
                  set_mask(mask, high_of[each.low], each.low);
                }
            }));
  EXPECT_EQ(finding.what,
            "relu.f16 uses the mask of an earlier set_mask that has the same low word as instruction 3 "
            "(set_mask)");
}

/// The words are compared, and not the types of the calls that bring them (SVM).
TEST(SameWords, TheTypeOfTheLastSetterIsNoMatter) {
  const Documented documented(Profile::a2, default_readings(Profile::a2), {});
  const Backend backend =
      function_backend("remembers", "", [&](const Program& program, State& state) -> Outcome {
        execute(prefix(program, 0), documented.semantics, state);
        const Instruction* last = nullptr;
        for (const Instruction& insn : program.instructions) {
          const bool sets = insn.op == Op::set_vector_mask;
          if (!sets || last == nullptr || last->high != insn.high || last->low != insn.low)
            execute_one(program, insn, documented.semantics, state);
          if (sets) last = &insn;
        }
        return Ran{};
      });
  AskedBackend asked(backend, Profile::a2);
  const Program program = parse_program(
      "profile ascendc-a2\nub 32\nset_vector_mask.f32 high=0x0 low=0x7\nreset_mask\n"
      "set_vector_mask.f16 high=0x0 low=0x7\n",
      "test");
  EXPECT_EQ(explain(program, {}, asked, documented, false).what,
            "set_vector_mask has no effect if its words are those of the last set_vector_mask before it, "
            "though the mask was changed between them");
}

/// SVM-4-count: a simulator that remembers the last mode that was set, and not that an instruction with a
/// count of its own ended it.
TEST(SameWords, SetMaskCountDoesNothingBehindAnEarlierOne) {
  const Semantics semantics(default_readings(Profile::a2));
  const Backend remembers_mode =
      function_backend("remembers", "", [semantics](const Program& program, State& state) -> Outcome {
        execute(prefix(program, 0), semantics, state);
        const Instruction* last = nullptr;
        for (const Instruction& insn : program.instructions) {
          const bool sets = insn.op == Op::set_mask_count || insn.op == Op::set_mask_norm;
          if (!sets || last == nullptr || last->op != insn.op) execute_one(program, insn, semantics, state);
          if (sets) last = &insn;
        }
        return Ran{};
      });
  const Finding finding = named(R"(
profile ascendc-a2
ub 1024
alloc a i32 0 256 = 0 x64
alloc b i32 256 256 = 0 x64
alloc c i32 512 256 = 0 x64
set_mask_count
mul.i32 a+0 blk=1 rep=8, b+0 blk=1 rep=8, c+0 blk=1 rep=8, count=8, repeat=1
set_mask_count
)",
                                remembers_mode);
  EXPECT_EQ(
      finding.what,
      "set_mask_count has no effect behind an earlier set_mask_count, though the mode was changed between "
      "them");
  EXPECT_EQ(finding.id, "carried-same-mode");
  EXPECT_EQ(finding.rules, std::vector<std::string>{"SVM-4-count"});
}

}  // namespace same_words_test
}  // namespace lanecheck
