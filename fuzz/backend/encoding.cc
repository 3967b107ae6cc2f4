#include "fuzz/backend/encoding.h"

#include <array>

namespace lanecheck {
namespace {

constexpr char kDigits[] = "0123456789abcdef";

/// The value of each digit; 16 for every other character.
constexpr auto kValues = [] {
  std::array<std::uint8_t, 256> values{};
  values.fill(16);
  for (unsigned n = 0; n < 16; ++n)
    values[static_cast<unsigned char>(kDigits[n])] = static_cast<std::uint8_t>(n);
  for (unsigned n = 10; n < 16; ++n) values['A' + n - 10] = static_cast<std::uint8_t>(n);
  return values;
}();

}  // namespace

void append_hex(std::string& out, const std::byte* data, std::size_t bytes) {
  const std::size_t from = out.size();
  out.resize(from + 2 * bytes);
  for (std::size_t n = 0; n < bytes; ++n) {
    const auto byte = std::to_integer<unsigned>(data[n]);
    out[from + 2 * n] = kDigits[byte >> 4];
    out[from + 2 * n + 1] = kDigits[byte & 15];
  }
}

bool read_hex(std::string_view text, std::byte* data) {
  unsigned seen = 0;
  for (std::size_t n = 0; n < text.size() / 2; ++n) {
    const unsigned high = kValues[static_cast<unsigned char>(text[2 * n])],
                   low = kValues[static_cast<unsigned char>(text[2 * n + 1])];
    seen |= high | low;
    data[n] = static_cast<std::byte>(high << 4 | (low & 15));
  }
  return seen < 16;
}

}  // namespace lanecheck
