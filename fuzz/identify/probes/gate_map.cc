#include "fuzz/identify/probes/gate_map.h"

#include <algorithm>
#include <bit>
#include <map>

#include "fuzz/identify/probes/digit_code.h"
#include "fuzz/identify/probes/intervals.h"
#include "fuzz/identify/probes/place_map.h"
#include "spec/legality/find_fault.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

constexpr std::uint64_t kEverySlot = ~std::uint64_t{0};

/// The probes, as far as they are legal, and the masks that belong to them.
struct GateProbes {
  std::vector<MaskWords> masks;
  std::vector<Program> programs;
  std::uint64_t old = 0;
  std::string why_none = "this profile has no way to give it a mask";
};

/// What the sources hold: the first one `first`, the next one more by `step`.
struct SourceNumbers {
  double first = 3, step = 4;

  std::uint64_t bits(const Instruction& insn, unsigned k) const {
    return nearest(insn.src_type, first + step * (k - 1));
  }
};

/// The scalar becomes the maximum or minimum: else the result would be the element itself, which masked-off
/// lanes may receive.
void set_extreme_scalar(Instruction& insn, const SourceNumbers& numbers) {
  if (insn.op == Op::vmaxs) insn.scalar = scalar_of(scalar_type(insn), numbers.first + 2);
  if (insn.op == Op::vmins) insn.scalar = scalar_of(scalar_type(insn), numbers.first - 2);
}

GateProbes gate_probes(const Subject& subject, const Layout& layout, const std::vector<Instruction>& before,
                       const std::vector<MaskWords>& masks, const SourceNumbers& numbers = {}) {
  GateProbes probes;
  const Instruction& insn = subject.insn;
  const Row& row = row_of(insn.op);
  probes.old = subject.in_place != 0 ? numbers.bits(insn, subject.in_place) : old_dst_bits(insn, 0x35);
  for (const MaskWords& mask : masks) {
    auto program = probe_program(subject, layout, mask);
    if (!program) continue;
    program->instructions.insert(program->instructions.begin(), before.begin(), before.end());
    if (const auto fault = find_fault(*program)) {
      probes.why_none = "the probe would be illegal: " + describe(*program, *fault);
      continue;
    }
    set_extreme_scalar(program->instructions.back(), numbers);
    fill_region(*program, layout.regions[0], insn.dst_type, probes.old);
    // Different sources, so that the result of sub is not 0, which masked-off lanes may receive.
    for (unsigned k = 1; k < row.operands.size(); ++k)
      fill_region(*program, layout.regions[k], insn.src_type, numbers.bits(insn, k));
    probes.masks.push_back(mask);
    probes.programs.push_back(std::move(*program));
  }
  return probes;
}

/// dst after each probe, lane by lane.
struct Lanes {
  const Subject& subject;
  const Region& dst;
  const std::vector<State>& states;

  /// Its place among the elements of the region.
  std::uint32_t place_of(unsigned repeat, unsigned lane) const {
    return dst.margin / size_of(subject.insn.dst_type) +
           static_cast<std::uint32_t>(element_at(subject.insn, 0, repeat, lane));
  }
  std::uint64_t at(std::size_t probe, std::uint32_t place) const {
    return get_element(states[probe].ub, dst, subject.insn.dst_type, place);
  }
};

/// The value that most written lanes hold, under the full mask if there is one: the result. Under each mask
/// the sources are the same, so that another value is no result.
std::uint64_t result_of(const Lanes& lanes, const GateProbes& probes, unsigned count) {
  const auto most_frequent = [&](std::size_t from, std::size_t to) {
    std::map<std::uint64_t, unsigned> counts;
    for (std::size_t p = from; p < to; ++p)
      for (unsigned lane = 0; lane < count; ++lane)
        if (const std::uint64_t bits = lanes.at(p, lanes.place_of(0, lane)); bits != probes.old)
          ++counts[bits];
    const auto most = std::ranges::max_element(counts, {}, [](const auto& each) { return each.second; });
    return most == counts.end() ? probes.old : most->first;
  };
  const MaskWords all = full_mask(lanes.subject);
  for (std::size_t p = 0; p < probes.masks.size(); ++p)
    if (probes.masks[p] == all)
      if (const std::uint64_t bits = most_frequent(p, p + 1); bits != probes.old) return bits;
  return most_frequent(0, probes.masks.size());
}

/// In place, a written lane is only seen if the result is not what the source holds.
std::optional<SourceNumbers> numbers_for(const Subject& subject, const Layout& layout) {
  if (subject.in_place == 0) return SourceNumbers{};
  if (size_of(subject.insn.src_type) != size_of(subject.insn.dst_type)) return {};
  for (const SourceNumbers& numbers :
       {SourceNumbers{}, SourceNumbers{3, -2}, SourceNumbers{-3, 4}, SourceNumbers{100, -4},
        SourceNumbers{-100, 4}, SourceNumbers{3.5, 4}}) {
    const GateProbes probes = gate_probes(subject, layout, {}, {full_mask(subject)}, numbers);
    const Answers answers = ask_all(ask_oracle(), probes.programs);
    if (!answers.why_not.empty() || probes.programs.empty()) return {};
    const Lanes lanes{subject, layout.regions[0], answers.states};
    if (lanes.at(0, lanes.place_of(0, 0)) != probes.old) return numbers;
  }
  return {};
}

/// The lowest slot that is 1; 128 if all are 0.
unsigned first_slot(const MaskWords& mask) {
  return static_cast<unsigned>(mask.low != 0 ? std::countr_zero(mask.low) : 64 + std::countr_zero(mask.high));
}

Gate decoded(const std::string& seen, const std::vector<MaskWords>& masks, unsigned slots) {
  if (seen.find('k') == std::string::npos) return {GateKind::always, 0};
  if (seen.find('w') == std::string::npos) return {GateKind::never, 0};
  // The slots that say what was seen, and those that say its contrary.
  MaskWords agree{kEverySlot, kEverySlot};
  MaskWords oppose = agree;
  for (std::size_t m = 0; m < masks.size(); ++m) {
    const bool written = seen[m] == 'w';
    const MaskWords says = written ? masks[m] : MaskWords{~masks[m].high, ~masks[m].low};
    agree = {agree.high & says.high, agree.low & says.low};
    oppose = {oppose.high & ~says.high, oppose.low & ~says.low};
  }
  const unsigned slot = std::min(first_slot(agree), first_slot(oppose));
  if (slot < slots)
    return {has_slot(agree, slot) ? GateKind::slot : GateKind::inverted, static_cast<std::uint8_t>(slot)};
  return {GateKind::several, 0};
}

/// What one lane shows that holds `values` under the masks. If it holds the result under one mask and under
/// another one neither the result nor its old dst, it is masked off there, and `masked_off` becomes what it
/// holds.
std::string seen_in(const std::vector<std::uint64_t>& values, std::uint64_t old, std::uint64_t result,
                    std::optional<std::uint64_t>& masked_off) {
  const bool has_result = std::ranges::find(values, result) != values.end();
  std::string seen(values.size(), 'w');
  for (std::size_t m = 0; m < values.size(); ++m) {
    const bool other = has_result && values[m] != old && values[m] != result;
    if (other && !masked_off) masked_off = values[m];
    if (values[m] == old || other) seen[m] = 'k';
  }
  return seen;
}

GateMap read_gates(const Lanes& lanes, const GateProbes& probes) {
  GateMap map{repeats_of(lanes.subject.insn), lanes_of(lanes.subject.insn), {}, probes.masks, {}, {}, {}, {}};
  const std::uint64_t result = map.repeats == 0 ? 0 : result_of(lanes, probes, map.lanes);
  const unsigned slots = settable_slots(lanes.subject);
  for (const State& state : lanes.states) map.shown.push_back(state.mask);
  std::vector<std::uint64_t> values(probes.masks.size());
  for (unsigned repeat = 0; repeat < map.repeats; ++repeat)
    for (unsigned lane = 0; lane < map.lanes; ++lane) {
      const std::uint32_t place = lanes.place_of(repeat, lane);
      for (std::size_t m = 0; m < values.size(); ++m) values[m] = lanes.at(m, place);
      std::optional<std::uint64_t> masked_off;
      add_gate(map, seen_in(values, probes.old, result, masked_off), slots);
      if (!masked_off) continue;
      if (!map.masked_off) map.masked_off = masked_off;
      map.masked_off_in.push_back(repeat);
    }
  map.masked_off_in = sorted_unique(std::move(map.masked_off_in));
  return map;
}

}  // namespace

void add_gate(GateMap& map, std::string seen, unsigned slots) {
  const std::size_t n = map.gates.size();  // most repeats show what the one before has shown
  const bool is_same = n >= map.lanes && map.seen[n - map.lanes] == seen;
  map.gates.push_back(is_same ? map.gates[n - map.lanes] : decoded(seen, map.masks, slots));
  map.seen.push_back(std::move(seen));
}

std::vector<MaskWords> coded_masks() {
  std::vector<MaskWords> masks;
  for (unsigned bit = 0; bit < 7; ++bit) {
    MaskWords code{0, 0};
    for (unsigned slot = 0; slot < 64; ++slot) {
      if ((slot >> bit & 1) != 0) code.low |= std::uint64_t{1} << slot;
      if (((slot + 64) >> bit & 1) != 0) code.high |= std::uint64_t{1} << slot;
    }
    masks.push_back(code);
    masks.push_back({~code.high, ~code.low});
  }
  return masks;
}

std::vector<MaskWords> gate_masks(const Subject& subject) {
  std::vector<MaskWords> masks = coded_masks();
  constexpr std::uint64_t kTop = std::uint64_t{1} << 63;
  for (const MaskWords& more :
       {MaskWords{kEverySlot, kEverySlot}, MaskWords{0, 0}, MaskWords{0, 1}, MaskWords{0, kTop},
        MaskWords{kTop, 0}, MaskWords{kEverySlot, kEverySlot - 1}, MaskWords{kEverySlot, kEverySlot - kTop},
        MaskWords{kEverySlot - 1, kEverySlot}, MaskWords{kEverySlot - kTop, kEverySlot},
        MaskWords{0, kEverySlot}, MaskWords{kEverySlot, 0}, MaskWords{1 << 20, kEverySlot},
        MaskWords{kEverySlot, 1 << 20}, kEndsAndGaps, MaskWords{0x4b19d7e6035fc8a2, 0xd07a3395b64c21fe}})
    masks.push_back(more);
  if (subject.own_mask) masks.push_back(*subject.own_mask);
  const MaskWords all = full_mask(subject);
  std::vector<MaskWords> different;
  for (MaskWords mask : masks) {
    mask.high &= all.high;
    mask.low &= all.low;
    mask = settable_mask(subject, mask);
    if (std::ranges::count(different, mask) == 0) different.push_back(mask);
  }
  return different;
}

std::optional<std::uint64_t> masked_off_value(const Subject& subject, const Ask& ask, double source) {
  const auto layout = lay_out(subject);
  if (!layout) return {};
  const GateProbes probes = gate_probes(subject, *layout, {}, gate_masks(subject), {source});
  const Answers answers = ask_all(ask, probes.programs);
  if (!answers.why_not.empty() || probes.programs.empty()) return {};
  return read_gates({subject, layout->regions[0], answers.states}, probes).masked_off;
}

Measured<GateMap> measure_gates(const Subject& subject, const Ask& ask,
                                const std::vector<Instruction>& before, const std::vector<MaskWords>& masks) {
  if (!has_place_probes(row_of(subject.insn.op)))
    return {{}, "there are no probes for this kind of instruction"};
  const auto layout = lay_out(subject);
  if (!layout) return {{}, "the operands do not fit into UB with room around them"};
  const auto numbers = numbers_for(subject, *layout);
  if (!numbers) return {{}, "in place, results are what the source holds"};
  const GateProbes probes =
      gate_probes(subject, *layout, before, masks.empty() ? gate_masks(subject) : masks, *numbers);
  if (probes.programs.empty()) return {{}, probes.why_none};
  const Answers answers = ask_all(ask, probes.programs);
  if (!answers.why_not.empty()) return {{}, answers.why_not};
  return {read_gates({subject, layout->regions[0], answers.states}, probes), {}};
}

}  // namespace lanecheck
