#include "fuzz/identify/values/scalar_changes.h"

#include <charconv>
#include <cmath>
#include <iterator>

#include "fuzz/identify/probes/byte_order.h"
#include "fuzz/identify/values/type_limits.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

/// As a text of six digits gives it: significant ones ("%g"), or behind the point ("%f").
std::uint64_t through_text(Element type, std::uint64_t bits, std::chars_format format) {
  constexpr int kDigits = 6;
  char text[400];
  const auto written = std::to_chars(std::begin(text), std::end(text), value_of(type, bits), format, kDigits);
  double value = 0;
  std::from_chars(text, written.ptr, value);
  if (written.ec != std::errc{}) return bits;
  if (is_float(type)) return nearest(type, value);
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(value)) & all_bits(type);  // wraps around
}

void add_of_text(Element type, std::vector<ScalarChange>& changes) {
  if (size_of(type) == 8) return;  // f64 does not hold all of its numbers
  changes.push_back({"rounds its scalar to 6 significant decimal digits", [type](std::uint64_t bits) {
                       return through_text(type, bits, std::chars_format::general);
                     }});
  if (is_float(type))
    changes.push_back({"rounds its scalar to 6 decimal places", [type](std::uint64_t bits) {
                         return through_text(type, bits, std::chars_format::fixed);
                       }});
}

void add_of_float(Element type, std::vector<ScalarChange>& changes) {
  const auto by_value = [&](std::string text, double (*change)(double)) {
    changes.push_back({std::move(text), [type, change](std::uint64_t bits) {
                         return nearest(type, change(value_of(type, bits)));
                       }});
  };
  for (const Element less : {Element::f16, Element::bf16})
    if (type == Element::f32)
      changes.push_back({"rounds its scalar to " + std::string(name_of(less)), [=](std::uint64_t bits) {
                           return nearest(type, value_of(less, nearest(less, value_of(type, bits))));
                         }});
  by_value("truncates its scalar to an integer", [](double value) { return std::trunc(value); });
  by_value("truncates its scalar to an integer", [](double value) { return std::trunc(value) + 0.0; });
  by_value("rounds its scalar down to an integer", [](double value) { return std::floor(value); });
  by_value("rounds its scalar to the nearest integer", [](double value) { return std::nearbyint(value); });
  by_value("takes its scalar without its sign", [](double value) { return std::abs(value); });
  by_value("takes its scalar without its sign", [](double value) { return value < 0 ? -value : value; });
  for (const Element other : {Element::f32, Element::f16, Element::bf16})
    if (other != type)
      changes.push_back(
          {"reads the bits of its scalar as those of " + std::string(name_of(other)),
           [=](std::uint64_t bits) { return nearest(type, value_of(other, bits & all_bits(other))); }});
  changes.push_back({"takes the lowest 8 bits of its scalar as an integer",
                     [type](std::uint64_t bits) { return nearest(type, static_cast<double>(bits & 0xff)); }});
  // What is too great for an int, and a NaN, becomes the least number as on x86, or the nearest number or 0.
  for (const bool nearest_one : {false, true})
    changes.push_back({"takes the bits that its scalar has as an integer", [=](std::uint64_t bits) {
                         const double value = std::trunc(value_of(type, bits));
                         const bool fits = value >= -0x1p31 && value < 0x1p31;
                         std::uint64_t number = 0x80000000;
                         if (fits) number = static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
                         if (!fits && nearest_one)
                           number = std::isnan(value) ? 0 : value < 0 ? 0x80000000 : 0x7fffffff;
                         return number & all_bits(type);
                       }});
  changes.push_back({"takes the bits of its scalar as an integer",
                     [type](std::uint64_t bits) { return nearest(type, static_cast<double>(bits)); }});
}

/// Integers of 64 bits have more significant bits than f64. What is too great becomes the greatest number, or
/// 2^63 or 2^64 without what does not fit.
void through_f64(Element type, std::vector<ScalarChange>& changes) {
  const std::uint64_t greatest = ~std::uint64_t{0} >> (is_signed(type) ? 1 : 0);
  for (const bool limits : {true, false})
    changes.push_back(
        {"rounds its scalar to f64", [=](std::uint64_t bits) {
           const bool negative = bits > greatest;
           const auto rounded = static_cast<double>(negative ? 0 - bits : bits);  // the magnitude
           const double end = is_signed(type) ? 0x1p63 : 0x1p64;
           if (rounded >= end && !negative) return limits ? greatest : greatest + 1;
           return negative ? 0 - static_cast<std::uint64_t>(rounded) : static_cast<std::uint64_t>(rounded);
         }});
}

void add_of_integer(Element type, std::vector<ScalarChange>& changes) {
  if (size_of(type) == 8) through_f64(type, changes);
  for (const Element less : {Element::f32, Element::f16}) {
    const std::string text = "rounds its scalar to " + std::string(name_of(less));
    const double greatest = value_of(type, nearest(type, 1e30));
    // What is too great after this becomes the greatest number, the least as on x86, or the greatest that
    // the float type has.
    for (const double too_great : {1e30, -1e30, value_of(less, nearest(less, greatest) - 1)})
      changes.push_back({text, [=](std::uint64_t bits) {
                           const double value = value_of(less, nearest(less, value_of(type, bits)));
                           return nearest(type, value > greatest ? too_great : value);
                         }});
  }
  for (unsigned bits = 4; bits < 8 * size_of(type); ++bits) {
    const std::uint64_t kept = (std::uint64_t{1} << bits) - 1;
    const std::string lowest = "uses only the lowest " + std::to_string(bits) + " bits of its scalar";
    changes.push_back({lowest, [kept](std::uint64_t given) { return given & kept; }});
    changes.push_back({lowest + ", with their sign", [=](std::uint64_t given) {
                         const bool negative = (given >> (bits - 1) & 1) != 0;
                         return negative ? (given | ~kept) & all_bits(type) : given & kept;
                       }});
  }
  if (is_signed(type))
    changes.push_back({"takes its scalar without its sign", [type](std::uint64_t bits) {
                         return (bits & sign_of(type)) != 0 ? (0 - bits) & all_bits(type) : bits;
                       }});
  for (const Element other : {Element::f32, Element::f16})
    if (size_of(other) == size_of(type))
      changes.push_back({"takes the bits that its scalar has as " + std::string(name_of(other)),
                         [=](std::uint64_t bits) { return nearest(other, value_of(type, bits)); }});
}

void add_of_bytes(Element type, std::vector<ScalarChange>& changes) {
  const unsigned size = size_of(type);
  if (size == 1) return;
  changes.push_back({"takes its scalar with its bytes in reverse order",
                     [size](std::uint64_t bits) { return reversed_bytes(bits, size); }});
  for (unsigned low = 8; low < 8 * size; low *= 2)
    for (const bool highest : {false, true})
      changes.push_back({std::string("repeats the ") + (highest ? "highest " : "lowest ") +
                             std::to_string(low) + " bits of its scalar in place of the others",
                         [=](std::uint64_t bits) {
                           const std::uint64_t part = highest ? bits >> (8 * size - low) : bits;
                           return all_bits(type) / ((std::uint64_t{1} << low) - 1) *
                                  (part & ((std::uint64_t{1} << low) - 1));
                         }});
  for (unsigned low = 8; is_float(type) && low < 8 * size; low *= 2)
    changes.push_back({"uses only the lowest " + std::to_string(low) + " bits of its scalar",
                       [low](std::uint64_t bits) { return bits & ((std::uint64_t{1} << low) - 1); }});
}

}  // namespace

std::vector<ScalarChange> scalar_changes(Element type) {
  std::vector<ScalarChange> changes;
  if (is_float(type))
    add_of_float(type, changes);
  else
    add_of_integer(type, changes);
  add_of_bytes(type, changes);
  add_of_text(type, changes);
  changes.push_back({"negates its scalar", [type](std::uint64_t bits) {
                       if (!is_float(type)) return (0 - bits) & all_bits(type);
                       return bits ^ sign_of(type);
                     }});
  return changes;
}

}  // namespace lanecheck
