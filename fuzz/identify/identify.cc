#include "fuzz/identify/identify.h"

#include <algorithm>

#include "fuzz/identify/compare_mask/bits_in_ub.h"
#include "fuzz/identify/given_number.h"
#include "fuzz/identify/in_place.h"
#include "fuzz/identify/mask_register/register_map.h"
#include "fuzz/identify/measuring.h"
#include "fuzz/identify/sorts/sort_difference.h"
#include "fuzz/identify/through_compare_mask.h"
#include "fuzz/identify/trials/index_law.h"

namespace lanecheck {
namespace {

Shape with_mask_from(Shape shape, MaskFrom from) {
  shape.subject.insn.mask_from = from;
  return shape;
}

/// `ways`: the numbers that the instruction may be given. `in_place`: its source that lies where dst lies.
Identification identify_in(const std::vector<Shape>& shapes, const std::vector<MaskGiven>& ways,
                           const Ask& ask, Shown shown, After after, unsigned in_place = 0) {
  Measuring measuring(ask, shown, after);
  const Subject& subject = shapes[0].subject;
  if (row_of(subject.insn.op).compacts) {
    const auto given = std::ranges::find(shapes, "given", &Shape::name);
    measuring.gather_mask(given == shapes.end() ? shapes[0] : *given);
    return measuring.take();
  }
  if (has_sort_probes(row_of(subject.insn.op))) measuring.sort(shapes);
  if (!measuring.result.differences.empty()) return measuring.take();
  measuring.far_operands(shapes[0]);  // the probes below place operands there
  if (!measuring.result.differences.empty()) return measuring.take();
  // The probes below give the instruction a bitwise mask of its own.
  if (has_form(mask_forms(row_of(subject.insn.op), subject.profile), MaskFrom::bitwise))
    measuring.registers(with_mask_from(shapes[0], MaskFrom::bitwise));
  if (measuring.result.differences.empty()) measuring.reduction_first(shapes[0]);
  if (measuring.result.differences.empty()) measuring.shapes(shapes);
  measuring.others(shapes, ways);
  measuring.in_place(shapes, in_place);
  measuring.wrong_half_if_no_law();
  measuring.words_if_no_law(shapes[0]);
  return measuring.take();
}

/// An instruction without operands: what it does to the register, and what its number does to an addition.
Identification identify_mask_instruction(const Subject& subject, const Ask& ask, Shown shown) {
  Measuring measuring(ask, shown, After::nothing);
  if (subject.insn.op == Op::reset_mask) measuring.reset(subject);
  if (!measuring.result.differences.empty() || !has_register_probes(subject)) return measuring.take();
  const Row& add = row_of(Op::add);
  const Subject addition = default_subject(subject.profile, add, add.in(subject.profile).pairs.front());
  const std::vector<Shape> shapes = {shapes_of(addition)[0]};
  if (subject.insn.op == Op::set_vector_mask_len) measuring.set_number(subject, shapes, MaskGiven::length);
  if (subject.insn.op == Op::set_vector_mask_total) measuring.set_number(subject, shapes, MaskGiven::total);
  if (measuring.result.differences.empty()) measuring.registers({"plain", "", subject});
  return measuring.take();
}

/// An instruction that uses the compare mask. Where its bits select is asked through other instructions; how
/// many elements of counter mode take part, of the instruction itself: dst changes whatever is selected.
Identification identify_with_compare_mask(const Subject& subject, MaskGiven given, const Ask& ask) {
  Identification found = identify_through_compare_mask(subject, ask, true);
  if (!found.parts.empty() || !has_length_probes(subject, given)) return found;
  Measuring measuring(through_compare_mask(ask), false, After::nothing);
  measuring.numbers({shapes_of(subject)[0]}, {given});
  return measuring.take();
}

/// `measure` asks the backend; counts how many programs.
template <class Measure>
Identification counting_programs(const Ask& ask, Measure measure) {
  std::size_t programs = 0;
  Identification found = measure([&](const Batch& batch) {
    programs += batch.programs.size();
    ask(batch);
  });
  found.programs = programs;
  return found;
}

/// `measure`: of a reduction with an index, the maps of the value alone. Which of both its results are comes
/// before, and the index behind.
template <class Measure>
Identification with_index(const Subject& subject, const Ask& ask, Measure measure) {
  Identification found;
  found.add(order_difference(subject, ask));
  if (found.parts.empty()) found = measure(with_value_alone(subject));
  if (found.parts.empty()) found.add(index_law(subject, ask));
  return found;
}

Subject subject_of_case(const Program& diverging, std::size_t index) {
  Subject given{diverging.profile, diverging.instructions[index]};
  given.own_mask = mask_at(diverging, index);
  given.insn.repeat = repeat_times_at(diverging, index);
  given.meets_first_mask = std::none_of(
      diverging.instructions.begin(), diverging.instructions.begin() + static_cast<std::ptrdiff_t>(index),
      [](const Instruction& each) { return row_of(each.op).mask == MaskUse::is_mask_state; });
  return given;
}

}  // namespace

Identification identify(const Subject& subject, const Ask& given_ask, Shown shown) {
  return counting_programs(given_ask, [&](const Ask& ask) {
    if (row_of(subject.insn.op).operands.empty()) return identify_mask_instruction(subject, ask, shown);
    if (needs_compare_mask(subject.insn.op)) return identify_through_compare_mask(subject, ask, false);
    return with_index(subject, ask, [&](const Subject& plain) {
      return identify_in(shapes_of(plain), numbers_given(plain), ask, shown, After::most_repeats);
    });
  });
}

Identification identify(const Program& diverging, std::size_t index, const Ask& given_ask, Shown shown,
                        bool which_repeats, const SettableMask& settable) {
  Subject given = subject_of_case(diverging, index);
  given.settable = settable;
  return counting_programs(given_ask, [&](const Ask& ask) {
    if (row_of(given.insn.op).operands.empty()) return identify_mask_instruction(given, ask, shown);
    if (needs_compare_mask(given.insn.op))
      return identify_with_compare_mask(given, mask_given(diverging, index), ask);
    return with_index(given, ask, [&](const Subject& plain) {
      return identify_in(shapes_of_case(plain), {mask_given(diverging, index)}, ask, shown,
                         which_repeats ? After::which_repeats : After::nothing, source_in_place(given.insn));
    });
  });
}

Identification identify_number(const Program& diverging, std::size_t index, const Ask& given_ask) {
  return counting_programs(given_ask, [&](const Ask& ask) {
    Measuring measuring(ask, false, After::nothing);
    measuring.numbers(shapes_of_case(subject_of_case(diverging, index)), {mask_given(diverging, index)});
    return measuring.take();
  });
}

}  // namespace lanecheck
