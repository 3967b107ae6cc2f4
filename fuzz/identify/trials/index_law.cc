#include "fuzz/identify/trials/index_law.h"

#include <algorithm>
#include <cstring>

#include "fuzz/identify/probes/place_map.h"
#include "fuzz/identify/probes/shapes.h"
#include "fuzz/identify/trials/trials.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// The elements of one repeat. `holders`: the active ones that hold the extreme.
struct Elements {
  std::vector<double> values;
  std::vector<bool> on;
  std::vector<unsigned> holders;
  double extreme = 0;
  unsigned repeat = 0, in_block = 0, size = 0;
  Element type = Element::f32;

  unsigned first() const { return holders.front(); }
  unsigned count() const { return static_cast<unsigned>(values.size()); }
  unsigned active_before(unsigned lane) const {
    return static_cast<unsigned>(std::count(on.begin(), on.begin() + lane, true));
  }
};

constexpr unsigned kOnlyValue = 2;  // the order; those before it are pairs

struct IndexLaw {
  std::string_view text;
  unsigned (*index)(const Elements& e);
  bool in_few_bytes = false;      ///< of an index of 4 bytes, as many are written as an element has
  bool in_element_steps = false;  ///< indices of 4 bytes lie as many bytes apart as elements would
  bool of_mask = false;           ///< the mask has a say in the index
  bool in_pair_steps = false;     ///< pairs of value and index lie as many bytes apart as elements would
};

constexpr IndexLaw kLaws[] = {
    {"gives the index of the last of several equal elements",
     [](const Elements& e) { return e.holders.back(); }},
    {"gives the index of the first element with this value, also if it is masked off",
     [](const Elements& e) {
       return static_cast<unsigned>(std::ranges::find(e.values, e.extreme) - e.values.begin());
     },
     false, false, true},
    {"counts only active elements for the index",
     [](const Elements& e) { return e.active_before(e.first()); }, false, false, true},
    {"counts the index in its data block", [](const Elements& e) { return e.first() % e.in_block; }},
    {"gives the number of the data block as the index",
     [](const Elements& e) { return e.first() / e.in_block; }},
    {"counts the index over all repeats", [](const Elements& e) { return e.repeat * e.count() + e.first(); }},
    {"gives an index that is one too great", [](const Elements& e) { return e.first() + 1; }},
    {"gives the index in bytes", [](const Elements& e) { return e.first() * e.size; }},
    {"counts the index from the last element of the repeat",
     [](const Elements& e) { return e.count() - 1 - e.first(); }},
    {"gives 0 as the index", [](const Elements&) { return 0U; }},
    {"gives the index as a floating-point number",
     [](const Elements& e) { return static_cast<unsigned>(nearest(e.type, e.first())); }},
    {"writes only as many bytes of the index as an element has", [](const Elements& e) { return e.first(); },
     true},
    {"counts its dst repeat stride in elements and not in indices of 4 bytes",
     [](const Elements& e) { return e.first(); }, false, true},
    {"counts its dst repeat stride in elements and not in pairs of value and index",
     [](const Elements& e) { return e.first(); }, false, false, false, true},
    {"gives the index of the first active element",
     [](const Elements& e) { return static_cast<unsigned>(std::ranges::find(e.on, true) - e.on.begin()); },
     false, false, true},
};

std::optional<Elements> elements_of(const ShapeTrial& trial, unsigned repeat) {
  const Instruction& insn = trial.insn();
  const Region& src = trial.layout.regions[1];
  const bool greatest = row_of(insn.op).neutral == Neutral::lowest;
  Elements all;
  all.repeat = repeat;
  all.in_block = per_block(insn.src_type);
  all.size = size_of(insn.src_type);
  all.type = insn.src_type;
  for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
    const auto n = static_cast<std::uint32_t>(element_at(insn, 1, repeat, lane));
    const std::uint64_t bits = get_element(trial.program.ub, src, insn.src_type, src.margin / all.size + n);
    all.values.push_back(value_of(insn.src_type, bits));
    all.on.push_back(has_slot(trial.mask, lane));
    if (!all.on.back()) continue;
    const double value = all.values.back();
    if (all.holders.empty() || (greatest ? value > all.extreme : value < all.extreme)) {
      all.holders.clear();
      all.extreme = value;
    }
    if (value == all.extreme) all.holders.push_back(lane);
  }
  return all.holders.empty() ? std::nullopt : std::optional(std::move(all));
}

/// Few values, so that many elements are equal.
void put_data(ShapeTrial& trial, unsigned seed) {
  const Instruction& insn = trial.insn();
  const Region& src = trial.layout.regions[1];
  fill_region(trial.program, trial.layout.regions[0], insn.dst_type, nearest(insn.dst_type, 77));
  for (std::uint32_t n = 0; n < src.bytes / size_of(insn.src_type); ++n)
    put_element(trial.program, src, insn.src_type, n,
                nearest(insn.src_type, ((n + 1) * 2654435761U + seed * 40503U) % 97 % 9 - 4.0));
}

/// UB if the indices of `law` stand where those of the documents do, in the repeats of `where`.
Bytes left_by_law(const ShapeTrial& trial, const IndexLaw& law, const RepeatLaw& where) {
  const Instruction& insn = trial.insn();
  const unsigned order = setting(insn, "order"), size = size_of(insn.dst_type);
  const bool closer = law.in_element_steps && order == 3, pairs = law.in_pair_steps && order < kOnlyValue;
  Bytes ub = closer || pairs ? trial.program.ub : trial.documented;
  for (unsigned repeat = 0; repeat < repeats_of(insn); ++repeat) {
    if (!where.holds(repeat, repeats_of(insn))) continue;
    const auto elements = elements_of(trial, repeat);
    if (!elements) continue;
    const std::uint32_t index = law.index(*elements);
    const std::uint64_t own = repeat_step(insn, 0);
    const std::uint64_t step = pairs ? own / 2 : closer ? own * size / sizeof index : own;
    const std::size_t at = trial.layout.regions[0].start() + repeat * step;
    const std::size_t bytes = order == 3 ? sizeof index : size;
    if (pairs) {
      const std::uint64_t value = nearest(insn.dst_type, elements->extreme);
      std::memcpy(&ub[at + (order == 0 ? 0 : size)], &value, size);
    }
    std::memcpy(&ub[at + (order == 0 ? size : 0)], &index, bytes);
    if (law.in_few_bytes && size < bytes)
      std::memcpy(&ub[at + size], &trial.program.ub[at + size], bytes - size);
  }
  return ub;
}

std::vector<ShapeTrial> index_trials(const Subject& given, const Ask& ask) {
  const MaskWords full = full_mask(given);
  std::vector<ShapeTrial> trials;
  for (unsigned repeat = 1; repeat <= 4; ++repeat)
    for (const MaskWords& words : {full, kGappedMask, kEarlierMask}) {
      Subject subject = in_a_row(given, repeat);
      const auto seed = static_cast<unsigned>(trials.size());
      auto trial = run_trial_with(
          subject, {words.high & full.high, words.low & full.low},
          [seed](ShapeTrial& it) { put_data(it, seed); }, ask);
      if (trial) trials.push_back(std::move(*trial));
    }
  return trials;
}

constexpr std::string_view kOrders[] = {"the value, then the index", "the index, then the value",
                                        "the value alone", "the index alone"};

}  // namespace

std::optional<Difference> order_difference(const Subject& subject, const Ask& ask) {
  if (row_of(subject.insn.op).results != ResultRule::indexed) return {};
  const auto trials = index_trials(subject, ask);
  if (std::ranges::all_of(trials, &ShapeTrial::is_right)) return {};
  const std::size_t field = *setting_index(row_of(subject.insn.op), "order");
  for (std::uint32_t order = 0; order < std::size(kOrders); ++order) {
    const auto gives = [&](const ShapeTrial& trial) {
      Instruction other = trial.placed();
      other.settings[field] = order;
      return left_by(trial, {other}) == trial.actual;
    };
    if (!std::ranges::all_of(trials, gives)) continue;
    const std::uint32_t own = subject.insn.settings[field];
    Difference difference{MapKind::values,
                          mnemonic(subject.insn) + " gives " + std::string(kOrders[order]) + ", for order " +
                              std::to_string(own) + " (" + std::string(kOrders[own]) + ")",
                          {}};
    difference.key = "values: takes another order";
    difference.of_all_shapes = true;
    return difference;
  }
  return {};
}

namespace {

/// ", for order 0 (the value, then the index)" if the indices of other orders are right; else nothing.
std::string for_orders(const Subject& subject, const Ask& ask) {
  const std::size_t field = *setting_index(row_of(subject.insn.op), "order");
  std::string wrong;
  bool all_wrong = true;
  for (std::uint32_t order = 0; order < std::size(kOrders); ++order) {
    if (order == kOnlyValue) continue;
    Subject other = subject;
    other.insn.settings[field] = order;
    const auto trials = index_trials(other, ask);
    if (trials.empty() || std::ranges::all_of(trials, &ShapeTrial::is_right))
      all_wrong = false;
    else
      wrong +=
          (wrong.empty() ? "" : " and ") + std::to_string(order) + " (" + std::string(kOrders[order]) + ")";
  }
  return all_wrong || wrong.empty() ? "" : ", for order " + wrong;
}

}  // namespace

std::optional<Difference> index_law(const Subject& subject, const Ask& ask) {
  const Row& row = row_of(subject.insn.op);
  if (row.results != ResultRule::indexed || setting(subject.insn, "order") == kOnlyValue) return {};
  const auto trials = index_trials(subject, ask);
  if (std::ranges::all_of(trials, &ShapeTrial::is_right)) return {};
  for (const RepeatLaw& where : repeat_laws())
    for (const IndexLaw& law : kLaws) {
      const auto fits = [&](const ShapeTrial& trial) {
        return left_by_law(trial, law, where) == trial.actual;
      };
      if (!std::ranges::all_of(trials, fits)) continue;
      Difference difference{MapKind::values,
                            mnemonic(subject.insn) + " " + std::string(law.text) + for_orders(subject, ask),
                            where.text()};
      difference.general = law.text;
      difference.of_all_shapes = true;
      if (law.of_mask) difference.matter = Matter::mask;
      if (law.in_element_steps || law.in_pair_steps) difference.matter = Matter::address;
      return difference;
    }
  return {};
}

}  // namespace lanecheck
