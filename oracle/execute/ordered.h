// The six comparisons of two numbers that are no NaN (VMC 4).
#pragma once

#include "spec/program/instruction.h"

namespace lanecheck {

/// A relation is the set of the orders under which it holds. Without branches, so that a loop over lanes is
/// vectorised.
template <class V>
bool ordered(Compare compare, V x, V y) {
  const bool if_less = compare == Compare::lt || compare == Compare::le || compare == Compare::ne;
  const bool if_equal = compare == Compare::eq || compare == Compare::le || compare == Compare::ge;
  const bool if_greater = compare == Compare::gt || compare == Compare::ge || compare == Compare::ne;
  return (if_less & (x < y)) | (if_equal & (x == y)) | (if_greater & (x > y));
}

}  // namespace lanecheck
