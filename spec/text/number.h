// Elements and scalars as text: decimal where that reads back to the same bits, else the bits in hexadecimal.
// Independent of the locale.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "spec/program/instruction.h"

namespace lanecheck {

/// The value of an element as a double; 64-bit integers beyond 2^53 are rounded.
double value_of(Element type, std::uint64_t bits);

/// The element nearest to `value` (ties to even; integers: truncated, clamped; NaN to 0).
std::uint64_t nearest(Element type, double value);

/// "1.5", "-0", "inf", "0x7e01" (NaNs).
std::string show_element(Element type, std::uint64_t bits);

/// The inverse of show_element. "0x" takes bits; decimals must be representable exactly, "0.1" is not in f16.
std::optional<std::uint64_t> parse_element(Element type, std::string_view text);

std::string show_scalar(Element type, const Scalar& scalar);
/// Decimals are rounded to the element type; `value` keeps what was written.
std::optional<Scalar> parse_scalar(Element type, std::string_view text);
Scalar scalar_of(Element type, double value);
Scalar scalar_from_bits(Element type, std::uint64_t bits);
/// What was written for a float, the element for an integer; 64-bit integers beyond 2^53 are rounded.
double value_of_scalar(Element type, const Scalar& scalar);

std::string show_hex(std::uint64_t bits);
/// Reads a whole number, decimal or hexadecimal with 0x.
std::optional<std::uint64_t> parse_unsigned(std::string_view text);

}  // namespace lanecheck
