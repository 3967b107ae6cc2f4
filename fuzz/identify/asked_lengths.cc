#include "fuzz/identify/asked_lengths.h"

namespace lanecheck {

std::vector<std::vector<Instruction>> earlier_numbers(const Subject& subject, MaskGiven given) {
  if (row_of(subject.profile).sets_mask != Op::set_vector_mask) return {};
  if (is_count(given)) {
    const Instruction counts = mask_instruction(Op::set_mask_count);
    Instruction set = mask_instruction(Op::set_vector_mask_total);
    set.settings[0] = kEarlier;
    return {{counts, set}, {counts, mask_instruction(Op::set_vector_mask, {0, kEarlier})}};
  }
  return {{mask_instruction(Op::set_vector_mask, {0, (std::uint64_t{1} << kEarlier) - 1})}};
}

std::vector<Instruction> earlier_mask(const Subject& subject) {
  Instruction earlier = subject.insn;
  earlier.mask_from = MaskFrom::bitwise;
  earlier.high = 0;
  earlier.low = 1;
  if (row_of(earlier.op).has_repeat) earlier.repeat = 1;
  return {earlier};
}

std::optional<Lengths> AskedLengths::lengths(unsigned repeat) const {
  const auto asking = [=, this](const Ask& answers) {
    return [=, copy = *this](const std::vector<std::uint32_t>& numbers) {
      return measure_lengths(copy.subject, copy.given, answers, copy.before, repeat, numbers);
    };
  };
  const auto measured = asking(ask)({}), documented = asking(ask_oracle())({});
  if (!measured.map || !documented.map) return {};
  return Lengths{*measured.map, *documented.map, asking(ask), asking(ask_oracle())};
}

bool is_right(const Lengths& lengths) {
  return lengths.measured.answers == lengths.documented.answers;
}

std::string only_setter_of_count(const Subject& subject, const Ask& ask) {
  Subject other = subject;
  other.by_total = !subject.by_total;
  for (const auto& earlier : earlier_numbers(subject, MaskGiven::total))
    if (const auto lengths = AskedLengths{other, MaskGiven::total, ask, earlier}.lengths())
      return is_right(*lengths) ? subject.by_total ? "set_vector_mask_total" : "set_vector_mask" : "";
  return {};
}

}  // namespace lanecheck
