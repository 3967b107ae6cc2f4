// Laws of special numbers that many instructions follow, on backends that were written without them.
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "fuzz/identify/element_laws/measured_element_law.h"
#include "fuzz/identify/identify_testing.h"
#include "oracle/execute/execute.h"
#include "spec/mask/footprint.h"
#include "spec/mask/mask_register.h"

namespace lanecheck {
namespace element_laws_test {

using Change = std::function<std::uint64_t(const Instruction&, std::uint64_t old, std::uint64_t result)>;

/// The oracle, after which `change` has changed what the active lanes of the last instruction have written.
/// It is an instruction with one result a lane.
Ask changes(Change change) {
  return then([=](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    const Row& row = row_of(insn.op);
    if (row.operands.empty() || row.mask != MaskUse::gates_writeback || row.operands[0].walk != Walk::blocks)
      return;
    const Mask mask = mask_of(program);
    const std::size_t size = size_of(insn.dst_type);
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
        if (mask[lane % 128] == 0) continue;
        const std::size_t at = start_of(program, insn.operands[0]) + lane_offset(insn, 0, r, lane);
        std::uint64_t old = 0, result = 0;
        std::memcpy(&old, &program.ub[at], size);
        std::memcpy(&result, &state.ub[at], size);
        result = change(insn, old, result);
        std::memcpy(&state.ub[at], &result, size);
      }
  });
}

std::optional<MeasuredElementLaw> measured(const std::string& text, const Ask& ask) {
  for (const ElementLaw& each : element_laws())
    if (each.text == text)
      return measure_element_law(each, Profile::vmc, Semantics(default_readings(Profile::vmc)), ask, true);
  ADD_FAILURE() << "no law: " << text;
  return {};
}

bool is_subnormal(std::uint64_t bits) {
  return (bits & 0x7c00) == 0 && (bits & 0x3ff) != 0;
}

TEST(ElementLaws, ElementwiseResultsInF16AreFlushed) {
  const auto law =
      measured("write 0 instead of subnormal numbers",
               changes([](const Instruction& insn, std::uint64_t, std::uint64_t result) {
                 return insn.dst_type == Element::f16 && is_subnormal(result) ? result & 0x8000 : result;
               }));
  ASSERT_TRUE(law);
  for (const char* name : {"abs.f16", "add.f16", "axpy.f16", "muladddst.f16", "dup.f16", "exp.f16",
                           "vmin.f16", "cast.f16.f32", "muls.f16"})
    EXPECT_TRUE(law->followers.contains(name)) << name;
  for (const char* name : {"add.f32", "cadd.f16", "cgmax.f16", "gather.f16"})
    EXPECT_TRUE(law->spared.contains(name)) << name;
  EXPECT_TRUE(
      law->sentence.starts_with("instructions with f16 results write 0 instead of subnormal numbers; "))
      << law->sentence;
}

TEST(ElementLaws, ZeroResultsAreNotWritten) {
  const auto law = measured("do not write results that are +0: dst keeps what was there",
                            changes([](const Instruction&, std::uint64_t old, std::uint64_t result) {
                              return result == 0 ? old : result;
                            }));
  ASSERT_TRUE(law);
  for (const char* name : {"add.i16", "axpy.f32", "dup.i32", "vand.u16", "cast.i32.f32"})
    EXPECT_TRUE(law->followers.contains(name)) << name;
  for (const char* name : {"cadd.f16", "cgadd.i16"}) EXPECT_TRUE(law->spared.contains(name)) << name;
}

/// All lanes of the last repeat run under a full mask, and are blended with old dst by a multiplication.
TEST(ElementLaws, TheMaskIsAppliedByArithmetic) {
  const Ask blends = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    const Row& row = row_of(insn.op);
    if (row.mask != MaskUse::gates_writeback || row.operands[0].walk != Walk::blocks ||
        insn.dst_type != Element::f32)
      return;
    Program whole = program;
    whole.instructions.insert(whole.instructions.end() - 1, mask_setter(Op::set_mask, {~0ULL, ~0ULL}));
    State full;
    execute(whole, Semantics(default_readings(Profile::vmc)), full);
    const Mask mask = mask_of(program);
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
        const std::size_t at = start_of(program, insn.operands[0]) + lane_offset(insn, 0, r, lane);
        const float m = mask[lane] != 0 ? 1 : 0;
        const float old = load<float>(&program.ub[at]) * (1 - m), now = load<float>(&full.ub[at]) * m;
        store(&state.ub[at], old + now);
      }
  });
  const auto law = measured(element_laws().front().text, blends);
  ASSERT_TRUE(law);
  for (const char* name :
       {"abs.f32", "add.f32", "axpy.f32", "cast.f32.f16", "dup.f32", "exp.f32", "muls.f32"})
    EXPECT_TRUE(law->followers.contains(name)) << name;
  for (const char* name : {"add.f16", "cmax.f32"}) EXPECT_TRUE(law->spared.contains(name)) << name;
  EXPECT_TRUE(
      law->sentence.starts_with("instructions with f32 results write old dst * (1 - mask) + result * mask: "))
      << law->sentence;
}

/// A store of bytes that begins at the second one.
TEST(ElementLaws, TheLowestByteIsNotWritten) {
  const auto law =
      measured("do not write the lowest 8 bits of an element: dst keeps them",
               changes([](const Instruction& insn, std::uint64_t old, std::uint64_t result) {
                 return size_of(insn.dst_type) == 1 ? result : (result & ~0xffULL) | (old & 0xff);
               }));
  ASSERT_TRUE(law);
  for (const char* name : {"add.i16", "abs.f32", "dup.u32", "cast.f16.f32"})
    EXPECT_TRUE(law->followers.contains(name)) << name;
  EXPECT_FALSE(law->followers.contains("vnot.u8"));
}

TEST(ElementLaws, ScalarsLoseTheirUpperBits) {
  const Ask lowest = with([](Instruction& insn) {
    if (takes_scalar(insn) && scalar_type(insn) == Element::i16)
      insn.scalar = scalar_from_bits(Element::i16, insn.scalar.bits & 0xff);
  });
  const auto law = measured("use only the lowest 8 bits of their scalar", lowest);
  ASSERT_TRUE(law);
  for (const char* name : {"adds.i16", "dup.i16", "vmins.i16", "compare_scalar.i16"})
    EXPECT_TRUE(law->followers.contains(name)) << name;
  EXPECT_TRUE(law->sentence.starts_with(
      "instructions with i16 scalars use only the lowest 8 bits of their scalar; all "))
      << law->sentence;
}

TEST(ElementLaws, ScalarsAreATextOfSixDigits) {
  const Ask printed = with([](Instruction& insn) {
    if (!takes_scalar(insn) || size_of(scalar_type(insn)) != 4) return;
    char text[32];
    std::snprintf(text, sizeof text, "%g", value_of(scalar_type(insn), insn.scalar.bits));
    const Element type = scalar_type(insn);
    const double value = std::strtod(text, nullptr);
    const auto wrapped = static_cast<std::uint32_t>(static_cast<std::int64_t>(is_float(type) ? 0 : value));
    insn.scalar = scalar_from_bits(type, is_float(type) ? nearest(type, value) : wrapped);
  });
  const auto law = measured("round their scalar to 6 significant decimal digits", printed);
  ASSERT_TRUE(law);
  for (const char* name : {"adds.f32", "adds.i32", "dup.u32", "vmins.i32", "compare_scalar.f32"})
    EXPECT_TRUE(law->followers.contains(name)) << name;
  EXPECT_FALSE(measured("round their scalar to 6 decimal places", printed));
}

TEST(ElementLaws, TheFirstSourceIsTakenForTheSecond) {
  const Ask same = with([](Instruction& insn) {
    const auto operands = row_of(insn.op).operands;
    if (operands.size() > 2 && operands[1].role == "src0" && operands[2].role == "src1")
      insn.operands[2] = insn.operands[1];
  });
  const auto law = measured("take src0 in place of src1", same);
  ASSERT_TRUE(law);
  for (const char* name : {"sub.f16", "vmax.i32", "compare.f32", "vand.u16"})
    EXPECT_TRUE(law->followers.contains(name)) << name;
  EXPECT_NE(law->sentence.find("take src0 in place of src1; "), std::string::npos) << law->sentence;
  // A difference of an element and itself is 0 as well.
  const auto other = measured("take src1 in place of src0", same);
  EXPECT_LT(other ? other->followers.size() : 0, law->followers.size());
}

TEST(ElementLaws, OneInstructionIsNoLaw) {
  EXPECT_FALSE(measured("write 0 instead of subnormal numbers",
                        changes([](const Instruction& insn, std::uint64_t, std::uint64_t result) {
                          return insn.op == Op::add && insn.dst_type == Element::f16 && is_subnormal(result)
                                     ? result & 0x8000
                                     : result;
                        })));
}

TEST(ElementLaws, ARightBackendFollowsNone) {
  const std::vector<ElementLaw> laws = element_laws();
  for (std::size_t n = 0; n < laws.size(); n += 5)  // one of each kind
    EXPECT_FALSE(measure_element_law(laws[n], Profile::vmc, Semantics(default_readings(Profile::vmc)),
                                     ask_oracle(), true))
        << laws[n].text;
}

}  // namespace element_laws_test
}  // namespace lanecheck
