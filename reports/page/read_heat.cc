#include "reports/page/read_heat.h"

#include <limits>
#include <span>

#include "spec/text/number.h"

namespace lanecheck::page {
namespace {

/// The numbers of a text such as "0 x64, 12", at most `most` of them.
std::vector<std::uint64_t> read_runs(JsonObject& object, std::string_view field, std::size_t most) {
  const std::string text = object.text(field);
  std::string_view rest = text;
  std::vector<std::uint64_t> numbers;
  while (!rest.empty()) {
    const std::string_view run = rest.substr(0, rest.find(", "));
    rest.remove_prefix(std::min(run.size() + 2, rest.size()));
    const auto times = run.find(" x");
    const auto number = parse_unsigned(run.substr(0, times));
    const auto count = times == std::string_view::npos ? std::optional<std::uint64_t>(1)
                                                       : parse_unsigned(run.substr(times + 2));
    if (!number || !count || *count > most - numbers.size())
      object.wrong(field, "expected at most " + std::to_string(most) + " numbers, such as \"0 x64, 12\"");
    numbers.insert(numbers.end(), *count, *number);
  }
  return numbers;
}

void read_places(JsonObject object, std::span<Heat> places) {
  const auto differs = read_runs(object, "differs", places.size()),
             of = read_runs(object, "of", places.size());
  if (differs.size() != of.size()) object.wrong("differs", "is not as long as \"of\"");
  for (std::size_t n = 0; n < of.size(); ++n) {
    if (differs[n] > of[n]) object.wrong("differs", "counts more cases than \"of\"");
    places[n] = {differs[n], of[n]};
  }
}

}  // namespace

HeatMap read_heat(JsonObject heat) {
  constexpr auto kAny = std::numeric_limits<std::uint64_t>::max();
  HeatMap map;
  map.cases = heat.number("cases", kAny);
  map.mask_cases = heat.number("mask_cases", kAny);
  map.elements.resize(std::size_t{HeatMap::kRepeats} * HeatMap::kLanes);
  std::size_t from = 0;
  for (JsonObject& repeat : heat.objects("repeats")) {
    if (from == map.elements.size()) heat.wrong("repeats", "has more than 17 rows");
    read_places(std::move(repeat), std::span(map.elements).subspan(from, HeatMap::kLanes));
    from += HeatMap::kLanes;
  }
  read_places(heat.object("to_last"), map.to_last);
  read_places(heat.object("in_block"), map.in_block);
  map.slots = read_runs(heat, "slots", kMaskSlots);
  return map;
}

}  // namespace lanecheck::page
