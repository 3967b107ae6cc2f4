// The fields of an instruction that a simulator may keep for a later one: its scalar, strides, repeat times,
// modes and mask operand, and what it read as a source.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "reports/report.h"
#include "spec/program/instruction.h"

namespace lanecheck {

/// A field that may be carried from one instruction to a later one.
struct CarriedField {
  std::string name;  ///< "the scalar"
  std::string kind;  ///< "scalar"
  Matter matter;
  /// Takes the field of `earlier` over to `insn`. False if one of them has no such field, or both have the
  /// same.
  std::function<bool(const Instruction& earlier, Instruction& insn)> carry;
  /// Gives the earlier instruction another value there, for each try (0, 1) one of its own if there are two.
  std::function<void(Instruction& earlier, unsigned attempt)> vary;
  /// The same for the later one, one value for each try (0, 1, 2, ...), and the value in words. Empty: the
  /// value is never a condition.
  std::function<void(Instruction& later, unsigned attempt)> other = {};
  std::function<std::string(const Instruction& later)> shown = {};
};

/// How many elements the count of `insn` leaves for its last repeat.
unsigned tail_of(const Instruction& insn);

/// The fields that `insn` may take from an earlier instruction.
std::vector<CarriedField> carried_fields(const Instruction& insn);

/// The program with room for the field of instruction `at` in the last one.
Program with_room_for(const Program& program, std::size_t at, const CarriedField& field);

/// How a sentence names an earlier instruction: "the earlier dup.f16 (instruction 1)"
std::string earlier_one(const Program& part, std::size_t at);
/// Of several, from `first` to the one before `end`: "instructions 2..4".
std::string earlier_ones(const Program& part, std::size_t first, std::size_t end);
/// "instruction 1 (dup.f16)"
std::string instruction_at(const Program& part, std::size_t at);

}  // namespace lanecheck
