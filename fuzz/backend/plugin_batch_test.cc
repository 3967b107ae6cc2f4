// What a plug-in is given of an instruction is what the list of its fields holds.
#include "fuzz/backend/plugin_batch.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "fuzz/generate/generate.h"
#include "spec/program/profile.h"
#include "spec/text/instruction_fields.h"

namespace lanecheck {
namespace {

std::uint32_t type_in_c(Element type) {
  switch (type) {
    case Element::f16:
      return LANECHECK_F16;
    case Element::bf16:
      return LANECHECK_BF16;
    case Element::f32:
      return LANECHECK_F32;
    case Element::i8:
      return LANECHECK_I8;
    case Element::u8:
      return LANECHECK_U8;
    case Element::i16:
      return LANECHECK_I16;
    case Element::u16:
      return LANECHECK_U16;
    case Element::i32:
      return LANECHECK_I32;
    case Element::u32:
      return LANECHECK_U32;
    case Element::i64:
      return LANECHECK_I64;
    case Element::u64:
      return LANECHECK_U64;
  }
  return ~0u;
}

/// Compares the fields of an instruction with those of its C struct.
class FieldCheck {
 public:
  FieldCheck(const Program& program, const lanecheck_instruction& given) : program_(program), given_(given) {}

  void word(FieldName, std::uint64_t) {}  // mask_operand checks both words
  void operand(const OperandColumn&, const Operand& operand) {
    const lanecheck_operand& place = given_.operands[operands_++];
    EXPECT_EQ(place.at, start_of(program_, operand));
    EXPECT_EQ(place.allocation, operand.allocation);
    EXPECT_EQ(place.offset, operand.offset);
    EXPECT_EQ(place.block_stride, operand.block_stride);
    EXPECT_EQ(place.repeat_stride, operand.repeat_stride);
  }
  void scalar(FieldName, Element, const Scalar& scalar) {
    EXPECT_EQ(given_.scalar_bits, scalar.bits);
    EXPECT_EQ(given_.scalar_value, scalar.value);
  }
  void choice(FieldName, std::span<const std::string_view>, Round round) {
    EXPECT_EQ(given_.round, static_cast<std::uint32_t>(round));
  }
  void choice(FieldName, std::span<const std::string_view>, Compare compare) {
    EXPECT_EQ(given_.compare, static_cast<std::uint32_t>(compare));
  }
  void numbers(FieldName, std::span<const std::uint32_t> lengths) {
    EXPECT_TRUE(std::ranges::equal(lengths, std::span(given_.lengths).first(lengths.size())));
  }
  void number(FieldName, std::uint32_t setting) { EXPECT_EQ(given_.settings[settings_++], setting); }
  void mask_operand(MaskFrom from, std::uint64_t high, std::uint64_t low) {
    EXPECT_EQ(given_.mask_from, static_cast<std::uint32_t>(from));
    EXPECT_EQ(given_.high, high);
    EXPECT_EQ(given_.low, low);
  }
  void repeat(std::uint32_t times, bool by_scalar) {
    EXPECT_EQ(given_.repeat, times);
    EXPECT_EQ(given_.scalar_repeat, by_scalar ? 1u : 0u);
  }
  unsigned operands() const { return operands_; }

 private:
  const Program& program_;
  const lanecheck_instruction& given_;
  unsigned operands_ = 0, settings_ = 0;
};

TEST(PluginBatch, GivesEveryFieldOfEveryInstruction) {
  PluginBatch batch;
  std::vector<Program> programs(1);
  for (const Profile profile : kEveryProfile) {
    Mix mix;
    mix.profile = profile;
    mix.with_boundaries = false;
    for (std::uint64_t index = 0; index < 2000; ++index) {
      generate(1, index, mix, programs[0]);
      batch.put(programs);
      for (std::size_t n = 0; n < programs[0].instructions.size(); ++n) {
        const Instruction& insn = programs[0].instructions[n];
        const lanecheck_instruction& given = batch.programs()[0].instructions[n];
        FieldCheck check(programs[0], given);
        for_each_field(insn, check);
        EXPECT_EQ(given.operand_count, check.operands());
        EXPECT_EQ(given.op, row_of(insn.op).name);
        EXPECT_EQ(given.dst_type, type_in_c(insn.dst_type));
        EXPECT_EQ(given.src_type, type_in_c(insn.src_type));
      }
    }
  }
}

}  // namespace
}  // namespace lanecheck
