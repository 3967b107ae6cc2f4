#include "fuzz/generate/rounding_data.h"

#include <cmath>

#include "fuzz/generate/data_table.h"
#include "spec/program/type_list.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

/// One of `value` and the elements just beside it.
std::uint64_t beside(Element type, double value, std::uint64_t word) {
  const std::uint64_t bits = nearest(type, value);
  const std::uint64_t magnitude = bits & (sign_bit(type) - 1);
  switch (word % 4) {
    case 0:
      return is_float(type) && magnitude == 0 ? bits + 1 : bits - 1;
    case 1:
      return bits + 1;
    default:
      return bits;
  }
}

/// A whole number of `type`, often small or a limit.
double whole_of(Element type, std::uint64_t word) {
  const double greatest = value_of(type, is_unsigned(type) ? 2 * sign_bit(type) - 1 : sign_bit(type) - 1);
  const double least = is_unsigned(type) ? 0 : -greatest - 1;
  switch (word % 8) {
    case 0:
      return greatest;
    case 1:
      return least;
    case 2:
    case 3: {  // of any width
      const double number = std::floor(std::ldexp(greatest, -static_cast<int>(word >> 3 & 31)));
      return (word >> 8 & 1) != 0 ? number : -number;
    }
    default:
      return static_cast<double>(word >> 3 & 31) - 16;
  }
}

/// Rounds to a whole number of `target`: a float source is half a unit off, or just beside that.
std::uint64_t around_whole(Element target, Element source, std::uint64_t word) {
  const double whole = whole_of(target, word >> 8);
  if (!is_float(source)) return beside(source, whole, word);
  const double half = (word >> 2 & 3) == 0 ? 0 : 0.5;
  return beside(source, whole + half, word);
}

/// Halfway between two elements of float type `target`, which a wider float `source` holds exactly.
std::uint64_t between_floats(Element target, Element source, std::uint64_t word) {
  const unsigned mantissa = mantissa_bits(target);
  const std::uint64_t infinity = infinity_of(target), any = word >> 16;
  std::uint64_t lower = any % infinity;
  switch (word >> 2 & 7) {
    case 0:
      lower = infinity - 1;
      break;
    case 1:
      lower = any & ((std::uint64_t{1} << mantissa) - 1);  // subnormal, or 0
      break;
    case 2:
    case 3:
    case 4:
    case 5:  // about 1
      lower = nearest(target, 1) + any % (std::uint64_t{4} << mantissa) - (std::uint64_t{2} << mantissa);
      break;
    default:
      break;
  }
  const double least = value_of(target, lower);
  const double step = lower + 1 == infinity ? least - value_of(target, lower - 1)  // to the next, if it were
                                            : value_of(target, lower + 1) - least;
  const double middle = least + step / 2;
  return beside(source, (word >> 60 & 1) != 0 ? -middle : middle, word);
}

/// A whole number with more bits than float type `target` holds: halfway between two of its elements.
std::uint64_t between_wide_numbers(Element target, Element source, std::uint64_t word) {
  const unsigned kept = mantissa_bits(target) + 1, most = 8 * size_of(source) - 1;
  const std::uint64_t any = word >> 16;
  if (most <= kept) return any & (2 * sign_bit(source) - 1);
  const unsigned lost = 1 + static_cast<unsigned>(word >> 4 & 63) % (most - kept);
  std::uint64_t number = std::uint64_t{1} << (kept + lost - 1);
  number |= any & (number - 1);
  number &= ~((std::uint64_t{1} << lost) - 1);
  number |= std::uint64_t{1} << (lost - 1);
  if ((word & 3) == 0) --number;
  if ((word & 3) == 1) ++number;
  const std::uint64_t mask = size_of(source) == 8 ? ~std::uint64_t{0} : 2 * sign_bit(source) - 1;
  return ((word >> 3 & 1) != 0 ? 0 - number : number) & mask;
}

std::uint64_t cast_source(Element target, Element source, std::size_t n) {
  const std::uint64_t word = scrambled_word(n + 4'000'000);
  if (n % 8 == 7) return wild_element(source, n);
  if (!is_float(target) || target == source)
    return around_whole(target == source ? Element::i16 : target, source, word);
  return is_float(source) ? between_floats(target, source, word) : between_wide_numbers(target, source, word);
}

std::size_t table_of(Element target, Element source) {
  return static_cast<std::size_t>(target) * kElements.size() + static_cast<std::size_t>(source);
}

}  // namespace

void fill_for_cast(std::span<std::byte> into, Element target, Element source, unsigned phase) {
  static const auto tables = [] {
    std::vector<DataTable> all(kElements.size() * kElements.size());
    for (const TypePair& pair : type_lists::kCastPairs)
      all[table_of(pair.dst, pair.src)] =
          make_table(pair.src, [&](std::size_t n) { return cast_source(pair.dst, pair.src, n); });
    return all;
  }();
  copy_window(tables[table_of(target, source)], into, phase);
}

bool is_tie(Element target, Element source, std::uint64_t bits) {
  const double value = value_of(source, bits);
  if (!std::isfinite(value)) return false;
  if (!is_float(target) || target == source) return std::abs(value - std::trunc(value)) == 0.5;
  const double near = value_of(target, nearest(target, value));
  if (near == value || !std::isfinite(near)) return false;
  const std::uint64_t at = nearest(target, value);
  const double below = value_of(target, at - 1), above = value_of(target, at + 1);
  return 2 * value == near + below || 2 * value == near + above;
}

}  // namespace lanecheck
