#include "fuzz/identify/sorts/sort_difference.h"

#include <algorithm>
#include <cstring>
#include <functional>

#include "fuzz/identify/probes/gate_law.h"
#include "fuzz/identify/sorts/sort_laws.h"
#include "spec/program/instruction_table.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// The call of the subject, with other repeat times, and with queues of other lengths.
std::vector<Subject> calls_around(const Subject& subject) {
  std::vector<Subject> calls = {subject};
  const Row& row = row_of(subject.insn.op);
  const auto add = [&](std::uint32_t repeat, std::uint32_t first, std::uint32_t second) {
    Subject other = subject;
    if (row.has_repeat) other.insn.repeat = repeat;
    if (row.lengths > 0) other.insn.lengths[0] = first;
    if (row.lengths > 1) other.insn.lengths[1] = second;
    calls.push_back(other);
  };
  add(1, 8, 8);
  add(2, 16, 5);
  add(3, 5, 11);
  add(4, 3, 7);
  add(5, 7, 7);
  add(2, 9, 4);
  add(3, 12, 6);
  if (row.lengths < 2) return calls;
  add(1, 6, 0);
  add(1, 0, 6);
  return calls;
}

/// Where a law holds: in some repeats, or for queues of some lengths.
struct Scope {
  std::string text;
  std::function<bool(const Instruction& insn, unsigned repeat)> has;
};

std::vector<Scope> scopes_of(const Row& row) {
  std::vector<Scope> scopes;
  for (const RepeatLaw& law : repeat_laws())
    if (row.has_repeat || law.kind == RepeatLaw::Kind::all)
      scopes.push_back(
          {law.text().empty() ? "" : " " + law.text(),
           [law](const Instruction& insn, unsigned repeat) { return law.holds(repeat, repeats_of(insn)); }});
  const auto add = [&](std::string text, auto has) {
    scopes.push_back(
        {" if " + std::move(text), [has](const Instruction& insn, unsigned) { return has(insn); }});
  };
  if (row.has_repeat) {
    add("there is more than one repeat", [](const Instruction& insn) { return insn.repeat > 1; });
    add("there is one repeat", [](const Instruction& insn) { return insn.repeat == 1; });
    for (const RepeatLaw::Kind kind : {RepeatLaw::Kind::last, RepeatLaw::Kind::first})
      scopes.push_back({" " + RepeatLaw{kind}.text() + " if there is more than one repeat",
                        [kind](const Instruction& insn, unsigned repeat) {
                          return insn.repeat > 1 && RepeatLaw{kind}.holds(repeat, insn.repeat);
                        }});
  }
  if (row.lengths < 2) return scopes;
  add("queue 0 is empty", [](const Instruction& insn) { return insn.lengths[0] == 0; });
  add("queue 1 is empty", [](const Instruction& insn) { return insn.lengths[1] == 0; });
  add("a queue is empty",
      [](const Instruction& insn) { return insn.lengths[0] == 0 || insn.lengths[1] == 0; });
  for (const bool none_empty : {false, true}) {
    const auto add_lengths = [&](const std::string& text, auto has) {
      add(text + (none_empty ? ", and none is empty" : ""), [=](const Instruction& insn) {
        const std::uint32_t first = insn.lengths[0], second = insn.lengths[1];
        return has(first, second) && (!none_empty || (first > 0 && second > 0));
      });
    };
    add_lengths("queue 1 is longer than queue 0", std::less<std::uint32_t>());
    add_lengths("queue 0 is longer than queue 1", std::greater<std::uint32_t>());
    add_lengths("both queues have one length", std::equal_to<std::uint32_t>());
    add_lengths("the queues have different lengths", std::not_equal_to<std::uint32_t>());
  }
  return scopes;
}

/// The scope stands before what follows from the law: "leaves out its last record in repeat 0: the places
/// ..."
std::string in_scope(const SortLaw& law, const Scope& scope) {
  std::string text = law.text;
  return text.insert(std::min(text.find_first_of(":;"), text.size()), scope.text);
}

/// A trial, what the documents leave, and what each law leaves: that is worked out once for all scopes.
class Predictions {
 public:
  Predictions(const ShapeTrial& trial, const std::vector<SortLaw>& laws)
      : trial_(trial),
        laws_(laws),
        documented_(documented_records(sort_call(trial, trial.insn()))),
        by_law_(laws.size()) {}

  /// Does law number `index`, where its scope holds, give all that the trial leaves?
  bool gives(std::size_t index, const Scope& scope) {
    const auto& left = left_by(index);
    std::vector<Queue> records = documented_;
    for (unsigned repeat = 0; repeat < records.size(); ++repeat)
      if (scope.has(trial_.insn(), repeat)) records[repeat] = left[repeat];
    const auto step = scope.text.empty() ? laws_[index].step : bytes_of_repeat;
    return with_records(trial_, records, step(trial_.insn())) == trial_.actual;
  }

 private:
  const std::vector<Queue>& left_by(std::size_t index) {
    std::optional<std::vector<Queue>>& left = by_law_[index];
    if (left) return *left;
    Instruction taken = trial_.insn();
    if (laws_[index].take) laws_[index].take(taken);
    return left.emplace(laws_[index].left(sort_call(trial_, taken)));
  }

  const ShapeTrial& trial_;
  const std::vector<SortLaw>& laws_;
  std::vector<Queue> documented_;
  std::vector<std::optional<std::vector<Queue>>> by_law_;
};

std::vector<ShapeTrial> trials_of(const Subject& subject, const Ask& ask) {
  std::vector<ShapeTrial> trials;
  unsigned seed = 0;
  for (const Subject& each : calls_around(subject)) {
    ++seed;
    auto trial = run_trial_with(
        each, full_mask(each), [seed](ShapeTrial& it) { put_records(it, seed); }, ask);
    if (trial) trials.push_back(std::move(*trial));
  }
  return trials;
}

/// Is each byte that is wrong one of an index (`of_index`), or of a score, of a record in dst?
bool wrong_in_one_half(const ShapeTrial& trial, bool of_index) {
  const std::uint32_t start = trial.layout.regions[0].start(),
                      end = start + repeats_of(trial.insn()) * bytes_of_repeat(trial.insn());
  for (std::uint32_t at = 0; at < trial.actual.size(); ++at) {
    if (trial.actual[at] == trial.documented[at]) continue;
    if (at < start || at >= end || ((at - start) % kRecordBytes >= kIndexAt) != of_index) return false;
  }
  return true;
}

/// "3 instead of 40 in record 5 of repeat 0": the first one that is wrong.
std::string wrong_half(const ShapeTrial& trial, bool of_index) {
  const auto at = static_cast<std::uint32_t>(std::ranges::mismatch(trial.actual, trial.documented).in1 -
                                             trial.actual.begin());
  const std::uint32_t start = trial.layout.regions[0].start(), each = bytes_of_repeat(trial.insn());
  const std::uint32_t record = (at - start) % each / kRecordBytes, repeat = (at - start) / each;
  const Element type = of_index ? Element::u32 : trial.insn().src_type;
  const auto shown = [&](const Bytes& ub) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &ub[at - (at - start) % kRecordBytes + (of_index ? kIndexAt : 0)], size_of(type));
    return show_element(type, bits);
  };
  return shown(trial.actual) + " instead of " + shown(trial.documented) + " in record " +
         std::to_string(record) + " of repeat " + std::to_string(repeat) + " (counted from 0)";
}

/// The first law that gives all trials, in the widest scope.
std::optional<Difference> law_of(const Subject& subject, const std::vector<ShapeTrial>& trials) {
  const auto laws = sort_laws(subject.insn);
  std::vector<Predictions> all;
  for (const ShapeTrial& trial : trials) all.emplace_back(trial, laws);
  for (const Scope& scope : scopes_of(row_of(subject.insn.op)))
    for (std::size_t n = 0; n < laws.size(); ++n) {
      if (!std::ranges::all_of(all, [&](Predictions& each) { return each.gives(n, scope); })) continue;
      const SortLaw& law = laws[n];
      const std::string text = in_scope(law, scope);
      Difference difference{MapKind::values, mnemonic(subject.insn) + " " + text, {}};
      difference.general = law.general.empty() ? text : law.general + scope.text;
      difference.of_all_shapes = true;
      difference.of_all_sorts = true;
      if (law.of_places) difference.matter = Matter::address;
      return difference;
    }
  return {};
}

/// Which half of the records is wrong in all trials, if one is right. `wrong`: a trial that is.
std::optional<Difference> wrong_half_of(const Subject& subject, const std::vector<ShapeTrial>& trials,
                                        const ShapeTrial& wrong) {
  for (const bool of_index : {true, false}) {
    if (!std::ranges::all_of(trials, [&](const auto& each) { return wrong_in_one_half(each, of_index); }))
      continue;
    const std::string text = of_index ? "writes wrong indices beside the right scores"
                                      : "writes wrong scores beside the right indices";
    Difference difference{
        MapKind::values,
        mnemonic(subject.insn) + " " + text + ", for example " + wrong_half(wrong, of_index),
        {},
        true};
    difference.general = text;
    difference.matter = Matter::unexplained;
    return difference;
  }
  return {};
}

}  // namespace

bool has_sort_probes(const Row& row) {
  return row.sorts || row.lengths > 0;
}

SortDifference sort_difference(const Subject& subject, const Ask& ask) {
  const auto trials = trials_of(subject, ask);
  const auto wrong = std::ranges::find_if_not(trials, &ShapeTrial::is_right);
  if (wrong == trials.end()) return {};
  if (auto law = law_of(subject, trials)) return {std::move(law), {}};
  auto without_empty = trials;
  std::erase_if(without_empty, [](const ShapeTrial& each) {
    const Instruction& insn = each.insn();
    return row_of(insn.op).lengths == 2 && (insn.lengths[0] == 0 || insn.lengths[1] == 0);
  });
  const bool all_right = std::ranges::all_of(without_empty, &ShapeTrial::is_right);
  if (without_empty.size() < trials.size() && !all_right)
    if (auto law = law_of(subject, without_empty)) {
      law->what += " (seen with queues that are not empty)";
      return {std::move(law), {}};
    }
  return {{}, wrong_half_of(subject, trials, *wrong)};
}

}  // namespace lanecheck
