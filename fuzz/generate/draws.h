// Random draws for the generator: 64-bit words from rc::Random, dealt out in small pieces.
#pragma once

#include <rapidcheck/Random.h>

#include <array>
#include <cstdint>
#include <span>

namespace lanecheck {

class Draws {
 public:
  Draws(std::uint64_t seed, std::uint64_t index) : random_(rc::Random::Key{seed, index, 0, 0}) {}

  std::uint64_t word() { return random_.next(); }

  /// A number from 0 to n - 1, for n up to 65536. Each call uses sixteen random bits.
  unsigned below(unsigned n) {
    if (left_ == 0) {
      bits_ = word();
      left_ = 4;
    }
    const auto piece = static_cast<unsigned>(bits_ & 0xffff);
    bits_ >>= 16;
    --left_;
    return piece * n >> 16;
  }

  bool one_in(unsigned n) { return below(n) == 0; }

  template <class T, std::size_t N>
  const T& pick(const std::array<T, N>& from) {
    return from[below(N)];
  }

 private:
  rc::Random random_;
  std::uint64_t bits_ = 0;
  unsigned left_ = 0;
};

}  // namespace lanecheck
