#include "fuzz/identify/reduction_differences.h"

#include <algorithm>

#include "fuzz/identify/gate_differences.h"
#include "fuzz/identify/mask_condition.h"
#include "fuzz/identify/repeated_elements.h"
#include "fuzz/probes/gate_map.h"
#include "fuzz/probes/index_formula.h"
#include "fuzz/probes/intervals.h"
#include "fuzz/probes/move_map.h"
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
    {"one of their lanes is off", [](const Result& r) { return r.count_on() < r.size(); }},
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

/// Nothing if no formula explains all results.
std::optional<Difference> written_results(const Cells& cells) {
  for (const char then : {'w', 'k'}) {
    for (const When& when : kWhen) {
      if (!cells.fit(then, when.holds)) continue;
      const bool empty = when.holds == kWhen[0].holds;
      return Difference{
          "contribution",
          what(cells, then) + std::string(when.text) +
              (empty && then == 'w' ? " instead of keeping their old dst" : "") +
              (empty && then == 'k' ? " instead of being written" : ""),
          {},
          false,
          {},
          ResultLaw{then == 'w', [=, subject = cells.subject](unsigned group, const MaskWords& mask) {
                      return when.holds(Result{subject, mask, group});
                    }}};
    }
    const MaskWords full = full_mask(cells.subject);
    for (const MaskCondition& condition : mask_conditions())
      for (const bool when : {true, false})
        if (cells.fit(then, [&](const Result& r) { return condition.holds(r.mask, full) == when; }))
          return Difference{"contribution",
                            what(cells, then) + condition.text(when),
                            {},
                            false,
                            {},
                            ResultLaw{then == 'w', [=](unsigned, const MaskWords& mask) {
                                        return condition.holds(mask, full) == when;
                                      }}};
  }
  return {};
}

/// What a reduction computes one result of.
std::string group_noun(const Subject& subject) {
  const unsigned results = results_per_repeat(subject.insn);
  if (results == 1) return "repeat";
  return results == kRepeatBlocks ? "data block" : "pair";
}

/// Are these the first lanes of all groups, or the last ones?
bool is_one_of_each_group(const Subject& subject, const std::vector<unsigned>& lanes) {
  const unsigned size = group_size(subject.insn);
  return lanes.size() == results_per_repeat(subject.insn) && std::ranges::all_of(lanes, [&](unsigned lane) {
           return lane % size == lanes[0] % size && (lane % size == 0 || lane % size == size - 1);
         });
}

/// "lanes 15, 31 .. 127 of cgadd.f16, the last lane of each data block, are"
std::string these_lanes(const Subject& subject, const std::vector<unsigned>& lanes) {
  const unsigned size = group_size(subject.insn);
  std::string text = counted_noun("lane", lanes) + " of " + mnemonic(subject.insn);
  if (is_one_of_each_group(subject, lanes))
    text += std::string(", the ") + (lanes[0] % size == 0 ? "first" : "last") + " lane of each " +
            group_noun(subject) + ",";
  return text + (lanes.size() == 1 ? " is " : " are ");
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

/// "lane l of cpadd.f16 counts in result l mod 64 instead of l / 2"
Difference in_other_results(const Subject& subject, const std::vector<unsigned>& lanes,
                            const std::vector<unsigned>& results) {
  const std::string name = mnemonic(subject.insn);
  const unsigned size = group_size(subject.insn);
  const std::string all = "each result of " + name + " is computed from other lanes than those of its " +
                          group_noun(subject) + ": lane ";
  if (const auto formula = index_formula(lanes, results, lanes_of(subject.insn), "l"))
    return {"contribution",
            all + "l counts in result " + *formula + " instead of l / " + std::to_string(size),
            {}};
  if (const auto formula = formula_in_block(subject, lanes, results))
    return {"contribution",
            all + "k of each data block counts in its result " + *formula + " instead of k / " +
                std::to_string(size),
            {}};
  std::size_t n = 0;
  while (n + 1 < lanes.size() && results[n] == lanes[n] / size) ++n;
  return {
      "contribution",
      all + std::to_string(lanes[n]) + " counts in result " + std::to_string(results[n]) + ", for example",
      {},
      true};
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
    Difference difference{"start",
                          gives + " where all elements are " + (lowest ? "less" : "greater") +
                              ", even under a full mask, as if it started with this value",
                          {}};
    difference.value = [type, lowest, start = *measured.start](std::uint64_t result) {
      return (value_of(type, result) < value_of(type, start)) == lowest ? start : result;
    };
    return {difference};
  }
  return {{"start",
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
    return {{"contribution",
             "each result of " + mnemonic(subject.insn) +
                 " also contains the results of all repeats before it, even under a full mask",
             {}}};
  if (measured.by_repeat) return {};
  if (moved) return {in_other_results(subject, lanes, results)};
  // Other lanes that never count may as well be lanes whose slots are lost: the gates tell.
  if (is_one_of_each_group(subject, never))
    return {{"contribution",
             these_lanes(subject, never) + "left out of every result, even under a full mask",
             {}}};
  if (!often.empty())
    return {
        {"contribution", these_lanes(subject, often) + "counted more than once, even under a full mask", {}}};
  return {};
}

std::vector<Difference> reduction_differences(const Subject& subject, const ReductionMap& measured,
                                              const ReductionMap& documented) {
  const std::string name = mnemonic(subject.insn);
  if (measured.neutral && !documented.neutral) {
    const Element type = subject.insn.dst_type;
    return {{"contribution",
             "a masked-off element of " + name + " acts like " + show_element(type, *measured.neutral) +
                 (row_of(subject.insn.op).neutral == Neutral::zero ? " instead of 0"
                                                                   : " instead of never being the result"),
             {}}};
  }
  auto gates = measured.by_repeat.empty()
                   ? gate_differences(subject, measured.elements, documented.elements,
                                      std::vector<bool>(measured.elements.gates.size()))
                   : repeated_differences(subject, measured.by_repeat, measured.repeats, documented.elements);
  if (!gates.empty() && has_formula(gates)) return gates;
  if (measured.results == documented.results) return gates;
  // An element does not count in a result that is not written: the written results come first.
  const Cells cells{subject, measured, documented};
  if (auto formula = written_results(cells)) return {*formula};
  // A result at a wrong place looks like an element that counts against its slot.
  return {{"contribution", example(cells), {}, true}};
}

}  // namespace lanecheck
