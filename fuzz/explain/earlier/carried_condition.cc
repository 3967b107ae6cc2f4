#include "fuzz/explain/earlier/carried_condition.h"

#include "fuzz/explain/questions/repeatable.h"
#include "fuzz/explain/questions/variation.h"
#include "oracle/compare/compare.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"

namespace lanecheck {

namespace {

constexpr unsigned kAttempts = 4;

/// What the backend is like where its own value of the field is another one.
enum class WithOther : std::uint8_t { is_right, is_wrong, does_not_show };

/// `own` becomes the instruction with the other value.
WithOther with_other_value(Program other, std::size_t at, const CarriedField& field, unsigned attempt,
                           Instruction& own, AskedBackend& asked, const Documented& documented) {
  const Instruction given = other.instructions.back();
  field.other(other.instructions.back(), attempt);
  make_room(other);
  own = other.instructions.back();
  Program carried = other;
  if (own == given || !field.carry(other.instructions[at], carried.instructions.back()))
    return WithOther::does_not_show;
  make_room(carried);
  other = carried;
  other.instructions.back() = own;
  if (find_fault(other, documented.readings()) || find_fault(carried, documented.readings()))
    return WithOther::does_not_show;
  State predicted;
  execute(carried, documented.semantics, predicted);
  if (agrees(other, documented.semantics, predicted, asked.shown())) return WithOther::does_not_show;
  return says(asked.ask(other), other, documented, asked.shown()) == Says::conforms ? WithOther::is_right
                                                                                    : WithOther::is_wrong;
}

}  // namespace

std::string carried_condition(const Program& part, std::size_t at, const CarriedField& field,
                              AskedBackend& asked, const Documented& documented) {
  if (!field.other) return "";
  for (unsigned attempt = 0; attempt < kAttempts; ++attempt)
    for (unsigned round = 0; round <= kOtherData; ++round) {
      Instruction own;
      const WithOther found = with_other_value(round == 0 ? part : with_data(part, round), at, field, attempt,
                                               own, asked, documented);
      if (found == WithOther::is_wrong) return "";
      if (found == WithOther::is_right)
        return ", if its own is " + field.shown(part.instructions.back()) + " (not if it is " +
               field.shown(own) + ")";
    }
  return "";
}

std::string_view name_of(SameWord same) {
  return same == SameWord::low ? "low" : "high";
}

std::string condition_text(SameWord same) {
  if (same == SameWord::none) return "";
  return ", if the " + std::string(name_of(same)) + " word stays the same";
}

}  // namespace lanecheck
