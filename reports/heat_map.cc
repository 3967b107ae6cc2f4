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

double share_of(const Heat& heat) {
  return heat.of == 0 ? 0 : static_cast<double>(heat.differs) / static_cast<double>(heat.of);
}

/// Does a place differ, and in so large a share of its cases that it is no exception?
class IsHot {
 public:
  IsHot(std::span<const Heat> places, bool with_exceptions) {
    constexpr double kOneIn = 50;
    if (!with_exceptions) return;
    for (const Heat& each : places) least_ = std::max(least_, share_of(each) / kOneIn);
  }
  bool operator()(const Heat& place) const { return share_of(place) > least_; }

 private:
  double least_ = 0;
};

/// The hot places, if they follow each other and there are other places beside them.
std::optional<Range> only_range(std::span<const Heat> places, bool with_exceptions) {
  const IsHot is_hot(places, with_exceptions);
  std::optional<Range> range;
  bool others = false;
  for (unsigned n = 0; n < places.size(); ++n) {
    if (!is_hot(places[n])) {
      others |= places[n].of > 0;
      continue;
    }
    if (!range) range = {n, n};
    if (n > range->last + 1) return {};
    range->last = n;
  }
  return others ? range : std::nullopt;
}

/// "lane 7", "lanes 64 to 127".
std::string text_of(const Range& range) {
  if (range.first == range.last) return "lane " + std::to_string(range.first);
  return "lanes " + std::to_string(range.first) + " to " + std::to_string(range.last);
}

/// For each repeat its lane that differs in the largest share of its cases.
std::array<Heat, HeatMap::kRepeats> by_repeat(const HeatMap& map) {
  std::array<Heat, HeatMap::kRepeats> repeats{};
  for (std::size_t n = 0; n < map.elements.size(); ++n) {
    Heat& repeat = repeats[n / HeatMap::kLanes];
    if (share_of(map.elements[n]) >= share_of(repeat)) repeat = map.elements[n];
  }
  return repeats;
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

std::string repeats_text(const HeatMap& map, bool with_exceptions) {
  if (map.to_last[1].of == 0) return {};  // no case has two repeats
  const std::span<const Heat> to_last(map.to_last);
  if (std::ranges::none_of(to_last.subspan(1), IsHot(to_last, with_exceptions))) return "the last repeat";
  const auto repeats = by_repeat(map);
  const std::span<const Heat> later = std::span(repeats).subspan(1);
  const IsHot is_hot(repeats, with_exceptions);
  if (std::ranges::none_of(later, is_hot)) return "repeat 0";
  return is_hot(repeats[0]) ? "" : "repeats after repeat 0";
}

/// What the places that differ have in common; `with_exceptions`: most of them.
std::vector<std::string> common_parts(const HeatMap& map, bool with_exceptions) {
  std::vector<std::string> parts;
  const auto lanes = only_range(by_lane(map), with_exceptions);
  if (lanes) parts.push_back(text_of(*lanes));
  // One lane or one data block says the same of the lanes and of their places in the data block.
  if (const auto in_block = only_range(map.in_block, with_exceptions); in_block && !lanes)
    parts.push_back(text_of(*in_block) + " of each data block");
  if (std::string repeats = repeats_text(map, with_exceptions); !repeats.empty())
    parts.push_back(std::move(repeats));
  return parts;
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
  if (map.cases == 0) return {};
  const auto always = common_parts(map, false);
  std::string text;
  for (const std::string& part : common_parts(map, true)) {
    const bool is_always = std::ranges::find(always, part) != always.end();
    text += (text.empty() ? "" : ", ") + std::string(is_always ? "only in " : "almost only in ") + part;
  }
  return text;
}

}  // namespace lanecheck
