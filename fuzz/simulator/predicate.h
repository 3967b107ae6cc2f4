// The six comparisons, once for an instruction and never for a lane.
#pragma once

#include <functional>

#include "spec/program/instruction.h"

namespace lanecheck::simulator {

/// Calls f(predicate). Comparisons are those of IEEE 754: with a NaN, ne is true and all others are false.
template <class F>
void with_predicate(Compare compare, F f) {
  switch (compare) {
    case Compare::eq:
      return f(std::equal_to{});
    case Compare::ne:
      return f(std::not_equal_to{});
    case Compare::lt:
      return f(std::less{});
    case Compare::le:
      return f(std::less_equal{});
    case Compare::gt:
      return f(std::greater{});
    case Compare::ge:
      return f(std::greater_equal{});
  }
}

}  // namespace lanecheck::simulator
