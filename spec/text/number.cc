#include "spec/text/number.h"

#include <charconv>
#include <cmath>
#include <limits>

#include "spec/text/half_float.h"

namespace lanecheck {
namespace {

template <class T>
std::string shortest(T value) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return {text, end};
}

template <class T>
std::optional<T> whole(std::string_view text, auto... base) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base...);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return {};
  return value;
}

/// A decimal float, "inf" and "-inf" included; hexadecimal and "nan" are spelled as bits.
std::optional<double> decimal(std::string_view text) {
  const auto value = whole<double>(text);
  return value && !std::isnan(*value) ? value : std::nullopt;
}

/// Exactly representable in `type`? Then its bits.
std::optional<std::uint64_t> exact(Element type, double value) {
  const std::uint64_t bits = nearest(type, value);
  const double back = value_of(type, bits);
  return back == value && std::signbit(back) == std::signbit(value) ? std::optional(bits) : std::nullopt;
}

}  // namespace

std::string show_hex(std::uint64_t bits) {
  char text[24] = "0x";
  return {text, std::to_chars(text + 2, text + sizeof text, bits, 16).ptr};
}

std::optional<std::uint64_t> parse_unsigned(std::string_view text) {
  return text.starts_with("0x") ? whole<std::uint64_t>(text.substr(2), 16) : whole<std::uint64_t>(text);
}

double value_of(Element type, std::uint64_t bits) {
  return with_type(type, [&](auto zero) {
    const auto value = from_bits<decltype(zero)>(bits);
    if constexpr (is_float_v<decltype(zero)>)
      return static_cast<double>(as_float(value));
    else
      return static_cast<double>(value);
  });
}

std::uint64_t nearest(Element type, double value) {
  return with_type(type, [&](auto zero) -> std::uint64_t {
    using T = decltype(zero);
    if constexpr (is_half_width_float<T>) {
      // Rounding twice (to f32, then to T) could be off by one; take the nearest of the neighbours.
      T best = rounded_to<T>(static_cast<float>(value));
      if (std::isinf(as_float(best)) || double{as_float(best)} == value) return bits_of(best);
      const auto bits = static_cast<std::uint16_t>(bits_of(best));
      for (const int step : {-1, 1}) {
        const T other = from_bits<T>(static_cast<std::uint16_t>(bits + step));
        const double gain =
            std::abs(double{as_float(best)} - value) - std::abs(double{as_float(other)} - value);
        if (gain > 0 || (gain == 0 && (bits & 1) != 0)) best = other;
      }
      return bits_of(best);
    } else if constexpr (std::is_same_v<T, float>) {
      return bits_of(static_cast<float>(value));
    } else {
      if (std::isnan(value)) return 0;
      if (value <= static_cast<double>(std::numeric_limits<T>::min()))
        return bits_of(std::numeric_limits<T>::min());
      if (value >= static_cast<double>(std::numeric_limits<T>::max()))
        return bits_of(std::numeric_limits<T>::max());
      return bits_of(static_cast<T>(value));
    }
  });
}

std::string show_element(Element type, std::uint64_t bits) {
  return with_type(type, [&](auto zero) -> std::string {
    using T = decltype(zero);
    const T value = from_bits<T>(bits);
    if constexpr (is_float_v<T>) {
      const float wide = as_float(value);
      return std::isnan(wide) ? show_hex(bits) : shortest(wide);
    } else if constexpr (sizeof(T) == 1) {
      return shortest(static_cast<int>(value));
    } else {
      return shortest(value);
    }
  });
}

std::optional<std::uint64_t> parse_element(Element type, std::string_view text) {
  if (text.starts_with("0x")) {
    const auto bits = parse_unsigned(text);
    const bool fits = bits && (size_of(type) == 8 || *bits >> (8 * size_of(type)) == 0);
    return fits ? bits : std::nullopt;
  }
  if (is_float(type)) {
    const auto value = decimal(text);
    if (!value) return {};
    // What show_element prints of an f32 is the shortest decimal that names it, not its exact value.
    if (type == Element::f32) return nearest(type, static_cast<double>(static_cast<float>(*value)));
    const auto bits = exact(type, *value);
    if (bits) return bits;
    const auto close = nearest(type, *value);
    return show_element(type, close) == text ? std::optional(close) : std::nullopt;
  }
  return with_type(type, [&](auto zero) -> std::optional<std::uint64_t> {
    using T = decltype(zero);
    if constexpr (is_float_v<T>) {
      return {};
    } else {
      const auto value = whole<T>(text);
      return value ? std::optional(bits_of(*value)) : std::nullopt;
    }
  });
}

Scalar scalar_of(Element type, double value) {
  return {nearest(type, value), is_float(type) ? value : 0};
}

Scalar scalar_from_bits(Element type, std::uint64_t bits) {
  return {bits, is_float(type) ? value_of(type, bits) : 0};
}

double value_of_scalar(Element type, const Scalar& scalar) {
  return is_float(type) ? scalar.value : value_of(type, scalar.bits);
}

std::string show_scalar(Element type, const Scalar& scalar) {
  if (!is_float(type)) return show_element(type, scalar.bits);
  return std::isnan(scalar.value) ? show_hex(scalar.bits) : shortest(scalar.value);
}

std::optional<Scalar> parse_scalar(Element type, std::string_view text) {
  if (is_float(type) && !text.starts_with("0x")) {
    const auto value = decimal(text);
    return value ? std::optional(scalar_of(type, *value)) : std::nullopt;
  }
  const auto bits = parse_element(type, text);
  return bits ? std::optional(scalar_from_bits(type, *bits)) : std::nullopt;
}

}  // namespace lanecheck
