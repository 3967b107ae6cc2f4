// What each instruction means for one lane, on widened values (oracle/execute/arithmetic.h). Named by the
// column `meaning` of spec/program/instructions.def.
#pragma once

#include <cmath>
#include <concepts>

#include "oracle/execute/arithmetic.h"

namespace lanecheck::lane {

struct none {};

template <class W>
concept Float = std::same_as<W, float>;

struct exponential {
  float operator()(Float auto a) const { return std::exp(a); }
};
struct logarithm {
  float operator()(Float auto a) const { return std::log(a); }
};
struct reciprocal {
  float operator()(Float auto a) const { return 1.0f / a; }
};
struct square_root {
  float operator()(Float auto a) const { return std::sqrt(a); }
};
struct inverse_root {
  float operator()(Float auto a) const { return 1.0f / std::sqrt(a); }
};
struct magnitude {
  float operator()(Float auto a) const { return std::fabs(a); }
  template <std::integral W>
  W operator()(W a) const {
    return a < 0 ? difference(W{0}, a) : a;
  }
};
struct rectify {
  template <class W>
  W operator()(W a) const {
    return a < W{0} ? W{0} : a;
  }
};
struct complement {
  template <std::integral W>
  W operator()(W a) const {
    return ~a;
  }
};
struct plus {
  template <class W>
  W operator()(W a, W b) const {
    return sum(a, b);
  }
};
struct minus {
  template <class W>
  W operator()(W a, W b) const {
    return difference(a, b);
  }
};
struct times {
  template <class W>
  W operator()(W a, W b) const {
    return product(a, b);
  }
};
struct quotient {
  float operator()(Float auto a, Float auto b) const { return a / b; }
};
struct greater {
  template <class W>
  W operator()(W a, W b) const {
    return a < b ? b : a;
  }
};
struct lesser {
  template <class W>
  W operator()(W a, W b) const {
    return b < a ? b : a;
  }
};
struct both_bits {
  template <std::integral W>
  W operator()(W a, W b) const {
    return a & b;
  }
};
struct either_bit {
  template <std::integral W>
  W operator()(W a, W b) const {
    return a | b;
  }
};
struct leaky {
  float operator()(Float auto a, Float auto slope) const {
    const float sloped = a * slope;
    return a >= 0 ? a : sloped;
  }
};

/// `by` is at most the width of T.
struct shift_left {
  template <class T>
  T operator()(T a, unsigned by, bool keeps_sign) const {
    using U = std::make_unsigned_t<T>;
    constexpr unsigned width = 8 * sizeof(T);
    const auto shifted =
        static_cast<U>(by >= width ? 0 : static_cast<std::uint64_t>(static_cast<U>(a)) << by);
    if (!std::is_signed_v<T> || !keeps_sign) return static_cast<T>(shifted);
    constexpr U sign = static_cast<U>(U{1} << (width - 1));
    return static_cast<T>(static_cast<U>((shifted & static_cast<U>(~sign)) | (static_cast<U>(a) & sign)));
  }
};
struct shift_right {
  template <class T>
  T operator()(T a, unsigned by, bool) const {
    return static_cast<T>(static_cast<std::int64_t>(a) >> by);  // of unsigned types the sign is 0
  }
};

}  // namespace lanecheck::lane
