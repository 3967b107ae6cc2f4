#include "fuzz/generate/stride_draws.h"

namespace lanecheck {

bool has_wide_block_stride(const ProfileRow& profile) {
  return profile.stride_widths == StrideWidths::words;
}

std::uint32_t draw_wide_block_stride(Draws& draws) {
  constexpr std::array<std::uint32_t, 8> edges = {9, 10, 15, 16, 31, 32, 127, 255};
  return draws.one_in(2) ? draws.pick(edges) : draws.below(64);
}

bool has_wide_repeat_stride(const Row& row, const ProfileRow& profile) {
  return profile.stride_widths == StrideWidths::words ||
         (profile.stride_widths == StrideWidths::by_form && row.strides == StrideFields::words);
}

std::uint32_t draw_wide_repeat_stride(Draws& draws, const Row& row, const ProfileRow& profile) {
  constexpr std::array<std::uint32_t, 8> bytes = {127, 128, 129, 192, 254, 255, 64, 31};
  constexpr std::array<std::uint32_t, 8> words = {256, 257, 264, 300, 511, 512, 513, 900};
  if (has_wide_repeat_stride(row, profile) && draws.one_in(4)) return draws.pick(words);
  return draws.one_in(2) ? draws.pick(bytes) : draws.below(256);
}

std::uint32_t draw_repeat(Draws& draws) {
  const unsigned pick = draws.below(64);
  if (pick < 14) return 1;
  if (pick < 28) return 2;
  if (pick < 31) return 0;
  return 3 + draws.below(8);
}

Strides draw_strides(Draws& draws) {
  constexpr std::array<std::uint32_t, 16> block = {1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 0, 0, 4, 5, 9};
  constexpr std::array<std::uint32_t, 16> repeat = {
      kContiguous, kContiguous, kContiguous, kContiguous, kContiguous, kContiguous, 0,  0,
      1,           1,           4,           9,           9,           12,          16, 17};
  Strides strides;
  for (Stride& stride : strides) stride = {draws.pick(block), draws.pick(repeat)};
  // Repeats of dst may overlap, but then they hide each other's results. So this happens only now and then.
  Stride& dst = strides[0];
  if (dst.block == 0 && !draws.one_in(4)) dst.block = 1;
  if (dst.repeat < kRepeatBlocks && !draws.one_in(4)) dst.repeat = kContiguous;
  if (draws.one_in(16)) dst = strides[2] = {1, 0};  // where the instruction may accumulate through src1
  return strides;
}

void draw_wide_stride(Draws& draws, const Row& row, const ProfileRow& profile, Strides& strides) {
  Stride& stride = strides[draws.below(static_cast<unsigned>(row.operands.size()))];
  stride = draws.one_in(2) ? Stride{draw_wide_block_stride(draws), kRepeatBlocks}
                           : Stride{1, draw_wide_repeat_stride(draws, row, profile)};
}

}  // namespace lanecheck
