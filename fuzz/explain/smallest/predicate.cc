#include "fuzz/explain/smallest/predicate.h"

#include <algorithm>

#include "fuzz/explain/measured/measured_cause.h"
#include "fuzz/explain/questions/staging.h"
#include "fuzz/explain/questions/trial.h"
#include "fuzz/explain/smallest/predicate_axes.h"
#include "fuzz/identify/given_number.h"
#include "reports/format.h"
#include "spec/text/joined.h"

namespace lanecheck {
namespace {

constexpr unsigned kMostTrials = 240;
// Whether wrong arithmetic shows hangs on the data: that it does not in more types than these is not said.
constexpr std::size_t kMostNotAs = 4;
constexpr unsigned kCombinations = 3;
constexpr std::size_t kTurns = 4;       // combinations with a value without the fault, if strides matter
constexpr unsigned kMostMeasured = 2;   ///< types without the fault that are measured: some data hide it
constexpr unsigned kEnoughConform = 4;  ///< stagings that must conform before a value is called "not"

std::string listed(const std::vector<const AxisValue*>& values) {
  return joined(values, [](const AxisValue* each) { return each->name; });
}

/// With masks other than the full one that no instruction sets, the fault may not be seen.
Variation with_mask_words(Variation variation) {
  add_mask_holder(variation);
  return variation;
}

class Widening {
 public:
  /// `has_cause(variation)`: is the measured cause of the finding seen in its instruction? Empty if no cause
  /// was measured.
  Widening(const Finding& finding, Trial trial, std::function<bool(const Variation&)> has_cause)
      : trial_(trial),
        has_cause_(std::move(has_cause)),
        of_values_(finding.cause.starts_with("values:")),
        of_gates_(finding.cause.starts_with("gate:")),
        of_address_(finding.matter == Matter::address),
        of_earlier_(finding.of_earlier),
        base_(with_mask_words(variation_of(finding.program, finding.instruction))),
        kind_(kind_of_data()),
        stagings_(finding, base_, kind_),
        axes_(varied_axes(finding, base_)) {}

  std::string sentence() {
    for (VariedAxis& axis : axes_)
      for (AxisValue& each : axis.values) {
        try_value(axis, each);
        each.is_untold = axis.is_type && each.said == Says::nothing && is_offered(each);
      }
    for (VariedAxis& axis : axes_)
      if (contradicted(axis)) axis.values.clear();
    std::string text;
    for (const VariedAxis& axis : axes_)
      if (const std::string clause = clause_of(axis); !clause.empty())
        text += (text.empty() ? "happens " : "; ") + clause;
    if (!text.empty() && !combine()) text += " (each of these changed alone)";
    return text;
  }

 private:
  /// Data by which every lane counts, if the fault shows with them; else nothing.
  std::optional<unsigned> kind_of_data() {
    for (unsigned kind = 0; kind < kDataKinds; ++kind) {
      Variation other = base_;
      set_data(other, kind, Stagings::kDataPhase);
      if (trial_.ask(other.program) == Says::diverges) return kind;
    }
    return {};
  }

  /// What the program says in which `value` was set, over all stagings. Only the surest divergences count as
  /// the fault; the others forbid to say that the fault is not there.
  Says try_turn(const VariedAxis& axis, const AxisValue& value, unsigned turn) {
    unsigned conform = 0;
    bool doubtful = false;
    for (const Staging staging : kEveryStaging) {
      const bool is_first = staging == Staging::kind_of_data;
      Variation it = base_;
      if (!value.apply(it, turn)) return Says::nothing;
      if (!stagings_.tells(staging, it)) continue;
      stagings_.stage(it, staging, axis.is_mask, false);
      if (!trial_.is_legal(it.program)) {
        if (is_first) return Says::nothing;  // the others may only show another number of elements
        continue;
      }
      const Says said = is_first ? trial_.ask(it.program) : trial_.ask_or_predict(it.program);
      if (said == Says::diverges && is_sure(staging)) return said;
      if (said != Says::conforms) doubtful = true;
      const bool no_sure_one_follows = !is_sure(staging) || staging == Staging::off_extremes;
      if (doubtful && no_sure_one_follows) return Says::nothing;
      if (said == Says::nothing && conform == 0) return Says::nothing;
      conform += said == Says::conforms ? 1 : 0;
    }
    return doubtful || conform < kEnoughConform ? Says::nothing : Says::conforms;
  }

  /// Notes the same answer of all turns, or nothing.
  void try_value(const VariedAxis& axis, AxisValue& value) {
    value.said = value.is_own ? Says::diverges : try_turn(axis, value, 0);
    if (value.is_own || (axis.is_type && value.said == Says::diverges)) return;
    for (unsigned turn = 1; turn < value.turns && value.said != Says::nothing; ++turn)
      if (const Says other = try_turn(axis, value, turn); other != value.said) {
        value.is_unclear = other == Says::diverges || value.said == Says::diverges;
        value.said = Says::nothing;
      }
    if (value.said == Says::conforms && (value.has_own || may_be_hidden(axis, value)))
      value.said = Says::nothing;
  }

  /// The fault may be there although no program with this value shows it: a count may end in the first repeat
  /// of a smaller type, and the offset that matters may be that of a later repeat.
  bool may_be_hidden(const VariedAxis& axis, const AxisValue& value) const {
    if (!kind_ && accumulates()) return true;  // no staging gives the sums with which it shows
    if (!axis.is_type)
      return axis.is_repeat && !of_gates_ && indexed_operand(row_of(base_.insn().op)).has_value();
    Variation it = base_;
    value.apply(it, 0);
    return counts_elements(base_) && size_of(it.insn().src_type) != size_of(base_.insn().src_type);
  }

  /// Does a repeat compute with what an earlier one left in the same lanes?
  bool accumulates() const {
    const Instruction& insn = base_.insn();
    return insn.repeat > 1 && insn.operands[0].repeat_stride == 0 &&
           (row_of(insn.op).reads_dst || works_in_place(insn));
  }

  /// Is the number of elements given, and not the mask of each repeat?
  static bool counts_elements(const Variation& it) {
    if (row_of(it.insn().op).compacts) return setting(it.insn(), "counter") != 0;
    return is_count(mask_given(it.program, it.index));
  }

  bool is_offered(const AxisValue& type) const {
    Variation it = base_;
    const Element dst = it.insn().dst_type, src = it.insn().src_type;
    type.apply(it, 0);
    return (it.insn().dst_type != dst || it.insn().src_type != src) && trial_.is_offered(it.program);
  }

  /// The base with these values and fresh data; nothing if they cannot be applied.
  Says ask_fresh(const std::vector<const AxisValue*>& values) {
    Variation it = base_;
    for (const AxisValue* each : values)
      if (each != nullptr && !each->apply(it, each->turns > 1 ? 1 : 0)) return Says::nothing;
    stagings_.stage(it, Staging::kind_of_data, true, true);
    return trial_.ask(it.program);
  }

  /// A value of the axis with which the fault was seen; null if it was seen with no value. `turn` picks one
  /// of several.
  static const AxisValue* pick(const VariedAxis& axis, std::size_t turn) {
    const auto seen = axis.that(Says::diverges);
    return seen.empty() ? nullptr : seen[turn % seen.size()];
  }

  /// Does a fresh case say something else than the clause of `axis`? A value that it is seen with is asked
  /// with other data, if the fault shows with data of a kind; one that it is not seen with is asked with
  /// other values of the other axes too.
  bool contradicted(const VariedAxis& axis) {
    if (trial_.is_over() || (axis.is_mask && is_mixed(axis))) return true;  // no clause without a check
    for (const AxisValue* each : {pick(axis, 0), pick(axis, 2)})
      if (each != nullptr && kind_ && ask_fresh({each}) == Says::conforms) return true;
    if (axis.is_type && of_values_ && axis.that(Says::conforms).size() > kMostNotAs) return true;
    unsigned measured = 0;
    for (const AxisValue* each : axis.that(Says::conforms)) {
      const bool other_data_tell = (of_address_ && !axis.is_type) || axis.is_repeat;
      for (std::size_t turn = 1; turn <= (other_data_tell ? kTurns : 1); ++turn) {
        std::vector<const AxisValue*> values;
        for (const VariedAxis& other : axes_) values.push_back(&other == &axis ? each : pick(other, turn));
        if (ask_fresh(values) == Says::diverges) return true;
      }
      if (!axis.is_type || !has_cause_ || measured++ >= kMostMeasured) continue;
      if (Variation it = base_; each->apply(it, 0) && has_cause_(it)) return true;
    }
    return false;
  }

  /// The fault is seen with the finding's mask, but with none of the masks tried.
  static bool is_mixed(const VariedAxis& axis) { return axis.that(Says::diverges).empty(); }

  /// Is the fault seen with values of all axes together?
  bool combine() {
    if (!kind_) return false;  // another value would only move the data
    bool seen = false;
    for (std::size_t turn = 0; turn < kCombinations; ++turn) {
      std::vector<const AxisValue*> values;
      for (const VariedAxis& axis : axes_) values.push_back(pick(axis, turn + 1));
      const Says said = ask_fresh(values);
      if (said == Says::conforms) return false;
      seen = seen || said == Says::diverges;
    }
    return seen;
  }

  std::string clause_of(const VariedAxis& axis) const {
    const auto seen = axis.that(Says::diverges), unseen = axis.that(Says::conforms);
    const bool tried_another =
        std::ranges::any_of(seen, [](const AxisValue* each) { return !each->is_own; }) || !unseen.empty();
    if (seen.size() + unseen.size() < 2 || !tried_another) return {};
    if (unseen.empty() && axis.is_said_if_it_matters) return {};
    // One of several instructions was changed: then they may no longer fit each other.
    if (!unseen.empty() && of_earlier_ && !axis.is_mask && !axis.is_own_mode) return {};
    const bool is_clear = std::ranges::none_of(
        axis.values, [](const AxisValue& each) { return each.is_unclear || each.is_untold; });
    if (unseen.empty() && is_clear) return "for every " + axis.noun + " tried (" + listed(seen) + ")";
    const bool others = axis.is_type && std::ranges::any_of(axis.values, &AxisValue::is_untold);
    const std::string rest = others ? " (this program cannot tell of other types)" : "";
    if (unseen.empty()) return axis.preposition + listed(seen) + rest;
    if (seen.empty()) return "not " + axis.preposition + listed(unseen);
    if (axis.is_mask && unseen.size() == 1 && unseen.front()->name == kFullMaskName)
      return "when a lane is off (" + counted(seen.size(), "mask") + " tried), not with " + kFullMaskName;
    return axis.preposition + listed(seen) + ", not " + axis.preposition + listed(unseen) + rest;
  }

  Trial trial_;
  std::function<bool(const Variation&)> has_cause_;
  bool of_values_;   ///< the measured cause is wrong arithmetic
  bool of_gates_;    ///< the measured cause is one of gates: no offset matters
  bool of_address_;  ///< the fault is one of addresses: it shows in some combinations of strides
  bool of_earlier_;  ///< an earlier instruction has to do with it
  Variation base_;
  std::optional<unsigned> kind_;
  Stagings stagings_;
  std::vector<VariedAxis> axes_;
};

}  // namespace

std::string predicate_of(const Finding& finding, const Hypothesis* suspect, AskedBackend& asked,
                         const Documented& documented) {
  if (finding.instruction >= finding.program.instructions.size()) return {};
  if (row_of(finding.program.instructions[finding.instruction].op).operands.empty()) return {};
  std::function<bool(const Variation&)> has_cause;
  if (!finding.cause.empty())
    has_cause = [&](const Variation& it) {
      return measure_cause(it.program, it.index, asked, documented).has_value();
    };
  return Widening(finding, Trial(asked, documented, suspect, kMostTrials), has_cause).sentence();
}

}  // namespace lanecheck
