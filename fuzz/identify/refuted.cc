#include "fuzz/identify/refuted.h"

#include <algorithm>

#include "fuzz/identify/measured_shape.h"
#include "fuzz/identify/places/padding_laws.h"
#include "fuzz/identify/probes/length_map.h"
#include "fuzz/identify/probes/move_map.h"
#include "fuzz/identify/probes/reduction_map.h"
#include "fuzz/identify/trials/conditional_law.h"
#include "fuzz/identify/trials/trials.h"
#include "spec/mask/footprint.h"
#include "spec/text/joined.h"

namespace lanecheck {

namespace {

/// Is an element changed that no result is written to? Another order of results does not do that.
bool writes_elsewhere(const Subject& subject, const Ask& ask) {
  const auto trial = run_trial_over_numbers(subject, full_mask(subject), 79, ask);
  if (!trial) return false;
  const auto changed_in = [&](const Bytes& ub) {
    return changed_elements(trial->program.ub, ub, trial->layout.regions[0], subject.insn.dst_type);
  };
  return !std::ranges::includes(changed_in(trial->documented), changed_in(trial->actual));
}

}  // namespace

bool are_refuted(const Subject& subject, const std::vector<Difference>& differences, const Ask& ask) {
  if (std::ranges::any_of(differences, &Difference::of_order) && writes_elsewhere(subject, ask)) return true;
  const bool all_laws = !differences.empty() && std::ranges::all_of(differences, [](const Difference& each) {
    return each.places && each.where.empty();
  });
  const auto trial = all_laws ? run_trial(subject, full_mask(subject), 77, ask) : std::nullopt;
  if (!trial) return false;
  Instruction executed = trial->placed();
  for (const Difference& each : differences) {
    const auto next = each.places(executed);
    if (!next) return false;
    executed = *next;
  }
  const auto left = left_by(*trial, {executed});
  return left && *left != trial->actual;
}

bool hangs_on_mask(const Shape& shape, const std::vector<Difference>& differences, const Ask& ask) {
  const Subject& subject = shape.subject;
  const bool reads_others =
      has_reduction_probes(row_of(subject.insn.op)) && !differences.empty() &&
      std::ranges::all_of(differences, [](const Difference& each) { return is_source(each.map); });
  if (!reads_others || group_size(subject.insn) < 2) return false;
  const auto second = differences_of(measure(shape, ask, one_of_each_group(subject, 1)), ask);
  return second.empty() || second[0].what != differences[0].what;
}

namespace {

/// Is the backend right on drawn data under this mask?
bool is_right_under(const Subject& subject, const MaskWords& mask, const Ask& ask) {
  for (const unsigned seed : {201u, 202u}) {
    const auto trial = run_trial(subject, mask, seed, ask);
    if (!trial || !trial->is_right()) return false;
  }
  return true;
}

/// Is the backend wrong under a full mask, and right if few lanes are off?
bool is_wrong_under_full_mask_only(Subject subject, const Ask& ask) {
  subject.insn.mask_from = MaskFrom::reg;
  const MaskWords full = full_mask(subject);
  return is_right_under(subject, {full.high, full.low & ~std::uint64_t{2}}, ask) &&
         is_right_under(subject, {full.high, full.low & ~std::uint64_t{0x4010}}, ask) &&
         !is_right_under(subject, full, ask);
}

}  // namespace

void say_if_mask_is_full(const Subject& subject, std::vector<Difference>& differences, const Ask& ask) {
  const bool of_places = std::ranges::any_of(differences, [](const Difference& each) {
    return (is_source(each.map) || each.map == MapKind::dst || each.map == MapKind::elsewhere) &&
           !each.only_example && each.what.find("the mask is full") == std::string::npos;
  });
  const bool is_gated = row_of(subject.insn.op).mask == MaskUse::gates_writeback;
  if (!of_places || !is_gated || subject.given != MaskGiven::words) return;
  if (!is_wrong_under_full_mask_only(subject, ask)) return;
  for (Difference& each : differences) {
    const bool has_condition = each.what.find(", if ") != std::string::npos;
    each.what += std::string(has_condition ? " and" : ", if") + " the mask is full";
    each.stride.reset();
    each.places = {};
  }
}

void say_if_sources_in_a_row(const Subject& subject, std::vector<Difference>& differences, const Ask& ask) {
  const Instruction& insn = subject.insn;
  const bool is_law = differences.size() == 1 && differences[0].map == MapKind::dst &&
                      differences[0].what.find(" walks with ") != std::string::npos &&
                      differences[0].what.find(" equals ") == std::string::npos &&
                      differences[0].what.find(" if the block strides of ") == std::string::npos;
  if (!is_law || row_of(subject.profile).block_stride_fixed || subject.given != MaskGiven::words) return;
  Subject apart = subject, other_blocks = subject, other_repeats = subject;
  std::vector<std::string> sources;
  for (unsigned k = 1; k < row_of(insn.op).operands.size(); ++k) {
    if (!has_stride(insn, k, &Operand::block_stride)) return;
    if (!lies_in_a_row(insn, k)) return;
    for (Subject* each : {&apart, &other_blocks}) each->insn.operands[k].block_stride = 2;
    for (Subject* each : {&apart, &other_repeats})
      each->insn.operands[k].repeat_stride = 2 * kRepeatBlocks + 1;
    sources.emplace_back(row_of(insn.op).operands[k].role);
  }
  const MaskWords full = full_mask(subject);
  if (sources.empty() || !is_right_under(apart, full, ask) || is_right_under(subject, full, ask)) return;
  const std::string names = joined(sources, {}, " and ");
  std::string condition = names + (sources.size() == 1 ? " lies in a row" : " lie in a row");
  if (!is_right_under(other_blocks, full, ask))  // a block stride of 1 is not needed
    condition = "the repeat stride of " + names + " is " + std::to_string(insn.operands[1].repeat_stride);
  else if (repeats_of(insn) > 1 && !is_right_under(other_repeats, full, ask))
    condition = "the block stride of " + names + " is 1";
  Difference& law = differences[0];
  law.what += (law.what.find(", if ") != std::string::npos ? " and " : ", if ") + condition;
  law.stride.reset();
  law.places = {};
}

void say_if_own_mask(const Subject& subject, std::vector<Difference>& differences, const Ask& ask) {
  const auto is_of_gates = [](MapKind map) { return map == MapKind::gate || map == MapKind::contribution; };
  const bool of_gates = !differences.empty() && std::ranges::all_of(differences, [&](const Difference& each) {
    const auto speaks_of = [&](std::string_view words) { return each.what.find(words) != std::string::npos; };
    return is_of_gates(each.map) && !each.only_example && !speaks_of("register") &&
           !speaks_of("mask of its own");
  });
  if (!of_gates || !takes_own_or_register(subject) || subject.from_register ||
      subject.given != MaskGiven::words)
    return;
  Subject in_register = subject;
  in_register.from_register = true;
  const MaskWords full = full_mask(subject);
  for (const MaskWords& mask :
       {gapped_mask(subject), MaskWords{full.high, 0}, MaskWords{0, full.low & 0xffffffff00000000}}) {
    const auto own = run_trial(subject, mask, 401, ask);
    if (!own || own->is_right()) continue;
    const auto other = run_trial(in_register, mask, 401, ask);
    if (!other || !other->is_right()) return;
    for (Difference& each : differences)
      (each.where.empty() ? each.what : each.where) += std::string(kOfOwnMask);
    return;
  }
}

void say_if_pad_mode(const Subject& subject, std::vector<Difference>& differences, const Ask& ask) {
  const auto index = setting_index(row_of(subject.insn.op), "mode");
  const bool has_law = !differences.empty() && std::ranges::none_of(differences, [](const Difference& each) {
    return each.only_example || each.what.find(" pad") != std::string::npos;
  });
  if (!index || !has_law) return;
  const auto is_right = [&](std::uint32_t mode) {
    Subject other = subject;
    other.insn.settings[*index] = mode;
    return is_right_under(other, full_mask(other), ask) && is_right_under(other, gapped_mask(other), ask);
  };
  std::vector<unsigned> wrong;  // padMode * kPadSides + padSide
  for (std::uint32_t mode = 0; mode < kPadModes; ++mode)
    if (!is_right(mode)) wrong.insert(wrong.end(), {mode * kPadSides, mode * kPadSides + 1});
  const std::string condition = in_pad_modes(wrong);
  if (condition.empty()) return;
  for (Difference& each : differences) {
    (each.where.empty() ? each.what : each.where) += condition;
    each.stride.reset();
    each.places = {};
  }
}

void say_if_not_counted(const Subject& subject, std::vector<Difference>& differences, const Ask& ask) {
  const bool may_be =  // of some repeats, or of a full mask
      !differences.empty() && std::ranges::all_of(differences, [](const Difference& each) {
        const std::string said = each.sentence();
        return !each.only_example && (said.find(" writes nothing in ") != std::string::npos ||
                                      said.find(" if the mask is full") != std::string::npos);
      });
  if (!may_be || subject.given != MaskGiven::words) return;
  const auto is_right = [&](MaskGiven given) {
    if (given != MaskGiven::words && !has_length_probes(subject, given)) return false;
    Subject counted = subject;
    counted.given = given;
    const auto trial = run_trial(counted, full_mask(counted), 401, ask);
    return trial && trial->is_right();
  };
  const bool by_own = is_right(MaskGiven::count), by_total = is_right(MaskGiven::total);
  if ((!by_own && !by_total) || is_right(MaskGiven::words)) return;
  const bool all = by_total && (by_own || !has_length_probes(subject, MaskGiven::count));
  for (Difference& each : differences)
    (each.where.empty() ? each.what : each.where) += all      ? ", but not in counter mode"
                                                     : by_own ? ", but not with a count of its own"
                                                              : ", but not with a count from the register";
}

void say_if_in_a_row(const Shape& shape, std::vector<Difference>& differences, const Ask& ask) {
  const Subject& subject = shape.subject;
  const bool of_gates = !differences.empty() && std::ranges::all_of(differences, [](const Difference& each) {
    return each.map == MapKind::gate && each.where.empty() && !each.only_example;
  });
  if (!of_gates || in_a_row(subject, repeats_of(subject.insn)).insn != subject.insn) return;
  const bool moves_on = std::ranges::any_of(differences, &Difference::moves_on);
  for (const unsigned repeat : {1U, 2U, 3U}) {
    if (repeat == 1 && moves_on) continue;  // a mask that moves on is right in repeat 0
    const auto trial = run_trial(in_a_row(subject, repeat), gapped_mask(subject), 301, ask);
    if (!trial || trial->is_right()) return;
  }
  Subject apart = in_a_row(subject, 3);
  ++apart.insn.operands[0].repeat_stride;
  if (const auto trial = run_trial(apart, gapped_mask(subject), 301, ask); !trial || !trial->is_right())
    return;
  for (Difference& each : differences) {
    each.what += ", if its operands lie in a row (block stride 1, no gap between repeats)";
    each.of_all_shapes = true;
  }
}

bool is_right_under_ones_alone(const Subject& subject, const std::vector<Difference>& differences,
                               const Ask& ask) {
  const auto says_nothing_written = [](const Difference& each) {
    return each.what.find(" writes nothing") != std::string::npos || each.gates == GateKind::never ||
           each.what.ends_with(" is left out");
  };
  const Row& row = row_of(subject.insn.op);
  const bool has_slots_behind =
      lanes_of(subject.insn) < 128 && has_form(mask_forms(row, subject.profile), MaskFrom::reg);
  if (!has_slots_behind || differences.empty() || !std::ranges::all_of(differences, says_nothing_written))
    return false;
  auto trial = run_trial(subject, full_mask(subject), 401, ask);
  if (!trial || trial->is_right()) return false;
  Program& program = trial->program;
  program.instructions = {program.instructions.back()};
  program.instructions.back().mask_from = MaskFrom::reg;
  const Answers is = ask_all(ask, {&program, 1});
  return is.why_not.empty() && is_allowed(program, is.states[0]);
}

}  // namespace lanecheck
