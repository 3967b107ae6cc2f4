#include "fuzz/certificate/masked_program.h"

#include <algorithm>

#include "fuzz/generate/builder.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr std::uint64_t kDataSeed = 0x3a5c;
constexpr std::uint32_t kRepeats = 2;
constexpr unsigned kBitwise = 2;  // Builder::add then gives a bitwise mask if the instruction takes one

/// Lanes of a repeat of the wider element type.
unsigned lanes_of_types(const Instruction& insn) {
  return std::min(lanes_of(insn.dst_type), lanes_of(insn.src_type));
}

/// The type of SetVectorMask for the lanes of `insn`.
Element type_of_mask(const Instruction& insn) {
  const unsigned lanes = lanes_of_types(insn);
  if (lanes >= 128) return Element::f16;
  return lanes == 64 ? Element::f32 : Element::i64;
}

/// Does `row` write the compare mask register, and not UB?
bool writes_register(const Row& row) {
  return row.compare_mask == CompareMaskUse::loads || row.compare_mask == CompareMaskUse::writes;
}

bool shows_register(Profile profile) {
  return row_of(Op::get_cmpmask).in(profile).offered;
}

MaskedProgram masked_program(Profile profile, const Row& row, const TypePair& types) {
  MaskedProgram made;
  Draws draws(kDataSeed, 0);
  Builder builder(draws, made.program, profile);
  builder.add(row, types, kRepeats, kContiguousStrides, kBitwise);
  std::vector<Instruction>& instructions = made.program.instructions;
  std::erase_if(instructions,
                [](const Instruction& insn) { return row_of(insn.op).mask == MaskUse::is_mask_state; });
  // A comparison may come with an instruction that shows its bits.
  const auto own = std::ranges::find(instructions.rbegin(), instructions.rend(), row.op, &Instruction::op);
  instructions.erase(own.base(), instructions.end());
  made.at = instructions.size() - 1;
  const Instruction insn = instructions.back();
  made.name = mnemonic(insn);
  made.slots = row_of(profile).all_slots_legal ? 128 : std::min(128u, lanes_of_types(insn));
  if (writes_register(row)) {
    const Row& shows = row_of(Op::get_cmpmask);
    builder.add(shows, shows.in(profile).pairs[0], 1, kContiguousStrides, kBitwise);
  }
  if (insn.mask_from == MaskFrom::bitwise) return made;
  Instruction set;
  set.op = row_of(profile).sets_mask.value();
  set.dst_type = set.src_type = type_of_mask(insn);
  instructions.insert(instructions.begin() + static_cast<std::ptrdiff_t>(made.at), set);
  ++made.at;
  return made;
}

}  // namespace

Program MaskedProgram::under(MaskWords mask) const {
  Program masked = program;
  const bool own = masked.instructions[at].mask_from == MaskFrom::bitwise;
  Instruction& takes = masked.instructions[own ? at : at - 1];
  takes.high = mask.high;
  takes.low = mask.low;
  return masked;
}

std::vector<MaskedProgram> masked_programs(Profile profile) {
  std::vector<MaskedProgram> programs;
  for (const Row& row : instruction_table())
    if (computes(row, profile) && (!writes_register(row) || shows_register(profile)))
      for (const TypePair& types : row.in(profile).pairs)
        programs.push_back(masked_program(profile, row, types));
  return programs;
}

}  // namespace lanecheck
