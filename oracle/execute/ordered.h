// The six comparisons of two numbers that are no NaN (VMC 4).
#pragma once

#include "spec/program/instruction.h"

namespace lanecheck {

template <class V>
bool ordered(Compare compare, V x, V y) {
  switch (compare) {
    case Compare::eq:
      return x == y;
    case Compare::ne:
      return x != y;
    case Compare::lt:
      return x < y;
    case Compare::le:
      return x <= y;
    case Compare::gt:
      return x > y;
    case Compare::ge:
      break;
  }
  return x >= y;
}

}  // namespace lanecheck
