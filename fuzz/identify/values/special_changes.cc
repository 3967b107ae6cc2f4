#include "fuzz/identify/values/special_changes.h"

#include <cmath>
#include <limits>
#include <vector>

#include "fuzz/identify/values/type_limits.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

bool is_small(Element type, std::uint64_t bits) {
  const std::uint64_t exponent = nearest(type, std::numeric_limits<double>::infinity());
  return is_float(type) && (bits & exponent) == 0;
}

/// A subnormal number becomes 0 with its sign.
std::uint64_t flushed(Element type, std::uint64_t bits) {
  return is_small(type, bits) ? bits & sign_of(type) : bits;
}

/// A subnormal number becomes +0.
std::uint64_t flushed_to_plus_zero(Element type, std::uint64_t bits) {
  return is_small(type, bits) && bits != sign_of(type) ? 0 : bits;
}

/// A subnormal number becomes +0, and so does -0.
std::uint64_t flushed_with_zeros(Element type, std::uint64_t bits) {
  return is_small(type, bits) ? 0 : bits;
}

std::uint64_t limited(Element type, std::uint64_t bits) {
  return is_float(type) && std::isinf(value_of(type, bits)) ? bits - 1 : bits;
}

/// Changes the values of floats. Where `change` gives NaN, the element stays as it is.
ElementChange of_floats(double (*change)(double)) {
  return [change](Element type, std::uint64_t bits) {
    if (!is_float(type)) return bits;
    const double value = value_of(type, bits), changed = change(value);
    const bool is_same = changed == value && std::signbit(changed) == std::signbit(value);
    return is_same || std::isnan(changed) ? bits : nearest(type, changed);
  };
}

}  // namespace

std::span<const SpecialChange> changes_of_subnormals() {
  static const std::vector<SpecialChange> kAll = {{"subnormal numbers", "0", flushed},
                                                  {"subnormal numbers", "+0", flushed_to_plus_zero},
                                                  {"subnormal numbers and -0", "+0", flushed_with_zeros}};
  return kAll;
}

std::span<const SpecialChange> changes_of_other_specials() {
  static const std::vector<SpecialChange> kAll = {
      {"infinity", "the greatest finite value", limited},
      {"NaN", "0", of_floats([](double x) { return std::isnan(x) ? 0 : x; })},
      {"NaN", "infinity",
       of_floats([](double x) { return std::isnan(x) ? std::numeric_limits<double>::infinity() : x; })},
      {"infinity", "0", of_floats([](double x) { return std::isinf(x) ? 0 : x; })},
      {"-0", "0", of_floats([](double x) { return x == 0 ? 0 : x; })}};
  return kAll;
}

}  // namespace lanecheck
