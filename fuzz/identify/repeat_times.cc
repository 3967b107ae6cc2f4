#include "fuzz/identify/repeat_times.h"

#include <algorithm>

#include "fuzz/identify/probes/digit_code.h"
#include "fuzz/identify/probes/shapes.h"
#include "fuzz/identify/trials/trials.h"
#include "spec/program/profile.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// How many repeats are performed for the repeat times that are given.
struct TimesRule {
  std::string before, after;  ///< the sentence before and after the name of the instruction
  std::function<unsigned(unsigned)> performed;
};

std::string multiple_of(unsigned number) {
  return number == 2 ? "an even number" : "a multiple of " + std::to_string(number);
}

std::string counted_repeats(unsigned number) {
  return std::to_string(number) + (number == 1 ? " repeat" : " repeats");
}

/// Repeat times that are rounded, all or only greater ones.
void add_roundings(std::vector<TimesRule>& rules) {
  for (const unsigned step : {2U, 4U, 8U, 16U}) {
    const std::string down = " rounds its repeat times down to " + multiple_of(step);
    const std::string less =
        step == 2 ? ", except if they are 1" : ", except if they are less than " + std::to_string(step);
    rules.push_back({"", down, [step](unsigned n) { return n / step * step; }});
    rules.push_back({"", down + less, [step](unsigned n) { return n < step ? n : n / step * step; }});
    rules.push_back({"", " rounds its repeat times up to " + multiple_of(step),
                     [step](unsigned n) { return (n + step - 1) / step * step; }});
  }
}

/// Rules for the repeat times of one field: what is lost of great ones.
void add_limits(std::vector<TimesRule>& rules, unsigned result) {
  for (unsigned bits = 1; bits <= 7; ++bits) {
    const unsigned most = (1U << bits) - 1;
    rules.push_back({"",
                     " uses only the lowest " + std::to_string(bits) + (bits == 1 ? " bit" : " bits") +
                         " of its repeat times",
                     [most](unsigned n) { return n & most; }});
    rules.push_back({"",
                     " performs " + (result == 0 ? "no repeat" : counted_repeats(result)) +
                         " if its repeat times are more than " + std::to_string(most),
                     [most, result](unsigned n) { return n > most ? result : n; }});
  }
}

/// The rules by which `given` repeat times are performed as `result` ones, the plainest first.
std::vector<TimesRule> rules_for(unsigned given, unsigned result) {
  std::vector<TimesRule> rules;
  if (given == 0 && result == 1)
    rules.push_back({"", " performs a repeat although its repeat times are 0",
                     [](unsigned n) { return std::max(n, 1U); }});
  rules.push_back({"",
                   result == 0 ? " writes nothing, whatever its repeat times are"
                               : " performs at most " + counted_repeats(result),
                   [result](unsigned n) { return std::min(n, result); }});
  rules.push_back({"", " performs at least " + counted_repeats(result),
                   [result](unsigned n) { return std::max(n, result); }});
  rules.push_back({"repeat times of " + std::to_string(given) + " of ",
                   " are performed as " + std::to_string(result),
                   [given, result](unsigned n) { return n == given ? result : n; }});
  rules.push_back({"the last repeat of ", " is left out", [](unsigned n) { return n - std::min(n, 1U); }});
  rules.push_back({"the last repeat of ", " is left out, except if it is the only one",
                   [](unsigned n) { return n > 1 ? n - 1 : n; }});
  rules.push_back({"", " performs one repeat more than its repeat times", [](unsigned n) { return n + 1; }});
  rules.push_back({"", " performs one repeat more than its repeat times, except if they are 0",
                   [](unsigned n) { return n == 0 ? 0 : n + 1; }});
  add_limits(rules, result);
  add_roundings(rules);
  rules.push_back({"", " performs half of its repeat times", [](unsigned n) { return n / 2; }});
  rules.push_back(
      {"", " performs half of its repeat times, rounded up", [](unsigned n) { return (n + 1) / 2; }});
  rules.push_back({"", " performs " + counted_repeats(result) + ", whatever its repeat times are",
                   [result](unsigned) { return result; }});
  std::erase_if(rules, [&](const TimesRule& rule) { return rule.performed(given) != result; });
  return rules;
}

void put_offsets_in_a_row(Program& program, const Region& region, const Instruction& insn) {
  const std::uint32_t first = region.margin / 4;
  for (std::uint32_t n = 0; n < insn.repeat * offsets_per_repeat(insn); ++n)
    put_element(program, region, Element::u32, first + n, n * bytes_per_offset(insn));
}

/// Counts the repeats that an instruction performs, with its operands in a row in room for all repeat times.
class RepeatCounter {
 public:
  static std::optional<RepeatCounter> of(const Subject& subject, const Ask& ask) {
    for (const unsigned most : {kMaxRepeat, 240U, 180U}) {  // offsets take room
      RepeatCounter counter(in_a_row(subject, most), ask);
      const bool indexed = indexed_operand(row_of(subject.insn.op)).has_value();
      if (!indexed && row_of(subject.insn.op).operands.size() > 2)
        counter.subject_.insn.operands[2].repeat_stride = 0;
      const auto layout = lay_out(counter.subject_);
      if (!layout) continue;
      counter.layout_ = *layout;
      counter.most_ = most;
      const auto all = counter.written(most, ask_oracle());
      if (!all || all->empty() || all->size() % most != 0) return {};
      counter.first_ = all->front();
      counter.unit_ = static_cast<std::uint32_t>(all->size() / most);
      const bool in_a_row = all->back() - all->front() + 1 == all->size();
      return in_a_row ? std::optional(counter) : std::nullopt;
    }
    return {};
  }

  /// Repeat times for which there is room.
  unsigned most() const { return most_; }

  /// Nothing if the instruction does not run, or if it does not write whole repeats in a row.
  std::optional<unsigned> performed(unsigned repeat) const {
    if (repeat > most_) return {};
    const auto places = written(repeat, ask_);
    if (!places || places->size() % unit_ != 0) return {};
    if (places->empty()) return 0;
    if (places->front() != first_ || places->back() - first_ + 1 != places->size()) return {};
    return static_cast<unsigned>(places->size() / unit_);
  }

 private:
  RepeatCounter(Subject subject, const Ask& ask) : subject_(std::move(subject)), ask_(ask) {}

  /// The elements of dst, or its bytes if it has bits, that are written; nothing if the program does not run.
  std::optional<std::vector<std::uint32_t>> written(unsigned repeat, const Ask& ask) const {
    Subject subject = subject_;
    subject.insn.repeat = repeat;
    auto program = probe_program(subject, layout_, full_mask(subject));
    if (!program) return {};
    const Instruction& insn = subject.insn;
    const Row& row = row_of(insn.op);
    const bool bits = row.operands[0].walk == Walk::bits;
    const Element type = bits ? Element::u8 : insn.dst_type;
    fill_region(*program, layout_.regions[0], type, bits ? 0xb5 : old_dst_bits(insn, 0xb5));
    const bool indexed = indexed_operand(row).has_value();
    for (unsigned k = 1; k < row.operands.size(); ++k)
      if (indexed && k == kOffsetsOperand)  // each names the next element
        put_offsets_in_a_row(*program, layout_.regions[k], insn);
      else if (operand_type(insn, row.operands[k]) == insn.src_type)
        fill_region(*program, layout_.regions[k], insn.src_type, digit_bits(insn, 3));
    const Answers answers = ask_all(ask, {&*program, 1});
    if (!answers.why_not.empty()) return {};
    return changed_elements(program->ub, answers.states[0].ub, layout_.regions[0], type);
  }

  Subject subject_;
  Ask ask_;
  Layout layout_{};
  unsigned most_ = kMaxRepeat;
  std::uint32_t first_ = 0, unit_ = 1;
};

/// Does the instruction leave what the rule says, with other data? The places that it writes do not tell
/// whether it repeats less often, or uses the elements or offsets of another repeat; nor whether bits that
/// become 0 are results.
bool gives_other_data(Subject subject, unsigned repeat, const PlaceLaw& law, const Ask& ask) {
  const Row& row = row_of(subject.insn.op);
  const bool indexed = indexed_operand(row).has_value();
  const bool has_own_data = indexed || row.operands[0].walk == Walk::bits;
  subject = in_a_row(subject, repeat);
  const auto put_data = [indexed](ShapeTrial& trial) {
    for (unsigned k = 0; k < row_of(trial.insn().op).operands.size(); ++k)
      if (indexed && k == kOffsetsOperand)
        put_offsets_in_a_row(trial.program, trial.layout.regions[k], trial.insn());
      else
        put_small_numbers(trial.program, trial.layout.regions[k], k, 1);
  };
  const auto trial = has_own_data ? run_trial_with(subject, full_mask(subject), put_data, ask)
                                  : run_trial(subject, full_mask(subject), 77, ask);
  if (!trial) return !has_own_data;  // the operands of many repeats may not fit into UB
  const auto executed = law(trial->placed());
  const auto left = executed ? left_by(*trial, {*executed}) : std::nullopt;
  return left ? *left == trial->actual : !has_own_data;  // not every profile has repeat times of 0
}

/// Does it leave what the rule says with repeat strides of 1, too? Repeats that start again where earlier
/// ones lie, because the distance from the first one is cut off, look like repeats that are left out.
bool gives_small_strides(Subject subject, unsigned repeat, const PlaceLaw& law, const Ask& ask) {
  subject = in_a_row(subject, repeat);
  const Row& row = row_of(subject.insn.op);
  for (unsigned k = 0; k < row.operands.size(); ++k)
    if (row.operands[k].walk == Walk::blocks) subject.insn.operands[k].repeat_stride = 1;
  const auto trial = run_trial(subject, full_mask(subject), 78, ask);
  const auto executed = trial ? law(trial->placed()) : std::nullopt;
  const auto left = executed ? left_by(*trial, {*executed}) : std::nullopt;
  return !left || *left == trial->actual;
}

}  // namespace

std::optional<Difference> repeat_times_difference(const Subject& subject, const Ask& ask) {
  constexpr unsigned kAsked[] = {0,  1,  2,  3,  4,  5,  6,   7,   8,   9,   15,  16,  17,  30,
                                 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 182, 201, 254, 255};
  const Row& row = row_of(subject.insn.op);
  if (!row.has_repeat || row.compacts || subject.given != MaskGiven::words) return {};
  const auto counter = RepeatCounter::of(subject, ask);
  if (!counter) return {};
  unsigned given = repeats_of(subject.insn);
  auto result = counter->performed(given);
  for (std::size_t n = std::size(kAsked); given > counter->most() && n-- > 0;)  // the greatest that is wrong
    if (const auto performed = counter->performed(kAsked[n]); performed && *performed != kAsked[n]) {
      given = kAsked[n];
      result = performed;
    }
  if (!result || *result == given) return {};
  auto rules = rules_for(given, *result);
  unsigned answered = 0;
  for (const unsigned repeat : kAsked) {
    if (rules.empty()) return {};
    const auto performed = counter->performed(repeat);
    if (!performed) continue;
    ++answered;
    std::erase_if(rules, [&](const TimesRule& rule) { return rule.performed(repeat) != *performed; });
  }
  if (rules.empty() || 2 * answered < std::size(kAsked)) return {};
  const TimesRule& rule = rules.front();
  const bool may_count =
      row_of(subject.profile).has_modes || has_form(mask_forms(row, subject.profile), MaskFrom::count);
  Difference difference{
      MapKind::dst,
      rule.before + mnemonic(subject.insn) + rule.after + (may_count ? ", in normal mode" : ""),
      {}};
  difference.key = "dst:" + rule.before + rule.after;  // its numbers are repeat times
  difference.of_all_shapes = difference.of_repeats = true;
  difference.places = [performed = rule.performed](const Instruction& insn) -> std::optional<Instruction> {
    if (!row_of(insn.op).has_repeat || insn.scalar_repeat || performed(insn.repeat) > kMaxRepeat) return {};
    Instruction executed = insn;
    executed.repeat = performed(insn.repeat);
    return executed;
  };
  const bool holds = gives_other_data(subject, given, difference.places, ask) &&
                     gives_small_strides(subject, given, difference.places, ask);
  return holds ? std::optional(difference) : std::nullopt;
}

}  // namespace lanecheck
