#include "oracle/execute/half_lanes.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace lanecheck {
namespace {

void widen_each(const Half* from, float* into, unsigned count) {
  for (unsigned lane = 0; lane < count; ++lane) into[lane] = widened(from[lane]);
}

void narrow_each(const float* from, Half* into, unsigned count) {
  for (unsigned lane = 0; lane < count; ++lane) into[lane] = narrowed<Half>(from[lane]);
}

#if defined(__x86_64__)

constexpr unsigned kAtOnce = 8;

bool has_f16c() {
  static const bool has = [] {
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __builtin_cpu_supports("avx") && __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
  }();
  return has;
}

[[gnu::target("avx,f16c")]] void widen_eights(const Half* from, float* into, unsigned count) {
  unsigned lane = 0;
  for (; lane + kAtOnce <= count; lane += kAtOnce)
    _mm256_storeu_ps(into + lane,
                     _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from + lane))));
  widen_each(from + lane, into + lane, count - lane);
}

/// To the nearest, ties to even. The processor keeps bits of a NaN: those are replaced.
[[gnu::target("avx,f16c")]] void narrow_eights(const float* from, Half* into, unsigned count) {
  const __m128i nan = _mm_set1_epi16(0x7e00);
  unsigned lane = 0;
  for (; lane + kAtOnce <= count; lane += kAtOnce) {
    const __m256 wide = _mm256_loadu_ps(from + lane);
    const __m256i is_nan = _mm256_castps_si256(_mm256_cmp_ps(wide, wide, _CMP_UNORD_Q));
    const __m128i where =
        _mm_packs_epi32(_mm256_castsi256_si128(is_nan), _mm256_extractf128_si256(is_nan, 1));
    const __m128i halves = _mm256_cvtps_ph(wide, _MM_FROUND_TO_NEAREST_INT);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(into + lane),
                     _mm_or_si128(_mm_andnot_si128(where, halves), _mm_and_si128(where, nan)));
  }
  narrow_each(from + lane, into + lane, count - lane);
}

#endif

}  // namespace

void widen_halves(const Half* from, float* into, unsigned count) {
#if defined(__x86_64__)
  if (has_f16c()) return widen_eights(from, into, count);
#endif
  widen_each(from, into, count);
}

void narrow_to_halves(const float* from, Half* into, unsigned count) {
#if defined(__x86_64__)
  if (has_f16c()) return narrow_eights(from, into, count);
#endif
  narrow_each(from, into, count);
}

}  // namespace lanecheck
