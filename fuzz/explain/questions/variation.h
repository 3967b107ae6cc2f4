// A finding's program with one thing changed: a mask word, the element types, a repeat time, a stride, the
// data.
#pragma once

#include <optional>

#include "spec/mask/mask_register.h"
#include "spec/program/profile.h"
#include "spec/program/program.h"

namespace lanecheck {

/// A program, and which of its instructions are varied.
struct Variation {
  Program program;
  std::size_t index = 0;            ///< the instruction that diverges
  std::optional<std::size_t> mask;  ///< the instruction that holds the mask words which gate it

  Instruction& insn() { return program.instructions[index]; }
  const Instruction& insn() const { return program.instructions[index]; }
};

/// Finds the mask words that gate instruction `index`: its own mask operand, or the last mask that is set
/// before it.
Variation variation_of(const Program& program, std::size_t index);

/// Puts an instruction that sets a full mask before all others, if the register gates instruction `index` and
/// nothing sets it. Only in profiles in which set_mask sets it.
void add_mask_holder(Variation& variation);

/// All slots except `count` from `first` on.
MaskWords without(unsigned first, unsigned count);

/// The words as a mask of `insn`: bits beyond its lanes become 0 in the profiles in which they must be 0.
MaskWords legal_words(Profile profile, const Instruction& insn, MaskWords words);

/// Gives the instruction that holds the mask words other ones, as legal_words() says.
void set_words(Variation& variation, MaskWords words);

/// Repeats of operand `k` follow each other without a gap if it has this repeat stride.
std::uint32_t contiguous_stride(const Instruction& insn, unsigned k);

/// Gives the operands that walk by data blocks block strides of 1 and contiguous repeat strides.
void put_in_a_row(Instruction& insn);

/// Gives the instruction other element types. Its operands' data keep their values as far as the new types
/// can hold them. False if other instructions use operands too, or if two types view one allocation.
bool set_types(Variation& variation, const TypePair& types);

/// Data by which every lane counts (fuzz/generate/data.h) in the operands of the instruction, except in those
/// that hold bits or offsets. `kind`: 0 to kDataKinds - 1; `phase`: another one is other data.
void set_data(Variation& variation, unsigned kind, unsigned phase);
inline constexpr unsigned kDataKinds = 3;

/// Does the instruction write to an allocation that it also reads as a source? Then an element that must
/// change and holds its old value may be unwritten, or may hold a wrong result.
bool works_in_place(const Instruction& insn);

/// Gives dst an allocation of its own if a source lies in the same one. False if none does.
bool put_dst_apart(Variation& variation);

/// Gives operand `k` an allocation of its own, with the same data.
void put_apart(Variation& variation, unsigned k);

/// Enlarges the allocations so that they hold what the instructions address. Their data are repeated.
void make_room(Program& program);
/// The same, and room in UB for whole repeats, also where a count or mask leaves lanes of the last one out.
void make_room_for_whole_repeats(Program& program);

/// Gives each allocation as many more data blocks, which hold `fill`, so that those behind it move on.
void add_room_behind(Program& program, std::byte fill, std::uint32_t blocks = 1);

/// The program with allocations of at least `bytes` bytes, as far as UB has room. Their data are repeated.
Program with_room(Program program, std::uint32_t bytes);

/// Gives each operand of the instruction an allocation of its own, of `bytes` bytes or more. The data are
/// repeated.
void spread_out(Variation& variation, std::uint32_t bytes);

}  // namespace lanecheck
