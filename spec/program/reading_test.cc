// Readings: how a choice is pinned, what a wrong pin is told, and which choices differ from the defaults.
#include "spec/program/reading.h"

#include <gtest/gtest.h>

#include <set>

#include "spec/program/input_error.h"
#include "spec/program/profile.h"

namespace lanecheck {
namespace {

using Departures = std::vector<std::pair<std::string_view, std::string_view>>;

std::string complaint(std::string_view setting) {
  Readings readings;
  try {
    pin(readings, setting);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no complaint";
}

TEST(Pin, SetsOneReadingByItsNames) {
  Readings readings;
  pin(readings, "sum_order=sequential");
  Readings expected;
  expected.sum_order = SumOrder::sequential;
  EXPECT_EQ(readings, expected);
  pin(readings, "sum_order=any");
  EXPECT_EQ(readings, Readings{});
}

TEST(Pin, AnUnknownReadingIsToldWhichOnesThereAre) {
  const std::string text = complaint("sum_ordre=any");
  EXPECT_TRUE(text.starts_with("'sum_ordre=any': ")) << text;
  for (const Reading& reading : readings())
    EXPECT_NE(text.find(" " + std::string(reading.id)), std::string::npos) << reading.id;
}

TEST(Pin, AnUnknownOptionIsToldWhichOnesThereAre) {
  for (const std::string_view setting : {"empty_pair=zero", "empty_pair=", "empty_pair"}) {
    const std::string text = complaint(setting);
    EXPECT_TRUE(text.starts_with("'" + std::string(setting) + "': ")) << text;
    EXPECT_NE(text.find("empty_pair=OPTION"), std::string::npos) << text;
    EXPECT_NE(text.find(" writes_zero keeps_dst"), std::string::npos) << text;
  }
}

TEST(Pin, AWrongPinChangesNothing) {
  Readings readings;
  EXPECT_THROW(pin(readings, "empty_pair=zero"), InputError);
  EXPECT_EQ(readings, Readings{});
}

TEST(Readings, HaveIdsOfTheirOwnAndAtLeastTwoOptions) {
  std::set<std::string_view> ids;
  for (const Reading& reading : readings()) {
    EXPECT_TRUE(ids.insert(reading.id).second) << reading.id;
    EXPECT_GE(reading.options.size(), 2u) << reading.id;
    EXPECT_EQ(find_reading(reading.id), &reading);
  }
  EXPECT_EQ(find_reading("sum"), nullptr);
}

TEST(Readings, EachOptionOfEachReadingIsPinnedReadBackAndTheOnlyDeparture) {
  for (const Reading& reading : readings())
    for (unsigned option = 0; option < reading.options.size(); ++option) {
      const std::string_view name = reading.options[option].name;
      Readings pinned;
      pin(pinned, std::string(reading.id) + "=" + std::string(name));
      EXPECT_EQ(reading.get(pinned), option) << reading.id;
      const Departures expected = option == 0 ? Departures{} : Departures{{reading.id, name}};
      EXPECT_EQ(departures(pinned), expected) << reading.id;
    }
}

TEST(Departures, OfAProfileAreCountedFromItsOwnDefaults) {
  const Readings a2 = default_readings(Profile::a2);
  EXPECT_TRUE(departures(a2, a2).empty());
  Readings changed = a2;
  changed.empty_pair = EmptyPair::writes_zero;  // the default of vmc
  EXPECT_EQ(departures(changed, a2), (Departures{{"empty_pair", "writes_zero"}}));
}

}  // namespace
}  // namespace lanecheck
