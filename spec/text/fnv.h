// FNV-1a with 64 bits: a short digest that is the same on every machine. It tells texts apart that nobody
// made equal on purpose.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace lanecheck {

class Fnv {
 public:
  void add(std::uint8_t byte) { digest_ = (digest_ ^ byte) * 0x100000001b3; }
  void add(std::string_view text) {
    for (const char c : text) add(static_cast<std::uint8_t>(c));
  }
  void add(std::span<const std::byte> bytes) {
    for (const std::byte each : bytes) add(std::to_integer<std::uint8_t>(each));
  }
  std::uint64_t digest() const { return digest_; }

 private:
  std::uint64_t digest_ = 0xcbf29ce484222325;
};

}  // namespace lanecheck
