#include "fuzz/identify/given_number.h"

#include <algorithm>

#include "fuzz/identify/length_differences.h"
#include "fuzz/identify/move_differences.h"
#include "fuzz/identify/place_differences.h"
#include "fuzz/probes/move_map.h"
#include "fuzz/probes/place_map.h"
#include "spec/program/profile.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr std::uint32_t kShort = 40;  // elements of a contiguous mask in the register

/// An instruction with a contiguous mask of its own that looks at the register, which is full at the start
/// of a program.
std::vector<Difference> with_short_register(const Subject& subject, const Ask& ask) {
  if (row_of(subject.profile).sets_mask != Op::set_vector_mask) return {};
  Instruction set;
  set.op = Op::set_vector_mask;
  set.dst_type = set.src_type = Element::f16;
  set.low = (std::uint64_t{1} << kShort) - 1;
  const auto map = measure_lengths(subject, MaskGiven::contiguous, ask, {set});
  if (!map.map) return {};
  const auto all = [&](auto reach) {
    return std::ranges::all_of(map.map->answers,
                               [&](const LengthAnswer& each) { return each.reach == reach(each.length); });
  };
  const std::string name = mnemonic(subject.insn);
  if (all([](std::uint32_t) { return kShort; }))
    return {{"length", name + " ignores a contiguous mask of its own and uses the mask register", {}}};
  if (all([](std::uint32_t length) { return std::max(length, kShort); }))
    return {{"length", name + " combines a contiguous mask of its own with the mask register by or", {}}};
  return {};
}

/// What a count does that is one of all repeats together: asks with other repeat times too, as a law of one
/// repeat time may be a law of the repeat times.
std::vector<Difference> with_more_repeat_times(const Subject& subject, MaskGiven given, LengthMap measured,
                                               LengthMap documented, const Ask& ask) {
  constexpr unsigned kRepeat = 3;
  if (row_of(subject.insn.op).has_repeat) {
    const auto more = measure_lengths(subject, given, ask, {}, kRepeat),
               should = measure_lengths(subject, given, ask_oracle(), {}, kRepeat);
    if (more.map && should.map) {
      std::ranges::copy(more.map->answers, std::back_inserter(measured.answers));
      std::ranges::copy(should.map->answers, std::back_inserter(documented.answers));
    }
  }
  return length_differences(subject, given, measured, documented);
}

/// The places of all operands if the count covers all repeats.
std::vector<Difference> places_in_counter_mode(const Shape& shape, const Ask& ask) {
  Subject subject = shape.subject;
  subject.given = MaskGiven::total;
  const bool moves = has_move_probes(row_of(subject.insn.op));
  if (row_of(subject.insn.op).mask == MaskUse::neutral_source) return {};  // needs one lane of each group
  const MaskWords full = full_mask(subject);
  auto differences = moves ? move_differences(subject, measure_moves(subject, full, ask),
                                              measure_moves(subject, full, ask_oracle()))
                           : place_differences(subject, measure_places(subject, full, ask),
                                               measure_places(subject, full, ask_oracle()), {})
                                 .list;
  for (Difference& difference : differences) {
    difference.what += ", in counter mode";
    if (shape.name != "plain")
      difference.where += (difference.where.empty() ? "(" : " (") + shape.about + ")";
  }
  return differences;
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

std::vector<MaskGiven> numbers_given(const Subject& subject) {
  std::vector<MaskGiven> all;
  for (const MaskGiven given : {MaskGiven::contiguous, MaskGiven::length, MaskGiven::total, MaskGiven::count})
    if (has_length_probes(subject, given)) all.push_back(given);
  return all;
}

std::vector<Difference> number_differences(const std::vector<Shape>& shapes, MaskGiven given,
                                           const Ask& ask) {
  const Subject& subject = shapes[0].subject;
  if (!has_length_probes(subject, given)) return {};
  const auto measured = measure_lengths(subject, given, ask),
             documented = measure_lengths(subject, given, ask_oracle());
  if (!measured.map || !documented.map) return {};
  auto differences = length_differences(subject, given, *measured.map, *documented.map);
  if (!differences.empty() && (given == MaskGiven::total || given == MaskGiven::count))
    differences = with_more_repeat_times(subject, given, *measured.map, *documented.map, ask);
  if (!differences.empty() && given == MaskGiven::contiguous)
    if (auto by_register = with_short_register(subject, ask); !by_register.empty()) return by_register;
  if (given != MaskGiven::total) return differences;
  for (const Shape& shape : shapes)
    if (differences.empty()) differences = places_in_counter_mode(shape, ask);
  return differences;
}

}  // namespace lanecheck
