// The list of fields is complete: random instructions of every row, with every field that an Instruction has,
// keep all of them in text and in JSON.
#include "spec/text/instruction_fields.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "spec/program/profile.h"
#include "spec/text/number.h"
#include "spec/text/program_json.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

Program empty_program() {
  Program program;
  program.profile = Profile::tik;
  program.ub.assign(256, std::byte{0});
  for (const char* name : {"a", "b_2", "C"})
    program.allocations.push_back(
        {name, Element::u8, static_cast<std::uint32_t>(64 * program.allocations.size()), 64});
  return program;
}

/// Fills whatever an instruction with this row and these types has. The structured binding names every member
/// of Instruction, so that a new member breaks this test until it is filled here and written everywhere.
Instruction random_instruction(const Row& row, Element dst, Element src, std::mt19937_64& random) {
  const auto up_to = [&](std::uint64_t most) { return random() % (most + 1); };
  const auto any32 = [&] { return static_cast<std::uint32_t>(random()); };
  Instruction insn;
  auto& [op, dst_type, src_type, round, compare, repeat, operands, scalar, lengths, settings, mask_from,
         scalar_repeat, high, low] = insn;
  op = row.op;
  dst_type = dst;
  src_type = src;
  for (unsigned k = 0; k < row.operands.size(); ++k) {
    operands[k].allocation = static_cast<std::uint16_t>(up_to(2));
    operands[k].offset = any32();
    if (shows_block_stride(row.operands[k].walk)) operands[k].block_stride = any32();
    if (shows_repeat_stride(row.operands[k].walk)) operands[k].repeat_stride = any32();
  }
  if (takes_scalar(insn)) {
    const std::uint64_t bits = random() >> (64 - 8 * size_of(scalar_type(insn)));
    scalar = scalar_from_bits(scalar_type(insn), bits);
    if (std::isnan(scalar.value)) scalar = scalar_of(scalar_type(insn), 1.5);
  }
  if (op == Op::cast) round = static_cast<Round>(up_to(6));
  if (row.compares) compare = static_cast<Compare>(up_to(5));
  for (unsigned q = 0; q < row.lengths; ++q) lengths[q] = any32();
  for (unsigned n = 0; n < row.settings.size(); ++n) settings[n] = any32();
  const bool sets_words = row.name == "set_mask" || row.name == "set_vector_mask";
  if (!sets_words) mask_from = static_cast<MaskFrom>(up_to(3));
  if (sets_words || mask_from == MaskFrom::bitwise) high = random();
  if (sets_words || mask_from != MaskFrom::reg) low = random();
  if (row.has_repeat) {
    repeat = any32();
    scalar_repeat = up_to(1) == 1;
  }
  return insn;
}

template <class Use>
void for_random_instructions(Use use) {
  std::mt19937_64 random(20'26);
  for (const Row& row : instruction_table())
    for (const Profile profile : kEveryProfile) {
      if (!row.in(profile).offered) continue;
      std::vector<TypePair> pairs(row.in(profile).pairs.begin(), row.in(profile).pairs.end());
      if (pairs.empty()) pairs.push_back({Instruction{}.dst_type, Instruction{}.src_type});
      for (const TypePair& pair : pairs)
        for (unsigned n = 0; n < 20; ++n) use(random_instruction(row, pair.dst, pair.src, random));
    }
}

TEST(InstructionFields, EveryFieldSurvivesTextAndJson) {
  for_random_instructions([program = empty_program()](const Instruction& insn) mutable {
    program.instructions = {insn};
    const std::string text = print(program);
    ASSERT_EQ(parse_program(text, "text"), program) << text;
    ASSERT_EQ(print(parse_program(text, "text")), text);
    const auto json = to_json(program);
    ASSERT_EQ(program_from_json(nlohmann::json::parse(json.dump()), "json"), program) << json.dump();
  });
}

TEST(InstructionFields, TheTextOfTheJsonIsWhatTheJsonPrints) {
  for_random_instructions([program = empty_program()](const Instruction& insn) {
    std::string text;
    append_json(text, program, insn);
    ASSERT_EQ(to_json(program, insn).dump(), text);
  });
}

}  // namespace
}  // namespace lanecheck
