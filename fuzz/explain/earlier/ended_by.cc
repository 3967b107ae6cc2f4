#include "fuzz/explain/earlier/ended_by.h"

#include "fuzz/explain/questions/inserted.h"
#include "fuzz/explain/questions/locate.h"
#include "fuzz/explain/questions/repeatable.h"
#include "fuzz/explain/questions/variation.h"
#include "oracle/compare/compare.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// The program with `row` before its last instruction, with the first types that the backend offers, that are
/// legal under the same mask, and that the last instruction does not have.
std::optional<Program> with_other_types(const Program& program, const Row& row, AskedBackend& asked,
                                        const Documented& documented) {
  const auto between = [&](const TypePair& types) -> std::optional<Program> {
    const Instruction& last = program.instructions.back();
    if (types.dst == last.dst_type && types.src == last.src_type) return {};
    return with_inserted(program, row, types);
  };
  return first_that_runs(row, between, asked, documented);
}

/// The program that sets the mask that is there once more.
std::optional<Program> with_mask_again(const Program& program, const Documented& documented) {
  const auto setter = row_of(program.profile).sets_mask;
  if (!setter) return {};
  State before;
  execute(prefix(program, program.instructions.size() - 1), documented.semantics, before);
  Program between = program;
  between.instructions.insert(between.instructions.end() - 1,
                              mask_setter(*setter, {mask_word(before.mask, 1), mask_word(before.mask, 0)}));
  return between;
}

/// May the last instruction take the field of this one, too? One that has the same value does not tell.
bool has_field(const Instruction& insn, const CarriedField& field, Instruction last) {
  Instruction taken = last;
  if (field.carry(insn, taken)) return true;
  if (field.other) field.other(last, 0);
  return field.other && field.carry(insn, last);
}

}  // namespace

bool field_would_show(const Program& program, const Instruction& earlier, const CarriedField& field,
                      const Documented& documented, Shown shown) {
  Program carried = program;
  if (!field.carry(earlier, carried.instructions.back()) || find_fault(carried, documented.readings()))
    return false;
  State predicted;
  execute(carried, documented.semantics, predicted);
  return !agrees(program, documented.semantics, predicted, shown);
}

std::string ended_by(const Program& part, const WouldShow& would_show, AskedBackend& asked,
                     const Documented& documented) {
  using Insert = std::function<std::optional<Program>(const Program&)>;
  const Insert inserts[] = {
      [&](const Program& program) { return with_mask_again(program, documented); },
      [&](const Program& program) {
        return with_other_types(program, row_of(program.instructions.back().op), asked, documented);
      },
      [&](const Program& program) { return with_other_types(program, row_of(Op::add), asked, documented); }};
  const auto ends = [&](const std::optional<Program>& between) {
    return between && !find_fault(*between, documented.readings()) && would_show(*between) &&
           says(asked.ask(*between), *between, documented, asked.shown()) == Says::conforms;
  };
  std::string names;
  for (const Insert& insert : inserts) {
    const auto between = insert(part);
    if (ends(between) && ends(insert(with_data(part, 1))))
      names += (names.empty() ? "" : " or ") + mnemonic(between->instructions.end()[-2]);
  }
  return names.empty() ? "" : ", not if " + names + " comes between them";
}

std::string ended_by(const Program& part, std::size_t at, const CarriedField& field, AskedBackend& asked,
                     const Documented& documented) {
  const auto would_show = [&](const Program& between) {
    const auto shows = [&](const Instruction& earlier) {
      return field_would_show(between, earlier, field, documented, asked.shown());
    };
    const Instruction& third = between.instructions.end()[-2];
    return shows(between.instructions[at]) &&
           (!has_field(third, field, between.instructions.back()) || shows(third));
  };
  return ended_by(part, would_show, asked, documented);
}

namespace {

/// What three instructions say of the first one, whose field the last one takes: does it still take it?
enum class OfThree : std::uint8_t { of_first, not_of_first, does_not_tell };

OfThree asked_of_three(Program three, std::size_t at, unsigned attempt, const CarriedField& field,
                       PredictedPart& predicted) {
  const std::size_t second = three.instructions.size() - 1;
  const Instruction first = three.instructions[at];
  field.vary(three.instructions.insert(three.instructions.end() - 1, first)[0], attempt);
  std::vector<Instruction> of_first = three.instructions, of_second = three.instructions;
  if (!field.carry(first, of_first[second]) || !field.carry(first, of_first.back()))
    return OfThree::does_not_tell;
  field.carry(three.instructions[second], of_second.back());
  const auto given = three.instructions;
  for (const auto* each : std::initializer_list<const std::vector<Instruction>*>{
           &given, &of_first, &of_second}) {  // one layout with room for all
    three.instructions = *each;
    make_room_for_whole_repeats(three);
  }
  const auto with = [&](const std::vector<Instruction>& instructions) {
    Program program = three;
    program.instructions = instructions;
    return program;
  };
  const Program asked_for = with(given), taken = with(of_first), other = with(of_second);
  const Readings& readings = predicted.documented().readings();
  if (find_fault(asked_for, readings) || find_fault(taken, readings) || find_fault(other, readings))
    return OfThree::does_not_tell;
  const State right = predicted.before_of(taken, taken.instructions.size());
  if (same_bytes(right.ub, predicted.before_of(other, other.instructions.size()).ub))
    return OfThree::does_not_tell;
  bool shows = false;
  const bool agrees = predicted.agrees(asked_for, right, shows);
  if (agrees && !shows) return OfThree::does_not_tell;
  return agrees ? OfThree::of_first : OfThree::not_of_first;
}

}  // namespace

std::string also_behind_another(const Program& part, std::size_t at, const CarriedField& field,
                                PredictedPart& predicted) {
  bool is_of_first = false;
  for (unsigned round = 0; round <= kOtherData; ++round)
    for (const unsigned attempt : {0u, 1u}) {
      const OfThree of =
          asked_of_three(round == 0 ? part : with_data(part, round), at, attempt, field, predicted);
      if (of == OfThree::not_of_first) return "";
      is_of_first |= of == OfThree::of_first;
    }
  return is_of_first ? ", also if another " + mnemonic(part.instructions[at]) + " comes between them" : "";
}

}  // namespace lanecheck
