#include "fuzz/generate/data.h"

#include "fuzz/generate/data_table.h"
#include "spec/text/number.h"

namespace lanecheck {

/// The extreme values of `type`, and those next to zero.
std::uint64_t extreme(Element type, std::uint64_t pick) {
  const std::uint64_t top = sign_bit(type);
  if (!is_float(type)) {
    const std::uint64_t extremes[] = {top, top - 1,         top + 1, 0,        top | (top - 1), top - 2, 1,
                                      2,   top | (top - 2), 0xff,    top >> 1, (top >> 1) - 1,  0x80,    0x7f,
                                      3,   top + 2};
    static_assert(std::size(extremes) == kExtremes);
    return extremes[pick % kExtremes] & (top | (top - 1));
  }
  const std::uint64_t infinity = infinity_of(type), normal = std::uint64_t{1} << mantissa_bits(type);
  const std::uint64_t one = nearest(type, 1);
  const std::uint64_t extremes[] = {infinity | top,
                                    infinity,
                                    (infinity - 1) | top,
                                    infinity - 1,
                                    (infinity - 2) | top,
                                    infinity - 2,
                                    top,
                                    0,
                                    nearest(type, -60000),
                                    1,
                                    top | 1,
                                    normal,
                                    normal - 1,
                                    one,
                                    top | one,
                                    top | normal};
  static_assert(std::size(extremes) == kExtremes);
  return extremes[pick % kExtremes];
}

namespace {

/// The bits of a small whole number; negative ones wrap in the unsigned types.
std::uint64_t whole(Element type, int value) {
  if (is_float(type)) return nearest(type, value);
  const auto bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  return size_of(type) == 8 ? bits : bits & ((std::uint64_t{1} << 8 * size_of(type)) - 1);
}

std::uint64_t positive(Element type, std::size_t n) {
  constexpr int even[] = {4, 8, 12}, odd[] = {1, 5, 9, 13};
  const bool narrow = size_of(type) == 1;
  const auto pick = scrambled_word(n);
  return whole(type, n % 2 == 0 ? even[pick % (narrow ? 2 : 3)] : odd[pick % (narrow ? 3 : 4)]);
}

std::uint64_t negative(Element type, std::size_t n) {
  const int small = n % 2 == 0 ? -1 : -3;
  return whole(type, size_of(type) == 1 || scrambled_word(n + 1'000'000) % 2 == 0 ? small : small - 4);
}

std::uint64_t old(Element type, std::size_t n) {
  const auto step = static_cast<int>((n * 7 + 3) % 31);  // neighbours differ
  const bool is_negative = scrambled_word(n + 2'000'000) % 4 == 0;
  if (is_float(type)) return nearest(type, (is_negative ? -1 : 1) * (64.5 + 2 * step));
  const unsigned shift = 8 * size_of(type) - 2;
  const std::uint64_t apart = size_of(type) >= 4 ? 256 : 1;  // further than a product that is added
  const std::uint64_t bits = (std::uint64_t{1} << shift) + apart * static_cast<std::uint64_t>(step);
  return is_negative && is_signed(type) ? (~bits + 1) & (sign_bit(type) | (sign_bit(type) - 1)) : bits;
}

std::uint64_t wild_integer(Element type, std::uint64_t word) {
  const std::uint64_t top = sign_bit(type);
  const std::uint64_t mask = top | (top - 1);
  const std::uint64_t special[] = {0, 1, mask, top, top - 1, top + 1, 2, mask - 1};
  switch (word & 3) {
    case 0:
      return special[word >> 8 & 7];
    case 1:
      return word >> 40 & 0xff & mask;  // small
    default:
      return word >> 16 & mask;  // any bits
  }
}

std::uint64_t wild_float(Element type, std::uint64_t word) {
  const std::uint64_t top = sign_bit(type);
  const std::uint64_t sign = (word & 8) != 0 ? top : 0;
  const unsigned mantissa = mantissa_bits(type);
  const std::uint64_t infinity = infinity_of(type);
  const std::uint64_t one = nearest(type, 1.0);
  const std::uint64_t special[] = {0,
                                   infinity,
                                   infinity | std::uint64_t{1} << (mantissa - 1),
                                   1,
                                   (std::uint64_t{1} << mantissa) - 1,
                                   std::uint64_t{1} << mantissa,
                                   infinity - 1,
                                   one};
  switch (word & 7) {
    case 0:
      return special[word >> 8 & 7] | sign;
    case 1:
      return word >> 16 & (top | (top - 1));  // any bits
    case 2:
      return nearest(type, static_cast<double>(word >> 60) - 8);  // small whole numbers
    case 3: {  // halves and what lies just beside them: ties of rounding
      const std::uint64_t half = nearest(type, (static_cast<double>(word >> 52) - 2048) / 2);
      const std::uint64_t beside = word >> 16 & 3;
      if (beside == 1) return half + 1;
      return beside == 2 && half != 0 ? half - 1 : half;
    }
    default:  // of either sign, about 1
      return (one + ((word >> 16) % (std::uint64_t{8} << mantissa)) - (std::uint64_t{4} << mantissa)) | sign;
  }
}

/// A wild element without NaN and infinity, which would hide the other lanes of a reduction. Floats are most
/// often of about the same size.
std::uint64_t finite_element(Element type, std::size_t n) {
  const std::uint64_t bits = wild_element(type, n);
  if (!is_float(type) || (bits & infinity_of(type)) != infinity_of(type)) return bits;
  return nearest(type, static_cast<double>(n % 61) / 4 - 7);
}

/// A wild element, or what lies just beside it.
std::uint64_t close_element(Element type, std::size_t n) {
  const std::uint64_t bits = wild_element(type, n);
  switch (scrambled_word(n + 6'000'000) % 4) {
    case 0:
      return bits + 1;
    case 1:
      return is_float(type) && (bits & (sign_bit(type) - 1)) == 0 ? bits ^ sign_bit(type) : bits - 1;
    default:
      return bits;
  }
}

std::uint64_t element(Element type, Fill kind, std::size_t n) {
  const int distinct = static_cast<int>(1 + n * 37 % 251);
  switch (kind) {
    case Fill::positive:
      return positive(type, n);
    case Fill::negative:
      return negative(type, n);
    case Fill::below:
      return whole(type, -distinct);
    case Fill::above:
      return whole(type, distinct);
    case Fill::old:
      return old(type, n);
    case Fill::wild:
      return wild_element(type, n);
    case Fill::finite:
      return finite_element(type, n);
    case Fill::close:
      return close_element(type, n);
    case Fill::extremes:
      return extreme(type, scrambled_word(n + 5'000'000));
    case Fill::extremes_by_block:
      return extreme(type, n / per_block(type));
    case Fill::extremes_by_repeat:
      return extreme(type, n / lanes_of(type));
    case Fill::peaks:
      if (n % 129 == 0) return whole(type, 100);
      return n % 129 == 64 ? whole(type, -100) : positive(type, n);
    case Fill::rising:
      return whole(type, static_cast<int>(n % lanes_of(type)));
    case Fill::falling:
      return whole(type, -static_cast<int>(n % lanes_of(type)));
    case Fill::limit:  // in fill()
    case Fill::random:
      break;
  }
  return scrambled_word(n + 3'000'000);
}

void fill_with(std::span<std::byte> into, Element type, std::uint64_t bits) {
  for (std::size_t at = 0; at + size_of(type) <= into.size(); at += size_of(type))
    std::memcpy(into.data() + at, &bits, size_of(type));
}

}  // namespace

std::uint64_t wild_element(Element type, std::size_t n) {
  const std::uint64_t word = scrambled_word(n + 2'000'000);
  return is_float(type) ? wild_float(type, word) : wild_integer(type, word);
}

void fill(std::span<std::byte> into, Element type, Fill kind, unsigned phase) {
  if (kind == Fill::limit) return fill_with(into, type, extreme(type, phase));
  static const auto tables = [] {
    std::vector<DataTable> all;
    for (const Element each : kElements)
      for (std::size_t each_kind = 0; each_kind < kFills; ++each_kind)
        all.push_back(
            make_table(each, [&](std::size_t n) { return element(each, static_cast<Fill>(each_kind), n); }));
    return all;
  }();
  const auto& table = tables[static_cast<std::size_t>(type) * kFills + static_cast<std::size_t>(kind)];
  const bool by_repeat = kind == Fill::extremes_by_repeat || kind == Fill::rising || kind == Fill::falling;
  copy_window(table, into, by_repeat ? phase / kRepeatBlocks * kRepeatBlocks : phase);
}

void fill_near(std::span<std::byte> into, Element type, std::uint64_t value, unsigned phase) {
  fill(into, type, Fill::wild, phase);
  for (std::size_t n = 0; (n + 1) * size_of(type) <= into.size(); n += 2) {
    const std::uint64_t turn = n / 2 % 4;
    const std::uint64_t bits = turn == 3 ? value ^ sign_bit(type) : value + turn - 1;
    std::memcpy(into.data() + n * size_of(type), &bits, size_of(type));
  }
}

}  // namespace lanecheck
