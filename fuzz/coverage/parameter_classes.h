// The classes of values that the parameters of an instruction fall into, for the table of pairs
// (instruction x parameter x class of its value) that generated cases must reach.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spec/program/program.h"

namespace lanecheck {

enum class Parameter : std::uint8_t {
  repeat,
  mask,            ///< the slots that the register holds when the instruction computes
  in_place,        ///< which source is where dst is
  source_strides,  ///< of the two sources
  dst_block,       ///< block stride of dst
  src0_block,
  src1_block,
  dst_repeat,  ///< repeat stride of dst
  src0_repeat,
  src1_repeat,
  src0_value,  ///< elements of the first source, if its type is a float
  src1_value,
};
inline constexpr std::size_t kParameters = 12;

/// A parameter and the names of its classes, of which there are at most 32.
struct ParameterRow {
  std::string_view name;
  std::vector<std::string_view> classes;
};
const ParameterRow& row_of(Parameter parameter);

/// Bit n is set if a value of class n was seen.
using ClassSet = std::uint32_t;

/// Which classes the instructions with `op` were seen in.
struct SeenClasses {
  ClassSet of[kParameters] = {};
};

/// Adds the classes of each instruction of `program` to the element of `seen` that its op has.
void add_classes(const Program& program, const Readings& readings, std::vector<SeenClasses>& seen);

/// The operand that a parameter of strides or values speaks of; nothing if `row` has no such operand.
std::optional<unsigned> operand_of(const Row& row, Parameter parameter);

}  // namespace lanecheck
