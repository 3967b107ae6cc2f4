#include "fuzz/identify/in_place.h"

#include <algorithm>
#include <span>

#include "fuzz/identify/gates/gate_differences.h"
#include "fuzz/identify/gates/masked_off.h"
#include "fuzz/identify/probes/gate_map.h"
#include "fuzz/identify/probes/move_map.h"
#include "fuzz/identify/probes/shapes.h"
#include "fuzz/identify/trials/conditional_law.h"
#include "fuzz/identify/trials/trials.h"
#include "fuzz/identify/values/value_differences.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

std::vector<Difference> gates_in_place(const Subject& given, const Ask& ask) {
  constexpr unsigned kLeastRepeats = 3;  // "the last" and "all after the first" are not the same
  Subject subject = given;
  if (row_of(subject.insn.op).has_repeat) subject.insn.repeat = std::max(subject.insn.repeat, kLeastRepeats);
  if (shares_places(subject.insn)) return {};
  const auto measured = measure_gates(subject, ask), documented = measure_gates(subject, ask_oracle());
  if (!measured.map || !documented.map) return {};
  auto differences = gate_differences(subject, *measured.map, *documented.map,
                                      std::vector<bool>(measured.map->gates.size()));
  say_masked_off(subject, ask, differences);
  return differences;
}

/// What a select takes in place, whatever control says, or with the other meaning of its bits.
struct Choice {
  std::string_view text;  ///< of an instruction with two sources
  std::byte (*control)(std::byte given);
};

constexpr Choice kChoices[] = {
    {"takes src0, whatever control says", [](std::byte) { return std::byte{0xff}; }},
    {"takes src1, whatever control says", [](std::byte) { return std::byte{0}; }},
    {"takes src0 where the bit of control is 0, and src1 where it is 1",
     [](std::byte given) { return ~given; }},
};

/// The same of an instruction whose second source is a number.
std::string with_number(const Instruction& insn, std::string_view text) {
  std::string said(text);
  if (const std::size_t at = said.find("src1"); at != std::string::npos && row_of(insn.op).has_scalar)
    said.replace(at, 4, "the number");
  return said;
}

/// Does the choice give all that the backend leaves, except control itself?
bool gives(const Choice& choice, const ShapeTrial& trial, unsigned control) {
  ShapeTrial changed = trial;
  const Region& region = trial.layout.regions[control];
  const auto bytes = [&](Bytes& ub) { return std::span(ub).subspan(region.begin, region.bytes); };
  for (std::byte& byte : bytes(changed.program.ub)) byte = choice.control(byte);
  auto left = left_by(changed, {changed.placed()});
  if (!left) return false;
  std::ranges::copy(bytes(changed.actual), bytes(*left).begin());
  return *left == trial.actual;
}

/// What the instruction leaves if the source in place is read from where `other` lies.
std::optional<Bytes> left_with_source(const ShapeTrial& trial, const Operand& other) {
  Instruction changed = trial.placed();
  changed.operands[trial.subject.in_place] = other;
  return left_by(trial, {changed});
}

/// What the instruction leaves if the source in place holds zeros.
std::optional<Bytes> left_with_zeros(const ShapeTrial& trial) {
  ShapeTrial changed = trial;
  Program& program = changed.program;
  const Region& own = trial.layout.regions[trial.subject.in_place];
  const auto begin = static_cast<std::uint32_t>(program.ub.size());
  program.ub.resize(begin + own.bytes);
  Operand zeros = trial.placed().operands[trial.subject.in_place];
  const Element type = operand_type(trial.insn(), row_of(trial.insn().op).operands[trial.subject.in_place]);
  program.allocations.push_back({"zeros", type, begin, own.bytes});
  zeros.allocation = static_cast<std::uint16_t>(program.allocations.size() - 1);
  zeros.offset = 0;
  auto left = left_with_source(changed, zeros);
  if (left) left->resize(begin);
  return left;
}

/// "reads src0 in place of src1": whatever is computed from it.
std::vector<Difference> sources_in_place(const Subject& subject, const Ask& ask) {
  const Row& row = row_of(subject.insn.op);
  const MaskWords full = full_mask(subject);
  const MaskWords gaps{kGappedMask.high & full.high, kGappedMask.low & full.low};
  std::vector<ShapeTrial> trials;
  for (const MaskWords mask : {full, gaps})
    for (const unsigned seed : {1U, 2U})
      if (auto trial = run_trial(subject, mask, seed, ask)) trials.push_back(std::move(*trial));
  if (std::ranges::all_of(trials, &ShapeTrial::is_right)) return {};
  const bool is_right_under_gaps = std::ranges::all_of(
      trials, [&](const ShapeTrial& each) { return each.mask == full || each.is_right(); });
  const auto said_if = [&](const std::string& read, auto left) -> std::vector<Difference> {
    if (!std::ranges::all_of(trials, [&](const ShapeTrial& each) {
          return left(each) == each.actual || (is_right_under_gaps && each.mask != full);
        }))
      return {};
    const std::string text = "reads " + read + " in place of " +
                             std::string(row.operands[subject.in_place].role) +
                             (is_right_under_gaps ? " if the mask is full" : "");
    Difference difference{MapKind::values, mnemonic(subject.insn) + " " + text, {}};
    difference.key = "values: " + text;
    return {difference};
  };
  for (unsigned k = 1; k < row.operands.size(); ++k) {
    if (k == subject.in_place || row.operands[k].walk != row.operands[subject.in_place].walk) continue;
    auto said = said_if(std::string(row.operands[k].role), [k](const ShapeTrial& each) {
      return left_with_source(each, each.placed().operands[k]);
    });
    if (!said.empty()) return said;
  }
  return said_if("0", left_with_zeros);
}

std::vector<Difference> choices_in_place(const Subject& subject, const Ask& ask) {
  const auto control = control_operand(row_of(subject.insn.op));
  if (!control) return {};
  const MaskWords full = full_mask(subject);
  const auto trial = run_trial(subject, full, 1, ask), other = run_trial(subject, full, 2, ask);
  if (!trial || !other || trial->is_right()) return {};
  for (const Choice& choice : kChoices) {
    if (!gives(choice, *trial, *control) || !gives(choice, *other, *control)) continue;
    Difference difference{
        MapKind::control, mnemonic(subject.insn) + " " + with_number(subject.insn, choice.text), {}};
    difference.general = choice.text;
    return {difference};
  }
  return {};
}

std::vector<Difference> in_place_said(const Subject& subject, std::vector<Difference> differences) {
  // Instructions with one source and with two share the code for this case.
  const std::string_view own = row_of(subject.insn.op).operands[subject.in_place].role;
  const std::string role(own == "src1" ? own : "the first source");
  const std::string suffix = ", in place (dst is also " + role + "), and not if they lie apart";
  for (Difference& difference : differences) {
    difference.what = difference.sentence() + suffix;
    difference.where.clear();
    difference.in_place = true;
    if (!difference.general.empty()) difference.general += suffix;
    if (!difference.key.empty()) difference.key += suffix;
  }
  return differences;
}

}  // namespace

unsigned source_in_place(const Instruction& insn) {
  const Operand& dst = insn.operands[0];
  for (unsigned k = 1; k < row_of(insn.op).operands.size(); ++k)
    if (insn.operands[k].allocation == dst.allocation && insn.operands[k].offset == dst.offset) return k;
  return 0;
}

std::vector<Difference> in_place_differences(const Subject& subject, const Ask& ask) {
  std::vector<Difference> differences = gates_in_place(subject, ask);
  if (differences.empty()) differences = choices_in_place(subject, ask);
  if (differences.empty()) differences = sources_in_place(subject, ask);
  if (differences.empty())
    if (auto law = law_of_trials(subject, {}, false, ask)) differences.push_back(std::move(*law));
  return in_place_said(subject, std::move(differences));
}

std::vector<Difference> in_place_values(const Subject& subject, const Ask& ask) {
  if (!has_value_probes(row_of(subject.insn.op))) return {};
  return in_place_said(subject, value_differences(subject, ask));
}

}  // namespace lanecheck
