// The sentences of a reduction: reduction_differences().
#include <algorithm>

#include "fuzz/identify/gate_differences.h"
#include "fuzz/identify/gate_map.h"
#include "fuzz/identify/intervals.h"
#include "fuzz/identify/mask_condition.h"
#include "fuzz/identify/move_map.h"
#include "fuzz/identify/reduction_map.h"
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
      return Difference{"contribution",
                        what(cells, then) + std::string(when.text) +
                            (empty && then == 'w' ? " instead of keeping their old dst" : "") +
                            (empty && then == 'k' ? " instead of being written" : ""),
                        {}};
    }
    const MaskWords full = full_mask(cells.subject);
    for (const MaskCondition& condition : mask_conditions())
      for (const bool when : {true, false})
        if (cells.fit(then, [&](const Result& r) { return condition.holds(r.mask, full) == when; }))
          return Difference{"contribution", what(cells, then) + condition.text(when), {}};
  }
  return {};
}

/// Does a formula explain which elements count?
bool has_formula(const std::vector<Difference>& gates) {
  return std::ranges::none_of(gates, [](const Difference& each) { return each.only_example; });
}

}  // namespace

std::vector<Difference> reduction_differences(const Subject& subject, const ReductionMap& measured,
                                              const ReductionMap& documented) {
  const std::string name = mnemonic(subject.insn);
  if (measured.neutral && !documented.neutral) {
    const Element type = subject.insn.dst_type;
    return {{"contribution",
             "a masked-off element of " + name + " acts like " + show_element(type, *measured.neutral) +
                 " instead of never being the result",
             {}}};
  }
  auto gates = gate_differences(subject, measured.elements, documented.elements,
                                std::vector<bool>(measured.elements.gates.size()));
  if (!gates.empty() && has_formula(gates)) return gates;
  if (measured.results == documented.results) return gates;
  // An element does not count in a result that is not written: the written results come first.
  const Cells cells{subject, measured, documented};
  if (auto formula = written_results(cells)) return {*formula};
  if (!gates.empty()) return gates;
  return {{"contribution", example(cells), {}}};
}

}  // namespace lanecheck
