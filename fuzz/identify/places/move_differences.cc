#include "fuzz/identify/places/move_differences.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "fuzz/identify/places/later_repeats.h"
#include "fuzz/identify/places/measured_strides.h"
#include "fuzz/identify/places/move_comparison.h"
#include "fuzz/identify/places/move_sources.h"
#include "fuzz/identify/places/partial_strides.h"
#include "fuzz/identify/places/place_differences.h"
#include "fuzz/identify/probes/index_formula.h"
#include "fuzz/identify/probes/intervals.h"
#include "fuzz/identify/probes/move_map.h"
#include "spec/mask/footprint.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// "data block 7 of each repeat", if the lanes are those of whole data blocks of dst, and not all of them.
std::optional<std::string> as_blocks(const MoveComparison& all, const Where& at) {
  const Instruction& insn = all.insn();
  if (row_of(insn.op).operands[0].walk != Walk::blocks) return {};
  const unsigned per = per_block(insn.dst_type);
  Numbers blocks;
  for (const unsigned lane : at.lanes)
    if (lane % per == 0) blocks.push_back(lane / per);
  if (blocks.empty() || blocks.size() == kRepeatBlocks || blocks.size() * per != at.lanes.size()) return {};
  for (const unsigned lane : at.lanes)
    if (!std::ranges::binary_search(blocks, lane / per)) return {};
  return counted_noun("data block", blocks) + " of " + all.name() + (blocks.size() == 1 ? " is" : " are");
}

/// The lanes from which these results are computed, `size` of them for each result.
Numbers lanes_of_results(const Numbers& results, unsigned size) {
  Numbers lanes;
  for (const unsigned result : results)
    for (unsigned n = 0; n < size; ++n) lanes.push_back(result * size + n);
  return lanes;
}

/// The masks of the probes leave the slots behind the lanes of a repeat at 0. The register may have them at
/// 1, and nobody knows whether they matter.
std::string under_masks(const Subject& subject) {
  constexpr unsigned kSlots = 128;  // of two words
  const Row& row = row_of(subject.insn.op);
  const bool gates =
      row.mask == MaskUse::gates_writeback || has_form(mask_forms(row, subject.profile), MaskFrom::bitwise);
  const unsigned lanes = lanes_of(subject.insn);
  return gates && lanes < kSlots ? " under masks that are 0 from slot " + std::to_string(lanes) + " on" : "";
}

Difference missing(const MoveComparison& all, const std::vector<Item>& some) {
  const Where at = where(all, some);
  const unsigned count = repeats_of(all.insn());
  if (some.size() == all.items.size()) return {MapKind::dst, all.name() + " writes nothing", {}};
  if (at.whole_repeats) {
    const bool last = at.repeats.size() == 1 && at.repeats[0] + 1 == count;
    const RepeatLaw law = repeat_law(at.repeats, count);
    if (!last && law.kind != RepeatLaw::Kind::listed) {
      Difference nothing{MapKind::dst, all.name() + " writes nothing" + under_masks(all.subject), law.text()};
      nothing.of_repeats = true;
      return nothing;
    }
    Difference left_out{
        MapKind::dst,
        (last ? "the last repeat of " : counted_noun("repeat", at.repeats) + " (counted from 0) of ") +
            all.name() + (at.repeats.size() == 1 ? " is" : " are") + " left out",
        {}};
    left_out.of_repeats = true;
    return left_out;
  }
  if (have_offset_0(all, some))
    return {MapKind::dst, all.name() + " writes nothing where an offset is 0", {}};
  if (const auto blocks = as_blocks(all, at))
    return {MapKind::dst, *blocks + " not written", in_repeats(at.repeats, count)};
  Difference difference{MapKind::dst,
                        these(all, at) + (at.lanes.size() == 1 ? " is" : " are") + " not written",
                        in_repeats(at.repeats, count)};
  if (row_of(all.insn().op).mask != MaskUse::neutral_source) return difference;
  const unsigned results = results_per_repeat(all.insn());
  if (difference.where.empty()) difference.unwritten = at.lanes;
  if (at.lanes.size() == 1 && at.lanes[0] + 1 == results && results > 1) {  // true of every type
    difference.general = difference.what;
    difference.what = "the last result of a repeat of " + all.name() + " is not written";
  }
  if (at.lanes.size() > 1)  // as their lanes are lost
    difference.general =
        counted_noun("lane", lanes_of_results(at.lanes, group_size(all.insn()))) + " are never written";
  return difference;
}

/// Do results that do not stand at their own places, which `lost` are, stand at those of others?
bool stand_elsewhere(const MoveComparison& all, const std::vector<Item>& lost) {
  std::set<std::int32_t> values;
  for (const Item& each : lost) values.insert(each.expected);
  return std::ranges::any_of(all.items, [&](const Item& item) {
    return item.actual != item.expected && values.contains(item.actual);
  });
}

/// ", as if the repeat stride counted data blocks of 32 bytes": what may stand behind a wrong distance of
/// repeats, in bytes, if the instruction has a repeat stride for it.
std::string as_if(const MoveComparison& all, std::int32_t distance, std::int32_t documented) {
  const auto stride = static_cast<std::int32_t>(all.insn().operands[0].repeat_stride);
  if (row_of(all.insn().op).operands[0].walk != Walk::results || stride < 2) return {};
  if (distance * stride == documented) return ": they are packed, as if the repeat stride were 1";
  if (distance == stride * static_cast<std::int32_t>(kBlockBytes))
    return ", as if the repeat stride of dst counted data blocks of 32 bytes";
  return {};
}

/// The strides with which dst walks, if every source element belongs to one lane.
std::optional<WrongStrides> strides_of_dst(const MoveComparison& all, const SourceMap& measured) {
  const Walk walk = row_of(all.insn().op).operands[0].walk;
  if (walk != Walk::blocks && walk != Walk::rows) return {};
  std::map<std::int32_t, std::vector<std::int32_t>> places;
  for (std::size_t n = 0; n < measured.sources.size(); ++n)
    if (measured.sources[n] > kAlwaysZero)
      places[measured.sources[n]].push_back(measured.first + static_cast<std::int32_t>(n));
  std::map<std::int32_t, std::size_t> next;
  std::vector<Found> found;
  for (const Item& item : all.items) {
    const auto at = places.find(item.expected);
    if (at == places.end() || next[item.expected] >= at->second.size()) return {};
    found.push_back({item.at.repeat, item.at.lane, at->second[next[item.expected]++]});
  }
  return measured_strides(all.insn(), 0, found);
}

/// Where dst starts, and what lies between its repeats, in elements or bits.
struct Spacing {
  std::int32_t from, step, moved;  ///< `moved` more than `step`, which is documented
};

/// Nothing if not all results of a repeat lie the same distance from their documented place.
std::optional<Spacing> spacing_of(const MoveComparison& all, const SourceMap& measured) {
  std::map<std::int32_t, std::vector<std::int32_t>> places;  // of each source
  for (std::size_t n = 0; n < measured.sources.size(); ++n)
    if (measured.sources[n] > kAlwaysZero)
      places[measured.sources[n]].push_back(measured.first + static_cast<std::int32_t>(n));
  const unsigned repeats = repeats_of(all.insn());
  std::vector<std::optional<std::int32_t>> starts(repeats);
  std::vector<std::int32_t> documented(repeats);
  for (const Item& item : all.items) {
    const auto found = places.find(item.expected);
    if (found == places.end()) continue;
    if (found->second.size() != 1) return {};
    const std::int32_t moved = found->second[0] - item.unit;
    if (item.at.lane == 0) documented[item.at.repeat] = item.unit;
    if (!starts[item.at.repeat]) starts[item.at.repeat] = moved;
    if (*starts[item.at.repeat] != moved) return {};
  }
  if (repeats < 2 || !starts[0] || !starts[1]) return {};
  const std::int32_t from = *starts[0], step = documented[1] - documented[0], moved = *starts[1] - from;
  for (unsigned r = 0; r < repeats; ++r)
    if (starts[r] && *starts[r] != from + static_cast<std::int32_t>(r) * moved) return {};
  return Spacing{from, step, moved};
}

/// "the results of repeat 1 start at byte 32 of dst instead of 16", of data blocks "dst of select.i16 walks
/// with repeat stride 3 instead of 19"
std::optional<std::string> spacing(const MoveComparison& all, const SourceMap& measured) {
  const auto found = spacing_of(all, measured);
  if (!found) return {};
  const auto [from, step, moved] = *found;
  const bool bits = row_of(all.insn().op).operands[0].walk == Walk::bits;
  const std::int32_t size = bits ? 1 : static_cast<std::int32_t>(size_of(all.insn().dst_type));
  const auto bytes = [&](std::int32_t units) {
    return std::to_string(units * size / (bits ? 8 : 1)) + (bits && units % 8 != 0 ? " and a part" : "");
  };
  constexpr auto kBlock = static_cast<std::int32_t>(kBlockBytes);
  if (row_of(all.insn().op).operands[0].walk == Walk::blocks && from == 0 && moved != 0 &&
      step + moved >= 0 && (step + moved) * size % kBlock == 0)
    return "dst of " + all.name() + " walks with repeat stride " +
           std::to_string((step + moved) * size / kBlock) + " instead of " +
           std::to_string(step * size / kBlock);
  std::string text;
  if (moved != 0) {
    const std::string if_so = as_if(all, (step + moved) * size, step * size);
    const bool strides = row_of(all.insn().op).operands[0].walk == Walk::results;
    text =
        "the results of consecutive repeats of " + all.name() + " lie " + bytes(step + moved) +
        " bytes apart instead of " + bytes(step) +
        (strides ? " (with a repeat stride of " + std::to_string(all.insn().operands[0].repeat_stride) + ")"
                 : "") +
        if_so;
  }
  if (from != 0)
    text += (text.empty() ? "dst of " + all.name() + " starts " : ", and dst starts ") +
            bytes(std::abs(from)) + " bytes " + (from > 0 ? "later" : "earlier");
  if (text.empty()) return {};
  return text;
}

/// Does the backend leave in the places of all results what follows if the packed results of repeat r start
/// `start(r)` bytes behind the first ones? Later repeats overwrite earlier ones.
template <class Start>
bool gives_packed(const MoveComparison& all, const SourceMap& measured, Start start) {
  const auto first = std::ranges::min(all.items, {}, &Item::unit).unit;
  std::map<std::int32_t, std::pair<unsigned, std::int32_t>> written;  // of each place: the repeat, the source
  for (const Item& item : all.items) {
    const std::int32_t place = first + static_cast<std::int32_t>(start(item.at.repeat) * 8 + item.at.lane);
    const auto [at, is_new] = written.try_emplace(place, item.at.repeat, item.expected);
    if (!is_new && at->second.first <= item.at.repeat) at->second = {item.at.repeat, item.expected};
  }
  return std::ranges::all_of(all.items, [&](const Item& item) {
    const auto at = written.find(item.unit);
    return measured.at(item.unit) == (at == written.end() ? kKept : at->second.second);
  });
}

/// Packed results of repeats that overwrite each other.
std::optional<std::string> overlapping(const MoveComparison& all, const SourceMap& measured) {
  if (row_of(all.insn().op).operands[0].walk != Walk::bits || repeats_of(all.insn()) < 2) return {};
  const unsigned own = lanes_of(all.insn()) / 8;
  for (unsigned step = 0; step < own; ++step)
    if (gives_packed(all, measured, [=](unsigned r) { return r * step; }))
      return "the results of consecutive repeats of " + all.name() + " lie " + std::to_string(step) +
             " bytes apart instead of " + std::to_string(own);
  for (unsigned bits = 5; bits < 12; ++bits)
    if (gives_packed(all, measured, [=](unsigned r) { return r * own & ((1U << bits) - 1); }))
      return all.name() + " keeps only the lowest " + std::to_string(bits) +
             " bits of how many bytes behind dst the results of a repeat start";
  return {};
}

/// False if the places of dst are not those of the documents, so that nothing can be said about sources.
bool right_places(const MoveComparison& all, const SourceMap& measured, std::vector<Difference>& list) {
  const auto lost = select_items(all.items, [](const Item& i) { return i.actual == kKept; });
  if (!all.extra.empty() && repeats_of(all.insn()) == 0) {
    list.push_back(repeat_at_0(all.insn()));
    return false;
  }
  if (!all.extra.empty()) {
    if (const auto strides = strides_of_dst(all, measured)) {
      list.push_back({MapKind::dst, "dst of " + all.name() + " " + strides->text, {}});
      list.back().places = strides->law;
      return false;
    }
    if (auto text = spacing(all, measured)) {
      list.push_back({MapKind::dst, *text, {}});
      return false;
    }
    const std::string units = row_of(all.insn().op).operands[0].walk == Walk::bits ? "bits" : "elements";
    const bool one = all.extra.size() == 1;
    std::string text = all.name() + " writes " + std::to_string(all.extra.size()) + " " +
                       (one ? units.substr(0, units.size() - 1) : units) +
                       " of dst that it must not write, " +
                       (one ? "number " + std::to_string(all.extra.front())
                            : "between number " + std::to_string(all.extra.front()) + " and number " +
                                  std::to_string(all.extra.back()));
    if (!lost.empty()) text += ", and does not write " + std::to_string(lost.size()) + " that it must write";
    const std::uint32_t stride = all.insn().operands[0].repeat_stride;
    text +=
        " (with repeat time " + std::to_string(all.insn().repeat) +
        (units == "bits" ? "" : " and a repeat stride of " + std::to_string(stride)) +
        (row_of(all.insn().op).mask == MaskUse::neutral_source ? ", under a mask that is not full)" : ")");
    list.push_back({MapKind::dst, std::move(text), {}, true});
    return lost.empty();
  }
  if (lost.empty()) return true;
  if (auto text = overlapping(all, measured)) {
    list.push_back({MapKind::dst, *text, {}});
    return false;
  }
  const Where at = where(all, lost);
  if (!stand_elsewhere(all, lost)) {
    list.push_back(missing(all, lost));
    return lost.size() < all.items.size();
  }
  if (at.whole_repeats)  // they are not left out
    list.push_back({MapKind::dst,
                    "places of other repeats of " + all.name() + " hold results of " +
                        counted_noun("repeat", at.repeats) +
                        " (counted from 0), whose own places are not written",
                    {},
                    true});
  else
    list.push_back(missing(all, lost));
  return false;
}

/// "bit L of a repeat of compare.f32 is that of lane L xor 56": all sources are read in the same other order,
/// and each lane once, so that it is the bits of dst which lie in another order.
std::optional<Difference> bits_in_other_order(const std::vector<MoveComparison>& compared) {
  if (compared.empty() || !row_of(compared[0].insn().op).compares) return {};
  const unsigned lanes = lanes_of(compared[0].insn());
  std::vector<unsigned> order;  // the lane that bit L is of, for each L
  for (const MoveComparison& all : compared) {
    if (all.items.size() != std::size_t{lanes} * repeats_of(all.insn())) return {};
    const std::uint64_t size = size_of(all.insn().src_type);
    std::vector<unsigned> of_source(lanes, lanes);
    for (const Item& item : all.items) {
      const auto place = [&](unsigned lane) {
        return static_cast<std::int64_t>(lane_offset(all.insn(), all.operand, item.at.repeat, lane) / size);
      };
      unsigned& read = of_source[item.at.lane];
      for (unsigned lane = 0; read == lanes && lane < lanes; ++lane)
        if (place(lane) == item.actual) read = lane;
      if (read == lanes || place(read) != item.actual) return {};
    }
    if (!order.empty() && order != of_source) return {};
    order = of_source;
  }
  std::vector<unsigned> own(lanes);
  std::iota(own.begin(), own.end(), 0U);
  const auto formula = index_formula(own, order, lanes, "L");
  if (order == own || !formula || sorted_unique(order) != own) return {};
  const std::string text = "bit L of a repeat", is = " is that of lane " + *formula;
  Difference difference{MapKind::dst, text + " of " + compared[0].name() + is, {}};
  difference.general = text + is;
  return difference;
}

}  // namespace

std::vector<Difference> move_differences(const Subject& subject, const PlaceMaps& measured,
                                         const PlaceMaps& documented) {
  const auto &is = measured.destination.map, &should = documented.destination.map;
  if (is && should && is->written != should->written)
    if (auto later = later_repeats_moved(subject, measured, documented)) return {std::move(*later)};
  std::vector<Difference> list;
  std::vector<MoveComparison> compared;
  for (std::size_t n = 0; n < measured.sources.size(); ++n) {
    if (!measured.sources[n].map || !documented.sources[n].map) continue;
    MoveComparison all = compare_maps(subject, *measured.sources[n].map, *documented.sources[n].map);
    if (compared.empty() && !right_places(all, *measured.sources[n].map, list)) return list;
    compared.push_back(std::move(all));
  }
  if (auto order = list.empty() ? bits_in_other_order(compared) : std::nullopt) return {*std::move(order)};
  std::ranges::copy(source_differences(compared), std::back_inserter(list));
  return list;
}

std::optional<std::int64_t> wrong_bytes_between_repeats(const Subject& subject, const PlaceMaps& measured,
                                                        const PlaceMaps& documented) {
  if (row_of(subject.insn.op).operands[0].walk != Walk::results) return {};
  for (std::size_t n = 0; n < measured.sources.size(); ++n) {
    if (!measured.sources[n].map || !documented.sources[n].map) continue;
    const MoveComparison all = compare_maps(subject, *measured.sources[n].map, *documented.sources[n].map);
    const auto found = spacing_of(all, *measured.sources[n].map);
    if (all.extra.empty() || !found || found->from != 0 || found->moved == 0) return {};
    return (std::int64_t{found->step} + found->moved) * size_of(subject.insn.dst_type);
  }
  return {};
}

}  // namespace lanecheck
