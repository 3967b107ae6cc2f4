// How images of UB travel between lanecheck and a backend: as hexadecimal digits inside the message, or as
// raw bytes behind its line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace lanecheck {

enum class Encoding : std::uint8_t { hex, bytes };
inline constexpr std::string_view kEncodingNames[] = {"hex", "bytes"};

constexpr std::string_view name_of(Encoding encoding) {
  return kEncodingNames[static_cast<unsigned>(encoding)];
}

/// Appends two lower-case digits for each byte.
void append_hex(std::string& out, const std::byte* data, std::size_t bytes);

/// Reads two digits for each byte. Returns false if a character is not a digit.
bool read_hex(std::string_view text, std::byte* data);

}  // namespace lanecheck
