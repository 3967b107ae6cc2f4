#include "fuzz/identify/reductions/result_laws.h"

#include <algorithm>
#include <functional>
#include <random>

#include "fuzz/identify/probes/move_map.h"
#include "fuzz/identify/probes/reduction_map.h"
#include "fuzz/identify/probes/shapes.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr unsigned kReducedRepeats = 7;
using Value = std::optional<double>;  // of a result; nothing: it keeps its old dst

/// One program whose sources hold numbers so small that sums are exact. Old dst has some numbers that win
/// against all sources, and some that lose.
struct Reduced {
  Subject subject;
  Layout layout;
  MaskWords mask;
  Program program;
  State actual{};
  Value empty{};  ///< by the documents, of a result whose lanes are all off

  const Instruction& insn() const { return subject.insn; }
  unsigned results() const { return results_per_repeat(insn()); }
  unsigned size() const { return group_size(insn()); }

  std::uint32_t place(unsigned repeat, unsigned group) const {
    const unsigned bytes = size_of(insn().dst_type);
    return static_cast<std::uint32_t>((layout.regions[0].margin + repeat * repeat_step(insn(), 0)) / bytes +
                                      group);
  }
  double held(const std::vector<std::byte>& ub, unsigned repeat, unsigned group) const {
    return value_of(insn().dst_type,
                    get_element(ub, layout.regions[0], insn().dst_type, place(repeat, group)));
  }
  double old(unsigned repeat, unsigned group) const { return held(program.ub, repeat, group); }
  double source(unsigned repeat, unsigned lane) const {
    const Region& src = layout.regions[1];
    const unsigned at = src.margin / size_of(insn().src_type) + repeat * lanes_of(insn()) + lane;
    return value_of(insn().src_type, get_element(program.ub, src, insn().src_type, at));
  }
  double combine(double a, double b) const { return reduced_with(row_of(insn().op), a, b); }
  /// Of the lanes that are on: each by its own slot, or by slot `slots(lane)`.
  template <class Slots = std::identity>
  Value of_lanes(unsigned repeat, const std::vector<unsigned>& lanes, Slots slots = {}) const {
    Value all;
    for (const unsigned lane : lanes)
      if (lane < lanes_of(insn()) && slots(lane) < 128 && has_slot(mask, slots(lane)))
        all = all ? combine(*all, source(repeat, lane)) : source(repeat, lane);
    return all ? all : empty;
  }
  std::vector<unsigned> lanes_of_group(unsigned group) const {
    std::vector<unsigned> lanes;
    for (unsigned n = 0; n < size(); ++n) lanes.push_back(group * size() + n);
    return lanes;
  }
  Value documented(unsigned repeat, unsigned group) const { return of_lanes(repeat, lanes_of_group(group)); }
};

/// The documented results of all repeats, `results` of each.
using Results = std::vector<Value>;

/// Changes the documented results to what a law gives.
struct ResultConjecture {
  std::string text;  ///< behind the name of the instruction
  Matter matter = Matter::mask;
  std::function<void(const Reduced&, Results&)> change;
};

std::string_view greater_or_less(const Instruction& insn) {
  return row_of(insn.op).neutral == Neutral::lowest ? "greater" : "lesser";
}

bool is_sum(const Instruction& insn) {
  return !is_extreme(row_of(insn.op));
}

ResultConjecture of_old_dst(const Instruction& insn) {
  return {is_sum(insn)
              ? " adds its results to what dst holds"
              : " keeps the " + std::string(greater_or_less(insn)) + " one of its result and what dst holds",
          Matter::arithmetic, [](const Reduced& it, Results& results) {
            for (unsigned n = 0; n < results.size(); ++n)
              if (results[n])
                results[n] = it.combine(*results[n], it.old(n / it.results(), n % it.results()));
          }};
}

struct MaskWhen {
  std::string_view text;
  bool (*holds)(const Reduced&);
};
constexpr MaskWhen kMaskWhen[] = {
    {"", [](const Reduced&) { return true; }},
    {" if the first lane is off", [](const Reduced& it) { return !has_slot(it.mask, 0); }},
    {" if the last lane is off",
     [](const Reduced& it) { return !has_slot(it.mask, std::min(lanes_of(it.insn()), 128U) - 1); }},
    {" if a lane is off", [](const Reduced& it) { return it.mask != full_mask(it.subject); }},
};

void add_carried(const Instruction& insn, std::vector<ResultConjecture>& all) {
  for (const unsigned distance : {1U, 2U, 4U})
    for (const MaskWhen& when : kMaskWhen) {
      const std::string repeat =
          distance == 1 ? "repeat before it" : "repeat that lies " + std::to_string(distance) + " before it";
      const std::string text = distance == 1 && when.text.empty()
                                   ? std::string(kNotAnew)
                                   : combines_with(row_of(insn.op), "what it wrote for the " + repeat);
      all.push_back({text + std::string(when.text), when.text.empty() ? Matter::arithmetic : Matter::mask,
                     [distance, &when](const Reduced& it, Results& results) {
                       const unsigned back = distance * it.results();
                       for (std::size_t n = back; when.holds(it) && n < results.size(); ++n) {
                         const Value &before = results[n - back], &own = results[n];
                         if (before && own) results[n] = it.combine(*before, *own);
                       }
                     }});
    }
}

/// Result g is made of the lanes that `lanes` gives for it. `if_active`: if its own lanes are not all off.
void add_lanes(const std::string& text, const std::function<std::vector<unsigned>(unsigned g)>& lanes,
               std::vector<ResultConjecture>& all) {
  using Kind = RepeatLaw::Kind;
  for (const RepeatLaw& in : {RepeatLaw{Kind::all}, {Kind::from, 1}, {Kind::odd}, {Kind::even}})
    for (const bool if_active : {true, false})
      all.push_back({text + (in.kind == Kind::all ? "" : " ") + in.text(), Matter::address,
                     [lanes, in, if_active](const Reduced& it, Results& results) {
                       for (unsigned n = 0; n < results.size(); ++n)
                         if (const unsigned repeat = n / it.results();
                             in.holds(repeat, kReducedRepeats) && (results[n] || !if_active))
                           results[n] = it.of_lanes(repeat, lanes(n % it.results()));
                     }});
}

void add_other_lanes(const Instruction& insn, std::vector<ResultConjecture>& all) {
  constexpr unsigned kFarthest = 4;
  const unsigned size = group_size(insn), count = lanes_of(insn);
  if (size == count) return;
  if (size == 2)
    for (unsigned a = 0; a < kFarthest; ++a)
      for (unsigned b = a + 1; b <= kFarthest; ++b)
        for (const bool around : {false, true}) {
          if (a == 0 && b == 1) continue;
          const std::string end = around ? " (modulo " + std::to_string(count) + ")" : "";
          const std::string first = a == 0 ? "" : " + " + std::to_string(a);
          add_lanes(
              " computes result g of a repeat of lanes 2 * g" + first + " and 2 * g + " + std::to_string(b) +
                  end,
              [=](unsigned g) {
                const unsigned one = 2 * g + a, other = 2 * g + b;
                return around ? std::vector{one % count, other % count} : std::vector{one, other};
              },
              all);
        }
  add_lanes(
      " computes both results of a pair (g and g xor 1) of the lanes of both",
      [size](unsigned g) {
        std::vector<unsigned> lanes;
        for (unsigned n = 0; n < 2 * size; ++n) lanes.push_back((g & ~1U) * size + n);
        return lanes;
      },
      all);
}

/// Each result of a repeat goes on from those before it in the repeat.
void add_running(const Instruction& insn, std::vector<ResultConjecture>& all) {
  all.push_back({": each result of a repeat also contains those before it in the repeat (it is a running " +
                     std::string(is_sum(insn)                                 ? "sum"
                                 : row_of(insn.op).neutral == Neutral::lowest ? "maximum"
                                                                              : "minimum") +
                     ")",
                 Matter::arithmetic, [](const Reduced& it, Results& results) {
                   for (unsigned n = 0; n < results.size(); ++n) {
                     unsigned before = n;  // the closest result before it in the repeat, if there is one
                     while (before % it.results() != 0 && !results[before - 1]) --before;
                     if (results[n] && before % it.results() != 0)
                       results[n] = it.combine(*results[n], *results[before - 1]);
                   }
                 }});
}

/// The slots of data block b begin where they do for elements of another width.
void add_slots_of_other_width(const Instruction& insn, std::vector<ResultConjecture>& all) {
  const unsigned per = group_size(insn);
  for (const unsigned bytes : {2U, 4U, 1U}) {
    const unsigned other = kBlockBytes / bytes;
    if (other == per) continue;
    all.push_back({": the slots of data block b begin at slot " + std::to_string(other) + " * b, as for " +
                       std::to_string(8 * bytes) + "-bit elements",
                   Matter::mask, [=](const Reduced& it, Results& results) {
                     const auto slot = [=](unsigned lane) { return lane / per * other + lane % per; };
                     for (unsigned n = 0; n < results.size(); ++n)
                       results[n] = it.of_lanes(n / it.results(), it.lanes_of_group(n % it.results()), slot);
                   }});
  }
}

/// What is written where all lanes of a result are off.
void add_of_empty(std::vector<ResultConjecture>& all) {
  const auto add = [&](std::string text, auto value) {
    all.push_back({std::move(text), Matter::mask, [value](const Reduced& it, Results& results) {
                     for (unsigned n = 0; n < results.size(); ++n)
                       if (!results[n]) results[n] = value(it, results, n);
                   }});
  };
  add(": a result whose lanes are all off receives the result before it in its repeat",
      [](const Reduced& it, const Results& results, unsigned n) {
        return n % it.results() == 0 ? Value() : results[n - 1];
      });
  add(": a result whose lanes are all off receives the result before it",
      [](const Reduced&, const Results& results, unsigned n) { return n == 0 ? Value() : results[n - 1]; });
  add(": a result whose lanes are all off becomes 0 if the other one of its pair (g xor 1) has an active "
      "lane",
      [](const Reduced& it, const Results&, unsigned n) {
        const unsigned pair = (n % it.results()) ^ 1U;
        return pair < it.results() && it.documented(n / it.results(), pair) ? Value(0) : Value();
      });
}

std::vector<ResultConjecture> result_conjectures(const Instruction& insn) {
  std::vector<ResultConjecture> all = {of_old_dst(insn)};
  add_carried(insn, all);
  add_other_lanes(insn, all);
  if (results_per_repeat(insn) > 1) {
    add_running(insn, all);
    add_of_empty(all);
  }
  if (results_per_repeat(insn) == kRepeatBlocks) add_slots_of_other_width(insn, all);
  return all;
}

/// What the documents write to a result whose lanes are all off.
Value value_of_empty(const std::vector<Reduced>& all, const std::vector<State>& documented) {
  for (std::size_t n = 0; n < all.size(); ++n)
    for (unsigned group = 0; group < all[n].results(); ++group) {
      const double held = all[n].held(documented[n].ub, 0, group);
      if (!all[n].documented(0, group) && held != all[n].old(0, group)) return held;
    }
  return {};
}

/// Under a full mask, and under masks with single lanes and whole groups off. Empty if they cannot be asked.
std::vector<Reduced> reduced_by(const Subject& given, unsigned seed, const Ask& ask) {
  constexpr std::uint64_t kAll = ~std::uint64_t{0};
  constexpr MaskWords kMasks[] = {{kAll, kAll},
                                  {kAll, kAll - 1},
                                  {kAll >> 1, kAll >> 33},
                                  {0x0f000000ffffffff, 0x0000ffff12340f31},
                                  {0xff00ffa5fff00000, 0x30f16500ffff00ff},
                                  {0x00ff00ff00ff00ff, 0x00ff0000ff00f0ff}};
  Subject subject = in_a_row(given, kReducedRepeats);
  const auto layout = lay_out(subject);
  if (!layout) return {};
  const MaskWords full = full_mask(subject);
  const Instruction& insn = subject.insn;
  const bool has_negative = is_float(insn.src_type) || is_signed(insn.src_type);
  const unsigned extreme = size_of(insn.src_type) == 1 ? 50 : 1000, most = is_sum(insn) ? 8 : extreme;
  std::mt19937_64 random(seed);
  std::vector<Reduced> all;
  std::vector<Program> programs;
  for (const MaskWords& words : kMasks) {
    const MaskWords mask{words.high & full.high, words.low & full.low};
    auto program = probe_program(subject, *layout, mask);
    if (!program) return {};
    for (unsigned k = 0; k < 2; ++k) {
      const Element type = operand_type(insn, row_of(insn.op).operands[k]);
      for (unsigned n = 0; n < layout->regions[k].bytes / size_of(type); ++n) {
        const auto number =
            static_cast<double>(k == 1 ? random() % most : most * 9 / 10 + random() % most / 4);
        put_element(*program, layout->regions[k], type, n,
                    nearest(type, has_negative && random() % 2 == 0 ? -number : number));
      }
    }
    programs.push_back(*program);
    all.push_back({subject, *layout, mask, std::move(*program)});
  }
  Answers answers = ask_all(ask, programs);
  const Answers documented = ask_all(ask_oracle(), programs);
  if (!answers.why_not.empty() || !documented.why_not.empty()) return {};
  const Value empty = value_of_empty(all, documented.states);
  for (std::size_t n = 0; n < all.size(); ++n) {
    all[n].actual = std::move(answers.states[n]);
    all[n].empty = empty;
  }
  return all;
}

Results documented_results(const Reduced& it) {
  Results results;
  for (unsigned n = 0; n < kReducedRepeats * it.results(); ++n)
    results.push_back(it.documented(n / it.results(), n % it.results()));
  return results;
}

bool is_left(const Reduced& it, const Results& results) {
  for (unsigned n = 0; n < results.size(); ++n) {
    const unsigned repeat = n / it.results(), group = n % it.results();
    const double expected = results[n].value_or(it.old(repeat, group));
    if (it.held(it.actual.ub, repeat, group) != expected) return false;
  }
  return true;
}

MapKind map_of(Matter matter) {
  if (matter == Matter::address) return MapKind::src;
  return matter == Matter::arithmetic ? MapKind::values : MapKind::contribution;
}

bool gives(const ResultConjecture& conjecture, const std::vector<Reduced>& seen) {
  return std::ranges::all_of(seen, [&](const Reduced& each) {
    Results results = documented_results(each);
    conjecture.change(each, results);
    return is_left(each, results);
  });
}

}  // namespace

std::optional<Difference> result_law(const Subject& subject, const Ask& ask) {
  const Row& row = row_of(subject.insn.op);
  if (!has_reduction_probes(row) || !has_plain_results(row) || !row.has_repeat ||
      lanes_of(subject.insn) > 128)
    return {};
  const auto seen = reduced_by(subject, 1, ask);
  const auto is_right = [](const Reduced& each) { return is_left(each, documented_results(each)); };
  if (seen.empty() || std::ranges::all_of(seen, is_right)) return {};
  for (const ResultConjecture& each : result_conjectures(subject.insn)) {
    if (!gives(each, seen)) continue;
    const auto others = reduced_by(subject, 2, ask);
    if (others.empty() || !gives(each, others)) continue;
    Difference law{map_of(each.matter), mnemonic(subject.insn) + each.text, {}};
    if (each.text == kNotAnew) law.key = kNotAnewKey;
    law.general = each.text.substr(each.text.find_first_not_of(": "));
    law.matter = each.matter;
    law.of_all_shapes = true;
    return law;
  }
  return {};
}

}  // namespace lanecheck
