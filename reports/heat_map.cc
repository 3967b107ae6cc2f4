#include "reports/heat_map.h"

#include <algorithm>
#include <optional>
#include <span>

namespace lanecheck {
namespace {

constexpr std::uint8_t kThere = 1, kDiffers = 2;  // marks of a place

void mark(std::uint8_t& place, bool differs) {
  place = std::max(place, differs ? kDiffers : kThere);
}

void count_marks(std::span<const std::uint8_t> marks, std::span<Heat> places) {
  for (std::size_t n = 0; n < marks.size(); ++n) {
    places[n].of += marks[n] != 0;
    places[n].differs += marks[n] == kDiffers;
  }
}

struct Range {
  unsigned first, last;
};

/// The places that differ, if they follow each other and there are other places beside them.
std::optional<Range> only_range(std::span<const Heat> places) {
  std::optional<Range> range;
  bool others = false;
  for (unsigned n = 0; n < places.size(); ++n) {
    if (places[n].differs == 0) {
      others |= places[n].of > 0;
      continue;
    }
    if (!range) range = {n, n};
    if (n > range->last + 1) return {};
    range->last = n;
  }
  return others ? range : std::nullopt;
}

/// "in lane 7", "in lanes 64 to 127".
std::string text_of(const Range& range) {
  if (range.first == range.last) return "lane " + std::to_string(range.first);
  return "lanes " + std::to_string(range.first) + " to " + std::to_string(range.last);
}

bool differs_in(const HeatMap& map, unsigned repeat) {
  const auto row = std::span(map.elements).subspan(std::size_t{repeat} * HeatMap::kLanes, HeatMap::kLanes);
  return std::ranges::any_of(row, [](const Heat& each) { return each.differs > 0; });
}

/// The lanes of all repeats together.
std::vector<Heat> by_lane(const HeatMap& map) {
  std::vector<Heat> lanes(HeatMap::kLanes);
  for (unsigned n = 0; n < map.elements.size(); ++n) {
    lanes[n % HeatMap::kLanes].differs += map.elements[n].differs;
    lanes[n % HeatMap::kLanes].of += map.elements[n].of;
  }
  return lanes;
}

std::string repeats_text(const HeatMap& map) {
  if (map.to_last[1].of == 0) return {};  // no case has two repeats
  const auto differs = [](const Heat& each) { return each.differs > 0; };
  if (std::ranges::none_of(map.to_last.begin() + 1, map.to_last.end(), differs)) return "the last repeat";
  bool first = differs_in(map, 0), later = false;
  for (unsigned repeat = 1; repeat < HeatMap::kRepeats; ++repeat) later |= differs_in(map, repeat);
  if (!later) return "repeat 0";
  return first ? "" : "repeats after repeat 0";
}

}  // namespace

void CasePlaces::add(const Place& place, bool differs) {
  const unsigned repeat = std::min(place.repeat, HeatMap::kRepeats - 1);
  const unsigned lane = std::min(place.lane, HeatMap::kLanes - 1);
  mark(elements_[std::size_t{repeat} * HeatMap::kLanes + lane], differs);
  mark(to_last_[std::min(place.repeats - 1 - place.repeat, HeatMap::kRepeats - 1)], differs);
  mark(in_block_[place.in_block], differs);
}

unsigned HeatMap::lanes() const {
  unsigned lanes = 0;
  for (unsigned n = 0; n < elements.size(); ++n)
    if (elements[n].of > 0) lanes = std::max(lanes, n % kLanes + 1);
  return lanes;
}

void HeatMap::count(const CasePlaces& places) {
  ++cases;
  elements.resize(places.elements_.size());
  count_marks(places.elements_, elements);
  count_marks(places.to_last_, to_last);
  count_marks(places.in_block_, in_block);
}

void HeatMap::count_mask(const Mask& expected, const Mask& actual) {
  if (expected == actual) return;
  ++mask_cases;
  slots.resize(kMaskSlots);
  for (unsigned slot = 0; slot < kMaskSlots; ++slot) slots[slot] += expected[slot] != actual[slot];
}

std::string common_places(const HeatMap& map) {
  std::string text;
  const auto add = [&](const std::string& part) {
    if (!part.empty()) text += (text.empty() ? "only in " : ", only in ") + part;
  };
  if (map.cases == 0) return text;
  const auto lanes = only_range(by_lane(map));
  if (lanes) add(text_of(*lanes));
  // One lane or one data block says the same of the lanes and of their places in the data block.
  if (const auto in_block = only_range(map.in_block); in_block && !lanes)
    add(text_of(*in_block) + " of each data block");
  add(repeats_text(map));
  return text;
}

}  // namespace lanecheck
