// Accept sets: what may stand in one element of UB after a program. A closed vocabulary; a leniency that is
// not one of these is a change to the documents, not a condition in the comparison.
//
// Everything not in the map must hold the oracle's bits. Masked-off elements are never lenient.
#pragma once

#include <map>

#include "oracle/semantics.h"
#include "spec/program.h"
#include "spec/state.h"

namespace lanecheck {

struct Accept {
  enum class Kind : std::uint8_t {
    any_nan,      ///< any NaN of the type (payloads are not portable)
    within_ulp,   ///< at most `ulp` steps from `bits`; +0 and -0 are no step apart
    sum_within,   ///< a sum in any order: at most `bound` from `value`
    unspecified,  ///< anything: the documents call the case undefined
  };
  Kind kind = Kind::unspecified;
  Element type = Element::u8;
  std::uint64_t bits = 0;
  std::uint32_t ulp = 0;
  double value = 0, bound = 0;

  /// May `actual`, the bits of an element, stand here?
  bool admits(std::uint64_t actual) const;
};

/// By byte offset in UB.
using AcceptMap = std::map<std::uint32_t, Accept>;

/// Runs `program` and notes what may differ from the state that execute() leaves.
AcceptMap accept_sets(const Program& program, const Semantics& how);

}  // namespace lanecheck
