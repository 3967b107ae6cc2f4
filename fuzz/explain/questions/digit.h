// Decimal digits and Latin letters, whatever the locale is.
#pragma once

namespace lanecheck {

inline bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
inline bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

}  // namespace lanecheck
