#include "fuzz/explain/measured/gate_prediction.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "fuzz/explain/questions/locate.h"
#include "fuzz/explain/questions/repeatable.h"
#include "fuzz/explain/questions/variation.h"
#include "fuzz/identify/probes/intervals.h"
#include "fuzz/identify/probes/one_repeat.h"
#include "fuzz/identify/probes/reduction_map.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/mask/footprint.h"
#include "spec/program/profile.h"

namespace lanecheck {
namespace {

/// Do the laws switch all lanes of a repeat off, whatever the mask is?
bool leave_out(const Instruction& insn, unsigned repeat, std::span<const GateLaw> laws,
               const MaskWords& mask) {
  if (row_of(insn.op).mask != MaskUse::gates_writeback) return false;
  for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
    std::optional<bool> is_on;
    for (const GateLaw& law : laws)
      if (!is_on && law.repeats.holds(repeat, repeats_of(insn))) is_on = law.on(repeat, lane, mask);
    if (is_on != false) return false;
  }
  return true;
}

/// The lanes that are on in one repeat, as a mask of their own slots.
std::optional<MaskWords> lanes_on(const Instruction& insn, unsigned repeat, std::span<const GateLaw> laws,
                                  const MaskWords& mask) {
  MaskWords on{0, 0};
  for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
    std::optional<bool> is_on;
    for (const GateLaw& law : laws)
      if (!is_on && law.repeats.holds(repeat, repeats_of(insn))) is_on = law.on(repeat, lane, mask);
    if (lane >= 128) {  // no mask switches these lanes off
      if (is_on == false) return {};
      continue;
    }
    if (is_on.value_or(has_slot(mask, lane)))
      (lane < 64 ? on.low : on.high) |= std::uint64_t{1} << (lane % 64);
  }
  return on;
}

bool walks_by_repeat(const Row& row) {
  return row.has_repeat && row.mask != MaskUse::ignores &&
         std::ranges::all_of(row.operands, [](const OperandColumn& operand) {
           return operand.walk == Walk::blocks || operand.walk == Walk::rows || operand.walk == Walk::results;
         });
}

/// The mask that instruction `index` meets, in normal mode.
std::optional<MaskWords> words_at(const Program& program, std::size_t index, const Semantics& semantics) {
  const Instruction& insn = program.instructions[index];
  State before;
  execute(prefix(program, index), semantics, before);
  if (before.mode == Mode::counter) return {};
  if (insn.mask_from == MaskFrom::bitwise) return MaskWords{insn.high, insn.low};
  if (insn.mask_from != MaskFrom::reg) return {};
  return MaskWords{mask_word(before.mask, 1), mask_word(before.mask, 0)};
}

/// `program` with what the laws say in place of instruction `index`. Nothing if they say nothing of it.
std::optional<Program> with_executed(const Program& program, std::size_t index,
                                     std::span<const PlaceLaw> laws, const Documented& documented) {
  State before;
  execute(prefix(program, index), documented.semantics, before);
  if (laws.empty() || before.mode == Mode::counter) return {};
  Program changed = program;
  for (const PlaceLaw& law : laws) {
    const auto executed = law(changed.instructions[index]);
    if (!executed) return {};
    changed.instructions[index] = *executed;
  }
  if (find_fault(changed, documented.readings())) return {};
  return changed;
}

/// Does dst hold what the law says of each result that has an active lane? The other bytes are as documented.
std::optional<bool> value_gives(const BackendAnswer& answer, const Program& program, std::size_t index,
                                const ValueLaw& law, const Semantics& semantics) {
  const auto mask = words_at(program, index, semantics);
  if (!mask || index + 1 != program.instructions.size()) return {};
  const Instruction& insn = program.instructions[index];
  const Subject subject{program.profile, insn};
  const unsigned size = size_of(insn.dst_type);
  State predicted;
  execute(program, semantics, predicted);
  std::map<std::size_t, std::uint64_t> results;  // by place: several repeats may write one
  for (unsigned r = 0; r < repeats_of(insn); ++r)
    for (unsigned group = 0; group < results_per_repeat(insn); ++group) {
      if (!any_on(subject, *mask, group)) continue;
      const std::size_t at =
          start_of(program, insn.operands[0]) + r * repeat_step(insn, 0) + std::size_t{group} * size;
      std::uint64_t bits = 0;
      std::memcpy(&bits, &predicted.ub[at], size);
      results[at] = law(bits);
    }
  for (const auto& [at, bits] : results) std::memcpy(&predicted.ub[at], &bits, size);
  return same_bytes(predicted.ub, answer.state.ub);
}

/// The last instruction of `program` under other masks, as far as its mask stands in the program.
std::vector<Program> under_other_masks(const Program& program) {
  Variation other = variation_of(program, program.instructions.size() - 1);
  if (!other.mask) return {};
  Instruction& words = other.program.instructions[*other.mask];
  const MaskWords given{words.high, words.low};
  std::vector<Program> programs;
  for (const MaskWords& mask : {MaskWords{~given.high, ~given.low},
                                kGappedMask,
                                {0x92de0f3c56a184fa, 0x4a3917ed850f64b7},
                                {0x9249249249249249, 0x2492492492492490}}) {
    words.high = mask.high;
    words.low = mask.low;
    programs.push_back(other.program);
  }
  return programs;
}

/// `program` with instruction `index` split into one instruction for each repeat, under a mask of its own:
/// the lanes are on by the first of the `laws` that speaks of them, else by the documents. The oracle then
/// leaves what the laws predict in UB. Nothing if no such program is known: in counter mode, for lanes that
/// no mask switches off, for instructions that ignore the mask, and for operands that do not walk from repeat
/// to repeat.
std::optional<Program> split_by_laws(const Program& program, std::size_t index, std::span<const GateLaw> laws,
                                     const Semantics& semantics) {
  const Instruction& insn = program.instructions[index];
  const auto sets_mask = row_of(program.profile).sets_mask;
  const bool has_own = insn.mask_from == MaskFrom::bitwise;
  if (!walks_by_repeat(row_of(insn.op)) || insn.scalar_repeat) return {};
  const auto words = words_at(program, index, semantics);
  if (!words || (!has_own && !sets_mask)) return {};
  const MaskWords mask = *words;
  Program split = prefix(program, index);
  for (unsigned repeat = 0; repeat < repeats_of(insn); ++repeat) {
    if (leave_out(insn, repeat, laws, mask)) continue;
    const auto on = lanes_on(insn, repeat, laws, mask);
    if (!on) return {};
    Instruction one = one_repeat(insn, repeat);
    if (has_own) {
      one.high = on->high;
      one.low = on->low;
    } else {
      split.instructions.push_back(mask_setter(*sets_mask, *on, insn.src_type));
    }
    split.instructions.push_back(one);
  }
  return split;
}

/// Leaves in `state` what `predicted` has in those results of a reduction in which, by the laws, no lane
/// counts, though the mask has one: laws of gates do not say what such a result holds. False if no other
/// result is left.
bool leave_out_results_of_no_lane(const Program& program, std::size_t index, std::span<const GateLaw> laws,
                                  const Semantics& semantics, const State& predicted, State& state) {
  const Instruction& insn = program.instructions[index];
  const auto mask = words_at(program, index, semantics);
  const Subject subject{program.profile, insn};
  const auto size = static_cast<std::ptrdiff_t>(size_of(insn.dst_type));
  bool any_left = false;
  for (unsigned repeat = 0; mask && repeat < repeats_of(insn); ++repeat) {
    const auto on = lanes_on(insn, repeat, laws, *mask);
    for (unsigned group = 0; on && group < results_per_repeat(insn); ++group) {
      const bool is_unsaid = any_on(subject, *mask, group) && !any_on(subject, *on, group);
      any_left = any_left || !is_unsaid;
      const auto at =
          static_cast<std::ptrdiff_t>(start_of(program, insn.operands[0]) + repeat * repeat_step(insn, 0)) +
          group * size;
      if (is_unsaid) std::copy_n(predicted.ub.begin() + at, size, state.ub.begin() + at);
    }
  }
  return any_left;
}

/// What the backend executes in place of the program by the laws of gates, or of places. Nothing if they say
/// nothing of it.
std::optional<Program> by_laws(const Program& program, std::size_t index, const Laws& laws,
                               const Documented& documented) {
  return laws.gates.empty() ? with_executed(program, index, laws.places, documented)
                            : split_by_laws(program, index, laws.gates, documented.semantics);
}

}  // namespace

Laws laws_of(const std::vector<Difference>& sentences) {
  Laws laws;
  for (const Difference& each : sentences) {
    if (each.law) laws.gates.push_back(*each.law);
    if (each.places) laws.places.push_back(each.places);
  }
  if (sentences.size() == 1) laws.value = sentences[0].value;
  const bool all_gates = laws.gates.size() == sentences.size();
  const bool all_places = laws.places.size() == sentences.size();
  if (!all_gates) laws.gates.clear();
  if (!all_places || all_gates) laws.places.clear();
  return laws;
}

bool laws_deviate(const Program& program, std::size_t index, const Laws& laws, const Documented& documented) {
  const Program part = prefix(program, index + 1);
  const auto predicted = by_laws(part, index, laws, documented);
  if (!predicted) return true;
  State expected, left;
  execute(part, documented.semantics, expected);
  execute(*predicted, documented.semantics, left);
  return !same_bytes(expected.ub, left.ub);
}

std::optional<bool> laws_give(const BackendAnswer& answer, const Program& program, std::size_t index,
                              const Laws& laws, const Documented& documented) {
  if (index >= program.instructions.size() || !answer.ran()) return {};
  if (laws.value) return value_gives(answer, program, index, laws.value, documented.semantics);
  const auto predicted = by_laws(program, index, laws, documented);
  if (!predicted) return {};
  State actual = answer.state;
  if (!laws.gates.empty() && row_of(program.instructions[index].op).mask == MaskUse::neutral_source) {
    State expected;
    execute(*predicted, documented.semantics, expected);
    if (!leave_out_results_of_no_lane(program, index, laws.gates, documented.semantics, expected, actual))
      return {};
  }
  return agrees(*predicted, documented.semantics, actual, Shown{false, false});
}

bool laws_give_elsewhere(const Program& program, std::size_t index, const Laws& laws, AskedBackend& asked,
                         const Documented& documented) {
  const Program part = prefix(program, index + 1);
  std::vector<Program> others = {with_data(part, 1), with_data(part, 2)};
  if (laws.places.empty())
    for (Program& other : under_other_masks(part)) others.push_back(std::move(other));
  return std::ranges::all_of(others, [&](const Program& other) {
    return find_fault(other, documented.readings()) ||
           laws_give(asked.ask(other), other, index, laws, documented) != false;
  });
}

bool results_deviate(const Program& program, std::size_t index, const ResultLaw& law,
                     const Semantics& semantics) {
  const auto mask = words_at(program, index, semantics);
  if (!mask) return true;
  const Instruction& insn = program.instructions[index];
  const bool keeps = semantics.empty[static_cast<std::size_t>(insn.op)] == EmptyResult::keeps_dst;
  const Subject subject{program.profile, insn};
  for (unsigned group = 0; group < results_per_repeat(insn); ++group) {
    const bool documented = any_on(subject, *mask, group) || !keeps;
    if (law.written(group, *mask).value_or(documented) != documented) return true;
  }
  return false;
}

namespace {

/// The repeat times with which laws give all that is wrong, with which nothing is wrong that they say, and
/// with which more is wrong.
struct RepeatTimes {
  std::vector<unsigned> holds, conforms, more;
};

/// Asks the program with other repeat times. What the data do not tell is left out.
void ask_repeat_times(const Program& program, std::size_t index, const Laws& laws, unsigned repeat,
                      AskedBackend& asked, const Documented& documented, RepeatTimes& seen) {
  Program other = prefix(program, index + 1);
  other.instructions[index].repeat = repeat;
  make_room(other);
  if (find_fault(other, documented.readings())) return;
  const BackendAnswer answer = asked.ask(other);
  const auto gives = laws_give(answer, other, index, laws, documented);
  if (!gives) return;
  // If the documents give the same, nothing is shown.
  const bool is_wrong = diverges(answer, other, documented, Shown{false, false});
  if (is_wrong)
    (*gives ? seen.holds : seen.more).push_back(repeat);
  else if (!*gives)
    seen.conforms.push_back(repeat);
}

}  // namespace

std::string repeat_times_of_laws(const Program& program, std::size_t index, const Laws& laws,
                                 AskedBackend& asked, const Documented& documented) {
  constexpr unsigned kTried[] = {1, 2, 3, 4, 5, 8, 9, 16};
  const unsigned own = program.instructions[index].repeat;
  RepeatTimes seen{{own}, {}, {}};
  const auto ask = [&](unsigned repeat) {
    ask_repeat_times(program, index, laws, repeat, asked, documented, seen);
  };
  for (const unsigned repeat : kTried)
    if (repeat != own) ask(repeat);
  if (seen.conforms.empty() && seen.more.empty()) return {};
  constexpr unsigned kMostHalved = 8;  // of the range between the last that conforms and the first that holds
  const bool many = seen.holds.size() > 1;
  for (unsigned n = 0; n < kMostHalved && many && seen.more.empty(); ++n) {
    const unsigned right = std::ranges::max(seen.conforms), wrong = std::ranges::min(seen.holds);
    if (right > wrong) break;
    if (right + 1 == wrong)
      return "; so from " + std::to_string(wrong) + " repeats on, not with " +
             intervals(sorted_unique(seen.conforms));
    ask((right + wrong) / 2);
  }
  std::string text = "; so with " + counted_noun("repeat time", sorted_unique(seen.holds));
  if (!seen.conforms.empty()) text += ", not with " + intervals(sorted_unique(seen.conforms));
  if (!seen.more.empty()) text += ", and not all that is wrong with " + intervals(seen.more);
  return text;
}

}  // namespace lanecheck
