#include "fuzz/identify/reduction_map.h"

#include <algorithm>

#include "fuzz/identify/digit_code.h"
#include "fuzz/identify/gate_map.h"
#include "spec/legality/find_fault.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr std::uint64_t kAll = ~std::uint64_t{0};

/// Masks for groups of lanes: the coded ones, and some that leave whole data blocks off.
std::vector<MaskWords> group_masks(const Subject& subject) {
  std::vector<MaskWords> masks = gate_masks(subject);
  for (unsigned shift = 0; shift < 64; shift += 8) {
    const std::uint64_t byte = std::uint64_t{0xff} << shift;
    masks.push_back({0, byte});
    masks.push_back({kAll - byte, kAll - byte});
  }
  return masks;
}

struct Probes {
  std::vector<MaskWords> masks;
  std::vector<Program> programs;
};

/// One program for each mask; lane `lane` of every repeat holds value(lane).
template <class Value>
Probes probes_with(const Subject& subject, const Layout& layout, std::uint64_t old, Value value) {
  Probes probes;
  const Instruction& insn = subject.insn;
  const Region& src = layout.regions[1];
  for (const MaskWords& mask : group_masks(subject)) {
    auto program = probe_program(subject, layout, mask);
    if (!program || find_fault(*program)) continue;
    fill_region(*program, layout.regions[0], insn.dst_type, old);
    const std::uint32_t first = src.margin / size_of(insn.src_type);
    for (unsigned n = 0; n < insn.repeat * lanes_of(insn); ++n)
      put_element(*program, src, insn.src_type, first + n, value(n % lanes_of(insn)));
    probes.masks.push_back(mask);
    probes.programs.push_back(std::move(*program));
  }
  return probes;
}

/// Is a lane of group `group` on?
bool any_on(const Subject& subject, const MaskWords& mask, unsigned group) {
  const unsigned size = lanes_of(subject.insn) / results_per_repeat(subject.insn);
  for (unsigned lane = group * size; lane < (group + 1) * size; ++lane)
    if (lane >= 128 || has_slot(mask, lane)) return true;
  return false;
}

/// The results of repeat 0 after one probe.
std::vector<std::uint64_t> results(const Subject& subject, const Layout& layout, const State& state) {
  const Region& dst = layout.regions[0];
  const Element type = subject.insn.dst_type;
  std::vector<std::uint64_t> values;
  for (unsigned group = 0; group < results_per_repeat(subject.insn); ++group)
    values.push_back(get_element(state.ub, dst, type, dst.margin / size_of(type) + group));
  return values;
}

/// Reads what is written where, and whether the mask matters at all.
void read_results(const Subject& subject, const Layout& layout, const Probes& probes,
                  const std::vector<State>& states, std::uint64_t old, ReductionMap& map) {
  std::vector<std::uint64_t> unmasked;
  const MaskWords full = full_mask(subject);
  for (std::size_t p = 0; p < states.size(); ++p)
    if (probes.masks[p].high == full.high && probes.masks[p].low == full.low)
      unmasked = results(subject, layout, states[p]);
  map.takes_in_masked_off = !unmasked.empty();
  for (std::size_t p = 0; p < states.size(); ++p) {
    const auto values = results(subject, layout, states[p]);
    for (unsigned group = 0; group < values.size(); ++group) {
      const bool on = any_on(subject, probes.masks[p], group), written = values[group] != old;
      if (!on && written) map.empty_values.push_back(values[group]);
      map.writes_empty |= !on && written;
      map.keeps_others |= on && !written;
      if (on && !unmasked.empty() && values[group] != unmasked[group]) map.takes_in_masked_off = false;
    }
  }
  std::ranges::sort(map.empty_values);
  map.empty_values.erase(std::ranges::unique(map.empty_values).begin(), map.empty_values.end());
}

}  // namespace

bool has_reduction_probes(const Row& row) {
  return row.mask == MaskUse::neutral_source && row.operands.size() == 2 &&
         row.operands[0].walk == Walk::results && row.settings.empty();
}

Measured<ReductionMap> measure_reduction(const Subject& subject, const Ask& ask) {
  const auto layout = lay_out(subject);
  if (!layout) return {{}, "the operands do not fit into UB with room around them"};
  const Element type = subject.insn.src_type;
  const std::uint64_t old = old_dst_bits(subject.insn, 0x6b);
  const Probes different =
      probes_with(subject, *layout, old, [&](unsigned lane) { return nearest(type, lane % 8 + 1); });
  if (different.programs.empty()) return {{}, "this profile has no way to give it a mask"};
  const Answers answers = ask_all(ask, different.programs);
  if (!answers.why_not.empty()) return {{}, answers.why_not};
  ReductionMap map;
  read_results(subject, *layout, different, answers.states, old, map);
  const Neutral neutral = row_of(subject.insn.op).neutral;
  if (neutral != Neutral::lowest && neutral != Neutral::highest) return {map, {}};
  // The ladder: each rung lets a neutral element win that is nearer to 0.
  for (const double rung : {100.0, 60000.0, 1e30}) {
    const std::uint64_t data = nearest(type, neutral == Neutral::lowest ? -rung : rung);
    const Probes ladder = probes_with(subject, *layout, old, [&](unsigned) { return data; });
    const Answers climbed = ask_all(ask, ladder.programs);
    if (!climbed.why_not.empty()) return {{}, climbed.why_not};
    for (std::size_t p = 0; p < climbed.states.size() && !map.neutral; ++p) {
      const auto values = results(subject, *layout, climbed.states[p]);
      for (unsigned group = 0; group < values.size() && !map.neutral; ++group)
        if (any_on(subject, ladder.masks[p], group) && values[group] != data && values[group] != old)
          map.neutral = values[group];
    }
  }
  return {map, {}};
}

std::vector<Difference> reduction_differences(const Subject& subject, const ReductionMap& measured,
                                              const ReductionMap& documented) {
  std::vector<Difference> differences;
  const std::string name = mnemonic(subject.insn);
  const auto add = [&](std::string what) { differences.push_back({"contribution", std::move(what), {}}); };
  if (measured.takes_in_masked_off && !documented.takes_in_masked_off)
    add("masked-off elements take part in the results of " + name);
  if (measured.neutral && !documented.neutral)
    add("a masked-off element of " + name + " acts like " +
        show_element(subject.insn.dst_type, *measured.neutral) + " instead of never being the result");
  if (measured.keeps_others && !documented.keeps_others)
    add("results of " + name + " are not written although some of their lanes are on");
  if (measured.writes_empty == documented.writes_empty) return differences;
  if (!measured.writes_empty)
    add("a result of " + name + " whose lanes are all off keeps its old dst instead of being written");
  else if (measured.empty_values.size() == 1)
    add("a result of " + name + " whose lanes are all off is written (" +
        show_element(subject.insn.dst_type, measured.empty_values[0]) + ") instead of keeping its old dst");
  else
    add("a result of " + name + " whose lanes are all off is written instead of keeping its old dst");
  return differences;
}

}  // namespace lanecheck
