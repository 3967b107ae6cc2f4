#include "fuzz/identify/reductions/reduction_places.h"

#include <algorithm>

#include "fuzz/identify/probes/digit_code.h"
#include "fuzz/identify/probes/move_map.h"
#include "fuzz/identify/probes/reduction_map.h"
#include "fuzz/identify/probes/shapes.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr unsigned kRepeats = 3;

/// One result that the documents write, and how many they write before it.
struct PlacedResult {
  unsigned repeat, group;
  unsigned rank, rank_of_all;  ///< in its repeat; over all repeats
  unsigned groups, step;       ///< results of a repeat; elements from repeat to repeat
  unsigned per;                ///< elements of a data block of dst
};

struct Order {
  std::string_view before, after;       ///< the sentence before and after the name of the instruction
  int (*place)(const PlacedResult& r);  ///< in elements of dst
  bool of_empty = false;                ///< results without active lanes take no place
};

int number(unsigned place) {
  return static_cast<int>(place);
}

// The first one is also what the third one does where a repeat has one result.
constexpr Order kOrders[] = {
    {"the results of the repeats of ", " are written in a row, whatever the repeat stride of dst is",
     [](const PlacedResult& r) { return number(r.repeat * r.groups + r.group); }},
    {"results without active lanes take no place in dst of ", ": the later results of their repeat move up",
     [](const PlacedResult& r) { return number(r.repeat * r.step + r.rank); }, true},
    {"results without active lanes take no place in dst of ",
     ", and the next repeat goes on where the last result stands",
     [](const PlacedResult& r) { return number(r.rank_of_all); }, true},
    {"the results of each repeat of ", " are written in reverse order",
     [](const PlacedResult& r) { return number(r.repeat * r.step + r.groups - 1 - r.group); }},
    {"the results of all repeats of ", " are written in reverse order of repeats",
     [](const PlacedResult& r) { return number((kRepeats - 1 - r.repeat) * r.step + r.group); }},
    {"the result of each group of lanes of ", " is written one place later",
     [](const PlacedResult& r) { return number(r.repeat * r.step + r.group + 1); }},
    {"the result of each group of lanes of ", " is written one place earlier",
     [](const PlacedResult& r) { return number(r.repeat * r.step + r.group) - 1; }},
    {"the result of each group of lanes of ", " is written one place later, the last one of a repeat first",
     [](const PlacedResult& r) { return number(r.repeat * r.step + (r.group + 1) % r.groups); }},
    {"the result of each group of lanes of ", " is written one place earlier, the first one of a repeat last",
     [](const PlacedResult& r) { return number(r.repeat * r.step + (r.group + r.groups - 1) % r.groups); }},
    {"neighbouring results of ", " change places",
     [](const PlacedResult& r) { return number(r.repeat * r.step + (r.group ^ 1U)); }},
    {"results of ", " that belong to the same lanes of all repeats are written in a row",
     [](const PlacedResult& r) { return number(r.group * kRepeats + r.repeat); }},
    {"each result of ", " is written at its place, rounded down to a multiple of 2 elements of dst",
     [](const PlacedResult& r) { return number((r.repeat * r.step + r.group) / 2 * 2); }},
    {"each result of ", " is written at its place, rounded down to a multiple of 4 elements of dst",
     [](const PlacedResult& r) { return number((r.repeat * r.step + r.group) / 4 * 4); }},
    {"each result of ", " takes a data block of its own",
     [](const PlacedResult& r) { return number(r.repeat * r.step + r.group * r.per); }},
};

struct Places {
  Subject subject;
  Layout layout;
  std::uint64_t old = 0;

  unsigned groups() const { return results_per_repeat(subject.insn); }
  unsigned step() const { return groups() * subject.insn.operands[0].repeat_stride; }
  Element type() const { return subject.insn.dst_type; }
  /// Of a place of dst, in its region.
  std::uint32_t at(int place) const {
    return static_cast<std::uint32_t>(static_cast<int>(layout.regions[0].margin / size_of(type())) + place);
  }
};

/// A number of its own for each result, and masks that leave whole groups off.
std::vector<Program> programs_of(const Places& places) {
  constexpr MaskWords kMasks[] = {{~std::uint64_t{0}, ~std::uint64_t{0}},
                                  {0x0000000012340000, 0x00ff00a500000f31},
                                  {0xff0000a5ffff0000, 0x30006500ffff0000}};
  const Instruction& insn = places.subject.insn;
  const MaskWords full = full_mask(places.subject);
  const Region& src = places.layout.regions[1];
  std::vector<Program> programs;
  for (const MaskWords& mask : kMasks) {
    const MaskWords set = settable_mask(places.subject, {mask.high & full.high, mask.low & full.low});
    auto program = probe_program(places.subject, places.layout, set);
    if (!program) return {};
    fill_region(*program, places.layout.regions[0], places.type(), places.old);
    const unsigned lanes = lanes_of(insn);
    for (unsigned n = 0; n < kRepeats * lanes; ++n) {
      const unsigned result = n / group_size(insn);
      put_element(*program, src, insn.src_type, src.margin / size_of(insn.src_type) + n,
                  nearest(insn.src_type, result % 100 + 1));
    }
    programs.push_back(std::move(*program));
  }
  return programs;
}

/// UB with the documented results in another order. Of two results that stand at one place, the later one
/// stays.
std::vector<std::byte> reordered(const Places& places, const Program& program, const State& documented,
                                 const Order& order) {
  Program changed = program;
  PlacedResult result{0, 0, 0, 0, places.groups(), places.step(), per_block(places.type())};
  for (; result.repeat < kRepeats; ++result.repeat) {
    result.rank = 0;
    for (result.group = 0; result.group < places.groups(); ++result.group) {
      const Region& dst = places.layout.regions[0];
      const auto bits = get_element(documented.ub, dst, places.type(),
                                    places.at(number(result.repeat * places.step() + result.group)));
      if (bits == places.old) continue;
      const std::uint32_t at = places.at(order.place(result));
      if (at < dst.bytes / size_of(places.type())) put_element(changed, dst, places.type(), at, bits);
      ++result.rank;
      ++result.rank_of_all;
    }
  }
  return std::move(changed.ub);
}

/// The programs with one repeat stride of each operand, and what was left.
struct Trial {
  Places places;
  std::vector<Program> programs;
  Answers is, should;

  bool is_right() const {
    return std::ranges::equal(is.states, should.states, same_bytes, &State::ub, &State::ub);
  }
  bool has_order(const Order& order) const {
    for (std::size_t n = 0; n < programs.size(); ++n)
      if (!same_bytes(reordered(places, programs[n], should.states[n], order), is.states[n].ub)) return false;
    return true;
  }
};

/// Nothing if the backend does not run the programs.
/// `gap`: between the repeats of src, in data blocks.
std::optional<Trial> trial_with(const Subject& subject, std::uint32_t repeat_stride, std::uint32_t gap,
                                const Ask& ask) {
  Trial trial{{in_a_row(subject, kRepeats), {}, 0}, {}, {}, {}};
  Places& places = trial.places;
  places.subject.insn.operands[0].repeat_stride = repeat_stride;
  places.subject.insn.operands[1].repeat_stride += gap;
  const auto layout = lay_out(places.subject);
  if (!layout) return {};
  places.layout = *layout;
  places.old = old_dst_bits(places.subject.insn, 0x6b);
  trial.programs = programs_of(places);
  if (trial.programs.empty()) return {};
  trial.is = ask_all(ask, trial.programs);
  trial.should = ask_all(ask_oracle(), trial.programs);
  if (!trial.is.why_not.empty() || !trial.should.why_not.empty()) return {};
  return trial;
}

}  // namespace

std::optional<Difference> result_places_difference(const Subject& subject, const Ask& ask) {
  if (!has_reduction_probes(row_of(subject.insn.op)) || !row_of(subject.insn.op).has_repeat) return {};
  const auto trial = trial_with(subject, 3, 0, ask);  // an odd number: rounded places show
  if (!trial || trial->is_right()) return {};
  const auto order = std::ranges::find_if(kOrders, [&](const Order& each) { return trial->has_order(each); });
  if (order == std::end(kOrders)) return {};
  // With one stride, another unit of strides looks like an order, or the stride of src.
  if (const auto other = trial_with(subject, 5, 3, ask); other && !other->has_order(*order)) return {};
  Difference difference{
      MapKind::dst, std::string(order->before) + mnemonic(subject.insn) + std::string(order->after), {}};
  difference.of_empty = order->of_empty;
  return difference;
}

}  // namespace lanecheck
