// Decimal digits, whatever the locale is.
#pragma once

namespace lanecheck {

inline bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace lanecheck
