#include "fuzz/identify/places/place_differences.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "fuzz/identify/places/lane_formula.h"
#include "fuzz/identify/places/later_repeats.h"
#include "fuzz/identify/places/measured_strides.h"
#include "fuzz/identify/places/misread.h"
#include "fuzz/identify/places/partial_strides.h"
#include "fuzz/identify/probes/index_formula.h"
#include "fuzz/identify/probes/intervals.h"
#include "fuzz/identify/probes/narrower_type.h"
#include "fuzz/identify/probes/place_map.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// Which lane writes each element of dst last, by the documents.
std::unordered_map<std::int32_t, Lane> owners(const Instruction& insn) {
  std::unordered_map<std::int32_t, Lane> owner;
  for (unsigned r = 0; r < repeats_of(insn); ++r)
    for (unsigned lane = 0; lane < lanes_of(insn); ++lane)
      owner.insert_or_assign(element_at(insn, 0, r, lane), Lane{r, lane});
  return owner;
}

/// The places that the documents write and the backend does not, and the other way round.
struct WrittenDifference {
  std::vector<Lane> missing;
  std::vector<std::int32_t> extra;
  std::size_t written = 0;  ///< by the documents
};

WrittenDifference written_difference(const Subject& subject, const DestinationMap& measured,
                                     const DestinationMap& documented) {
  WrittenDifference difference;
  const auto owner = owners(subject.insn);
  for (std::size_t n = 0; n < documented.written.size(); ++n) {
    const std::int32_t element = documented.first + static_cast<std::int32_t>(n);
    difference.written += documented.written[n] ? 1 : 0;
    if (documented.written[n] && !measured.written[n]) difference.missing.push_back(owner.at(element));
    if (measured.written[n] && !documented.written[n]) difference.extra.push_back(element);
  }
  return difference;
}

/// Do the written elements of dst, as far as the documents write them, hold the documented elements?
bool has_right_sources(const Subject& subject, const PlaceMaps& measured, const PlaceMaps& documented) {
  for (std::size_t n = 0; n < measured.sources.size(); ++n)
    if (measured.sources[n].map && documented.sources[n].map)
      for (const auto& [element, at] : owners(subject.insn)) {
        const std::int32_t actual = measured.sources[n].map->at(element);
        if (actual != kKept && actual != documented.sources[n].map->at(element)) return false;
      }
  return true;
}

/// Are the sources those of an instruction with `repeats` repeats of `lanes` lanes?
bool are_sources_of(const Subject& subject, const PlaceMaps& measured, unsigned repeats, unsigned lanes) {
  for (const auto& source : measured.sources) {
    if (!source.map) continue;
    std::unordered_map<std::int32_t, std::int32_t> expected;
    for (unsigned r = 0; r < repeats; ++r)
      for (unsigned lane = 0; lane < lanes; ++lane)
        expected.insert_or_assign(element_at(subject.insn, 0, r, lane),
                                  element_at(subject.insn, source.map->operand, r, lane));
    for (const auto& [element, from] : expected)
      if (const std::int32_t actual = source.map->at(element); actual != from && actual != kNoElement)
        return false;
  }
  return true;
}

/// Are `lanes` all the lanes of these repeats?
bool are_whole_repeats(const Subject& subject, const std::vector<Lane>& lanes, const Numbers& repeats) {
  const auto owner = owners(subject.insn);
  const auto owned = std::ranges::count_if(
      owner, [&](const auto& each) { return std::ranges::binary_search(repeats, each.second.repeat); });
  return static_cast<std::size_t>(owned) == lanes.size();
}

/// `elsewhere`: bytes outside of dst that the backend changes. They may be the missing lanes.
Difference missing_difference(const Subject& subject, const std::vector<Lane>& missing,
                              std::size_t elsewhere) {
  Numbers repeats, lanes;
  for (const Lane& each : missing) {
    repeats.push_back(each.repeat);
    lanes.push_back(each.lane);
  }
  repeats = sorted_unique(repeats);
  lanes = sorted_unique(lanes);
  const unsigned count = repeats_of(subject.insn);
  const std::string name = mnemonic(subject.insn);
  Difference difference{MapKind::dst, "", {}};
  difference.law = GateLaw{repeat_law(repeats, count),
                           [lanes](unsigned, unsigned lane, const MaskWords&) -> std::optional<bool> {
                             if (std::ranges::binary_search(lanes, lane)) return false;
                             return {};
                           }};
  difference.of_repeats = are_whole_repeats(subject, missing, repeats);
  if (elsewhere > 0) {
    difference = {MapKind::dst,
                  lanes_with_verb(subject, lanes, "is", "are") + " not written at the documented places",
                  in_repeats(repeats, count)};
  } else if (!difference.of_repeats) {
    difference.what = lanes_with_verb(subject, lanes, "is", "are") + " never written";
    difference.gates = GateKind::never;
    difference.lanes = lanes;
    difference.where = in_repeats(repeats, count);
  } else if (repeats.size() == count) {
    difference.what = name + " writes nothing under a full mask";
  } else if (repeats.size() == 1 && repeats[0] + 1 == count) {
    difference.what = "the last repeat of " + name + " is left out";
  } else {
    difference.what = name + " writes nothing";
    difference.where = in_repeats(repeats, count);
  }
  return difference;
}

/// Where `repeats` repeats of `lanes` lanes write, without the documented places.
std::vector<std::int32_t> extra_places(const Instruction& insn, unsigned repeats, unsigned lanes) {
  std::vector<std::int32_t> places, documented;
  for (unsigned r = 0; r < repeats; ++r)
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const bool known = r < repeats_of(insn) && lane < lanes_of(insn);
      (known ? documented : places).push_back(element_at(insn, 0, r, lane));
    }
  std::ranges::sort(documented);
  std::erase_if(places, [&](std::int32_t each) { return std::ranges::binary_search(documented, each); });
  std::ranges::sort(places);
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

/// What the gate map says about lanes that are not written under a full mask: do the probes of the gate show
/// that they can be written at all?
bool can_be_written(const std::optional<GateMap>& gates, const Lane& lane) {
  return gates && gates->at(lane.repeat, lane.lane).kind != GateKind::never;
}

/// Where each lane of the documents was found in the measured dst, if every source element belongs to one
/// lane.
std::vector<Found> found_in_dst(const Subject& subject, const PlaceMaps& measured) {
  std::vector<Found> found;
  const Instruction& insn = subject.insn;
  for (const auto& source : measured.sources) {
    if (!source.map) continue;
    std::unordered_map<std::int32_t, Lane> reader;
    for (unsigned r = 0; r < repeats_of(insn); ++r)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane)
        reader.insert_or_assign(element_at(insn, source.map->operand, r, lane), Lane{r, lane});
    if (reader.size() != std::size_t{repeats_of(insn)} * lanes_of(insn)) continue;
    for (std::size_t n = 0; n < source.map->sources.size(); ++n)
      if (const auto at = reader.find(source.map->sources[n]); at != reader.end())
        found.push_back(
            {at->second.repeat, at->second.lane, source.map->first + static_cast<std::int32_t>(n)});
    return found;
  }
  return found;
}

/// "dst of add.f16 walks with block stride 1 instead of 2", and what it says of other programs.
Difference with_strides(const Subject& subject, unsigned k, const WrongStrides& strides) {
  Difference difference{map_of_role(bare_role(subject, k)), role_of(subject, k) + " " + strides.text, {}};
  difference.places = strides.law;
  return difference;
}

/// Is every place written over which dst walks with these strides, and no other one?
bool are_all_places(const Instruction& insn, const DestinationMap& measured, const WrongStrides& strides) {
  std::unordered_set<std::int64_t> places;
  for (unsigned r = 0; r < repeats_of(insn); ++r)
    for (unsigned lane = 0; lane < lanes_of(insn); ++lane)
      places.insert(strides.element(r, lane, per_block(insn.dst_type)));
  return std::ranges::count(measured.written, true) == static_cast<std::ptrdiff_t>(places.size()) &&
         std::ranges::all_of(
             places, [&](std::int64_t place) { return measured.writes(static_cast<std::int32_t>(place)); });
}

Difference moved_difference(const Subject& subject, const PlaceMaps& measured,
                            const WrittenDifference& difference) {
  const auto found = found_in_dst(subject, measured);
  if (const auto strides = measured_strides(subject.insn, 0, found);
      strides && are_all_places(subject.insn, *measured.destination.map, *strides))
    return with_strides(subject, 0, *strides);
  if (const auto strides = written_strides(subject, *measured.destination.map))
    return with_strides(subject, 0, *strides);
  const auto written = std::ranges::count(measured.destination.map->written, true);
  if (static_cast<std::ptrdiff_t>(found.size()) == written)  // each place that is written is explained
    for (const auto& law : {partial_strides(subject.insn, 0, found), moved_lanes(subject, found)})
      if (law) return *law;
  return {MapKind::dst,
          mnemonic(subject.insn) + " writes other places than documented: " +
              std::to_string(difference.missing.size()) + " places of dst are missing and " +
              std::to_string(difference.extra.size()) + " others are written",
          {}};
}

/// Each repeat has `more` lanes than it should have.
Difference more_lanes(const Instruction& insn, unsigned more) {
  const bool by_narrower = size_of(insn.dst_type) != size_of(insn.src_type) &&
                           more == lanes_of_narrower_type(insn) && row_of(insn.op).operands.size() == 2;
  Difference difference{MapKind::dst, mnemonic(insn), {}};
  difference.of_lane_count = true;
  if (!by_narrower) {
    difference.what += " works on " + std::to_string(more) + " lanes in each repeat instead of " +
                       std::to_string(lanes_of(insn));
    return difference;
  }
  difference.what += " " + counts_lanes_by_narrower_type(insn);
  difference.key = "length: " + std::string(kLanesByNarrowerTypeKey);  // as a count shows it
  return difference;
}

/// More elements are written than documented, and none is missing. More repeats or lanes explain it only if
/// the documented elements are right. Where repeats of dst overlap, another stride looks like more lanes.
Difference extra_difference(const Subject& subject, const PlaceMaps& measured, const PlaceMaps& documented,
                            const std::vector<std::int32_t>& extra) {
  const Instruction& insn = subject.insn;
  const std::string name = mnemonic(insn);
  const unsigned repeats = repeats_of(insn), lanes = lanes_of(insn), per = per_block(insn.dst_type);
  Difference difference{MapKind::dst, "", {}};
  if (repeats == 0) return repeat_at_0(insn);
  if (const auto strides = measured_strides(insn, 0, found_in_dst(subject, measured)))
    return with_strides(subject, 0, *strides);
  if (has_right_sources(subject, measured, documented)) {
    if (extra == extra_places(insn, repeats + 1, lanes) &&
        are_sources_of(subject, measured, repeats + 1, lanes)) {
      difference.what = name + " performs one repeat more than its repeat times";
      difference.places = with_one_repeat_more;
      difference.of_repeats = true;
      return difference;
    }
    const bool apart = repeats == 1 || insn.operands[0].repeat_stride * per >= lanes;
    for (unsigned more = lanes + 1; apart && more <= 2 * lanes; more += more < lanes + per ? 1 : per)
      if (extra == extra_places(insn, repeats, more) && are_sources_of(subject, measured, repeats, more))
        return more_lanes(insn, more);
  }
  if (const auto walked = written_strides(subject, *measured.destination.map))
    return with_strides(subject, 0, *walked);
  const auto [least, most] = std::ranges::minmax(extra);
  difference.what = name + " writes " + std::to_string(extra.size()) +
                    (extra.size() == 1 ? " element" : " elements") +
                    " that it must not write, between element " + std::to_string(least) + " and element " +
                    std::to_string(most) + " of dst";
  return difference;
}

Difference source_difference(const Subject& subject, unsigned k, const std::vector<Found>& found,
                             const std::vector<Misread>& wrong) {
  if (auto text = by_order(subject, k, wrong)) return *text;
  if (const auto strides = measured_strides(subject.insn, k, found))
    return with_strides(subject, k, *strides);
  if (auto text = by_lanes(subject, k, wrong)) return *text;
  if (auto partial = partial_strides(subject.insn, k, found)) return *partial;
  const Misread& first = wrong[0];
  Numbers lanes, repeats;
  std::vector<Found> misread;
  for (const Misread& each : wrong) {
    lanes.push_back(each.at.lane);
    repeats.push_back(each.at.repeat);
    misread.push_back({each.at.repeat, each.at.lane, each.actual});
  }
  if (auto formula = misread_lanes(subject, k, misread)) return *formula;
  return {map_of_role(bare_role(subject, k)),
          lanes_with_verb(subject, lanes, "is", "are") + " computed from other elements of " +
              bare_role(subject, k) + ", for example lane " + std::to_string(first.at.lane) + " of repeat " +
              std::to_string(first.at.repeat) + " from element " + std::to_string(first.actual) +
              " instead of " + std::to_string(first.expected),
          in_repeats(sorted_unique(repeats), repeats_of(subject.insn)), true};
}

/// Compares one source map where both sides write; adds a sentence if its places differ.
void compare_sources(const Subject& subject, const SourceMap& measured, const SourceMap& documented,
                     PlaceDifferences& differences) {
  if (measured.other_function) return;  // a matter of values, not of places
  std::vector<Found> found;
  std::vector<Misread> wrong;
  std::vector<Lane> unknown;
  for (const auto& [element, at] : owners(subject.insn)) {
    const std::int32_t actual = measured.at(element), expected = documented.at(element);
    if (actual == kKept || expected == kKept || expected == kNoElement) continue;
    if (actual == kNoElement)
      unknown.push_back(at);
    else
      found.push_back({at.repeat, at.lane, actual});
    if (actual != kNoElement && actual != expected) wrong.push_back({at, element, actual, expected});
  }
  const auto order = [](const auto& each) { return each.repeat * 1000 + each.lane; };
  std::ranges::sort(found, {}, order);
  std::ranges::sort(wrong, {}, [&](const Misread& each) { return order(each.at); });
  if (!unknown.empty()) {  // other lanes may hold an element's value by chance
    const std::string role = bare_role(subject, measured.operand);
    const std::string said = "leaves values that no single element of " + role + " explains";
    differences.list.push_back({map_of_role(role),
                                mnemonic(subject.insn) + " " + said + ", for example in lane " +
                                    std::to_string(unknown.front().lane) + " of repeat " +
                                    std::to_string(unknown.front().repeat),
                                {},
                                true});
    differences.list.back().matter = Matter::unexplained;
    differences.list.back().general = said;
  }
  if (!wrong.empty()) differences.list.push_back(source_difference(subject, measured.operand, found, wrong));
}

/// True if the written places are those of the documents, or only some are missing.
bool compare_destinations(const Subject& subject, const PlaceMaps& measured, const PlaceMaps& documented,
                          const std::optional<GateMap>& gates, PlaceDifferences& differences) {
  WrittenDifference difference =
      written_difference(subject, *measured.destination.map, *documented.destination.map);
  if (!difference.missing.empty() && !difference.extra.empty()) {
    differences.list.push_back(moved_difference(subject, measured, difference));
    differences.lost.assign(differences.lost.size(), true);
    return false;
  }
  if (!difference.extra.empty()) {
    differences.list.push_back(extra_difference(subject, measured, documented, difference.extra));
    differences.lost.assign(differences.lost.size(), true);
  }
  std::erase_if(difference.missing, [&](const Lane& lane) { return can_be_written(gates, lane); });
  if (difference.missing.empty()) return true;
  const bool few = difference.missing.size() * 2 >= difference.written;
  if (repeats_of(subject.insn) > 1 && (few || !has_right_sources(subject, measured, documented)))
    if (const auto strides = written_strides(subject, *measured.destination.map)) {
      differences.list.push_back(with_strides(subject, 0, *strides));
      differences.lost.assign(differences.lost.size(), true);
      return false;
    }
  differences.list.push_back(
      missing_difference(subject, difference.missing, measured.destination.map->elsewhere));
  for (const Lane& each : difference.missing)
    differences.lost[each.repeat * lanes_of(subject.insn) + each.lane] = true;
  return true;
}

}  // namespace

Difference repeat_at_0(const Instruction& insn) {
  const std::string what = " performs a repeat although its repeat times are 0";
  Difference difference{MapKind::dst, mnemonic(insn) + what, {}};
  difference.key = "dst:" + what;
  difference.places = once_if_repeat_is_0;
  difference.of_repeats = true;
  return difference;
}

PlaceDifferences place_differences(const Subject& subject, const PlaceMaps& measured,
                                   const PlaceMaps& documented, const std::optional<GateMap>& gates) {
  PlaceDifferences differences;
  differences.lost.assign(std::size_t{repeats_of(subject.insn)} * lanes_of(subject.insn), false);
  if (!measured.destination.map || !documented.destination.map) return differences;
  if (measured.destination.map->written != documented.destination.map->written)
    if (auto later = later_repeats_moved(subject, measured, documented)) {
      differences.list.push_back(std::move(*later));
      differences.lost.assign(differences.lost.size(), true);
      return differences;
    }
  if (!compare_destinations(subject, measured, documented, gates, differences)) return differences;
  for (std::size_t n = 0; n < measured.sources.size(); ++n)
    if (measured.sources[n].map && documented.sources[n].map)
      compare_sources(subject, *measured.sources[n].map, *documented.sources[n].map, differences);
  name_both_sources(subject, differences.list);
  if (const std::size_t bytes = measured.destination.map->elsewhere; bytes > 0)
    differences.list.push_back(
        {MapKind::elsewhere,
         mnemonic(subject.insn) + " changes " + std::to_string(bytes) + " bytes outside of dst",
         {}});
  return differences;
}

}  // namespace lanecheck
