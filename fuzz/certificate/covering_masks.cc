#include "fuzz/certificate/covering_masks.h"

#include <array>

#include "fuzz/generate/draws.h"

namespace lanecheck {
namespace {

constexpr std::uint64_t kMaskSeed = 0xc0f3a2;

/// So many masks are drawn before greedy ones complete them. More drawn masks leave less to complete, but the
/// last drawn ones hold little that is new.
constexpr std::array<unsigned, kMostStrength + 1> kDrawn = {0, 0, 8, 50, 150};

/// Values of some slots. Bit n of `values` is the value of slots[n].
struct Combination {
  std::array<std::uint8_t, kMostStrength> slots{};
  unsigned values = 0;
};

/// A mask with one byte for each slot: 0, 1, or kFree.
using SlotBytes = std::array<std::uint8_t, 128>;
constexpr std::uint8_t kFree = 2;

class CoveringMasks {
 public:
  CoveringMasks(unsigned slots, unsigned strength, const std::function<void()>& between)
      : slots_(slots), strength_(strength), between_(between), draws_(kMaskSeed, 8 * slots + strength) {}

  std::vector<SlotBytes> make() {
    SlotBytes free{};
    std::fill_n(free.begin(), slots_, kFree);
    for (unsigned n = 0; n < kDrawn[strength_]; ++n) masks_.push_back(with_drawn(free));
    Combination first;
    collect_missing(first, 0, 0);
    while (!missing_.empty()) {
      if (between_) between_();
      masks_.push_back(with_drawn(with_missing(free)));
      std::erase_if(missing_, [&](const Combination& each) { return holds(masks_.back(), each); });
    }
    return std::move(masks_);
  }

 private:
  /// `mask`, except that free slots have a drawn value.
  SlotBytes with_drawn(SlotBytes mask) {
    for (std::uint8_t& slot : mask)
      if (slot == kFree) slot = static_cast<std::uint8_t>(draws_.below(2));
    return mask;
  }

  /// `mask` with missing combinations, one after the other, as far as their slots are free or fit.
  SlotBytes with_missing(SlotBytes mask) const {
    for (const Combination& each : missing_) {
      bool fits = true;
      for (unsigned n = 0; n < strength_; ++n) {
        const std::uint8_t slot = mask[each.slots[n]];
        fits &= slot == kFree || slot == (each.values >> n & 1);
      }
      for (unsigned n = 0; fits && n < strength_; ++n) mask[each.slots[n]] = each.values >> n & 1;
    }
    return mask;
  }

  unsigned values_in(const SlotBytes& mask, const Combination& of) const {
    unsigned values = 0;
    for (unsigned n = 0; n < strength_; ++n) values |= static_cast<unsigned>(mask[of.slots[n]]) << n;
    return values;
  }
  bool holds(const SlotBytes& mask, const Combination& each) const {
    return values_in(mask, each) == each.values;
  }

  /// Completes `chosen`, which has `count` slots, with slots from `from` on, in every way.
  void collect_missing(Combination& chosen, unsigned count, unsigned from) {
    if (count == strength_ || count == kMostStrength) return collect_missing_of(chosen);
    for (unsigned slot = from; slot < slots_; ++slot) {
      if (count < 2 && between_) between_();
      chosen.slots[count] = static_cast<std::uint8_t>(slot);
      collect_missing(chosen, count + 1, slot + 1);
    }
  }
  void collect_missing_of(const Combination& chosen) {
    const unsigned all = (1u << (1u << strength_)) - 1;
    unsigned seen = 0;
    for (const SlotBytes& mask : masks_) {
      seen |= 1u << values_in(mask, chosen);
      if (seen == all) return;
    }
    for (unsigned values = 0; values < 1u << strength_; ++values)
      if ((seen >> values & 1) == 0) missing_.push_back({chosen.slots, values});
  }

  unsigned slots_, strength_;
  const std::function<void()>& between_;
  Draws draws_;
  std::vector<SlotBytes> masks_;
  std::vector<Combination> missing_;
};

MaskWords words_of(const SlotBytes& mask) {
  MaskWords words{0, 0};
  for (unsigned slot = 0; slot < 64; ++slot) {
    words.low |= std::uint64_t{mask[slot]} << slot;
    words.high |= std::uint64_t{mask[64 + slot]} << slot;
  }
  return words;
}

}  // namespace

std::vector<MaskWords> covering_masks(unsigned slots, unsigned strength,
                                      const std::function<void()>& between) {
  std::vector<MaskWords> masks;
  for (const SlotBytes& each : CoveringMasks(slots, strength, between).make())
    masks.push_back(words_of(each));
  return masks;
}

}  // namespace lanecheck
