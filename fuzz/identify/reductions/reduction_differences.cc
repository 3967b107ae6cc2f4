#include "fuzz/identify/reductions/reduction_differences.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fuzz/identify/gates/gate_differences.h"
#include "fuzz/identify/probes/gate_map.h"
#include "fuzz/identify/probes/index_formula.h"
#include "fuzz/identify/probes/intervals.h"
#include "fuzz/identify/probes/move_map.h"
#include "fuzz/identify/reductions/repeated_elements.h"
#include "fuzz/identify/reductions/written_results.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kGreatestOfF16 = 65504;

/// Are these the first lanes of all groups, or the last ones?
bool is_one_of_each_group(const Subject& subject, const std::vector<unsigned>& lanes) {
  const unsigned size = group_size(subject.insn);
  return lanes.size() == results_per_repeat(subject.insn) && std::ranges::all_of(lanes, [&](unsigned lane) {
           return lane % size == lanes[0] % size && (lane % size == 0 || lane % size == size - 1);
         });
}

/// "k mod 4": the result of its data block in which lane k of each data block counts.
std::optional<std::string> formula_in_block(const Subject& subject, const std::vector<unsigned>& lanes,
                                            const std::vector<unsigned>& results) {
  const unsigned per = per_block(subject.insn.src_type), in_block = per / group_size(subject.insn);
  if (in_block < 2) return {};
  std::vector<unsigned> from, to;
  for (std::size_t n = 0; n < lanes.size(); ++n) {
    if (results[n] / in_block != lanes[n] / per) return {};
    from.push_back(lanes[n] % per);
    to.push_back(results[n] % in_block);
  }
  return index_formula(from, to, per, "k");
}

std::string under_full_mask(bool only) {
  return only ? ", under a full mask only" : ", even under a full mask";
}

/// Wrong even under a full mask.
Difference not_of_mask(std::string what, Matter matter) {
  Difference difference{MapKind::contribution, std::move(what), {}};
  difference.matter = matter;
  return difference;
}

/// "lanes 15, 31 .. 127 of cgadd.f16, the last lane of each data block, are left out of every result". Of the
/// same lane of each group, that is what other types have in common.
Difference wrongly_counted(const Subject& subject, const std::vector<unsigned>& lanes, const std::string& how,
                           bool only_if_full) {
  const std::string said = (lanes.size() == 1 ? " is " : " are ") + how + under_full_mask(only_if_full);
  const std::string what = counted_noun("lane", lanes) + " of " + mnemonic(subject.insn);
  if (!is_one_of_each_group(subject, lanes)) return not_of_mask(what + said, Matter::address);
  const std::string which = std::string("the ") +
                            (lanes[0] % group_size(subject.insn) == 0 ? "first" : "last") + " lane of each " +
                            group_noun(subject) + ",";
  Difference difference = not_of_mask(what + ", " + which + said, Matter::address);
  difference.general = which + said;
  return difference;
}

/// "lane l of cpadd.f16 counts in result l mod 64 instead of l / 2"
Difference in_other_results(const Subject& subject, const std::vector<unsigned>& lanes,
                            const std::vector<unsigned>& results) {
  const std::string name = mnemonic(subject.insn);
  const unsigned size = group_size(subject.insn);
  const std::string all = "each result of " + name + " is computed from other lanes than those of its " +
                          group_noun(subject) + ": lane ";
  if (const auto formula = index_formula(lanes, results, lanes_of(subject.insn), "l")) {
    const std::string counts = all + "l counts in result " + *formula;
    Difference difference = not_of_mask(counts + " instead of l / " + std::to_string(size), Matter::address);
    difference.general = counts;
    return difference;
  }
  if (const auto formula = formula_in_block(subject, lanes, results))
    return not_of_mask(all + "k of each data block counts in its result " + *formula + " instead of k / " +
                           std::to_string(size),
                       Matter::address);
  std::size_t n = 0;
  while (n + 1 < lanes.size() && results[n] == lanes[n] / size) ++n;
  Difference example = not_of_mask(
      all + std::to_string(lanes[n]) + " counts in result " + std::to_string(results[n]) + ", for example",
      Matter::address);
  example.only_example = true;
  return example;
}

/// The name of a number that each type has one of its own of: "the least finite number".
std::optional<std::string> named_number(Element type, std::uint64_t bits) {
  if (!is_float(type)) return {};
  const std::uint64_t infinity = nearest(type, std::numeric_limits<double>::infinity());
  const std::uint64_t minus = nearest(type, -1.0) & ~nearest(type, 1.0), size = bits & ~minus;
  const bool negative = (bits & minus) != 0;
  const std::uint64_t least_normal = infinity & (~infinity + 1);  // the lowest bit of the exponent
  if (size == infinity - 1) return negative ? "the least finite number" : "the greatest finite number";
  const std::string minus_text = negative ? "minus " : "";
  if (size == least_normal) return minus_text + "the smallest positive normal number";
  if (size == 1) return minus_text + "the smallest positive number";
  return {};
}

/// Does a formula explain which elements count?
bool has_formula(const std::vector<Difference>& gates) {
  return std::ranges::none_of(gates, [](const Difference& each) { return each.only_example; });
}

}  // namespace

std::vector<Difference> equal_elements_differences(const Subject& subject, const EqualElements& measured) {
  if (measured.right()) return {};
  const Element type = subject.insn.src_type;
  const bool lowest = row_of(subject.insn.op).neutral == Neutral::lowest;
  const std::string gives = mnemonic(subject.insn) + " gives " + show_element(type, measured.result);
  if (measured.start) {
    Difference difference{MapKind::start,
                          gives + " where all elements are " + (lowest ? "less" : "greater") +
                              under_full_mask(measured.only_if_full) + ", as if it started with this value",
                          {}};
    if (measured.only_if_full) return {difference};
    difference.key = "start: not with the neutral element";
    difference.value = [type, lowest, start = *measured.start](std::uint64_t result) {
      return (value_of(type, result) < value_of(type, start)) == lowest ? start : result;
    };
    return {difference};
  }
  return {{MapKind::start,
           gives + " where all elements are " + show_element(type, measured.element) +
               under_full_mask(measured.only_if_full),
           {}}};
}

std::vector<Difference> contribution_differences(const Subject& subject, const Contributions& measured) {
  const unsigned size = group_size(subject.insn);
  std::vector<unsigned> never, often, lanes, results;
  bool moved = false;
  for (unsigned lane = 0; lane < measured.lanes; ++lane) {
    unsigned times = 0, last = 0;
    for (unsigned result = 0; result < measured.results; ++result) {
      if (measured.at(lane, result) > 0) last = result;
      times += measured.at(lane, result);
    }
    if (times == 0) never.push_back(lane);
    if (times > 1) often.push_back(lane);
    if (times == 0) continue;
    lanes.push_back(lane);
    results.push_back(last);
    moved |= last != lane / size;
  }
  if (lanes.empty()) return {};
  if (measured.accumulates) {
    Difference difference =
        not_of_mask(mnemonic(subject.insn) + std::string(kNotAnew) + under_full_mask(measured.only_if_full),
                    Matter::arithmetic);
    difference.key = kNotAnewKey;
    return {difference};
  }
  if (measured.by_repeat) return {};
  if (moved && often.empty()) {  // a lane that counts in several results is not only in the last of them
    Difference difference = in_other_results(subject, lanes, results);
    if (!measured.only_if_full) return {difference};
    for (std::string* text : {&difference.what, &difference.general})
      if (!text->empty()) *text += under_full_mask(true);
    return {difference};
  }
  // Other lanes that never count may as well be lanes whose slots are lost: the gates tell.
  if (is_one_of_each_group(subject, never))
    return {wrongly_counted(subject, never, "left out of every result", measured.only_if_full)};
  if (!often.empty())
    return {wrongly_counted(subject, often, "counted more than once", measured.only_if_full)};
  return {};
}

std::vector<Difference> reduction_differences(const Subject& subject, const ReductionMap& measured,
                                              const ReductionMap& documented) {
  const std::string name = mnemonic(subject.insn);
  if (measured.neutral && !documented.neutral) {
    const Element type = subject.insn.dst_type;
    const std::string acts = "a masked-off element", like = " acts like ";
    const auto named = named_number(type, *measured.neutral);
    Difference difference{
        MapKind::contribution,
        acts + " of " + name + like + show_element(type, *measured.neutral) +
            (named ? " (" + *named + ")" : "") +
            (row_of(subject.insn.op).neutral == Neutral::zero ? " instead of 0"
                                                              : " instead of never being the result"),
        {}};
    if (named) difference.general = acts + like + *named;
    const std::uint64_t extreme =
        nearest(type, row_of(subject.insn.op).neutral == Neutral::lowest ? -kInfinity : kInfinity) - 1;
    // A maximum has the least one, and a minimum the greatest; that of f16 may stand for both types.
    const bool of_f16 = type == Element::f32 && std::abs(value_of(type, *measured.neutral)) == kGreatestOfF16;
    if (is_float(type) && (*measured.neutral == extreme || of_f16))
      difference.general = acts + like + "the finite number that is next to the neutral element";
    return {difference};
  }
  // Elements whose results are not written look as if several slots decided about them.
  if (std::ranges::count(measured.elements.gates, GateKind::several, &Gate::kind) > 0)
    if (auto results = wrong_results(subject, measured, documented);
        results && results->results && results->results->keeps)
      return {*std::move(results)};
  auto gates = measured.by_repeat.empty()
                   ? gate_differences(subject, measured.elements, documented.elements,
                                      std::vector<bool>(measured.elements.gates.size()))
                   : repeated_differences(subject, measured.by_repeat, measured.repeats, documented.elements);
  if (!gates.empty() && has_formula(gates)) return gates;
  if (auto results = wrong_results(subject, measured, documented)) return {*std::move(results)};
  return gates;
}

}  // namespace lanecheck
