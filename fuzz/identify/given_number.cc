#include "fuzz/identify/given_number.h"

#include <algorithm>

#include "fuzz/identify/asked_lengths.h"
#include "fuzz/identify/difference_list.h"
#include "fuzz/identify/kept_word.h"
#include "fuzz/identify/lengths/length_differences.h"
#include "fuzz/identify/lengths/own_count.h"
#include "fuzz/identify/mask_register/register_map.h"
#include "fuzz/identify/places_under_count.h"
#include "spec/program/profile.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// Of the first twin with 128 lanes that can be asked; empty if it is not wrong, or if `subject` has 128
/// lanes.
std::string law_of_twin(const Subject& subject, MaskGiven given, const Ask& ask) {
  for (const Subject& twin : with_128_lanes(subject))
    if (const auto lengths = AskedLengths{twin, given, ask}.lengths())
      return is_right(*lengths) ? "" : length_law(twin, given, *lengths);
  return {};
}

/// A contiguous mask may come from the register or be the instruction's own. If both forms give the same, the
/// sentences of the register do not name it.
void name_both_forms(const Subject& subject, MaskGiven given, const LengthMap& measured,
                     std::vector<Difference>& differences, const Ask& ask) {
  constexpr std::string_view kForm = " from the register";
  if (given != MaskGiven::length || !has_length_probes(subject, MaskGiven::contiguous)) return;
  if (differences.empty() || differences[0].only_example) return;
  const auto own = AskedLengths{subject, MaskGiven::contiguous, ask}.lengths();
  if (!own || own->measured.answers != measured.answers) return;
  for (Difference& difference : differences)
    if (const std::size_t at = difference.what.find(kForm); at != std::string::npos)
      difference.what.erase(at, kForm.size());
}

/// Are the answers equal, without lane 0? The instruction before may have written it (earlier_mask).
bool same_behind_lane_0(const LengthMap& a, const LengthMap& b) {
  const auto with_lane_0 = [](LengthAnswer answer) {
    if (!answer.written.empty()) {
      answer.written[0] = true;
      answer.reach = std::max(answer.reach, 1U);
    }
    return answer;
  };
  return std::ranges::equal(a.answers, b.answers, {}, with_lane_0, with_lane_0);
}

/// What is true of `found`, which was measured with the register as at the start of a program. `again`: the
/// same with a number or a mask in the register before; nothing if it was not measured: then nothing is said
/// of it. `setter` sets the number.
std::vector<Difference> after_earlier_number(const Subject& subject, MaskGiven given, const Subject& setter,
                                             const LengthMap& measured, const std::optional<Lengths>& again,
                                             std::vector<Difference> found, const Ask& ask) {
  if (!again || same_behind_lane_0(again->measured, measured)) return found;
  if (is_right(*again) && found.empty()) return {};
  if (auto left = register_differences(setter, ask); !left.empty() && !left[0].only_example) return left;
  say_if_word_is_kept(subject, given, found, ask);
  for (Difference& difference : found)  // the law of one register is not that of another one
    if (!difference.only_example && !says_kept_word(difference))
      difference.what +=
          is_count(given) ? ", if no other number was set before" : ", if the mask register is full before";
  if (found.empty()) {
    found = length_differences(subject, given, *again);
    for (Difference& difference : found) difference.what += ", after another number or mask in the register";
  }
  return found;
}

/// Does no element behind the repeat times take part, and should one?
bool ends_with_repeat_times(const LengthMap& map) {
  const auto behind = [&](auto reach) {
    return std::ranges::any_of(
        map.answers, [=, &map](const LengthAnswer& each) { return each.*reach > each.repeat * map.lanes; });
  };
  return behind(&LengthAnswer::length) && !behind(&LengthAnswer::reach);
}

/// What a count does that is one of all repeats together: asks with other repeat times too, as a law of one
/// repeat time may be a law of the repeat times. Nothing if this cannot be told.
std::optional<Lengths> with_more_repeat_times(const AskedLengths& asked, Lengths lengths) {
  constexpr unsigned kRepeat = 3;
  if (!row_of(asked.subject.insn.op).has_repeat) return lengths;
  const auto more = asked.lengths(kRepeat);
  if (!more) return ends_with_repeat_times(lengths.measured) ? std::nullopt : std::optional(lengths);
  std::ranges::copy(more->measured.answers, std::back_inserter(lengths.measured.answers));
  std::ranges::copy(more->documented.answers, std::back_inserter(lengths.documented.answers));
  return lengths;
}

/// Counter mode, if a count in the register does the same as a count of its own, for fresh numbers too; else
/// `given`.
MaskGiven count_in_register(const Subject& subject, const Lengths& own, MaskGiven given, const Ask& ask) {
  if (given != MaskGiven::count || !has_length_probes(subject, MaskGiven::total)) return given;
  const auto in_register = AskedLengths{subject, MaskGiven::total, ask}.lengths();
  if (!in_register || in_register->measured.answers != own.measured.answers) return given;
  const std::uint32_t lanes = own.measured.lanes;
  const std::vector<std::uint32_t> fresh = {3, 2 * lanes + lanes / 2 + 9, 5 * lanes - 7};
  const auto is = own.ask(fresh), too = in_register->ask(fresh);
  return is.map && too.map && is.map->answers == too.map->answers ? MaskGiven::total : given;
}

/// What a count does that fills about 256 repeats, whose number a field of 8 bits does not hold, or that a
/// field of 16 bits does not hold itself.
std::vector<Difference> under_large_count(const Subject& subject, MaskGiven given, const Ask& ask) {
  if (row_of(subject.insn.op).mask == MaskUse::neutral_source) return {};  // it takes too many questions
  const std::uint32_t lanes = lanes_of(subject.insn);
  const auto asking = [&](const Ask& answers) {
    return [=, &subject](const std::vector<std::uint32_t>& numbers) {
      return measure_lengths(subject, given, answers, {}, 1, numbers);
    };
  };
  constexpr std::uint32_t kTwo16 = 1 << 16;
  for (const std::vector<std::uint32_t>& numbers :
       {std::vector{254 * lanes + 3, 255 * lanes, 255 * lanes + 1, 256 * lanes, 256 * lanes + 5, 257 * lanes},
        std::vector{kTwo16 - 1, kTwo16 + 3, kTwo16 + 2 * lanes + 7}}) {
    const auto measured = asking(ask)(numbers), documented = asking(ask_oracle())(numbers);
    if (measured.map && documented.map && measured.map->answers != documented.map->answers)
      return length_differences(subject, given,
                                Lengths{*measured.map, *documented.map, asking(ask), asking(ask_oracle())});
  }
  return {};
}

}  // namespace

MaskGiven mask_given(const Program& program, std::size_t index) {
  const Readings& readings = default_readings(program.profile);
  MaskBits mask;
  bool by_length = false;
  for (std::size_t n = 0; n < index; ++n) {
    const Instruction& earlier = program.instructions[n];
    mask.apply(earlier, readings);
    if (row_of(earlier.op).mask == MaskUse::is_mask_state && row_of(earlier.op).form != Form::set_mode)
      by_length = earlier.op == Op::set_vector_mask_len;
  }
  switch (program.instructions[index].mask_from) {
    case MaskFrom::count:
      return MaskGiven::count;
    case MaskFrom::contiguous:
      return MaskGiven::contiguous;
    case MaskFrom::reg:
    case MaskFrom::bitwise:
      break;
  }
  if (mask.mode == Mode::counter) return MaskGiven::total;
  const bool reg = program.instructions[index].mask_from == MaskFrom::reg;
  return reg && by_length ? MaskGiven::length : MaskGiven::words;
}

std::optional<MaskWords> mask_at(const Program& program, std::size_t index) {
  const Instruction& insn = program.instructions[index];
  if (insn.mask_from == MaskFrom::bitwise) return MaskWords{insn.high, insn.low};
  Program before = program;
  before.instructions.resize(index);
  const Answers answers = ask_all(ask_oracle(), {&before, 1});
  if (!answers.why_not.empty() || answers.states[0].mode == Mode::counter) return {};
  return MaskWords{mask_word(answers.states[0].mask, 1), mask_word(answers.states[0].mask, 0)};
}

std::uint32_t repeat_times_at(const Program& program, std::size_t index) {
  const Instruction& insn = program.instructions[index];
  const Readings& readings = default_readings(program.profile);
  MaskBits mask;
  for (std::size_t n = 0; n < index; ++n) mask.apply(program.instructions[n], readings);
  mask.load(insn, readings);
  if (mask.mode != Mode::counter || !row_of(insn.op).has_repeat || row_of(insn.op).operands.empty())
    return insn.repeat;
  return std::min<std::uint32_t>(kMaxRepeat, resolve(insn, mask, readings).insn.repeat);
}

std::vector<MaskGiven> numbers_given(const Subject& subject) {
  std::vector<MaskGiven> all;
  for (const MaskGiven given : {MaskGiven::contiguous, MaskGiven::length, MaskGiven::total, MaskGiven::count})
    if (has_length_probes(subject, given)) all.push_back(given);
  return all;
}

namespace {

/// `setter`: the instruction that gives the number.
std::vector<Difference> number_differences(const std::vector<Shape>& shapes, MaskGiven given,
                                           const Subject& setter, const Ask& ask) {
  const Subject& subject = shapes[0].subject;
  if (!has_length_probes(subject, given)) return {};
  const AskedLengths asked{subject, given, ask};
  auto lengths = asked.lengths();
  if (!lengths) return {};
  std::vector<Difference> differences;
  std::optional<Lengths> again;
  for (const auto& earlier : earlier_numbers(subject, given))
    if (!again) again = AskedLengths{subject, given, ask, earlier}.lengths();
  if (again && !is_right(*again)) {
    const std::string only = given == MaskGiven::total ? only_setter_of_count(subject, ask) : "";
    auto merged = earlier_number_differences(subject, given, again->measured, kEarlier, only);
    if (!merged.empty()) return merged;
  }
  const bool by_operand = row_of(subject.profile).mask_operands == MaskOperands::always;
  if (by_operand && given == MaskGiven::contiguous && !is_right(*lengths))
    again = AskedLengths{subject, given, ask, earlier_mask(subject)}.lengths();
  // Before the twin: the questions may come to an end.
  const bool has_repeats = is_count(given) && (subject.insn.repeat > 1 || !is_right(*lengths));
  auto all = has_repeats ? with_more_repeat_times(asked, *lengths) : *lengths;
  if (!all) return {};
  if (!is_right(*all)) {
    all->law_of_twin = law_of_twin(subject, given, ask);
    differences = length_differences(subject, count_in_register(subject, *lengths, given, ask), *all);
  }
  if (!differences.empty() && given == MaskGiven::length)
    if (auto gates = register_gate_differences(subject, ask); !gates.empty()) return gates;
  name_both_forms(subject, given, lengths->measured, differences, ask);
  differences =
      after_earlier_number(subject, given, setter, lengths->measured, again, std::move(differences), ask);
  if (!is_count(given)) return differences;
  if (setter.insn.op == subject.insn.op) say_if_own_count_is_obeyed(subject, given, differences, ask);
  if (differences.empty()) differences = places_in_shapes(shapes, given, ask);
  if (differences.empty()) differences = under_large_count(subject, given, ask);
  return differences;
}

}  // namespace

std::vector<Difference> number_differences(const std::vector<Shape>& shapes, MaskGiven given,
                                           const Ask& ask) {
  Subject setter = shapes[0].subject;
  if (given == MaskGiven::length) {
    setter.insn = mask_instruction(Op::set_vector_mask_len);
    setter.insn.dst_type = setter.insn.src_type = shapes[0].subject.insn.dst_type;
  } else {
    setter.insn.mask_from = form_of(given);
  }
  return number_differences(shapes, given, setter, ask);
}

namespace {

/// The words of set_vector_mask as counts are right: then what differs is the fault of set_vector_mask_total.
std::vector<Difference> total_differences(std::vector<Shape> shapes, const Subject& setter, const Ask& ask) {
  if (auto left = register_differences(setter, ask); !left.empty() && !left[0].only_example) return left;
  for (Shape& shape : shapes) shape.subject.by_total = true;
  auto differences = number_differences(shapes, MaskGiven::total, setter, ask);
  const std::string user = "in counter mode " + mnemonic(shapes[0].subject.insn) + " ";
  for (Difference& difference : differences) {
    if (difference.general.empty() && difference.what.starts_with(user))
      difference.general = difference.what.substr(user.size());
    if (difference.what.starts_with(user))
      difference.what.replace(0, user.size(), mnemonic(setter.insn) + " ");
  }
  return differences;
}

}  // namespace

std::vector<Difference> set_number_differences(const Subject& setter, const std::vector<Shape>& shapes,
                                               MaskGiven given, const Ask& ask) {
  auto differences = number_differences(shapes, given, setter, ask);
  if (differences.empty() && given == MaskGiven::total) return total_differences(shapes, setter, ask);
  if (!differences.empty() && differences[0].what.find(" stops after ") != std::string::npos)
    if (auto slots = register_differences(setter, ask);
        !slots.empty() && is_law_of_words(slots[0], setter, ask))
      return slots;
  const std::string user = mnemonic(shapes[0].subject.insn) + " ";
  for (Difference& difference : differences)
    if (const std::size_t at = difference.what.find(user); at != std::string::npos)
      difference.what.insert(at, "an instruction such as ");
  return differences;
}

}  // namespace lanecheck
