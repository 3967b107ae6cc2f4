#include "fuzz/identify/trials/conditional_law.h"

#include <algorithm>
#include <bit>

#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

std::string stride_text(const Instruction& insn, unsigned k, std::uint32_t Operand::*field) {
  return "the " + stride_name(field) + " of " + std::string(row_of(insn.op).operands[k].role);
}

/// Conditions on one stride of one operand that hold for `insn`; if `plain`, its value alone.
void add_stride_conditions(const Instruction& insn, unsigned k, std::uint32_t Operand::*field, bool plain,
                           std::vector<TrialCondition>& conditions) {
  const std::uint32_t value = insn.operands[k].*field;
  const std::string name = stride_text(insn, k, field);
  if (plain) {
    conditions.push_back({name + " is " + std::to_string(value),
                          [=](const Instruction& other) { return other.operands[k].*field == value; }});
    return;
  }
  for (unsigned j = k + 1; j < row_of(insn.op).operands.size(); ++j) {
    if (!has_stride(insn, j, field)) continue;
    const bool equal = value == insn.operands[j].*field;
    conditions.push_back({name + (equal ? " equals " : " is not ") + stride_text(insn, j, field),
                          [=](const Instruction& other) {
                            return (other.operands[k].*field == other.operands[j].*field) == equal;
                          }});
  }
  for (const std::uint32_t most : {0U, 1U, 2U, 3U, 4U, 7U, 8U, 15U, 16U, 31U, 63U, 127U, 255U})
    conditions.push_back({name + (value > most ? " is more than " : " is at most ") + std::to_string(most),
                          [=, more = value > most](const Instruction& other) {
                            return (other.operands[k].*field > most) == more;
                          }});
}

void add_repeat_conditions(const Instruction& insn, std::vector<TrialCondition>& conditions) {
  if (!row_of(insn.op).has_repeat) return;
  const std::uint32_t given = insn.repeat;
  for (const std::uint32_t most : {1U, 2U, 4U, 8U, 16U}) {
    std::string text = "repeat times are ";
    if (given > most) text += "more than ";
    if (given <= most && most > 1) text += "at most ";
    conditions.push_back({text + std::to_string(most),
                          [=](const Instruction& other) { return (other.repeat > most) == (given > most); }});
  }
  conditions.push_back({"repeat times are " + std::to_string(given),
                        [=](const Instruction& other) { return other.repeat == given; }});
  const bool odd = given % 2 == 1;
  conditions.push_back({std::string("repeat times are ") + (odd ? "odd" : "even"),
                        [=](const Instruction& other) { return (other.repeat % 2 == 1) == odd; }});
}

bool all_equal(const Instruction& insn, std::uint32_t Operand::*field) {
  std::optional<std::uint32_t> stride;
  for (unsigned k = 0; k < row_of(insn.op).operands.size(); ++k) {
    if (!has_stride(insn, k, field)) continue;
    if (stride.value_or(insn.operands[k].*field) != insn.operands[k].*field) return false;
    stride = insn.operands[k].*field;
  }
  return true;
}

/// "dst and src0 lie in a row": what a short cut for data without gaps may ask.
void add_row_conditions(const Instruction& insn, std::vector<TrialCondition>& conditions) {
  const auto operands = static_cast<unsigned>(row_of(insn.op).operands.size());
  for (unsigned size = 1; size <= operands; ++size)
    for (unsigned subset = 1; subset < 1U << operands; ++subset) {
      if (static_cast<unsigned>(std::popcount(subset)) != size) continue;
      const auto holds = [=](const Instruction& other) {
        for (unsigned k = 0; k < operands; ++k)
          if ((subset >> k & 1) != 0 && !lies_in_a_row(other, k)) return false;
        return true;
      };
      if (!holds(insn)) continue;
      std::string text;
      for (unsigned k = 0; k < operands; ++k)
        if ((subset >> k & 1) != 0)
          text += (text.empty() ? "" : " and ") + std::string(row_of(insn.op).operands[k].role);
      conditions.push_back({text + (size == 1 ? " lies in a row" : " lie in a row"), holds});
    }
}

/// "the block strides of src0 and src1 are 1": what a short cut for sources without gaps may ask.
void add_source_conditions(const Instruction& insn, std::uint32_t Operand::*field,
                           std::vector<TrialCondition>& conditions) {
  if (row_of(insn.op).operands.size() != 3 || !has_stride(insn, 1, field) || !has_stride(insn, 2, field))
    return;
  const std::uint32_t value = insn.operands[1].*field;
  if (insn.operands[2].*field != value) return;
  conditions.push_back({"the " + stride_name(field) + "s of " +
                            std::string(row_of(insn.op).operands[1].role) + " and " +
                            std::string(row_of(insn.op).operands[2].role) + " are " + std::to_string(value),
                        [=](const Instruction& other) {
                          return other.operands[1].*field == value && other.operands[2].*field == value;
                        }});
}

/// What holds for `insn`, the plainest first.
std::vector<TrialCondition> conditions_of(const Instruction& insn) {
  std::vector<TrialCondition> conditions = {{"the mask is full", {}, true}};
  for (const auto field : kStrides)
    if (row_of(insn.op).operands.size() > 2 && all_equal(insn, field))
      conditions.push_back({"the " + stride_name(field) + "s of all operands are equal",
                            [field](const Instruction& other) { return all_equal(other, field); }});
  add_row_conditions(insn, conditions);
  const auto operands = static_cast<unsigned>(row_of(insn.op).operands.size());
  for (const bool plain : {true, false}) {
    for (unsigned k = 0; k < operands; ++k)
      for (const auto field : kStrides)
        if (has_stride(insn, k, field)) add_stride_conditions(insn, k, field, plain, conditions);
    if (plain) add_repeat_conditions(insn, conditions);
  }
  for (const auto field : kStrides) add_source_conditions(insn, field, conditions);
  const std::size_t single = conditions.size();
  for (std::size_t n = 1; n < single; ++n)
    conditions.push_back({"the mask is full and " + conditions[n].text, conditions[n].of_instruction, true});
  for (std::size_t a = 1; a < single; ++a)
    for (std::size_t b = a + 1; b < single; ++b)
      conditions.push_back(
          {conditions[a].text + " and " + conditions[b].text,
           [first = conditions[a].of_instruction, second = conditions[b].of_instruction](
               const Instruction& insn_of_trial) { return first(insn_of_trial) && second(insn_of_trial); }});
  return conditions;
}

/// What a trial shows of a conjecture.
enum class Shows : std::uint8_t { law, documents, nothing, neither };

Shows shown_by(const ShapeTrial& trial, const Conjecture& conjecture) {
  const auto left =
      conjecture.instead ? left_by(trial, conjecture.instead(trial.placed())) : conjecture.leaves(trial);
  if (!left) return Shows::nothing;
  if (same_bytes(*left, trial.documented)) return trial.is_right() ? Shows::nothing : Shows::neither;
  if (same_bytes(*left, trial.actual)) return Shows::law;
  return trial.is_right() ? Shows::documents : Shows::neither;
}

bool holds(const TrialCondition& condition, const ShapeTrial& trial) {
  if (condition.of_full_mask && trial.mask != full_mask(trial.subject)) return false;
  return !condition.of_instruction || condition.of_instruction(trial.insn());
}

/// A rule for the values of the wrong stride itself is said in other words, by name_stride_owners(), except
/// that of 0 alone.
bool is_of_own_value(const TrialCondition& condition, const Conjecture& conjecture) {
  if (conjecture.own.empty()) return false;
  if (conjecture.of_zero && condition.text == conjecture.of_zero->condition) return false;
  const std::string is = conjecture.own + " is ";
  for (std::size_t at = condition.text.find(is); at != std::string::npos;
       at = condition.text.find(is, at + is.size()))
    if (condition.text.compare(at + is.size(), 4, "not ") != 0) return true;
  return false;
}

/// Does the condition part the trials that show the law from those that show the documents?
bool parts(const TrialCondition& condition, const std::vector<ShapeTrial>& trials,
           const std::vector<Shows>& shown) {
  for (std::size_t n = 0; n < trials.size(); ++n) {
    if (shown[n] == Shows::law && !holds(condition, trials[n])) return false;
    if (shown[n] == Shows::documents && holds(condition, trials[n])) return false;
  }
  return true;
}

Difference say(const Conjecture& conjecture, const TrialCondition* condition) {
  Difference difference{conjecture.map, conjecture.text, {}};
  difference.places = conjecture.law;
  difference.of_all_shapes = true;
  if (condition == nullptr) {
    difference.what += conjecture.always;
    difference.key = conjecture.key;
    return difference;
  }
  if (conjecture.of_zero && condition->text == conjecture.of_zero->condition) {
    difference.what = conjecture.of_zero->text;
    difference.map = conjecture.of_zero->map;
    difference.stride = conjecture.of_zero->law;
  } else {
    difference.what += " if " + condition->text;
    if (!conjecture.key.empty()) difference.key = conjecture.key + " if " + condition->text;
  }
  if (condition->of_full_mask) difference.places = {};
  if (difference.places)
    difference.places = [law = conjecture.law, when = condition->of_instruction](const Instruction& insn) {
      return when(insn) ? law(insn) : std::optional(insn);
    };
  return difference;
}

}  // namespace

std::optional<Difference> conditional_law(const ShapeTrial& first, const std::vector<Conjecture>& conjectures,
                                          const Ask& ask, bool always_too) {
  constexpr std::ptrdiff_t kLeast = 4;  // trials that show a law
  std::vector<Conjecture> possible;
  for (const Conjecture& each : conjectures)
    if (shown_by(first, each) == Shows::law) possible.push_back(each);
  if (possible.empty()) return {};
  const std::vector<ShapeTrial> trials = trials_around(first, ask);
  const auto conditions = conditions_of(first.insn());
  for (const Conjecture& conjecture : possible) {
    std::vector<Shows> shown;
    for (const ShapeTrial& trial : trials) shown.push_back(shown_by(trial, conjecture));
    if (std::ranges::count(shown, Shows::neither) > 0) continue;
    if (std::ranges::count(shown, Shows::law) < kLeast) continue;
    if (std::ranges::count(shown, Shows::documents) == 0) {
      if (always_too) return say(conjecture, nullptr);
      continue;
    }
    const auto condition = std::ranges::find_if(conditions, [&](const TrialCondition& each) {
      return !is_of_own_value(each, conjecture) && parts(each, trials, shown);
    });
    if (condition != conditions.end()) return say(conjecture, &*condition);
  }
  return {};
}

namespace {

/// Does the difference speak of some repeats only, or of nothing that it explains?
bool may_be_of_some_repeats(const Difference& difference) {
  constexpr std::string_view kSaid[] = {"repeat ", "repeats ", "from repeat ", "after repeat ",
                                        "up to repeat "};
  const auto begins = [&](std::string_view text) { return difference.what.starts_with(text); };
  return !difference.where.empty() || difference.only_example || std::ranges::any_of(kSaid, begins) ||
         difference.what.find("other places than documented") != std::string::npos;
}

constexpr std::uint32_t kManyRepeats = 19;  // of more repeats, each trial would take long

/// A trial of the subject on which the backend deviates.
std::optional<ShapeTrial> wrong_trial(const Subject& subject, const Ask& ask) {
  for (unsigned seed = 101; seed < 105; ++seed)
    if (auto trial = run_trial(subject, full_mask(subject), seed, ask); trial && !trial->is_right())
      return trial;
  return {};
}

}  // namespace

std::optional<Difference> law_of_trials(const Subject& subject, const std::vector<Difference>& differences,
                                        bool is_first, const Ask& ask) {
  const Row& row = row_of(subject.insn.op);
  const auto are_of = [&](bool control_too) {
    return std::ranges::all_of(differences, [&](const Difference& each) {
      return is_source(each.map) || each.map == MapKind::dst || each.map == MapKind::elsewhere ||
             (control_too && each.map == MapKind::control);
    });
  };
  if (!are_of(true) || row.compacts || subject.given != MaskGiven::words) return {};
  const auto first = wrong_trial(subject, ask);
  if (!first) return {};
  const Instruction& insn = subject.insn;
  if (auto law = conditional_law(*first, distance_conjectures(insn), ask, true)) return law;
  if (!are_of(false)) return {};
  if (auto law = distance_in_few_bits(*first, ask)) return law;
  if (auto law = conditional_law(*first, combination_conjectures(insn), ask, true)) return law;
  if (auto law = conditional_law(*first, exchange_conjectures(insn), ask, true)) return law;
  if (auto law = conditional_law(*first, source_conjectures(insn), ask, false)) return law;
  if (!is_first)
    for (const auto& conjectures : {stride_conjectures(insn), in_a_row_conjectures(insn)})
      if (auto law = conditional_law(*first, conjectures, ask, false)) return law;
  // A repeat that lies at the place of another one looks as if one was left out, and sources moved.
  const bool left_out =
      differences.size() > 1 && std::ranges::any_of(differences, [](const Difference& each) {
        return each.what.ends_with(" is left out");
      });
  if (!left_out && !std::ranges::any_of(differences, may_be_of_some_repeats)) return {};
  return repeat_law(subject, ask);
}

std::optional<Difference> repeat_law(const Subject& subject, const Ask& ask) {
  Subject fewer = subject;
  fewer.insn.repeat = std::min(subject.insn.repeat, kManyRepeats);
  const auto first = wrong_trial(fewer, ask);
  if (!first) return {};
  return conditional_law(*first, repeat_conjectures(fewer.insn), ask, true);
}

std::optional<Difference> stride_law(const Subject& subject, const Ask& ask) {
  const auto first = wrong_trial(subject, ask);
  if (!first) return {};
  return conditional_law(*first, stride_conjectures(subject.insn), ask, true);
}

}  // namespace lanecheck
