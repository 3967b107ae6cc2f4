// Arithmetic on all lanes of a repeat: widen, compute, narrow. An f16 is converted as arithmetic.h says,
// eight lanes at a time where the processor has instructions for it (F16C).
#pragma once

#include "oracle/execute/arithmetic.h"
#include "oracle/execute/repeat.h"

namespace lanecheck {

/// The lanes of one repeat of T, widened.
template <class T, class Policy>
using WideLanes = std::array<typename Policy::template Wide<T>, std::tuple_size_v<Lanes<T>>>;

/// widened() of `count` lanes. The bits of a NaN may be others; every result that is a NaN has the same bits.
void widen_halves(const Half* from, float* into, unsigned count);
/// narrowed<Half>() of `count` lanes.
void narrow_to_halves(const float* from, Half* into, unsigned count);

/// Widens `count` lanes.
template <class T, class Policy>
void widen_lanes(const Policy& policy, const T* from, typename Policy::template Wide<T>* into,
                 unsigned count) {
  if constexpr (std::is_same_v<T, Half> && std::is_same_v<Policy, DefaultReadings>) {
    widen_halves(from, into, count);
  } else {
    for (unsigned lane = 0; lane < count; ++lane) into[lane] = policy.widen(from[lane]);
  }
}

/// Narrows `count` lanes.
template <class T, class Policy>
void narrow_lanes(const Policy& policy, const typename Policy::template Wide<T>* from, T* into,
                  unsigned count) {
  if constexpr (std::is_same_v<T, Half> && std::is_same_v<Policy, DefaultReadings>) {
    narrow_to_halves(from, into, count);
  } else {
    for (unsigned lane = 0; lane < count; ++lane) into[lane] = policy.template narrow<T>(from[lane]);
  }
}

}  // namespace lanecheck
