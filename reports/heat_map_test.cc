// The heat map counts each place once a case, and says what the places that differ have in common.
#include "reports/heat_map.h"

#include <gtest/gtest.h>

#include <functional>

namespace lanecheck {
namespace {

using Differs = std::function<bool(const Place&)>;

/// A case of an instruction with `repeats` full repeats of `lanes` lanes, 8 in each data block per 64 lanes.
void add_case(HeatMap& map, unsigned repeats, unsigned lanes, const Differs& differs) {
  CasePlaces places;
  for (unsigned repeat = 0; repeat < repeats; ++repeat)
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const Place place{repeat, repeats, lane, lane % (lanes / 8)};
      places.add(place, differs(place));
    }
  map.count(places);
}

/// One case each of 1, 2 and 5 repeats, with 64 and with 128 lanes.
HeatMap map_of(const Differs& differs) {
  HeatMap map;
  for (const unsigned lanes : {64u, 128u})
    for (const unsigned repeats : {1u, 2u, 5u}) add_case(map, repeats, lanes, differs);
  return map;
}

TEST(HeatMap, CountsForEachPlaceTheCasesThatHaveItAndThoseInWhichItDiffers) {
  const HeatMap map = map_of([](const Place& place) { return place.repeat == 1 && place.lane >= 60; });
  EXPECT_EQ(map.cases, 6u);
  EXPECT_EQ(map.lanes(), 128u);
  EXPECT_EQ(map.at(0, 63), (Heat{0, 6}));
  EXPECT_EQ(map.at(1, 59), (Heat{0, 4}));
  EXPECT_EQ(map.at(1, 60), (Heat{4, 4}));
  EXPECT_EQ(map.at(1, 64), (Heat{2, 2}));
  EXPECT_EQ(map.at(4, 127), (Heat{0, 1}));
  EXPECT_EQ(map.at(5, 0), (Heat{0, 0}));
  EXPECT_EQ(map.to_last[0], (Heat{2, 6})) << "repeat 1 is the last one of two";
  EXPECT_EQ(map.to_last[3], (Heat{2, 2})) << "and the third from the end of five";
  EXPECT_EQ(map.in_block[7], (Heat{4, 6}));
  EXPECT_EQ(map.in_block[15], (Heat{2, 3})) << "only data blocks of 16 lanes have it";
}

TEST(HeatMap, LateRepeatsShareOnePlace) {
  HeatMap map;
  add_case(map, 200, 256, [](const Place& place) { return place.repeat == 150 && place.lane == 255; });
  EXPECT_EQ(map.at(16, 255), (Heat{1, 1}));
  EXPECT_EQ(map.at(15, 255), (Heat{0, 1}));
  EXPECT_EQ(map.to_last[16], (Heat{1, 1}));
}

TEST(HeatMap, SaysWhatThePlacesHaveInCommon) {
  const auto said = [](const Differs& differs) { return common_places(map_of(differs)); };
  EXPECT_EQ(said([](const Place& place) { return place.lane >= 64; }), "only in lanes 64 to 127");
  EXPECT_EQ(said([](const Place& place) { return place.lane == 3; }), "only in lane 3");
  EXPECT_EQ(said([](const Place& place) { return place.repeat + 1 == place.repeats; }),
            "only in the last repeat");
  EXPECT_EQ(said([](const Place& place) { return place.in_block == 0; }),
            "only in lane 0 of each data block");
  EXPECT_EQ(said([](const Place& place) { return place.repeat == 0; }), "only in repeat 0");
  EXPECT_EQ(said([](const Place& place) { return place.repeat > 0; }), "only in repeats after repeat 0");
  EXPECT_EQ(said([](const Place& place) { return place.lane < 8 && place.repeat == 0; }),
            "only in lanes 0 to 7, only in repeat 0");
}

TEST(HeatMap, FewExceptionsAreAlmostOnly) {
  const auto said = [](unsigned exceptions) {
    HeatMap map;
    for (unsigned n = 0; n < 200; ++n)
      add_case(map, 3, 64, [&](const Place& place) { return place.repeat == 2 || n < exceptions; });
    return common_places(map);
  };
  EXPECT_EQ(said(0), "only in the last repeat");
  EXPECT_EQ(said(4), "almost only in the last repeat");
  EXPECT_EQ(said(5), "");
}

TEST(HeatMap, SaysNothingOfWhatCannotBeOtherwise) {
  const auto all = [](const Place&) { return true; };
  EXPECT_EQ(common_places(HeatMap{}), "");
  EXPECT_EQ(common_places(map_of(all)), "");
  EXPECT_EQ(common_places(map_of([](const Place& place) { return place.lane % 3 == 0; })), "");
  HeatMap one_repeat;
  add_case(one_repeat, 1, 64, all);
  EXPECT_EQ(common_places(one_repeat), "") << "no other repeat shows that the last one is special";
}

TEST(HeatMap, CountsSlotsOfTheMaskApart) {
  HeatMap map;
  Mask other = kFullMask;
  map.count_mask(kFullMask, other);
  EXPECT_TRUE(map.empty());
  other[64] = 0;
  map.count_mask(kFullMask, other);
  EXPECT_EQ(map.mask_cases, 1u);
  EXPECT_EQ(map.slots[64], 1u);
  EXPECT_EQ(map.slots[63], 0u);
  EXPECT_EQ(map.cases, 0u);
}

}  // namespace
}  // namespace lanecheck
