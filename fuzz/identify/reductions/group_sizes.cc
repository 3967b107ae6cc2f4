#include "fuzz/identify/reductions/group_sizes.h"

#include <algorithm>

#include "fuzz/identify/probes/digit_code.h"
#include "fuzz/identify/probes/move_map.h"
#include "fuzz/identify/probes/reduction_map.h"
#include "fuzz/identify/probes/shapes.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr unsigned kTimes = 3, kApart = 2;

/// Groups of `size` lanes: how many results of a repeat they give, and how far apart repeats lie in dst.
struct Groups {
  unsigned size, results, step;
  bool writes_empty;       ///< results without active lanes are written too
  bool of_active = false;  ///< of the active lanes in a row: those that are off take no place in a group
};

struct Asked {
  Subject subject;
  Layout layout;
  std::vector<MaskWords> masks{};
  std::vector<Program> programs{};
};

/// Small numbers, so that sums are exact, and different ones next to each other.
double number_at(const Instruction& insn, unsigned n) {
  const bool has_negative = is_float(insn.src_type) || is_signed(insn.src_type);
  return (n * 37 + n / 41) % 41 - (has_negative ? 20.0 : 0.0);
}

/// Under a full mask, and under masks that leave off single lanes and groups of each size.
std::optional<Asked> programs_for(const Subject& given) {
  constexpr MaskWords kMasks[] = {{~std::uint64_t{0}, ~std::uint64_t{0}},
                                  {0x0f000000ffffffff, 0x0000ffff12340f31},
                                  {0xff00ffa5fff00000, 0x30f16500ffff00ff}};
  Asked asked{in_a_row(given, kTimes), {}};
  asked.subject.insn.operands[0].repeat_stride = kApart;
  const auto layout = lay_out(asked.subject);
  if (!layout) return {};
  asked.layout = *layout;
  const Instruction& insn = asked.subject.insn;
  const MaskWords full = full_mask(asked.subject);
  const Region& src = layout->regions[1];
  for (const MaskWords& mask : kMasks) {
    asked.masks.push_back({mask.high & full.high, mask.low & full.low});
    auto program = probe_program(asked.subject, *layout, asked.masks.back());
    if (!program) return {};
    fill_region(*program, layout->regions[0], insn.dst_type, old_dst_bits(insn, 0x6b));
    for (unsigned n = 0; n < kTimes * lanes_of(insn); ++n)
      put_element(*program, src, insn.src_type, src.margin / size_of(insn.src_type) + n,
                  nearest(insn.src_type, number_at(insn, n)));
    asked.programs.push_back(std::move(*program));
  }
  return asked;
}

/// The active lanes of group `g`.
std::vector<unsigned> lanes_of_group(const Asked& asked, const MaskWords& mask, const Groups& groups,
                                     unsigned g) {
  std::vector<unsigned> lanes;
  unsigned place = 0;  // of an active lane among the others
  for (unsigned lane = 0; lane < lanes_of(asked.subject.insn); ++lane) {
    if (!has_slot(mask, lane)) continue;
    if ((groups.of_active ? place : lane) / groups.size == g) lanes.push_back(lane);
    ++place;
  }
  return lanes;
}

/// The result of some lanes of a repeat; nothing if there are none.
std::optional<double> reduced(const Asked& asked, unsigned repeat, const std::vector<unsigned>& lanes) {
  const Instruction& insn = asked.subject.insn;
  std::optional<double> result;
  for (const unsigned lane : lanes) {
    const double value = number_at(insn, repeat * lanes_of(insn) + lane);
    result = result ? reduced_with(row_of(insn.op), *result, value) : value;
  }
  return result;
}

/// UB as groups of this kind leave it; nothing if they reach too far, or an empty result is not known.
std::optional<std::vector<std::byte>> left_by(const Asked& asked, std::size_t n, const Groups& groups) {
  const Instruction& insn = asked.subject.insn;
  const Region& dst = asked.layout.regions[0];
  const unsigned per_element = size_of(insn.dst_type);
  Program changed = asked.programs[n];
  for (unsigned repeat = 0; repeat < kTimes; ++repeat)
    for (unsigned g = 0; g < groups.results; ++g) {
      const auto result = reduced(asked, repeat, lanes_of_group(asked, asked.masks[n], groups, g));
      if (!result && !groups.writes_empty) continue;
      if (!result && row_of(insn.op).neutral != Neutral::zero) return {};
      const std::uint32_t at = dst.margin / per_element + repeat * groups.step + g;
      if ((at + 1) * per_element > dst.bytes) return {};
      put_element(changed, dst, insn.dst_type, at, nearest(insn.dst_type, result.value_or(0)));
    }
  return std::move(changed.ub);
}

bool gives_all(const Groups& groups, const Asked& asked, const std::vector<State>& states) {
  for (std::size_t n = 0; n < states.size(); ++n)
    if (left_by(asked, n, groups) != states[n].ub) return false;
  return true;
}

/// The plainest kind of groups of another size that gives all answers.
std::optional<Groups> groups_of(const Asked& asked, const std::vector<State>& states) {
  const Instruction& insn = asked.subject.insn;
  const unsigned lanes = lanes_of(insn), documented = results_per_repeat(insn);
  for (unsigned size = 2; size <= lanes; size *= 2) {
    if (size == group_size(insn)) continue;
    for (const unsigned results : {lanes / size, std::min(documented, lanes / size)}) {
      if (results == 1) continue;  // the lanes behind it do not count: other laws say which
      for (const unsigned step : {results * kApart, documented * kApart})
        for (const bool writes_empty : {false, true}) {
          const Groups groups{size, results, step, writes_empty};
          if (gives_all(groups, asked, states)) return groups;
        }
    }
  }
  return {};
}

/// Asks about a reduction.
std::optional<std::pair<Asked, std::vector<State>>> ask_groups(const Subject& subject, const Ask& ask) {
  const Row& row = row_of(subject.insn.op);
  if (!has_reduction_probes(row) || !row.has_repeat) return {};
  auto asked = programs_for(subject);
  if (!asked) return {};
  Answers answers = ask_all(ask, asked->programs);
  if (!answers.why_not.empty()) return {};
  return std::pair{*std::move(asked), std::move(answers.states)};
}

}  // namespace

std::optional<Difference> active_lanes_in_groups(const Subject& subject, const Ask& ask) {
  const unsigned results = results_per_repeat(subject.insn);
  const auto answered = results > 1 ? ask_groups(subject, ask) : std::nullopt;
  if (!answered) return {};
  const unsigned size = group_size(subject.insn);
  for (const bool writes_empty : {false, true}) {
    if (!gives_all({size, results, results * kApart, writes_empty, true}, answered->first, answered->second))
      continue;
    Difference difference{MapKind::contribution,
                          mnemonic(subject.insn) +
                              " moves the elements of its active lanes together before it reduces "
                              "them: each result is of the next " +
                              std::to_string(size) + " active lanes of the repeat",
                          {}};
    difference.key = "contribution: active lanes in a row";
    difference.matter = Matter::address;
    return difference;
  }
  return {};
}

std::optional<Difference> group_size_difference(const Subject& subject, const Ask& ask) {
  const auto answered = ask_groups(subject, ask);
  const auto groups = answered ? groups_of(answered->first, answered->second) : std::nullopt;
  if (!groups) return {};
  const bool blocks = results_per_repeat(subject.insn) == kRepeatBlocks;
  const std::string is = blocks ? " is " : " takes ", size = std::to_string(groups->size);
  const std::string noun = blocks ? " elements" : " neighbouring elements for a result";
  std::string text = is + size + noun + " instead of " + std::to_string(group_size(subject.insn)) +
                     ": it gives " + std::to_string(groups->results) + " results of a repeat";
  Difference difference{MapKind::contribution, mnemonic(subject.insn) + text, {}};
  if (blocks) difference.what = "a data block of " + difference.what;
  difference.key = "contribution: groups of " + size + " elements";
  difference.matter = Matter::address;
  return difference;
}

}  // namespace lanecheck
