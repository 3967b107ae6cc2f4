#include "fuzz/identify/mask_register/word_numbers.h"

#include <algorithm>
#include <bit>

#include "fuzz/identify/probes/byte_order.h"

namespace lanecheck {
namespace {

using Word = std::uint64_t;

constexpr Word kSign64 = Word{1} << 63, kSign32 = Word{1} << 31, kAll32 = 0xffffffff;

Word with_sign_of_bit_31(Word word) {
  return static_cast<Word>(
      static_cast<std::int64_t>(static_cast<std::int32_t>(static_cast<std::uint32_t>(word))));
}

/// The nearest number with so many significant bits. 2^64 does not fit: what becomes of it.
template <class Float, Word TooGreat>
Word through(Word word) {
  const auto rounded = static_cast<Float>(word);
  return rounded >= static_cast<Float>(0x1p64) ? TooGreat : static_cast<Word>(rounded);
}

Word in_reverse_bits(Word word) {
  Word reversed = 0;
  for (unsigned bit = 0; bit < 64; ++bit) reversed |= (word >> bit & 1) << (63 - bit);
  return reversed;
}

/// Bit b of the result: `word & (1 << b)`, where 1 << b is an int, shifted by b mod 32.
Word in_int_shifts(Word word) {
  Word bits = 0;
  for (unsigned bit = 0; bit < 64; ++bit)
    if ((word & with_sign_of_bit_31(Word{1} << bit % 32)) != 0) bits |= Word{1} << bit;
  return bits;
}

constexpr WordLaw kLaws[] = {
    {"gets the sign of its bit 31 in bits 32..63", with_sign_of_bit_31},
    {"gets the sign of its bit 31 in bits 32..63 if it is less than 2^32",
     [](Word word) { return word <= kAll32 ? with_sign_of_bit_31(word) : word; }},
    {"gets ones in bits 32..63 if its bit 31 is 1",
     [](Word word) { return (word & kSign32) != 0 ? word | ~kAll32 : word; }},
    {"goes through an f64, which keeps 53 bits", through<double, ~Word{0}>},
    {"goes through an f32, which keeps 24 bits", through<float, ~Word{0}>},
    {"goes through an f64, which keeps 53 bits: all ones become 0", through<double, 0>},
    {"goes through an f32, which keeps 24 bits: all ones become 0", through<float, 0>},
    {"goes through an f64, which keeps 53 bits: all ones become 2^63", through<double, kSign64>},
    {"goes through an f32, which keeps 24 bits: all ones become 2^63", through<float, kSign64>},
    {"is limited to 2^63 - 1", [](Word word) { return std::min(word, kSign64 - 1); }},
    {"is limited to 2^32 - 1", [](Word word) { return std::min(word, kAll32); }},
    {"is limited to 2^31 - 1", [](Word word) { return std::min(word, kSign32 - 1); }},
    {"is taken as 0 if its bit 63 is 1, as if it were negative",
     [](Word word) { return (word & kSign64) != 0 ? 0 : word; }},
    {"is taken as 0 if it does not fit into 32 bits", [](Word word) { return word > kAll32 ? 0 : word; }},
    {"loses its bit 63", [](Word word) { return word & ~kSign64; }},
    {"is taken as its magnitude if its bit 63 is 1, as if it were negative",
     [](Word word) { return (word & kSign64) != 0 ? ~word + 1 : word; }},
    {"is taken with its bytes in reverse order", [](Word word) { return reversed_bytes(word); }},
    {"is taken with its bits in reverse order", in_reverse_bits},
    {"is taken with its two halves of 32 bits exchanged", [](Word word) { return std::rotl(word, 32); }},
    {"is taken as all ones if it is not 0", [](Word word) { return word == 0 ? word : ~Word{0}; }},
    {"is read as by word & (1 << b) in 32 bits: bit b is its bit b mod 32, and bits 31 and 63 are 1 if any "
     "of its bits 31..63 is",
     in_int_shifts},
    {"is taken as its lowest bit that is 1", [](Word word) { return word & (~word + 1); }},
    {"is taken as its highest bit that is 1", [](Word word) { return std::bit_floor(word); }},
};

constexpr MaskWords kMasks[] = {
    {0x80000001, 0x80000005},
    {0x3, 0xc0000000},
    {0x40000000, 0x7},
    {0x20000000000001, 0x40000000000003},
    {0x8000000000000401, 0x9000000000000801},
    {0x8000000000000000, 0x1},
    {0x7fffffffffffffff, 0x8000000100000000},
};

}  // namespace

std::span<const WordLaw> word_laws() {
  return kLaws;
}

std::span<const MaskWords> masks_of_numbers() {
  return kMasks;
}

}  // namespace lanecheck
