#include "fuzz/identify/reductions/repeated_elements.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "fuzz/identify/gates/gate_differences.h"
#include "fuzz/identify/gates/moving_mask.h"
#include "fuzz/identify/probes/intervals.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

using Elements = std::vector<ElementGate>;

/// What elements with one fault have in common: the kind of their gate, and how far the slot is from the
/// lane.
using Key = std::tuple<GateKind, unsigned>;

Key key_of(const ElementGate& element) {
  const bool by_slot = element.gate.kind == GateKind::slot || element.gate.kind == GateKind::inverted;
  return {element.gate.kind, by_slot ? (element.gate.slot + 128 - element.lane) % 128 : 0};
}

/// The plainest choice of repeats outside of which no element has this key, and in which each of these lanes
/// always has it. One in which all lanes have it is better.
std::optional<RepeatLaw> repeats_of_key(const Elements& seen, const Key& key, unsigned repeats) {
  std::vector<unsigned> in, lanes;
  for (const ElementGate& each : seen)
    if (key_of(each) == key) {
      in.push_back(each.repeat);
      lanes.push_back(each.lane);
    }
  in = sorted_unique(in);
  lanes = sorted_unique(lanes);
  using Kind = RepeatLaw::Kind;
  std::optional<RepeatLaw> some_lanes;
  for (const RepeatLaw& law :
       {RepeatLaw{Kind::all}, RepeatLaw{Kind::first}, RepeatLaw{Kind::last}, RepeatLaw{Kind::from, in[0]},
        RepeatLaw{Kind::even}, RepeatLaw{Kind::odd}, RepeatLaw{Kind::listed, 0, in}}) {
    const bool fits = std::ranges::all_of(seen, [&](const ElementGate& each) {
      if (key_of(each) == key) return law.holds(each.repeat, repeats);
      return !law.holds(each.repeat, repeats) || !std::ranges::binary_search(lanes, each.lane);
    });
    const bool all_lanes = std::ranges::all_of(seen, [&](const ElementGate& each) {
      return key_of(each) == key || !law.holds(each.repeat, repeats);
    });
    if (fits && all_lanes) return law;
    if (fits && !some_lanes) some_lanes = law;
  }
  return some_lanes;
}

/// The lanes that have this key in the repeats of `law`: all of them if no other gate was seen there.
std::vector<unsigned> lanes_of_key(const Elements& seen, const Key& key, const RepeatLaw& law,
                                   unsigned repeats, unsigned count) {
  std::vector<unsigned> lanes;
  bool others = false;
  for (const ElementGate& each : seen) {
    if (key_of(each) == key)
      lanes.push_back(each.lane);
    else
      others |= law.holds(each.repeat, repeats);
  }
  if (others) return sorted_unique(lanes);
  lanes.clear();
  for (unsigned lane = 0; lane < count; ++lane) lanes.push_back(lane);
  return lanes;
}

/// The documented gates of one repeat, except that `lanes` have this key.
GateMap with_key(const GateMap& documented, const Key& key, const std::vector<unsigned>& lanes) {
  GateMap map = documented;
  for (const unsigned lane : lanes) {
    const auto [kind, shift] = key;
    const bool by_slot = kind == GateKind::slot || kind == GateKind::inverted;
    map.gates[lane] = {kind, static_cast<std::uint8_t>(by_slot ? (lane + shift) % 128 : 0)};
  }
  return map;
}

Difference example(const Subject& subject, const ElementGate& element) {
  return {MapKind::gate,
          "which slots make the elements of " + mnemonic(subject.insn) +
              " count is not the same in all repeats: for example lane " + std::to_string(element.lane) +
              " of repeat " + std::to_string(element.repeat) + " does not follow its own slot",
          {},
          true};
}

}  // namespace

std::vector<Difference> repeated_differences(const Subject& subject, const std::vector<ElementGate>& seen,
                                             unsigned repeats, const GateMap& documented) {
  std::map<Key, const ElementGate*> wrong;
  for (const ElementGate& each : seen)
    if (!(each.gate == documented.at(0, each.lane))) wrong.try_emplace(key_of(each), &each);
  if (wrong.size() > 1)  // several sentences, or one law
    if (auto law = moving_mask(subject, seen)) return {*std::move(law)};
  std::vector<Difference> list;
  for (const auto& [key, element] : wrong) {
    const auto law = repeats_of_key(seen, key, repeats);
    if (!law || std::get<0>(key) == GateKind::several) return {example(subject, *element)};
    const GateMap map = with_key(documented, key, lanes_of_key(seen, key, *law, repeats, documented.lanes));
    for (Difference& difference :
         gate_differences(subject, map, documented, std::vector<bool>(documented.gates.size()))) {
      difference.where = law->text();
      if (difference.law) difference.law->repeats = *law;
      list.push_back(std::move(difference));
    }
  }
  return list;
}

}  // namespace lanecheck
