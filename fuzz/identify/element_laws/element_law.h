// Laws of elements: all instructions read or write their elements, or take their scalars, as other ones, or
// take one operand for another. Then each instruction looks as if it had a fault of its own.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "fuzz/identify/values/special_changes.h"
#include "oracle/compare/compare.h"

namespace lanecheck {

/// What is written in place of the result `now`, where dst holds `old`.
using ElementWrite = std::function<std::uint64_t(Element, std::uint64_t old, std::uint64_t now)>;

/// What is not changed has no function.
struct ElementLaw {
  std::string text;      ///< "write 0 instead of subnormal numbers", of instructions
  ElementChange read{};  ///< of the elements of sources
  ElementChange scalar{};
  ElementWrite write{};     ///< of results
  bool blends = false;      ///< old dst and result are multiplied by mask bits and added
  bool of_integers = true;  ///< may it change integers?
  /// What is executed in place of an instruction; false: the law does not concern it.
  std::function<bool(Instruction&)> executed{};

  /// Only the scalar is another one.
  bool is_of_scalars() const { return scalar && !read && !write; }
  bool is_of_results() const { return write || blends; }
  /// Does it make another instruction, and change no element?
  bool is_of_instructions() const { return is_of_scalars() || executed; }
};

std::vector<ElementLaw> element_laws();

/// Does the law make another element of this one? A result is written over one with all bits inverted.
bool changes(const ElementLaw& law, Element type, std::uint64_t bits);

/// May the instruction have what the law changes? Records and bits have no elements.
bool concerns(const ElementLaw& law, const Instruction& insn);

/// The state after `program`, under `law` in all instructions except those of the names in `spared`.
State left_under(const ElementLaw& law, const std::set<std::string>& spared, const Program& program,
                 const Semantics& semantics);

/// Is `actual` what left_under() says? Where the documents allow several results, each of them will do,
/// except one that the law changes.
bool gives(const ElementLaw& law, const std::set<std::string>& spared, const Program& program,
           const Semantics& semantics, const State& actual, Shown shown);

}  // namespace lanecheck
