#include "fuzz/identify/values/value_differences.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "fuzz/identify/probes/move_map.h"
#include "fuzz/identify/probes/place_map.h"
#include "fuzz/identify/probes/reduction_map.h"
#include "fuzz/identify/values/answered.h"
#include "fuzz/identify/values/compare_law.h"
#include "fuzz/identify/values/element_variants.h"
#include "fuzz/identify/values/limited_operand.h"
#include "fuzz/identify/values/masked_specials.h"
#include "fuzz/identify/values/result_part.h"
#include "fuzz/identify/values/rounding_law.h"
#include "fuzz/identify/values/scalar_variants.h"
#include "fuzz/identify/values/value_conditions.h"
#include "fuzz/identify/values/value_formula.h"
#include "fuzz/identify/values/value_variants.h"
#include "fuzz/identify/values/wrong_results.h"
#include "oracle/compare/accept.h"
#include "oracle/execute/execute.h"
#include "spec/mask/footprint.h"
#include "spec/program/profile.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// What the documents admit of one program: where they leave a maximum open, as of a NaN, it tells no mistake
/// from another.
class Admitted {
 public:
  explicit Admitted(const Program& program)
      : accept_(accept_sets(program, Semantics(default_readings(program.profile)), expected_)) {}

  bool admits(std::span<const std::byte> ub, std::size_t at, std::size_t bytes) const {
    for (std::size_t byte = at; byte < at + bytes; ++byte)
      if (ub[byte] != expected_.ub[byte] && !accept_.admits(ub, byte)) return false;
    return true;
  }

 private:
  State expected_;
  AcceptMap accept_;
};

/// Does the variant leave what the backend leaves in dst of every program, or in this part of its results?
/// The bits of a NaN do not matter, and another instruction has its own tolerance.
bool explains(const ValueVariant& variant, const Answered& answered, const ResultPart* part) {
  const Region& dst = answered.layout.regions[0];
  for (std::size_t p = 0; p < answered.programs.size(); ++p) {
    const Program& program = answered.programs[p];
    const Instruction& insn = program.instructions.back();
    const Element type = operand_type(insn, row_of(insn.op).operands[0]);
    State state;
    std::optional<AcceptMap> lenient;
    std::optional<Admitted> admitted;
    if (variant.instead)
      lenient = accept_sets(variant.instead(program), Semantics(default_readings(program.profile)), state);
    else
      variant.run(program, state);
    const auto& actual = answered.actual[p].ub;
    if (same_bytes(state.ub, actual)) continue;
    const std::uint32_t first = dst.margin / size_of(type);
    const std::uint32_t results = row_of(insn.op).compares ? 8 : 1;  // of an element: its bits
    for (std::uint32_t n = 0; n < dst.bytes / size_of(type); ++n) {
      if (part != nullptr && (n < first || !part->has((n - first) * results))) continue;
      const std::uint64_t a = get_element(state.ub, dst, type, n);
      const std::uint64_t b = get_element(actual, dst, type, n);
      if (same_value(type, a, b)) continue;
      const std::size_t at = dst.begin + std::size_t{n} * size_of(type);
      if (chooses_elements(insn.op) && !admitted) admitted.emplace(program);
      if (admitted && admitted->admits(state.ub, at, size_of(type)) &&
          admitted->admits(actual, at, size_of(type)))
        continue;
      if (!lenient || !lenient->any_between(at, at + size_of(type))) return false;
      for (std::size_t byte = at; byte < at + size_of(type); ++byte)
        if (state.ub[byte] != actual[byte] && !lenient->admits(actual, byte)) return false;
    }
  }
  return true;
}

/// `text`: after the name of the instruction. `key`: the same of all types, empty: the text.
Difference said_of(const Instruction& insn, const std::string& text, const std::string& key = {}) {
  Difference difference{MapKind::values, mnemonic(insn) + " " + text, {}};
  if (!key.empty()) {
    difference.key = "values: " + key;
    return difference;
  }
  // "computes as shr.u16 does: it takes its elements as unsigned numbers" is the same with other types.
  const std::string said = text.substr(0, text.find(", for example"));
  const std::size_t behind_type = said.find("does: ");
  difference.key = "values: " + (behind_type == std::string::npos ? said : said.substr(behind_type));
  const std::string type = "." + std::string(name_of(insn.dst_type));  // of another instruction in the text
  if (const std::size_t at = difference.key.find(type); at != std::string::npos)
    difference.key.erase(at, type.size());
  return difference;
}

/// A count of wrong results is no law: results of another instruction may have another cause, except if the
/// same data tell them from right ones.
std::string key_of(const Instruction& insn, const std::optional<TellingData>& data) {
  const std::string wrong = "values: wrong results ", of = "of " + mnemonic(insn);
  if (!data) return wrong + of;
  const std::string where = data->condition.substr(0, data->condition.find(','));
  const bool of_all =
      where.find("the scalar") != std::string::npos || where.find("the mode") != std::string::npos;
  return wrong + (of_all ? "" : of + " ") + "for which " + where;
}

/// Where no formula gives the results, because nobody knows in which order a sum was rounded.
Difference through_f32(const Instruction& insn, const std::vector<JudgedResult>& results,
                       const std::vector<JudgedResult>& wrong) {
  Difference difference =
      said_of(insn,
              "loses what f32 does not hold: " + std::to_string(wrong.size()) + " of " +
                  std::to_string(results.size()) +
                  " results are wrong under a full mask, all of them with at most 24 significant bits, " +
                  example(wrong.front()),
              kThroughF32Key);
  difference.of_all_families = true;
  return difference;
}

/// The mistake that gives all `results`, and those of `others`, other data: `fresh`.
std::optional<ResultsLaw> law_of_results(const Subject& subject, const Answered& answered,
                                         const std::vector<JudgedResult>& results, const Answered& others,
                                         const std::vector<JudgedResult>& fresh, const ResultPart* part) {
  std::vector<JudgedResult> all = results;
  all.insert(all.end(), fresh.begin(), fresh.end());
  if (const auto law = limited_operand(results); law && limited_operand(all) == law) return law;
  for (const ValueVariant& variant : value_variants(subject))
    if (explains(variant, answered, part) && explains(variant, others, part))
      return ResultsLaw{variant.text, variant.key};
  if (const auto law = formula_that_gives(results); law && formula_that_gives(all) == law) return law;
  if (const auto law = compare_law(results); law && compare_law(all) == law) return law;
  if (const auto law = rounding_law(results); law && rounding_law(all) == law) return law;
  return {};
}

Difference said_of_part(const Instruction& insn, const ResultPart& part, const ResultsLaw& law) {
  Difference difference = said_of(insn, law.text, law.key);
  difference.where = part.where;
  difference.key += " in a part of its results";
  return difference;
}

/// The mistake in the only repeats, or lanes, that have wrong results.
std::optional<Difference> law_of_a_part(const Subject& subject, const Answered& answered,
                                        const std::vector<JudgedResult>& results, const Answered& others,
                                        const std::vector<JudgedResult>& fresh) {
  for (const ResultPart& part : parts_with_wrong_results(results)) {
    const auto law =
        law_of_results(subject, answered, results_in(part, results), others, results_in(part, fresh), &part);
    if (law) return said_of_part(subject.insn, part, *law);
  }
  return {};
}

}  // namespace

namespace {

/// What a backend answers, and with other data of the same kinds.
struct Judged {
  Answered answered;
  std::vector<JudgedResult> results, wrong;
  Answered others;
  std::vector<JudgedResult> fresh;
};

/// The results of lanes that the mask has on, or that are not behind the count.
std::vector<JudgedResult> results_of_active(const Subject& subject, const Answered& answered,
                                            const MaskWords& mask) {
  std::vector<JudgedResult> results = judge_results(answered);
  const unsigned lanes = lanes_of(subject.insn);
  if (is_count(subject.given) && has_result_of_each_lane(subject.insn))
    std::erase_if(results, [&](const JudgedResult& each) {
      const unsigned count = each.program->instructions.back().repeat * lanes - subject.missing;
      return each.number >= count;
    });
  if (mask != full_mask(subject))
    std::erase_if(results, [&](const JudgedResult& each) {
      const unsigned lane = each.number % lanes;
      return lane < settable_slots(subject) && !has_slot(mask, lane);
    });
  return results;
}

/// The fresh data are asked only if a result is wrong.
Judged judge_values(const Subject& subject, const Ask& ask, const MaskWords& mask) {
  Judged judged;
  judged.answered = ask_values(subject, ask, 0, mask);
  judged.results = results_of_active(subject, judged.answered, mask);
  std::ranges::copy_if(judged.results, std::back_inserter(judged.wrong), &JudgedResult::is_wrong);
  if (judged.wrong.empty()) return judged;
  judged.others = ask_values(subject, ask, 1, mask);
  judged.fresh = results_of_active(subject, judged.others, mask);
  return judged;
}

Judged judge_values(const Subject& subject, const Ask& ask) {
  return judge_values(subject, ask, full_mask(subject));
}

/// Of a cast that does not tell whether it wraps: that it does, if another cast to or from one of its types
/// shows the same.
std::optional<ResultsLaw> law_that_wraps(const Subject& subject, const Judged& judged, const Ask& ask) {
  constexpr unsigned kMostAsked = 3;
  const auto law = rounding_law(judged.results, true);
  if (!law) return {};
  const Row& row = row_of(subject.insn.op);
  unsigned asked = 0;
  for (const TypePair& types : row.in(subject.profile).pairs) {
    const bool same_dst = types.dst == subject.insn.dst_type, same_src = types.src == subject.insn.src_type;
    if (same_dst == same_src || !is_integer(types.dst) || asked == kMostAsked) continue;
    const Judged other = judge_values(default_subject(subject.profile, row, types), ask);
    if (!other.results.empty()) ++asked;
    if (const auto shown = rounding_law(other.results); shown && shown->key == law->key) return law;
  }
  return {};
}

constexpr std::size_t kFewPrograms = 3;  // that tell whether it is worth it to ask all

/// Of a reduction: does another instruction, which gives its results under a full mask, not give them under
/// gaps?
bool needs_full_mask(const Subject& subject, const std::string& text, const Ask& ask) {
  if (row_of(subject.insn.op).mask != MaskUse::neutral_source) return false;
  const auto variants = value_variants(subject);
  const auto variant = std::ranges::find(variants, text, &ValueVariant::text);
  return variant != variants.end() && variant->instead &&
         !explains(*variant, ask_values(subject, ask, 0, gapped_mask(subject), kFewPrograms), nullptr);
}

/// A mistake that gives all results, or all of a part.
std::optional<Difference> law_of_numbers(const Subject& subject, const Judged& judged, const Ask& ask) {
  auto law = law_of_results(subject, judged.answered, judged.results, judged.others, judged.fresh, nullptr);
  if (law && law->may_wrap)
    if (auto wraps = law_that_wraps(subject, judged, ask)) law = std::move(wraps);
  if (law) {
    const std::string condition = needs_full_mask(subject, law->text, ask) ? ", under a full mask" : "";
    Difference difference = said_of(subject.insn, law->text, law->key);
    difference.what += condition;
    difference.key += condition;
    difference.of_all_families = true;
    return difference;
  }
  return law_of_a_part(subject, judged.answered, judged.results, judged.others, judged.fresh);
}

}  // namespace

bool has_value_probes(const Row& row) {
  const bool compares = row.compares && row.compare_mask == CompareMaskUse::none;
  return compares || selects_by_operand(row) ||
         (has_place_probes(row) && (row.operands.size() > 1 || row.has_scalar)) ||
         (row.mask == MaskUse::neutral_source && has_plain_results(row));
}

Difference another_function(const Instruction& insn) {
  return said_of(insn, "computes another function of the right elements");
}

bool any_wrong_value(const Subject& subject, const Ask& ask) {
  return !judge_values(subject, ask).wrong.empty();
}

std::optional<Difference> value_law(const Subject& subject, const Ask& ask) {
  const Judged judged = judge_values(subject, ask);
  return judged.wrong.empty() ? std::nullopt : law_of_numbers(subject, judged, ask);
}

namespace {

/// The wrong scalar that gives all results, or all of the only part that has wrong ones.
std::optional<Difference> scalar_that_gives(const Subject& subject, const Answered& answered) {
  const auto results = judge_results(answered);
  if (std::ranges::none_of(results, &JudgedResult::is_wrong)) return {};
  const auto parts = parts_with_wrong_results(results);
  for (const ValueVariant& variant : scalar_variants(subject.insn)) {
    if (explains(variant, answered, nullptr)) return said_of(subject.insn, variant.text, variant.key);
    for (const ResultPart& part : parts)
      if (explains(variant, answered, &part))
        return said_of_part(subject.insn, part, {variant.text, variant.key});
  }
  return {};
}

}  // namespace

std::optional<Difference> scalar_law(const Subject& subject, const Ask& ask) {
  if (!takes_scalar(subject.insn) || !has_value_probes(row_of(subject.insn.op))) return {};
  const MaskWords full = full_mask(subject);
  if (!scalar_that_gives(subject, ask_values(subject, ask, 0, full, kFewPrograms))) return {};
  return scalar_that_gives(subject, ask_values(subject, ask, 0, full));
}

std::optional<Difference> values_under_gaps(const Subject& subject, const Ask& ask) {
  const Row& row = row_of(subject.insn.op);
  if (row.mask != MaskUse::gates_writeback || !has_result_of_each_lane(subject.insn) || row.compares ||
      !has_value_probes(row))
    return {};
  const MaskWords gaps = gapped_mask(subject);
  const auto few = results_of_active(subject, ask_values(subject, ask, 0, gaps, kFewPrograms), gaps);
  if (std::ranges::none_of(few, &JudgedResult::is_wrong) || !judge_values(subject, ask).wrong.empty())
    return {};
  const Judged judged = judge_values(subject, ask, gaps);
  if (judged.wrong.empty()) return {};
  auto difference = law_of_numbers(subject, judged, ask);
  if (difference) {
    difference->of_all_families = false;
  } else {
    difference = Difference{
        MapKind::values,
        "active lanes of " + mnemonic(subject.insn) + " are wrong, " + example(judged.wrong.front()),
        {},
        true};
    difference->key = "values: active lanes are wrong";
  }
  difference->what += ", under a mask that is not full";
  difference->key += ", under a mask that is not full";
  difference->matter = Matter::mask;
  return difference;
}

/// What is said of the mask, if results are wrong under a full one.
std::string said_of_mask(const Subject& subject, const Ask& ask) {
  if (row_of(subject.insn.op).mask == MaskUse::gates_writeback && has_result_of_each_lane(subject.insn)) {
    const MaskWords gaps = gapped_mask(subject);
    const auto active = results_of_active(subject, ask_values(subject, ask, 0, gaps), gaps);
    if (!active.empty() && std::ranges::none_of(active, &JudgedResult::is_wrong))
      return ", and none under a mask that is not full";
  }
  // A reduction may take lanes for masked-off ones under every mask.
  return row_of(subject.insn.op).mask == MaskUse::neutral_source ? "" : ", so the mask is not the cause";
}

std::vector<Difference> value_differences(const Subject& subject, const Ask& ask) {
  const Judged judged = judge_values(subject, ask);
  if (judged.answered.programs.empty()) return {};
  const std::vector<JudgedResult>&results = judged.results, &wrong = judged.wrong, &fresh = judged.fresh;
  if (wrong.empty()) {
    auto special = masked_special_differences(subject, ask);
    if (auto gaps = special.empty() ? values_under_gaps(subject, ask) : std::nullopt)
      special = {*std::move(gaps)};
    return special;
  }
  if (auto law = law_of_numbers(subject, judged, ask)) return {*std::move(law)};
  if (const auto text = conditional_outcome(results, fresh))
    return {said_of(subject.insn, *text + ", " + example(wrong.front()))};
  const Row& row = row_of(subject.insn.op);
  const std::string relation =
      row.compares ? "" : relation_of(operand_type(subject.insn, row.operands[0]), wrong);
  const Element dst = operand_type(subject.insn, row.operands[0]);
  if (!row.compares && is_integer(dst) && have_24_bits(subject.insn, dst, wrong))
    return {through_f32(subject.insn, results, wrong)};
  const auto data = telling_data(results, fresh);
  Difference difference{MapKind::values,
                        std::to_string(wrong.size()) + " of " + std::to_string(results.size()) +
                            " results of " + mnemonic(subject.insn) + " are wrong under a full mask" +
                            said_of_mask(subject, ask) + (data ? data->text() : "") + relation + ", " +
                            example(wrong.front()),
                        {}};
  difference.key = key_of(subject.insn, data);
  return {difference};
}

}  // namespace lanecheck
