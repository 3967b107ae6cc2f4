#include "fuzz/identify/probes/reduction_map.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "fuzz/identify/probes/digit_code.h"
#include "fuzz/identify/probes/gate_map.h"
#include "fuzz/identify/probes/move_map.h"
#include "fuzz/identify/probes/place_map.h"
#include "fuzz/identify/probes/shapes.h"
#include "spec/legality/find_fault.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

/// Does a lane have different gates in different repeats?
bool differ_by_repeat(const std::vector<ElementGate>& seen) {
  std::map<unsigned, Gate> first;
  return std::ranges::any_of(seen, [&](const ElementGate& each) {
    return !(first.try_emplace(each.lane, each.gate).first->second == each.gate);
  });
}

constexpr std::uint64_t kAll = ~std::uint64_t{0};

/// Repeats of the programs that measure elements: each lane of a group is asked in one of them at least.
unsigned repeats_of_elements(const Subject& subject) {
  constexpr unsigned kLeast = 16;
  return std::max(group_size(subject.insn), kLeast);
}

Gate own_gate(unsigned lane) {
  return {GateKind::slot, static_cast<std::uint8_t>(lane)};
}

/// Masks that leave whole groups on or off.
std::vector<MaskWords> group_masks(const Subject& subject) {
  const MaskWords full = full_mask(subject);
  std::vector<MaskWords> masks = {{0, 0}, full, {0, full.low}, kEndsAndGaps};
  if (full.high != 0) masks.push_back({full.high, 0});
  const unsigned lanes = std::min(128u, lanes_of(subject.insn));
  for (unsigned block = 0; block < kRepeatBlocks; ++block) {
    MaskWords one{0, 0};
    for (unsigned slot = block * lanes / 8; slot < (block + 1) * lanes / 8; ++slot)
      (slot < 64 ? one.low : one.high) |= std::uint64_t{1} << (slot % 64);
    masks.push_back(one);
    masks.push_back({~one.high, ~one.low});
  }
  masks.push_back({0x5555555555555555, 0x5555555555555555});
  masks.push_back({kAll << 16, kAll - 2});
  constexpr unsigned kMostAlone = 16;  // lanes of a group that are tried alone
  for (unsigned lane = 0; lane < std::min(group_size(subject.insn), kMostAlone); ++lane)
    masks.push_back(one_of_each_group(subject, lane));
  for (MaskWords& mask : masks) mask = {mask.high & full.high, mask.low & full.low};
  return masks;
}

/// The subject with another number of repeats, operands in a row, with the block stride of src as it is.
Subject with_repeats(const Subject& subject, unsigned repeats) {
  Subject changed = in_a_row(subject, 1);
  changed.insn.repeat = repeats;
  if (const std::uint32_t blocks = subject.insn.operands[1].block_stride; blocks > 1) {
    changed.insn.operands[1].block_stride = blocks;
    changed.insn.operands[1].repeat_stride *= blocks;
  }
  return changed;
}

/// One program for each legal mask; lane `lane` of repeat `repeat` holds value(repeat, lane).
struct Probes {
  Subject subject;
  Layout layout;
  std::uint64_t old = 0;
  std::vector<MaskWords> masks;
  std::vector<Program> programs;

  std::uint64_t result(const State& state, unsigned repeat, unsigned group) const {
    const Region& dst = layout.regions[0];
    const Element type = subject.insn.dst_type;
    return get_element(state.ub, dst, type,
                       dst.margin / size_of(type) + repeat * results_per_repeat(subject.insn) + group);
  }
};

template <class Value>
std::optional<Probes> probes_with(const Subject& subject, const std::vector<MaskWords>& masks, Value value) {
  const auto layout = lay_out(subject);
  if (!layout) return {};
  Probes probes{subject, *layout, old_dst_bits(subject.insn, 0x6b), {}, {}};
  const Instruction& insn = subject.insn;
  const Region& src = layout->regions[1];
  for (const MaskWords& mask : masks) {
    auto program = probe_program(subject, *layout, mask);
    if (!program || find_fault(*program)) continue;
    fill_region(*program, layout->regions[0], insn.dst_type, probes.old);
    const auto first = static_cast<std::int32_t>(src.margin / size_of(insn.src_type));
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane)
        put_element(*program, src, insn.src_type,
                    static_cast<std::uint32_t>(first + element_at(insn, 1, r, lane)), value(r, lane));
    probes.masks.push_back(mask);
    probes.programs.push_back(std::move(*program));
  }
  if (probes.programs.empty()) return {};
  return probes;
}

/// The least or greatest value of the type, infinities included.
std::uint64_t limit(Element type, bool lowest) {
  return nearest(type, lowest ? -1e300 : 1e300);
}

/// Values that no other element may beat: 100 (with the sign that loses), then the limit.
std::array<std::uint64_t, 3> losing_values(Element type, bool lowest) {
  return {nearest(type, lowest ? -100 : 100), nearest(type, lowest ? -60000 : 60000), limit(type, lowest)};
}

/// All data are a value that no masked-off element may beat.
std::string measure_neutral(const Subject& subject, const Ask& ask, ReductionMap& map) {
  const bool lowest = row_of(subject.insn.op).neutral == Neutral::lowest;
  const Element type = subject.insn.src_type;
  const MaskWords full = full_mask(subject);
  std::vector<MaskWords> masks;
  for (const MaskWords& mask : {kEndsAndGaps, MaskWords{0x5555555555555555, 0x5555555555555555},
                                one_of_each_group(subject, 0), MaskWords{kAll, kAll - 1}})
    masks.push_back({mask.high & full.high, mask.low & full.low});
  for (const std::uint64_t data : losing_values(type, lowest)) {
    const auto probes =
        probes_with(with_repeats(subject, 1), masks, [&](unsigned, unsigned) { return data; });
    if (!probes) return "this profile has no way to give it a mask";
    const Answers answers = ask_all(ask, probes->programs);
    if (!answers.why_not.empty()) return answers.why_not;
    for (std::size_t p = 0; p < answers.states.size() && !map.neutral; ++p)
      for (unsigned group = 0; group < results_per_repeat(subject.insn) && !map.neutral; ++group) {
        const std::uint64_t bits = probes->result(answers.states[p], 0, group);
        if (any_on(subject, probes->masks[p], group) && bits != data && bits != probes->old)
          map.neutral = bits;
      }
  }
  return {};
}

/// What each masked-off element adds to a sum of zeros; nothing if it is 0 or not the same everywhere.
std::string measure_neutral_of_sums(const Subject& subject, const Ask& ask, ReductionMap& map) {
  const Element type = subject.insn.dst_type;
  const MaskWords full = full_mask(subject),
                  gaps = {kEndsAndGaps.high & full.high, kEndsAndGaps.low & full.low};
  const auto probes = probes_with(with_repeats(subject, 1), {gaps, one_of_each_group(subject, 0)},
                                  [&](unsigned, unsigned) { return nearest(subject.insn.src_type, 0); });
  if (!probes) return "this profile has no way to give it a mask";
  const Answers answers = ask_all(ask, probes->programs);
  if (!answers.why_not.empty()) return answers.why_not;
  const unsigned size = group_size(subject.insn);
  std::optional<double> each;
  for (std::size_t p = 0; p < answers.states.size(); ++p)
    for (unsigned group = 0; group < results_per_repeat(subject.insn); ++group) {
      unsigned off = 0;
      for (unsigned lane = group * size; lane < (group + 1) * size; ++lane)
        off += has_slot(probes->masks[p], lane) ? 0 : 1;
      if (off == 0 || off == size) continue;
      const std::uint64_t bits = probes->result(answers.states[p], 0, group);
      if (bits == probes->old) return {};  // it is not written, and says nothing of its elements
      const double one = value_of(type, bits) / off;
      if (one == 0 || (each && *each != one)) return {};
      each = one;
    }
  if (each) map.neutral = nearest(type, *each);
  return {};
}

/// In repeat r lane r + `shift` of each group (modulo its size) holds a value that decides the result, and
/// all others one that does not. Adds what was seen of these lanes.
std::string see_elements(const Subject& subject, const Ask& ask, unsigned shift, ReductionMap& map) {
  const Element type = subject.insn.src_type;
  const unsigned size = group_size(subject.insn), lanes = std::min(128u, lanes_of(subject.insn));
  const bool lowest = row_of(subject.insn.op).neutral == Neutral::lowest;
  const std::uint64_t hot =
      is_extreme(row_of(subject.insn.op)) ? nearest(type, lowest ? 60000 : -60000) : nearest(type, 1);
  const std::uint64_t cold =
      is_extreme(row_of(subject.insn.op)) ? nearest(type, lowest ? 1 : 2) : nearest(type, 0);
  const auto probes = probes_with(
      with_repeats(subject, map.repeats), gate_masks(subject),
      [&](unsigned repeat, unsigned lane) { return lane % size == (repeat + shift) % size ? hot : cold; });
  if (!probes) return "this profile has no way to give it a mask";
  const Answers answers = ask_all(ask, probes->programs);
  if (!answers.why_not.empty()) return answers.why_not;
  GateMap seen_map{1, lanes, {}, probes->masks, {}, {}, {}};
  for (const State& state : answers.states) seen_map.shown.push_back(state.mask);
  std::vector<std::pair<unsigned, unsigned>> at;
  for (unsigned repeat = 0; repeat < map.repeats; ++repeat)
    for (unsigned group = 0; group < lanes / size; ++group)
      at.emplace_back(group * size + (repeat + shift) % size, repeat);
  std::ranges::sort(at);
  for (const auto& [lane, repeat] : at) {
    std::string seen;
    for (const State& state : answers.states)
      seen += probes->result(state, repeat, lane / size) == hot ? 'w' : 'k';
    GateMap one{1, lanes, {}, probes->masks, {}, {}, {}};
    add_gate(one, std::move(seen), settable_slots(subject));
    map.by_repeat.push_back({repeat, lane, one.gates[0]});
    if (shift != 0 || seen_map.gates.size() > lane) continue;
    seen_map.gates.push_back(one.gates[0]);
    seen_map.seen.push_back(std::move(one.seen[0]));
  }
  if (shift == 0) map.elements = std::move(seen_map);
  return {};
}

/// Which slot makes each element count. A gate that is not the lane's own slot is measured in other repeats
/// too: the lane may be wrong, or the repeat.
std::string measure_elements(const Subject& subject, const Ask& ask, ReductionMap& map) {
  const unsigned size = group_size(subject.insn);
  map.repeats = repeats_of_elements(subject);
  if (std::string why = see_elements(subject, ask, 0, map); !why.empty()) return why;
  const bool wrong = std::ranges::any_of(
      map.by_repeat, [](const ElementGate& each) { return !(each.gate == own_gate(each.lane)); });
  if (wrong)
    for (const unsigned shift : {size - 1, size / 2})
      if (std::string why = see_elements(subject, ask, shift, map); !why.empty()) return why;
  if (!differ_by_repeat(map.by_repeat)) map.by_repeat.clear();
  return {};
}

std::string measure_results(const Subject& subject, const Ask& ask, ReductionMap& map) {
  constexpr unsigned kRepeats = 3;
  const std::uint64_t data = nearest(subject.insn.src_type, 3);
  const auto probes = probes_with(with_repeats(subject, kRepeats), group_masks(subject),
                                  [&](unsigned, unsigned) { return data; });
  if (!probes) return "this profile has no way to give it a mask";
  const Answers answers = ask_all(ask, probes->programs);
  if (!answers.why_not.empty()) return answers.why_not;
  map.masks = probes->masks;
  map.results_in.assign(kRepeats, {});
  bool one_value = true;
  for (unsigned repeat = 0; repeat < kRepeats; ++repeat)
    for (std::size_t p = 0; p < answers.states.size(); ++p) {
      std::string& seen = map.results_in[repeat].emplace_back();
      for (unsigned group = 0; group < results_per_repeat(subject.insn); ++group) {
        const std::uint64_t bits = probes->result(answers.states[p], repeat, group);
        seen += bits == probes->old ? 'k' : 'w';
        if (bits == probes->old || any_on(subject, map.masks[p], group)) continue;
        one_value &= !map.written || *map.written == bits;
        map.written = bits;
      }
    }
  map.results = map.results_in[0];
  if (!one_value) map.written.reset();
  return {};
}

/// In repeat r lane r of the repeat alone is not cold; with `mirrored`, the lane that lies r lanes before the
/// last one.
Measured<Contributions> see_contributions(const Subject& subject, const MaskWords& mask, const Ask& ask,
                                          bool mirrored) {
  const Element type = subject.insn.src_type;
  const unsigned lanes = lanes_of(subject.insn), results = results_per_repeat(subject.insn);
  if (lanes > 128 || !row_of(subject.insn.op).has_repeat) return {{}, "there are too many lanes"};
  const bool lowest = row_of(subject.insn.op).neutral == Neutral::lowest,
             extreme = is_extreme(row_of(subject.insn.op));
  const std::uint64_t hot = extreme ? nearest(type, lowest ? 100 : -100) : nearest(type, 1);
  const std::uint64_t cold = nearest(type, extreme ? 2 : 0);
  auto probes = probes_with(with_repeats(subject, lanes), {mask}, [&](unsigned repeat, unsigned lane) {
    return lane == (mirrored ? lanes - 1 - repeat : repeat) ? hot : cold;
  });
  if (!probes) return {{}, "this profile has no way to give it a mask"};
  const Region& src = probes->layout.regions[1];
  const std::uint32_t margin = src.margin / size_of(type), elements = src.bytes / size_of(type);
  for (std::uint32_t n = 0; n < elements; ++n)  // an element that is read from behind src is cold, too
    if (n < margin || n >= margin + lanes * lanes) put_element(probes->programs[0], src, type, n, cold);
  const Answers answers = ask_all(ask, probes->programs);
  if (!answers.why_not.empty()) return {{}, answers.why_not};
  Contributions map{lanes, results, {}};
  for (unsigned lane = 0; lane < lanes; ++lane)
    for (unsigned group = 0; group < results; ++group) {
      const unsigned repeat = mirrored ? lanes - 1 - lane : lane;
      const std::uint64_t bits = probes->result(answers.states[0], repeat, group);
      const double value = value_of(subject.insn.dst_type, bits);
      const bool counts =
          extreme ? bits == hot || bits == cold : value >= 0 && value <= lanes && value == std::floor(value);
      if (bits == probes->old || !counts) return {{}, "a result is not written, or holds something else"};
      map.times.push_back(extreme ? (bits == hot ? 1U : 0U) : static_cast<unsigned>(value));
    }
  return {std::move(map), {}};
}

/// Does each lane count in its own result alone, if it is on?
bool is_documented(const Subject& subject, const MaskWords& mask, const Contributions& map) {
  for (unsigned lane = 0; lane < map.lanes; ++lane)
    for (unsigned group = 0; group < map.results; ++group) {
      const bool counts = lane / group_size(subject.insn) == group && has_slot(mask, lane);
      if (map.at(lane, group) != (counts ? 1 : 0)) return false;
    }
  return true;
}

/// Few lanes are off, and each result keeps one that is on.
std::vector<MaskWords> nearly_full_masks(const Subject& subject) {
  const MaskWords full = full_mask(subject);
  return {{full.high, full.low & ~std::uint64_t{2}}, {full.high, full.low & ~std::uint64_t{0x4010}}};
}

/// Sets in `seen` what results under `mask` say, all of whose elements are equal; gives the reason if they
/// cannot be measured.
std::string see_equal_elements(const Subject& subject, const MaskWords& mask, const Ask& ask,
                               EqualElements& seen) {
  const bool lowest = row_of(subject.insn.op).neutral == Neutral::lowest;
  const Element type = subject.insn.src_type;
  bool one_start = true;
  std::vector<std::uint64_t> right;                        // the values that are the results
  std::vector<std::uint64_t> values = {nearest(type, 5)};  // a start that is not extreme shows here as well
  for (const std::uint64_t losing : losing_values(type, lowest)) values.push_back(losing);
  for (const std::uint64_t data : values) {
    auto probes = probes_with(with_repeats(subject, 1), {mask}, [&](unsigned, unsigned) { return data; });
    if (!probes) return "this profile has no way to give it a mask";
    // An element that is read from a wrong place is equal too.
    fill_region(probes->programs[0], probes->layout.regions[1], type, data);
    const Answers answers = ask_all(ask, probes->programs);
    if (!answers.why_not.empty()) return answers.why_not;
    for (unsigned group = 0; group < results_per_repeat(subject.insn); ++group) {
      const std::uint64_t bits = probes->result(answers.states[0], 0, group);
      if (bits == probes->old) return "a result is not written";
      if (bits == data) {
        right.push_back(data);
        continue;
      }
      one_start &=
          (value_of(type, bits) > value_of(type, data)) == lowest && seen.start.value_or(bits) == bits;
      seen.start = bits;
      seen.element = data;
      seen.result = bits;
    }
  }
  for (const std::uint64_t data : right)  // which must win against the start
    one_start &= !seen.start || (value_of(type, data) > value_of(type, *seen.start)) == lowest;
  if (!one_start) seen.start.reset();
  return {};
}

}  // namespace

Measured<Contributions> measure_contributions(const Subject& subject, const Ask& ask) {
  const MaskWords full = full_mask(subject);
  auto seen = see_contributions(subject, full, ask, false);
  if (!seen.map) return seen;
  Contributions& map = *seen.map;
  if (is_documented(subject, full, map)) return seen;
  const auto mirrored = see_contributions(subject, full, ask, true);
  if (!mirrored.map) return {{}, mirrored.why_not};
  map.by_repeat = map.times != mirrored.map->times;
  map.accumulates = map.results == 1;
  for (unsigned lane = 0; lane < map.lanes; ++lane)
    map.accumulates &= map.at(lane, 0) == lane + 1 && mirrored.map->at(lane, 0) == map.lanes - lane;
  map.only_if_full = std::ranges::all_of(nearly_full_masks(subject), [&](const MaskWords& mask) {
    const auto under = see_contributions(subject, mask, ask, false);
    return under.map && is_documented(subject, mask, *under.map);
  });
  return seen;
}

Measured<EqualElements> measure_equal_elements(const Subject& subject, const Ask& ask) {
  if (!is_extreme(row_of(subject.insn.op))) return {{}, "a sum has no extreme"};
  EqualElements seen;
  if (std::string why = see_equal_elements(subject, full_mask(subject), ask, seen); !why.empty())
    return {{}, std::move(why)};
  seen.only_if_full =
      !seen.right() && std::ranges::all_of(nearly_full_masks(subject), [&](const MaskWords& mask) {
        EqualElements under;
        return see_equal_elements(subject, mask, ask, under).empty() && under.right();
      });
  return {seen, {}};
}

bool places_under_full_mask(const Subject& subject, const Ask& ask) {
  const unsigned size = group_size(subject.insn), results = results_per_repeat(subject.insn);
  for (const unsigned repeats : {3U, repeats_of_elements(subject)}) {
    const auto probes = probes_with(
        with_repeats(subject, repeats), {full_mask(subject)}, [&](unsigned repeat, unsigned lane) {
          return nearest(subject.insn.src_type, (repeat * results + lane / size) % 13 + 1);
        });
    if (!probes) return false;
    const Answers answers = ask_all(ask, probes->programs),
                  documented = ask_all(ask_oracle(), probes->programs);
    if (!answers.why_not.empty() || !same_bytes(answers.states[0].ub, documented.states[0].ub)) return false;
  }
  return true;
}

Measured<ReductionMap> measure_reduction(const Subject& subject, const Ask& ask) {
  ReductionMap map;
  const auto neutral = is_extreme(row_of(subject.insn.op)) ? measure_neutral : measure_neutral_of_sums;
  if (std::string why = neutral(subject, ask, map); !why.empty()) return {{}, std::move(why)};
  if (std::string why = measure_elements(subject, ask, map); !why.empty()) return {{}, std::move(why)};
  if (std::string why = measure_results(subject, ask, map); !why.empty()) return {{}, std::move(why)};
  return {std::move(map), {}};
}

}  // namespace lanecheck
