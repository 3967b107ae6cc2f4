#include "fuzz/generate/mask_draws.h"

#include "fuzz/generate/boundary.h"

namespace lanecheck {

MaskWords draw_mask(Draws& draws) {
  if (draws.one_in(2)) return draws.pick(kMaskTable);
  const std::uint64_t a = draws.word();
  const std::uint64_t b = draws.word();
  switch (draws.below(4)) {
    case 0:
      return {a & b, a & ~b};
    case 1:
      return {a | b, a | ~b};
    case 2:
      return {kOnes >> (a & 63), kOnes >> (b & 63)};
    default:
      return {a, b};
  }
}

MaskWords draw_mask_with_empty_blocks(Draws& draws) {
  if (draws.one_in(2)) return {0, 0};
  MaskWords words = draw_mask(draws);
  const unsigned kept = draws.below(256);
  for (unsigned block = 0; block < 8; ++block) {
    if ((kept >> block & 1) != 0) continue;
    std::uint64_t& word = block < 4 ? words.low : words.high;
    word &= ~(std::uint64_t{0xffff} << 16 * (block % 4));
  }
  return words;
}

MaskWords draw_words(Draws& draws, unsigned lanes, unsigned choice) {
  MaskWords words = choice % 4 == 0 ? kMaskTable[choice] : draw_mask(draws);
  if (lanes <= 64) words.high = 0;
  if (lanes <= 32) words.low &= 0xffffffff;
  if (words.high == 0 && words.low == 0) words.low = 1;
  return words;
}

std::uint32_t draw_length(Draws& draws, unsigned lanes, unsigned choice) {
  const std::array<std::uint32_t, 6> edges = {1, lanes / 2, lanes - 1, lanes, lanes / 8, lanes / 2 + 1};
  return choice < edges.size() ? edges[choice] : 1 + draws.below(lanes);
}

std::uint64_t draw_total(Draws& draws, unsigned lanes) {
  const std::array<std::uint32_t, 10> edges = {
      1, lanes - 1, lanes, lanes + 1, 2 * lanes, 2 * lanes + 1, 3 * lanes - 1, lanes / 2, 5, 4 * lanes};
  return draws.one_in(2) ? draws.pick(edges) : 1 + draws.below(6 * lanes);
}

std::uint64_t draw_long_total(Draws& draws, unsigned lanes) {
  constexpr std::array<std::uint32_t, 4> repeats = {127, 128, 254, 255};
  const std::uint32_t whole = draws.one_in(2) ? draws.pick(repeats) : 40 + draws.below(260);
  return whole * lanes + draws.below(lanes);
}

std::uint64_t draw_far_total(Draws& draws, unsigned lanes) {
  constexpr std::uint32_t kFirst = 255, kMore = 45;
  return (kFirst + draws.below(kMore)) * lanes + 1 + draws.below(lanes);
}

}  // namespace lanecheck
