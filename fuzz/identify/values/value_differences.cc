#include "fuzz/identify/values/value_differences.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <iterator>

#include "fuzz/identify/probes/move_map.h"
#include "fuzz/identify/probes/place_map.h"
#include "fuzz/identify/probes/reduction_map.h"
#include "fuzz/identify/values/compare_law.h"
#include "fuzz/identify/values/judge_program.h"
#include "fuzz/identify/values/masked_specials.h"
#include "fuzz/identify/values/result_part.h"
#include "fuzz/identify/values/rounding_law.h"
#include "fuzz/identify/values/value_conditions.h"
#include "fuzz/identify/values/value_data.h"
#include "fuzz/identify/values/value_formula.h"
#include "fuzz/identify/values/value_variants.h"
#include "oracle/compare/accept.h"
#include "oracle/execute/execute.h"
#include "spec/mask/footprint.h"
#include "spec/program/profile.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// "for example 4 instead of 5 from src0 = 1, src1 = 4"
std::string example(const JudgedResult& wrong) {
  const Instruction& insn = wrong.program->instructions.back();
  const Row& row = row_of(insn.op);
  const Element type = operand_type(insn, row.operands[0]);
  std::string text = "for example ";
  text += row.compares
              ? std::to_string(wrong.actual) + " instead of " + std::to_string(wrong.expected) + " in mode " +
                    mode_name(insn.compare)
              : show_element(type, wrong.actual) + " instead of " + show_element(type, wrong.expected);
  const char* before = row.compares ? " for " : " from ";
  const auto add = [&](std::string_view name, const std::string& value) {
    text += before + std::string(name) + " = " + value;
    before = ", ";
  };
  if (has_result_of_each_lane(insn))
    for (unsigned k = row.reads_dst ? 0 : 1; k < row.operands.size(); ++k)
      if (row.operands[k].walk == Walk::blocks)
        add(k == 0 ? "old dst" : row.operands[k].role,
            show_element(operand_type(insn, row.operands[k]), source_bits(*wrong.program, k, wrong.number)));
  if (takes_scalar(insn)) add("scalar", show_scalar(scalar_type(insn), insn.scalar));
  return text;
}

struct Answered {
  std::vector<Program> programs;
  Layout layout;
  std::vector<State> actual;
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
    if (variant.instead)
      lenient = accept_sets(variant.instead(program), Semantics(default_readings(program.profile)), state);
    else
      variant.run(program, state);
    const auto& actual = answered.actual[p].ub;
    if (state.ub == actual) continue;
    const std::uint32_t first = dst.margin / size_of(type);
    for (std::uint32_t n = 0; n < dst.bytes / size_of(type); ++n) {
      if (part != nullptr && (n < first || !part->has(n - first))) continue;
      const std::uint64_t a = get_element(state.ub, dst, type, n);
      const std::uint64_t b = get_element(actual, dst, type, n);
      if (same_value(type, a, b)) continue;
      const std::size_t at = dst.begin + std::size_t{n} * size_of(type);
      if (!lenient || !lenient->any_between(at, at + size_of(type))) return false;
      for (std::size_t byte = at; byte < at + size_of(type); ++byte)
        if (state.ub[byte] != actual[byte] && !lenient->admits(actual, byte)) return false;
    }
  }
  return true;
}

/// How many bits a number has from its first 1 to its last 1.
int significant_bits(Element type, std::uint64_t bits) {
  const double value = std::abs(value_of(type, bits));
  const auto whole = static_cast<std::uint64_t>(value);
  return whole == 0 ? 0 : static_cast<int>(std::bit_width(whole)) - std::countr_zero(whole);
}

/// Do the wrong results, and few of the documented ones, fit into an f32?
bool have_24_bits(Element type, const std::vector<JudgedResult>& all) {
  if (size_of(type) != 4) return false;
  const std::uint64_t least = nearest(type, -1e30), greatest = nearest(type, 1e30);  // where f32 goes beyond
  const auto fits = [&](std::uint64_t bits) {
    return bits == least || bits == greatest || significant_bits(type, bits) <= 24;
  };
  const auto documented =
      std::ranges::count_if(all, [&](const JudgedResult& each) { return fits(each.expected); });
  return 4 * documented < std::ssize(all) &&
         std::ranges::all_of(all, [&](const JudgedResult& each) { return fits(each.actual); });
}

/// "all of them the least or the greatest value of the type", or one bit that is always the same
std::string relation_of_integers(Element type, const std::vector<JudgedResult>& all) {
  const std::uint64_t least = nearest(type, -1e30), greatest = nearest(type, 1e30);
  if (std::ranges::all_of(all,
                          [&](const JudgedResult& w) { return w.actual == least || w.actual == greatest; }))
    return ", all of them the least or the greatest value of the type";
  std::uint64_t different = 0, ones = 0, zeros = 0;
  for (const JudgedResult& each : all) {
    different |= each.actual ^ each.expected;
    ones |= each.actual;
    zeros |= ~each.actual;
  }
  if (std::popcount(different) != 1 || (ones & zeros & different) != 0) return {};
  return ", all of them in bit " + std::to_string(std::countr_zero(different)) + " alone, which is always " +
         ((ones & different) != 0 ? "1" : "0");
}

/// "all of them one unit in the last place closer to zero"
std::string relation_of(Element type, const std::vector<JudgedResult>& all) {
  if (all.size() > 3 &&
      std::ranges::all_of(all, [&](const JudgedResult& each) { return each.actual == all[0].actual; }))
    return ", all of them " + show_element(type, all[0].actual);
  if (is_integer(type)) return relation_of_integers(type, all);
  const std::uint64_t sign = std::uint64_t{1} << (8 * size_of(type) - 1);
  const auto step = [&](const JudgedResult& each) {  // of the magnitude
    if (((each.actual ^ each.expected) & sign) != 0) return std::int64_t{0};
    return static_cast<std::int64_t>(each.actual & ~sign) - static_cast<std::int64_t>(each.expected & ~sign);
  };
  if (std::ranges::all_of(all, [&](const JudgedResult& each) { return step(each) == -1; }))
    return ", all of them one unit in the last place closer to zero";
  if (std::ranges::all_of(all, [&](const JudgedResult& each) { return step(each) == 1; }))
    return ", all of them one unit in the last place farther from zero";
  if (std::ranges::all_of(all, [&](const JudgedResult& each) { return std::abs(step(each)) == 1; }))
    return ", all of them by one unit in the last place";
  return {};
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

/// Empty if the backend does not answer.
Answered ask_values(const Subject& subject, const Ask& ask, unsigned draw) {
  Answered answered;
  answered.programs = value_programs(subject, answered.layout, draw);
  Answers answers = ask_all(ask, answered.programs);
  if (!answers.why_not.empty()) return {};
  answered.actual = std::move(answers.states);
  return answered;
}

std::vector<JudgedResult> judge_results(const Answered& answered) {
  std::vector<JudgedResult> results;
  for (std::size_t p = 0; p < answered.programs.size(); ++p)
    judge_program(answered.programs[p], answered.actual[p], results);
  return results;
}

/// The mistake that gives all `results`, and those of other data.
std::optional<ResultsLaw> law_of_results(const Subject& subject, const Answered& answered,
                                         const std::vector<JudgedResult>& results,
                                         const std::vector<JudgedResult>& fresh, const ResultPart* part) {
  for (const ValueVariant& variant : value_variants(subject))
    if (explains(variant, answered, part)) return ResultsLaw{variant.text, variant.key};
  std::vector<JudgedResult> all = results;
  all.insert(all.end(), fresh.begin(), fresh.end());
  if (const auto law = formula_that_gives(results); law && formula_that_gives(all) == law) return law;
  if (const auto text = compare_law(results); text && compare_law(all) == text) return ResultsLaw{*text};
  if (const auto law = rounding_law(results); law && rounding_law(all) == law) return law;
  return {};
}

/// The mistake in the only repeats, or lanes, that have wrong results.
std::optional<Difference> law_of_a_part(const Subject& subject, const Answered& answered,
                                        const std::vector<JudgedResult>& results,
                                        const std::vector<JudgedResult>& fresh) {
  for (const ResultPart& part : parts_with_wrong_results(results)) {
    const auto law =
        law_of_results(subject, answered, results_in(part, results), results_in(part, fresh), &part);
    if (!law) continue;
    Difference difference = said_of(subject.insn, law->text, law->key);
    difference.where = part.where;
    difference.key += " in a part of its results";
    return difference;
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

/// The fresh data are asked only if a result is wrong.
Judged judge_values(const Subject& subject, const Ask& ask) {
  Judged judged;
  judged.answered = ask_values(subject, ask, 0);
  judged.results = judge_results(judged.answered);
  std::ranges::copy_if(judged.results, std::back_inserter(judged.wrong), &JudgedResult::is_wrong);
  if (judged.wrong.empty()) return judged;
  judged.others = ask_values(subject, ask, 1);
  judged.fresh = judge_results(judged.others);
  return judged;
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

/// A mistake that gives all results, or all of a part.
std::optional<Difference> law_of_numbers(const Subject& subject, const Judged& judged, const Ask& ask) {
  auto law = law_of_results(subject, judged.answered, judged.results, judged.fresh, nullptr);
  if (law && law->may_wrap)
    if (auto wraps = law_that_wraps(subject, judged, ask)) law = std::move(wraps);
  if (law) {
    Difference difference = said_of(subject.insn, law->text, law->key);
    difference.of_all_families = true;
    return difference;
  }
  return law_of_a_part(subject, judged.answered, judged.results, judged.fresh);
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

std::optional<Difference> value_law(const Subject& subject, const Ask& ask) {
  const Judged judged = judge_values(subject, ask);
  return judged.wrong.empty() ? std::nullopt : law_of_numbers(subject, judged, ask);
}

std::vector<Difference> value_differences(const Subject& subject, const Ask& ask) {
  const Judged judged = judge_values(subject, ask);
  if (judged.answered.programs.empty()) return {};
  const std::vector<JudgedResult>&results = judged.results, &wrong = judged.wrong, &fresh = judged.fresh;
  if (wrong.empty()) return masked_special_differences(subject, ask);
  if (auto law = law_of_numbers(subject, judged, ask)) return {*std::move(law)};
  if (const auto text = conditional_outcome(results, fresh))
    return {said_of(subject.insn, *text + ", " + example(wrong.front()))};
  const Row& row = row_of(subject.insn.op);
  const std::string relation =
      row.compares ? "" : relation_of(operand_type(subject.insn, row.operands[0]), wrong);
  const Element dst = operand_type(subject.insn, row.operands[0]);
  if (!row.compares && is_integer(dst) && have_24_bits(dst, wrong))
    return {through_f32(subject.insn, results, wrong)};
  const auto data = telling_data(results, fresh);
  Difference difference{MapKind::values,
                        std::to_string(wrong.size()) + " of " + std::to_string(results.size()) +
                            " results of " + mnemonic(subject.insn) +
                            " are wrong under a full mask, so the mask is not the cause" +
                            (data ? data->text() : "") + relation + ", " + example(wrong.front()),
                        {}};
  difference.key = key_of(subject.insn, data);
  return {difference};
}

}  // namespace lanecheck
