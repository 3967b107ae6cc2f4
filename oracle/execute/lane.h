// What instructions mean for one lane, for the meanings that several instructions share: functions on widened
// values (oracle/execute/arithmetic.h). A meaning that one instruction has alone stands in its row in
// elementwise.cc.
#pragma once

#include <concepts>

#include "oracle/execute/arithmetic.h"

namespace lanecheck::lane {

template <class W>
concept Float = std::same_as<W, float>;

inline constexpr auto plus = []<class W>(W a, W b) { return sum(a, b); };
inline constexpr auto minus = []<class W>(W a, W b) { return difference(a, b); };
inline constexpr auto times = []<class W>(W a, W b) { return product(a, b); };
inline constexpr auto greater = []<class W>(W a, W b) { return a < b ? b : a; };
inline constexpr auto lesser = []<class W>(W a, W b) { return b < a ? b : a; };

using Plus = std::remove_const_t<decltype(plus)>;

}  // namespace lanecheck::lane
