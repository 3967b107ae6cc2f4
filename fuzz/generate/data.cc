#include "fuzz/generate/data.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "spec/text/number.h"

namespace lanecheck {
namespace {

constexpr std::size_t kPeriod = 4096;  // bytes after which a table repeats itself
constexpr std::size_t kPhases = 64;    // windows start at a whole data block
constexpr std::size_t kTableBytes = kPeriod + kPhases * kBlockBytes;

/// A fixed sequence, the same on every machine (SplitMix64).
std::uint64_t scramble(std::uint64_t n) {
  n += 0x9e3779b97f4a7c15;
  n = (n ^ n >> 30) * 0xbf58476d1ce4e5b9;
  n = (n ^ n >> 27) * 0x94d049bb133111eb;
  return n ^ n >> 31;
}

/// The bits of a small whole number; negative ones wrap in the unsigned types.
std::uint64_t whole(Element type, int value) {
  if (is_float(type)) return nearest(type, value);
  const auto bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  return size_of(type) == 8 ? bits : bits & ((std::uint64_t{1} << 8 * size_of(type)) - 1);
}

std::uint64_t positive(Element type, std::size_t n) {
  constexpr int even[] = {4, 8, 12}, odd[] = {1, 5, 9, 13};
  const bool narrow = size_of(type) == 1;
  const auto pick = scramble(n);
  return whole(type, n % 2 == 0 ? even[pick % (narrow ? 2 : 3)] : odd[pick % (narrow ? 3 : 4)]);
}

std::uint64_t negative(Element type, std::size_t n) {
  const int small = n % 2 == 0 ? -1 : -3;
  return whole(type, size_of(type) == 1 || scramble(n + 1'000'000) % 2 == 0 ? small : small - 4);
}

std::uint64_t old(Element type, std::size_t n) {
  const auto step = static_cast<int>((n * 7 + 3) % 31);  // neighbours differ
  if (is_float(type)) return nearest(type, 64.5 + 2 * step);
  const unsigned shift = 8 * size_of(type) - 2;
  const std::uint64_t apart = size_of(type) >= 4 ? 256 : 1;  // further than a product that is added
  return (std::uint64_t{1} << shift) + apart * static_cast<std::uint64_t>(step);
}

std::uint64_t wild_integer(Element type, std::uint64_t word) {
  const std::uint64_t top = std::uint64_t{1} << (8 * size_of(type) - 1);
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

unsigned mantissa_bits(Element type) {
  if (type == Element::f32) return 23;
  return type == Element::f16 ? 10 : 7;
}

std::uint64_t wild_float(Element type, std::uint64_t word) {
  const std::uint64_t top = std::uint64_t{1} << (8 * size_of(type) - 1);
  const std::uint64_t sign = (word & 8) != 0 ? top : 0;
  const unsigned mantissa = mantissa_bits(type);
  const std::uint64_t infinity = (top - 1) & ~((std::uint64_t{1} << mantissa) - 1);
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

std::uint64_t wild(Element type, std::size_t n) {
  const std::uint64_t word = scramble(n + 2'000'000);
  return is_float(type) ? wild_float(type, word) : wild_integer(type, word);
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
      return wild(type, n);
    case Fill::limit:  // in fill()
    case Fill::random:
      break;
  }
  return scramble(n + 3'000'000);
}

/// One of the extreme values of `type`.
std::uint64_t limit(Element type, unsigned pick) {
  const std::uint64_t top = std::uint64_t{1} << (8 * size_of(type) - 1);
  if (!is_float(type)) {
    const std::uint64_t extremes[] = {top, top - 1, top + 1, 0, top | (top - 1), top - 2, 1, top | (top - 2)};
    return extremes[pick % std::size(extremes)];
  }
  const std::uint64_t infinity = (top - 1) & ~((std::uint64_t{1} << mantissa_bits(type)) - 1);
  const std::uint64_t extremes[] = {
      infinity | top, infinity, (infinity - 1) | top, infinity - 1, (infinity - 2) | top,
      infinity - 2,   top,      nearest(type, -60000)};
  return extremes[pick % std::size(extremes)];
}

void fill_with(std::span<std::byte> into, Element type, std::uint64_t bits) {
  for (std::size_t at = 0; at + size_of(type) <= into.size(); at += size_of(type))
    std::memcpy(into.data() + at, &bits, size_of(type));
}

std::vector<std::byte> make_table(Element type, Fill kind) {
  std::vector<std::byte> table(kTableBytes);
  for (std::size_t n = 0; n < kTableBytes / size_of(type); ++n) {
    const std::uint64_t bits = element(type, kind, n);
    std::memcpy(table.data() + n * size_of(type), &bits, size_of(type));
  }
  return table;
}

}  // namespace

void fill(std::span<std::byte> into, Element type, Fill kind, unsigned phase) {
  if (kind == Fill::limit) return fill_with(into, type, limit(type, phase));
  static const auto tables = [] {
    std::vector<std::vector<std::byte>> all;
    for (const Element each : kElements)
      for (std::size_t each_kind = 0; each_kind < kFills; ++each_kind)
        all.push_back(make_table(each, static_cast<Fill>(each_kind)));
    return all;
  }();
  const auto& table = tables[static_cast<std::size_t>(type) * kFills + static_cast<std::size_t>(kind)];
  const std::byte* window = table.data() + phase % kPhases * kBlockBytes;
  for (std::size_t done = 0; done < into.size(); done += kPeriod)
    std::memcpy(into.data() + done, window, std::min(kPeriod, into.size() - done));
}

}  // namespace lanecheck
