// What an instruction does only if dst lies where a source lies.
#include "fuzz/identify/in_place.h"

#include <algorithm>

#include "fuzz/identify/identify_testing.h"
#include "fuzz/identify/probes/one_repeat.h"

namespace lanecheck {
namespace {

/// What is said of `name` in a program in which source number `source` is also dst.
std::string said_in_place(const std::string& name, std::uint32_t repeat, const Ask& ask,
                          Profile profile = Profile::vmc, unsigned source = 1) {
  Subject subject = in_a_row(subject_of(name, profile), repeat);
  for (unsigned k = 1; k < row_of(subject.insn.op).operands.size(); ++k)
    subject.insn.operands[k].allocation = k == source ? 0 : 1;
  const Program program{profile, {}, {subject.insn}, {}};
  const auto found = identify(program, 0, ask, false, true);
  return found.differences.empty() ? "" : found.differences[0];
}

bool is_in_place(const Instruction& insn) {
  return !row_of(insn.op).operands.empty() && source_in_place(insn) != 0;
}

/// The oracle; an instruction in place is executed as `change` says, one for each repeat.
template <class Change>
Ask in_place(Change change) {
  return [change](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program changed = batch.programs[n];
      const Instruction insn = changed.instructions.back();
      if (is_in_place(insn)) {
        changed.instructions.pop_back();
        for (unsigned r = 0; r < insn.repeat; ++r) change(changed, one_repeat(insn, r), r);
      }
      ask_oracle()({{&changed, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
    }
  };
}

void under_full_mask(Program& program, const Instruction& insn) {
  Instruction all;
  all.op = Op::reset_mask;
  program.instructions.push_back(all);
  program.instructions.push_back(insn);
}

TEST(InPlace, TheMaskIsIgnored) {
  const Ask ask = in_place([](Program& p, const Instruction& one, unsigned) { under_full_mask(p, one); });
  EXPECT_EQ(said_in_place("vnot.i16", 1, ask),
            "vnot.i16 ignores the mask: all lanes are written whatever it is, in place (dst is also the "
            "first source), and "
            "not if they lie apart");
  EXPECT_EQ(said_in_place("vmin.f32", 2, ask),
            "vmin.f32 ignores the mask: all lanes are written whatever it is, in place (dst is also the "
            "first source), and "
            "not if they lie apart");
}

/// A cast that rounds to integers leaves integers as they are.
TEST(InPlace, TheMaskIsIgnoredByACastThatKeepsItsType) {
  const Ask ask = in_place([](Program& p, Instruction one, unsigned) {
    one.mask_from = MaskFrom::reg;
    under_full_mask(p, one);
  });
  EXPECT_EQ(said_in_place("cast.f32.f32", 1, ask, Profile::a2),
            "cast.f32.f32 ignores the mask: all lanes are written whatever it is, in place (dst is also the "
            "first source), and not if they lie apart");
}

TEST(InPlace, TheMaskIsIgnoredAfterTheFirstRepeat) {
  const Ask ask = in_place([](Program& p, const Instruction& one, unsigned repeat) {
    if (repeat == 0)
      p.instructions.push_back(one);
    else
      under_full_mask(p, one);
  });
  EXPECT_EQ(said_in_place("add.f16", 2, ask),
            "add.f16 ignores the mask: all lanes are written whatever it is in every repeat after the first, "
            "in place "
            "(dst is also the first source), and not if they lie apart");
}

TEST(InPlace, OperandsAreExchanged) {
  const Ask ask = in_place([](Program& p, const Instruction& one, unsigned) {
    Instruction exchanged = one;
    if (one.op == Op::sub) std::swap(exchanged.operands[1], exchanged.operands[2]);
    p.instructions.push_back(exchanged);
  });
  EXPECT_EQ(said_in_place("sub.f32", 1, ask),
            "sub.f32 computes src1 - src0 instead of src0 - src1, in place (dst is also the first source), "
            "and not if they lie apart");
}

/// What is said of a select in a program in which its first source is also dst.
std::string select_said_in_place(const std::string& name, const Ask& ask) {
  Subject subject = in_a_row(subject_of(name), 2);
  for (unsigned k = 1; k < row_of(subject.insn.op).operands.size(); ++k)
    subject.insn.operands[k].allocation = static_cast<std::uint16_t>(k);
  subject.insn.operands[2].allocation = 0;
  const auto found = identify(Program{Profile::vmc, {}, {subject.insn}, {}}, 0, ask, false, true);
  return found.differences.empty() ? "" : found.differences[0];
}

TEST(InPlace, ASelectIgnoresControl) {
  const Ask ask = [](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program changed = batch.programs[n];
      const Instruction insn = changed.instructions.back();
      const std::size_t control = start_of(changed, insn.operands[1]),
                        bytes = lanes_of(insn) / 8 * insn.repeat;
      const bool is_wrong = row_of(insn.op).form == row_of(Op::select).form && source_in_place(insn) == 2;
      if (is_wrong)
        std::fill_n(changed.ub.begin() + static_cast<std::ptrdiff_t>(control), bytes, std::byte{0});
      ask_oracle()({{&changed, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
      if (is_wrong)
        std::copy_n(batch.programs[n].ub.begin() + static_cast<std::ptrdiff_t>(control), bytes,
                    batch.states[n].ub.begin() + static_cast<std::ptrdiff_t>(control));
    }
  };
  const std::string where = ", in place (dst is also the first source), and not if they lie apart";
  EXPECT_EQ(select_said_in_place("select.f16", ask), "select.f16 takes src1, whatever control says" + where);
  EXPECT_EQ(select_said_in_place("select.f32", ask_oracle()), "");
}

TEST(InPlace, NothingIsSaidOfARightBackend) {
  EXPECT_EQ(said_in_place("vnot.i16", 2, ask_oracle()), "");
  EXPECT_EQ(said_in_place("vmin.f32", 2, ask_oracle()), "");
}

/// Source `k`, in place, is read where `other` lies: one law, whatever is computed from it.
TEST(InPlace, TheOtherSourceIsReadInPlaceOfTheFirst) {
  const Ask ask = in_place([](Program& program, Instruction one, unsigned) {
    one.operands[1] = one.operands[2];
    program.instructions.push_back(one);
  });
  const std::string law =
      " reads src1 in place of src0, in place (dst is also the first source), and not if they lie apart";
  for (const std::string name : {"add.f32", "sub.i8", "vmax.f16", "vand.u16"})
    EXPECT_EQ(said_in_place(name, 2, ask), name + law);
}

/// Copies src0 to dst and then takes src1 away, if the mask is full.
TEST(InPlace, TheOtherSourceIsReadUnderAFullMask) {
  const Ask ask = in_place([](Program& p, const Instruction& one, unsigned) {
    Instruction changed = one;
    const Mask mask = mask_of(p);
    if (one.op == Op::sub &&
        std::all_of(mask.begin(), mask.begin() + lanes_of(one), [](auto slot) { return slot; }))
      changed.operands[2] = one.operands[1];
    p.instructions.push_back(changed);
  });
  for (const std::string name : {"sub.f32", "sub.i16"})
    EXPECT_EQ(said_in_place(name, 1, ask, Profile::vmc, 2),
              name +
                  " reads src0 in place of src1 if the mask is full, in place (dst is also src1), and not if "
                  "they lie "
                  "apart");
}

TEST(InPlace, ASourceReadsAsZero) {
  const Ask ask = in_place([](Program& program, Instruction one, unsigned) {
    const std::size_t zeros = program.ub.size();
    program.ub.resize(zeros + 256);
    program.allocations.push_back({"zeros", one.src_type, static_cast<std::uint32_t>(zeros), 256});
    one.operands[1].allocation = static_cast<std::uint16_t>(program.allocations.size() - 1);
    one.operands[1].offset = 0;
    one.operands[1].block_stride = 1;
    program.instructions.push_back(one);
  });
  const Ask cut = [ask](const Batch& batch) {
    ask(batch);
    for (std::size_t n = 0; n < batch.programs.size(); ++n)
      batch.states[n].ub.resize(batch.programs[n].ub.size());
  };
  EXPECT_EQ(
      said_in_place("mul.f32", 1, cut),
      "mul.f32 reads 0 in place of src0, in place (dst is also the first source), and not if they lie apart");
}

}  // namespace
}  // namespace lanecheck
