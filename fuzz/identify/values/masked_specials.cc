#include "fuzz/identify/values/masked_specials.h"

#include <algorithm>
#include <array>
#include <limits>

#include "fuzz/identify/probes/reduction_map.h"
#include "fuzz/identify/probes/shapes.h"
#include "fuzz/identify/values/judge_program.h"
#include "spec/legality/find_fault.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr std::array kSpecials = {std::numeric_limits<double>::infinity(),
                                  -std::numeric_limits<double>::infinity(),
                                  std::numeric_limits<double>::quiet_NaN()};
using Kinds = std::array<bool, kSpecials.size()>;

/// The kind of a probe that has a plain number there: if it changes a result, special ones are no special
/// case.
constexpr unsigned kPlain = kSpecials.size();
constexpr double kPlainNumber = 50, kOtherNumber = 3;

std::string_view text_of_kinds(const Kinds& kinds) {
  const auto& [plus, minus, nan] = kinds;
  if (plus && minus) return nan ? "infinite or NaN" : "infinite";
  if (plus) return nan ? "positive infinite or NaN" : "positive infinite";
  if (minus) return nan ? "negative infinite or NaN" : "negative infinite";
  return "NaN";
}

/// One program: operand `k` holds one special value, or another plain number, in some lanes that the mask has
/// off.
struct Probe {
  unsigned kind;
  MaskWords mask;
  Program program;
  std::vector<bool> is_special;  ///< of each element of the operand
};

constexpr unsigned kRepeats = 4;

/// In the first repeat no lane is special, in the second one all masked-off lanes are, then one or some.
bool is_special_lane(const Subject& subject, const MaskWords& mask, unsigned repeat, unsigned lane) {
  if (repeat == 0 || lane >= settable_slots(subject) || has_slot(mask, lane)) return false;
  return repeat == 1 || lane % (3 * repeat) == repeat;
}

std::vector<Probe> probes_of(const Subject& subject, unsigned k) {
  std::vector<Probe> probes;
  const auto layout = lay_out(subject);
  if (!layout) return probes;
  const Row& row = row_of(subject.insn.op);
  const MaskWords full = full_mask(subject);
  for (const MaskWords& words : {kGappedMask, MaskWords{~kGappedMask.high, ~kGappedMask.low}})
    for (unsigned kind = 0; kind <= kPlain; ++kind) {
      const double special = kind == kPlain ? kPlainNumber : kSpecials[kind];
      const MaskWords mask = {words.high & full.high, words.low & full.low};
      auto program = probe_program(subject, *layout, mask);
      if (!program) continue;
      std::vector<bool> is_special;
      for (unsigned operand = 0; operand < row.operands.size(); ++operand) {
        const Element type = operand_type(subject.insn, row.operands[operand]);
        const Region& region = layout->regions[operand];
        fill_region(*program, region, type, nearest(type, kOtherNumber));
        for (unsigned n = 0; operand == k && n < kRepeats * lanes_of(subject.insn); ++n) {
          const unsigned repeat = n / lanes_of(subject.insn), lane = n % lanes_of(subject.insn);
          is_special.push_back(is_special_lane(subject, mask, repeat, lane));
          if (is_special.back())
            put_element(*program, region, type, region.margin / size_of(type) + n, nearest(type, special));
        }
      }
      if (!find_fault(*program)) probes.push_back({kind, mask, std::move(*program), std::move(is_special)});
    }
  return probes;
}

/// Has result `number` a special lane, and does the instruction write it, or keep it if it is one lane?
/// `empty_too`: results without an active lane meet special ones as well.
bool meets_special(const Subject& subject, const Probe& probe, std::uint32_t number, bool empty_too) {
  if (has_result_of_each_lane(subject.insn)) return probe.is_special[number];
  const unsigned results = results_per_repeat(subject.insn), size = lanes_of(subject.insn) / results;
  const unsigned first = number / results * lanes_of(subject.insn) + number % results * size;
  if (!empty_too && !any_on(subject, probe.mask, number % results)) return false;
  return std::any_of(probe.is_special.begin() + first, probe.is_special.begin() + first + size,
                     [](bool special) { return special; });
}

/// What special lanes do to results: of which kinds, and which value they give if it is always the same.
struct Effect {
  Kinds kinds{};
  bool any = false, gives_nan = true, same = true;
  std::uint64_t value = 0;
};

/// Nothing if a result is wrong, or right, without this reason.
std::optional<Effect> effect_of(const Subject& subject, const std::vector<Probe>& probes,
                                const Answers& answers) {
  Effect effect;
  std::vector<std::vector<JudgedResult>> judged(probes.size());
  for (std::size_t p = 0; p < probes.size(); ++p) {
    judge_program(probes[p].program, answers.states[p], judged[p]);
    for (const JudgedResult& each : judged[p]) {
      if (!each.is_wrong) continue;
      if (probes[p].kind == kPlain) return {};
      effect.kinds[probes[p].kind] = true;
      effect.gives_nan &= is_nan(subject.insn.dst_type, each.actual);
      effect.same &= !effect.any || effect.value == each.actual;
      effect.value = each.actual;
      effect.any = true;
    }
  }
  const auto explains_all = [&](bool empty_too) {
    for (std::size_t p = 0; p < probes.size(); ++p)
      for (const JudgedResult& each : judged[p])
        if (probes[p].kind != kPlain &&
            each.is_wrong !=
                (effect.kinds[probes[p].kind] && meets_special(subject, probes[p], each.number, empty_too)))
          return false;
    return true;
  };
  return explains_all(false) || explains_all(true) ? std::optional(effect) : std::nullopt;
}

Difference difference_of(const Subject& subject, unsigned k, const Effect& effect) {
  const Instruction& insn = subject.insn;
  const std::string name = mnemonic(insn), kinds(text_of_kinds(effect.kinds));
  std::string result = effect.same ? show_element(insn.dst_type, effect.value) : "another number";
  if (effect.gives_nan) result = "NaN";
  if (!has_result_of_each_lane(insn))
    return {MapKind::contribution,
            "a masked-off element that is " + kinds + " makes the result of " + name + " " + result,
            {}};
  const std::string of = k == 0 ? "old dst" : std::string(row_of(insn.op).operands[k].role);
  return {MapKind::gate,
          "masked-off lanes of " + name + " whose " + of + " is " + kinds + " become " + result +
              " instead of keeping their old dst",
          {}};
}

}  // namespace

std::vector<Difference> masked_special_differences(const Subject& given, const Ask& ask) {
  Subject subject = in_a_row(given, 1);
  const Instruction& insn = subject.insn;
  const Row& row = row_of(insn.op);
  const bool gates = row.mask == MaskUse::gates_writeback && has_result_of_each_lane(insn) && !row.compares;
  if (!is_float(insn.dst_type) || !row.has_repeat || !has_plain_results(row)) return {};
  if (!gates && row.mask != MaskUse::neutral_source) return {};
  subject.insn.repeat = kRepeats;
  for (unsigned k = gates ? 0 : 1; k < row.operands.size(); ++k) {
    if (row.operands[k].walk != Walk::blocks || !is_float(operand_type(insn, row.operands[k]))) continue;
    const std::vector<Probe> probes = probes_of(subject, k);
    std::vector<Program> programs;
    for (const Probe& each : probes) programs.push_back(each.program);
    if (programs.empty()) return {};
    const Answers answers = ask_all(ask, programs);
    if (!answers.why_not.empty()) return {};
    const auto effect = effect_of(subject, probes, answers);
    if (effect && effect->any) return {difference_of(subject, k, *effect)};
  }
  return {};
}

}  // namespace lanecheck
