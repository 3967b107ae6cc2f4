#include "fuzz/identify/places/move_under_mask.h"

#include "fuzz/identify/gates/masked_off.h"
#include "fuzz/identify/places/move_comparison.h"
#include "fuzz/identify/places/move_differences.h"
#include "fuzz/identify/probes/index_formula.h"
#include "fuzz/identify/probes/intervals.h"
#include "fuzz/identify/probes/move_map.h"
#include "spec/mask/footprint.h"
#include "spec/text/program_text.h"

namespace lanecheck {

std::map<std::int32_t, unsigned> lanes_of_dst(const Subject& subject, const SourceMap& documented) {
  std::map<std::int32_t, unsigned> lanes;
  for (const Item& item : compare_maps(subject, documented, documented).items)
    lanes[item.unit] = item.at.repeat * lanes_of(subject.insn) + item.at.lane;
  return lanes;
}

std::optional<Difference> zeros_where_off(const Subject& subject, const PlaceMaps& measured,
                                          const PlaceMaps& documented, const PlaceMaps& full,
                                          const Ask& ask) {
  const auto &is = measured.sources[0].map, &should = documented.sources[0].map;
  if (!is || !should || !full.sources[0].map) return {};
  const auto lanes = lanes_of_dst(subject, *full.sources[0].map);
  std::vector<unsigned> repeats;
  for (std::size_t n = 0; n < is->sources.size(); ++n) {
    if (is->sources[n] == should->sources[n]) continue;
    const auto lane = lanes.find(is->first + static_cast<std::int32_t>(n));
    if (is->sources[n] != kAlwaysZero || should->sources[n] != kKept || lane == lanes.end()) return {};
    repeats.push_back(lane->second / lanes_of(subject.insn));
  }
  if (repeats.empty()) return {};
  if (auto received = received_difference(subject, ask)) return received;  // that of another source
  Difference difference{MapKind::gate, "", in_repeats(sorted_unique(repeats), repeats_of(subject.insn))};
  say_received(subject, "0", difference);
  return difference;
}

namespace {

/// Do the active lanes read, or write, in a row: active lane k what lane k should?
struct InARow {
  bool read = true, written = true;
};
/// `goes_on`: they are counted from repeat to repeat.
std::optional<InARow> in_a_row(const Subject& subject, const MaskWords& mask, const SourceMap& is,
                               const SourceMap& should, bool goes_on) {
  const unsigned lanes = lanes_of(subject.insn);
  std::map<unsigned, std::int32_t> places;
  for (const auto& [place, lane] : lanes_of_dst(subject, should)) places[lane] = place;
  InARow found;
  unsigned rank = 0;
  for (unsigned repeat = 0; repeat < repeats_of(subject.insn); ++repeat) {
    if (!goes_on) rank = repeat * lanes;
    for (unsigned lane = 0; lane < std::min(lanes, 128U); ++lane) {
      if (!has_slot(mask, lane)) continue;
      const auto own = places.find(repeat * lanes + lane), first = places.find(rank++);
      if (own == places.end() || first == places.end()) return {};
      found.read &= is.at(own->second) == should.at(first->second);
      found.written &= is.at(first->second) == should.at(own->second);
    }
  }
  return found;
}

/// What the lanes take of these operands: "bit" "of control", "offset" "", "elements" "of src0 and src1".
std::pair<std::string, std::string> taken_of(const Subject& subject, const std::vector<unsigned>& operands) {
  const Row& row = row_of(subject.insn.op);
  if (indexed_operand(row)) return {"offset", ""};
  std::string of;
  for (const unsigned k : operands) of += (of.empty() ? " of " : " and ") + std::string(row.operands[k].role);
  return {row.operands[operands[0]].role == "control" ? "bit" : "element", of};
}

}  // namespace

std::optional<Difference> active_lanes_in_a_row(const Subject& subject, const MaskWords& mask,
                                                const PlaceMaps& measured, const PlaceMaps& documented,
                                                const PlaceMaps& full) {
  for (const bool goes_on : {false, true}) {
    std::vector<unsigned> moved;
    InARow all;
    for (unsigned k = 1; k <= measured.sources.size(); ++k) {
      const auto &is = measured.sources[k - 1].map, &should = documented.sources[k - 1].map,
                 &of_full = full.sources[k - 1].map;
      if (!is || !should || !of_full || is->sources == should->sources) continue;
      const auto found = in_a_row(subject, mask, *is, *of_full, goes_on);
      if (!found) return {};
      all.read &= found->read;
      all.written &= found->written;
      moved.push_back(k);
    }
    if (moved.empty()) return {};
    const std::string begin = "the active lanes of " + mnemonic(subject.insn),
                      active =
                          std::string(": active lane k (counted from 0, without the lanes that are off") +
                          (goes_on ? ", on from repeat to repeat) " : ") ");
    if (all.read) {
      const auto [one, of] = taken_of(subject, moved);
      Difference difference{
          MapKind::gate,
          begin + " take the " + one + "s" + of + " in a row" + active + "takes the " + one + " of lane k",
          {}};
      difference.matter = Matter::address;  // the right lanes are written
      return difference;
    }
    if (all.written && !goes_on)
      return Difference{
          MapKind::gate, begin + " are written to the first lanes of dst" + active + "goes to lane k", {}};
  }
  return {};
}

namespace {

/// What may become of the two words of a mask.
struct ChangedWords {
  std::string_view text;
  MaskWords (*of)(MaskWords);
};
constexpr ChangedWords kChangedWords[] = {{"with its two words exchanged",
                                           [](MaskWords mask) {
                                             return MaskWords{mask.low, mask.high};
                                           }},
                                          {"with its low word in place of both",
                                           [](MaskWords mask) {
                                             return MaskWords{mask.low, mask.low};
                                           }},
                                          {"with its high word in place of both",
                                           [](MaskWords mask) {
                                             return MaskWords{mask.high, mask.high};
                                           }},
                                          {"with a high word of 0",
                                           [](MaskWords mask) {
                                             return MaskWords{0, mask.low};
                                           }},
                                          {"with a high word of ones",
                                           [](MaskWords mask) {
                                             return MaskWords{kOnes, mask.low};
                                           }},
                                          {"one slot further", [](MaskWords mask) {
                                             return MaskWords{mask.high << 1 | mask.low >> 63, mask.low << 1};
                                           }}};

/// Do two maps say the same of dst?
bool same_sources(const PlaceMaps& a, const PlaceMaps& b) {
  return a.sources.size() == b.sources.size() &&
         std::ranges::equal(a.sources, b.sources, [](const auto& x, const auto& y) {
           return x.map && y.map && x.map->first == y.map->first && x.map->sources == y.map->sources;
         });
}

}  // namespace

std::optional<Difference> with_other_words(const Subject& subject, const Ask& ask) {
  const MaskWords full = full_mask(subject);
  std::vector<std::pair<MaskWords, PlaceMaps>> seen;
  for (const MaskWords& mask :
       {kGappedMask, MaskWords{~kGappedMask.high, ~kGappedMask.low}, MaskWords{kOnes, 0xff}}) {
    const MaskWords words{mask.high & full.high, mask.low & full.low};
    seen.emplace_back(words, measure_moves(subject, words, ask));
  }
  for (const ChangedWords& change : kChangedWords) {
    const bool gives = std::ranges::all_of(seen, [&](const auto& each) {
      const MaskWords words = change.of(each.first);
      return same_sources(
          each.second, measure_moves(subject, {words.high & full.high, words.low & full.low}, ask_oracle()));
    });
    if (!gives) continue;
    const bool own = has_form(mask_forms(row_of(subject.insn.op), subject.profile), MaskFrom::bitwise);
    return Difference{MapKind::gate,
                      mnemonic(subject.insn) + " takes " +
                          (own ? "a bitwise mask of its own " : "the mask ") + std::string(change.text),
                      {}};
  }
  return {};
}

std::vector<Difference> example_under_mask(const Subject& subject, const PlaceMaps& measured,
                                           const PlaceMaps& documented) {
  for (std::size_t n = 0; n < measured.sources.size(); ++n) {
    if (!measured.sources[n].map || !documented.sources[n].map) continue;
    const auto items = compare_maps(subject, *measured.sources[n].map, *documented.sources[n].map).items;
    for (const Item& item : items)
      if (item.actual != item.expected) {
        Difference example{MapKind::gate,
                           mnemonic(subject.insn) +
                               " gives other results under a mask that is not full, for example in lane " +
                               std::to_string(item.at.lane) + " of repeat " + std::to_string(item.at.repeat),
                           {},
                           true};
        example.matter = Matter::unexplained;
        return {example};
      }
  }
  auto list = move_differences(subject, measured, documented);
  for (Difference& each : list) each.what += ", under a mask that is not full";
  return list;
}

}  // namespace lanecheck
