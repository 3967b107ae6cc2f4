#include "fuzz/identify/trials/unwritten_parts.h"

#include <algorithm>
#include <random>

#include "fuzz/identify/probes/digit_code.h"
#include "fuzz/identify/probes/place_map.h"
#include "fuzz/identify/probes/shapes.h"
#include "fuzz/identify/trials/trials.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr unsigned kPartRepeats = 12;

/// What a part of the sources holds.
enum class Held : std::uint8_t { any, positive, negative, zeros, equal_sources, one_value };
constexpr unsigned kHeld = 6;

/// One lane: its sources, its documented result, and what dst held.
struct LaneOf {
  std::vector<std::uint64_t> sources;
  std::uint64_t result, old;
};
using Part = std::vector<LaneOf>;

struct PartCondition {
  std::string text;  ///< "in which each result is the element of src"
  std::function<bool(const Part& part)> holds;
};

PartCondition of_all_lanes(std::string text, std::function<bool(const LaneOf&)> holds) {
  return {std::move(text), [holds](const Part& part) { return std::ranges::all_of(part, holds); }};
}

std::vector<PartCondition> part_conditions(const Instruction& insn) {
  std::vector<PartCondition> all;
  const auto operands = row_of(insn.op).operands;
  const Element type = insn.src_type;
  if (operands.size() > 2)
    all.push_back(of_all_lanes("in which src0 and src1 are equal",
                               [](const LaneOf& lane) { return lane.sources[0] == lane.sources[1]; }));
  for (unsigned k = 1; k < operands.size(); ++k) {
    const std::string role(operands[k].role);
    const auto element = [k](const LaneOf& lane) { return lane.sources[k - 1]; };
    if (insn.src_type == insn.dst_type)
      all.push_back(of_all_lanes("in which each result is the element of " + role,
                                 [element](const LaneOf& lane) { return lane.result == element(lane); }));
    all.push_back(of_all_lanes("in which all elements of " + role + " are 0",
                               [=](const LaneOf& lane) { return value_of(type, element(lane)) == 0; }));
    all.push_back(of_all_lanes("in which no element of " + role + " is less than 0",
                               [=](const LaneOf& lane) { return value_of(type, element(lane)) >= 0; }));
    all.push_back(of_all_lanes("in which no element of " + role + " is greater than 0",
                               [=](const LaneOf& lane) { return value_of(type, element(lane)) <= 0; }));
    all.push_back({"in which all elements of " + role + " are equal", [element](const Part& part) {
                     return std::ranges::all_of(
                         part, [&](const LaneOf& lane) { return element(lane) == element(part[0]); });
                   }});
  }
  return all;
}

/// Small numbers. Whole repeats hold one kind of them, or each data block a kind of its own; some have one
/// lane that is another one.
void put_kinds(ShapeTrial& it, unsigned seed) {
  const Instruction& insn = it.insn();
  const Row& row = row_of(insn.op);
  const unsigned lanes = lanes_of(insn), block = std::max(lanes / kRepeatBlocks, 1U);
  std::mt19937_64 random(seed);
  fill_region(it.program, it.layout.regions[0], insn.dst_type, nearest(insn.dst_type, 77 + seed));
  for (unsigned r = 0; r < kPartRepeats; ++r) {
    auto holds = static_cast<Held>((r + seed) % kHeld);
    const bool by_block = r % 2 == 1, but_one = r % 4 == 2;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      if (by_block && lane % block == 0) holds = static_cast<Held>(random() % kHeld);
      const bool other = but_one && lane == (r * 7 + 3) % lanes;
      double first = 0;
      for (unsigned k = 1; k < row.operands.size(); ++k) {
        double value = 1 + static_cast<double>(random() % 9);
        if (holds == Held::negative || (holds == Held::any && random() % 2 == 0)) value = -value;
        if (holds == Held::zeros) value = 0;
        if (holds == Held::one_value) value = 4 + k;
        if (holds == Held::equal_sources && k > 1) value = first;
        if (other) value = k == 1 ? -3 : 5;
        if (k == 1) first = value;
        const Region& region = it.layout.regions[k];
        const auto at = static_cast<std::uint32_t>(element_at(insn, k, r, lane));
        put_element(it.program, region, insn.src_type, region.margin / size_of(insn.src_type) + at,
                    nearest(insn.src_type, value));
      }
    }
  }
}

/// One part of dst, of `lanes` lanes: what it was made of, and whether it was written.
struct Seen {
  Part part;
  bool written;
};

/// All parts of so many lanes; nothing if a part is neither written nor left out.
std::optional<std::vector<Seen>> see_parts(const ShapeTrial& trial, unsigned lanes_of_part) {
  const Instruction& insn = trial.insn();
  const auto of = [&](const Bytes& ub, unsigned k, unsigned repeat, unsigned lane) {
    const Element type = k == 0 ? insn.dst_type : insn.src_type;
    const Region& region = trial.layout.regions[k];
    const auto at = static_cast<std::uint32_t>(element_at(insn, k, repeat, lane));
    return get_element(ub, region, type, region.margin / size_of(type) + at);
  };
  std::vector<Seen> all;
  for (unsigned r = 0; r < kPartRepeats; ++r)
    for (unsigned first = 0; first < lanes_of(insn); first += lanes_of_part) {
      bool written = true, kept = true;
      Seen seen{};
      for (unsigned lane = first; lane < first + lanes_of_part; ++lane) {
        LaneOf each{{}, of(trial.documented, 0, r, lane), of(trial.program.ub, 0, r, lane)};
        for (unsigned k = 1; k < row_of(insn.op).operands.size(); ++k)
          each.sources.push_back(of(trial.program.ub, k, r, lane));
        const std::uint64_t is = of(trial.actual, 0, r, lane);
        written = written && is == each.result;
        kept = kept && is == each.old;
        seen.part.push_back(std::move(each));
      }
      if (!written && !kept) return {};
      seen.written = written;
      all.push_back(std::move(seen));
    }
  return all;
}

bool fits(const PartCondition& condition, const std::vector<Seen>& all) {
  return std::ranges::all_of(all,
                             [&](const Seen& each) { return each.written != condition.holds(each.part); });
}

}  // namespace

std::optional<Difference> unwritten_parts(const Subject& given, const Ask& ask) {
  const Row& row = row_of(given.insn.op);
  if (!has_place_probes(row) || row.operands.size() < 2 || !row.has_repeat || row.reads_dst || row.rounds ||
      (!is_float(given.insn.src_type) && !is_signed(given.insn.src_type)))
    return {};
  const Subject subject = in_a_row(given, kPartRepeats);
  const auto trial_of = [&](unsigned seed) {
    return run_trial_with(
        subject, full_mask(subject), [seed](ShapeTrial& it) { put_kinds(it, seed); }, ask);
  };
  const auto trial = trial_of(0);
  if (!trial || trial->is_right()) return {};
  const unsigned lanes = lanes_of(subject.insn);
  for (const auto& [part, size] :
       {std::pair{"repeat", lanes}, std::pair{"data block", lanes / kRepeatBlocks}}) {
    if (size == 0) continue;
    const auto all = see_parts(*trial, size);
    if (!all || std::ranges::none_of(*all, &Seen::written)) continue;
    for (const PartCondition& condition : part_conditions(subject.insn)) {
      if (!fits(condition, *all)) continue;
      const auto fresh_trial = trial_of(1);
      const auto fresh = fresh_trial ? see_parts(*fresh_trial, size) : std::nullopt;
      if (!fresh || !fits(condition, *fresh)) continue;
      const std::string said = "does not write a " + std::string(part) + " " + condition.text;
      Difference difference{MapKind::values, mnemonic(subject.insn) + " " + said, {}};
      difference.key = "values: " + said;
      difference.matter = Matter::arithmetic;
      difference.of_all_shapes = true;
      return difference;
    }
  }
  return {};
}

}  // namespace lanecheck
