#include "fuzz/identify/reductions/reduction_differences.h"

#include <algorithm>
#include <limits>

#include "fuzz/identify/gates/gate_differences.h"
#include "fuzz/identify/gates/mask_condition.h"
#include "fuzz/identify/probes/gate_map.h"
#include "fuzz/identify/probes/index_formula.h"
#include "fuzz/identify/probes/intervals.h"
#include "fuzz/identify/probes/move_map.h"
#include "fuzz/identify/reductions/repeated_elements.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// A result under one mask.
struct Result {
  const Subject& subject;
  const MaskWords& mask;
  unsigned group;

  unsigned size() const { return group_size(subject.insn); }
  bool on(unsigned lane) const { return has_slot(mask, group * size() + lane); }
  unsigned count_on() const {
    unsigned count = 0;
    for (unsigned lane = 0; lane < size(); ++lane) count += on(lane) ? 1 : 0;
    return count;
  }
  unsigned empty_results() const {
    unsigned count = 0;
    for (unsigned g = 0; g < results_per_repeat(subject.insn); ++g) count += any_on(subject, mask, g) ? 0 : 1;
    return count;
  }
};

struct When {
  std::string_view text;
  bool (*holds)(const Result& result);
};

constexpr When kWhen[] = {
    {"all of their lanes are off", [](const Result& r) { return r.count_on() == 0; }},
    {"all of their lanes are off, for the results of the second half of a repeat",
     [](const Result& r) { return r.count_on() == 0 && 2 * r.group >= results_per_repeat(r.subject.insn); }},
    {"all of their lanes are off, for the results of the first half of a repeat",
     [](const Result& r) { return r.count_on() == 0 && 2 * r.group < results_per_repeat(r.subject.insn); }},
    {"one of their lanes is off", [](const Result& r) { return r.count_on() < r.size(); }},
    {"some of their lanes are off and others are on",
     [](const Result& r) { return r.count_on() > 0 && r.count_on() < r.size(); }},
    {"their first lane is off", [](const Result& r) { return !r.on(0); }},
    {"their last lane is off", [](const Result& r) { return !r.on(r.size() - 1); }},
    {"all lanes of the first result of the repeat are off",
     [](const Result& r) { return !any_on(r.subject, r.mask, 0); }},
    {"all lanes of the last result of the repeat are off",
     [](const Result& r) { return !any_on(r.subject, r.mask, results_per_repeat(r.subject.insn) - 1); }},
    {"a lane of their repeat is on",
     [](const Result& r) { return r.empty_results() < results_per_repeat(r.subject.insn); }},
    {"all lanes of some result of the repeat are off", [](const Result& r) { return r.empty_results() > 0; }},
    {"all lanes of every other result of the repeat are off",
     [](const Result& r) {
       return r.count_on() > 0 && r.empty_results() + 1 == results_per_repeat(r.subject.insn);
     }},
};

struct Cells {
  const Subject& subject;
  const ReductionMap &measured, &documented;

  /// Is each result `then` where `holds`, and as documented elsewhere?
  template <class Holds>
  bool fit(char then, Holds holds) const {
    for (std::size_t m = 0; m < measured.masks.size(); ++m)
      for (unsigned group = 0; group < results_per_repeat(subject.insn); ++group) {
        const char expected =
            holds(Result{subject, measured.masks[m], group}) ? then : documented.results[m][group];
        if (measured.results[m][group] != expected) return false;
      }
    return true;
  }
};

std::string what(const Cells& cells, char then) {
  const std::string name = mnemonic(cells.subject.insn);
  if (then == 'k') return "results of " + name + " keep their old dst if ";
  std::string value;
  if (cells.measured.written)
    value = " (" + show_element(cells.subject.insn.dst_type, *cells.measured.written) + ")";
  return "results of " + name + " are written" + value + " if ";
}

std::string example(const Cells& cells) {
  const ReductionMap &measured = cells.measured, &documented = cells.documented;
  for (std::size_t m = 0; m < measured.masks.size(); ++m)
    for (unsigned group = 0; group < results_per_repeat(cells.subject.insn); ++group)
      if (measured.results[m][group] != documented.results[m][group])
        return "some results of " + mnemonic(cells.subject.insn) + " are " +
               (measured.results[m][group] == 'w' ? "written" : "not written") +
               " against the documents, for example result " + std::to_string(group) +
               " of a repeat under the mask " + show_words(measured.masks[m]) + " (high:low)";
  return {};
}

/// `when`: under which condition results are written, or kept, against the documents.
Difference said_of(const Cells& cells, char then, const std::string& when, ResultLaw law) {
  Difference difference{MapKind::contribution, what(cells, then) + when, {}, false, {}, std::move(law)};
  if (then == 'w') difference.general = "results are written if " + when;  // the value follows from the type
  return difference;
}

/// What a reduction computes one result of.
std::string group_noun(const Subject& subject) {
  const unsigned results = results_per_repeat(subject.insn);
  if (results == 1) return "repeat";
  return results == kRepeatBlocks ? "data block" : "pair";
}

/// "keep their old dst if only lanes 8..11 of their data block are on": the lanes that alone do not make a
/// result written.
std::optional<Difference> kept_of_few_lanes(const Cells& cells) {
  std::vector<unsigned> few;
  for (std::size_t m = 0; m < cells.measured.masks.size(); ++m)
    for (unsigned group = 0; group < results_per_repeat(cells.subject.insn); ++group) {
      const Result result{cells.subject, cells.measured.masks[m], group};
      if (result.count_on() != 1 || cells.measured.results[m][group] == 'w') continue;
      for (unsigned lane = 0; lane < result.size(); ++lane)
        if (result.on(lane)) few.push_back(lane);
    }
  few = sorted_unique(std::move(few));
  if (few.empty() || few.size() == group_size(cells.subject.insn)) return {};
  const auto holds = [few](const Result& result) {
    for (unsigned lane = 0; lane < result.size(); ++lane)
      if (result.on(lane) && std::ranges::find(few, lane) == few.end()) return false;
    return true;
  };
  if (!cells.fit('k', holds)) return {};
  return said_of(cells, 'k',
                 "only " + counted_noun("lane", few) + " of their " + group_noun(cells.subject) +
                     (few.size() == 1 ? " is on" : " are on"),
                 {false, [=, subject = cells.subject](unsigned group, const MaskWords& mask) {
                    return holds(Result{subject, mask, group});
                  }});
}

/// Nothing if no formula explains all results.
std::optional<Difference> written_results(const Cells& cells) {
  for (const char then : {'w', 'k'}) {
    for (const When& when : kWhen) {
      if (!cells.fit(then, when.holds)) continue;
      std::string text(when.text);
      if (when.holds == kWhen[0].holds)
        text += then == 'w' ? " instead of keeping their old dst" : " instead of being written";
      return said_of(cells, then, text,
                     {then == 'w', [=, subject = cells.subject](unsigned group, const MaskWords& mask) {
                        return when.holds(Result{subject, mask, group});
                      }});
    }
    const MaskWords full = full_mask(cells.subject);
    for (const MaskCondition& condition : mask_conditions())
      for (const bool when : {true, false})
        if (cells.fit(then, [&](const Result& r) { return condition.holds(r.mask, full) == when; }))
          return said_of(cells, then, condition.text(when),
                         {then == 'w', [=](unsigned, const MaskWords& mask) {
                            return condition.holds(mask, full) == when;
                          }});
  }
  return kept_of_few_lanes(cells);
}

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

/// Wrong even under a full mask.
Difference not_of_mask(std::string what, Matter matter) {
  Difference difference{MapKind::contribution, std::move(what), {}};
  difference.matter = matter;
  return difference;
}

/// "lanes 15, 31 .. 127 of cgadd.f16, the last lane of each data block, are left out of every result". Of the
/// same lane of each group, that is what other types have in common.
Difference wrongly_counted(const Subject& subject, const std::vector<unsigned>& lanes,
                           const std::string& how) {
  const std::string said = (lanes.size() == 1 ? " is " : " are ") + how + ", even under a full mask";
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

/// Which results are written or kept against the documents, in the repeats where some are. Nothing if all are
/// as documented.
std::optional<Difference> wrong_results(const Subject& subject, ReductionMap measured,
                                        const ReductionMap& documented) {
  std::vector<unsigned> repeats;
  const auto repeats_of_map = static_cast<unsigned>(measured.results_in.size());
  for (unsigned repeat = 0; repeat < repeats_of_map; ++repeat) {
    const auto& results = measured.results_in[repeat];
    if (results == documented.results) continue;
    if (repeats.empty()) measured.results = results;
    if (results == measured.results) repeats.push_back(repeat);
  }
  if (repeats.empty()) return {};
  // An element does not count in a result that is not written: the written results come first. A result at a
  // wrong place looks like an element that counts against its slot.
  const Cells cells{subject, measured, documented};
  auto said = written_results(cells);
  if (!said) said = Difference{MapKind::contribution, example(cells), {}, true};
  said->where = repeat_law(repeats, repeats_of_map).text();
  if (!said->where.empty()) said->results.reset();  // this law knows no repeats
  return said;
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
                              ", even under a full mask, as if it started with this value",
                          {}};
    difference.key = "start: not with the neutral element";
    difference.value = [type, lowest, start = *measured.start](std::uint64_t result) {
      return (value_of(type, result) < value_of(type, start)) == lowest ? start : result;
    };
    return {difference};
  }
  return {{MapKind::start,
           gives + " where all elements are " + show_element(type, measured.element) +
               ", even under a full mask: the mask is not the cause",
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
  if (measured.accumulates)
    return {not_of_mask("each result of " + mnemonic(subject.insn) +
                            " also contains the results of all repeats before it, even under a full mask",
                        Matter::arithmetic)};
  if (measured.by_repeat) return {};
  if (moved) return {in_other_results(subject, lanes, results)};
  // Other lanes that never count may as well be lanes whose slots are lost: the gates tell.
  if (is_one_of_each_group(subject, never))
    return {wrongly_counted(subject, never, "left out of every result")};
  if (!often.empty()) return {wrongly_counted(subject, often, "counted more than once")};
  return {};
}

std::vector<Difference> reduction_differences(const Subject& subject, const ReductionMap& measured,
                                              const ReductionMap& documented) {
  const std::string name = mnemonic(subject.insn);
  if (measured.neutral && !documented.neutral) {
    const Element type = subject.insn.dst_type;
    const std::string acts = "a masked-off element", like = " acts like ";
    Difference difference{
        MapKind::contribution,
        acts + " of " + name + like + show_element(type, *measured.neutral) +
            (row_of(subject.insn.op).neutral == Neutral::zero ? " instead of 0"
                                                              : " instead of never being the result"),
        {}};
    const double infinity = std::numeric_limits<double>::infinity();  // its neighbour is finite
    for (const double end : {infinity, -infinity})
      if (is_float(type) && *measured.neutral == nearest(type, end) - 1)
        difference.general = acts + like + (end > 0 ? "the greatest" : "the least") + " finite number";
    return {difference};
  }
  // Elements whose results are not written look as if several slots decided about them.
  if (std::ranges::count(measured.elements.gates, GateKind::several, &Gate::kind) > 0)
    if (auto results = wrong_results(subject, measured, documented);
        results && results->results && !results->results->written)
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
