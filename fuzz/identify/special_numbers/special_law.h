// Laws of special numbers: all instructions read or write one kind of numbers (subnormal numbers, -0, NaN) as
// another one, or do not write results that are 0. On such a backend each instruction looks as if it had a
// fault of its own.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "fuzz/identify/values/special_changes.h"
#include "oracle/compare/compare.h"

namespace lanecheck {

struct SpecialLaw {
  enum class Kind : std::uint8_t {
    written,  ///< as other numbers
    read,
    both,
    kept,     ///< not written: dst keeps what was there
    blended,  ///< old dst and result are multiplied by mask bits and added
  };

  SpecialChange numbers;  ///< if they become no other numbers: its change says which ones are special
  Kind kind = Kind::written;

  /// "write 0 instead of subnormal numbers"
  std::string text() const;
};

std::vector<SpecialLaw> special_laws();

/// The state after `program`, under `law` in all instructions except those of the names in `spared`.
State left_under(const SpecialLaw& law, const std::set<std::string>& spared, const Program& program,
                 const Semantics& semantics);

/// Is `actual` what left_under() says? Where the documents allow several results, each of them will do,
/// except one that the law changes.
bool gives(const SpecialLaw& law, const std::set<std::string>& spared, const Program& program,
           const Semantics& semantics, const State& actual, Shown shown);

/// May the instruction have special numbers that are elements? Records and bits have none.
bool has_special_numbers(const Instruction& insn);

}  // namespace lanecheck
