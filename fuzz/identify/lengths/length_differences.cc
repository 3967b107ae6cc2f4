#include "fuzz/identify/lengths/length_differences.h"

#include <algorithm>
#include <functional>

#include "fuzz/identify/lengths/elements_behind.h"
#include "fuzz/identify/lengths/length_rules.h"
#include "fuzz/identify/probes/intervals.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// "in counter mode add.f16 ": how the number is given, and to what.
std::string start_of(const Subject& subject, MaskGiven given) {
  const std::string name = mnemonic(subject.insn);
  switch (given) {
    case MaskGiven::total:
      return "in counter mode " + name + " ";
    case MaskGiven::count:
      return "for a count of its own " + name + " ";
    case MaskGiven::contiguous:
      return "for a contiguous mask of its own " + name + " ";
    case MaskGiven::length:
      return "for a contiguous mask from the register " + name + " ";
    case MaskGiven::words:
      break;
  }
  return name + " ";
}

/// "the first 3 take part", "elements 0, 64..127 take part"
std::string taken(const LengthAnswer& answer) {
  if (answer.reach == 0) return "none takes part";
  if (answer.written.empty()) {
    const bool has_gaps = std::ranges::any_of(
        answer.counted, [&](const auto& each) { return !each.second && each.first < answer.reach; });
    return "the last element that takes part is " + std::to_string(answer.reach - 1) +
           (has_gaps ? ", and not all before it" : "");
  }
  std::vector<unsigned> numbers;
  for (unsigned e = 0; e < answer.written.size(); ++e)
    if (answer.written[e]) numbers.push_back(e);
  if (numbers.size() == answer.reach) return "the first " + std::to_string(answer.reach) + " take part";
  return counted_noun("element", numbers) + (numbers.size() == 1 ? " takes part" : " take part");
}

/// Is an answer as documented? Some elements may have been asked one by one.
bool is_right(const LengthAnswer& is, const LengthAnswer& should) {
  return is.reach == should.reach && is.written == should.written &&
         std::ranges::all_of(is.counted,
                             [&](const auto& each) { return each.second == (each.first < should.reach); });
}

/// Two numbers show more than one: the least for which other elements take part, and one in the middle.
std::string example(const LengthMap& measured, const LengthMap& documented, const std::string& n) {
  std::vector<const LengthAnswer*> wrong;
  for (std::size_t k = 0; k < measured.answers.size(); ++k)
    if (!is_right(measured.answers[k], documented.answers[k])) wrong.push_back(&measured.answers[k]);
  if (wrong.empty()) return {};
  const auto shown = [](const LengthAnswer& is) { return std::to_string(is.length) + ": " + taken(is); };
  std::ranges::sort(wrong, {}, &LengthAnswer::length);
  const LengthAnswer &least = *wrong.front(), &middle = *wrong[wrong.size() / 2];
  return "does not take the first n elements, for example if " + n + " is " + shown(least) +
         (wrong.size() < 2 ? "" : "; if it is " + shown(middle));
}

/// Does the rule give exactly this answer? Of a reduction, the last element that takes part is known, and
/// some others.
bool gives(const LengthRule& rule, const LengthAnswer& answer, std::uint32_t room) {
  const auto takes = [&](std::uint32_t e) { return rule.takes(answer, e); };
  if (answer.reach > 0 && !takes(answer.reach - 1)) return false;
  for (std::uint32_t e = answer.reach; e < room; ++e)
    if (takes(e)) return false;
  for (std::uint32_t e = 0; e < answer.written.size(); ++e)
    if (answer.written[e] != takes(e)) return false;
  return std::ranges::all_of(answer.counted,
                             [&](const auto& each) { return takes(each.first) == each.second; });
}

/// Is each result kept of which by the rule no element takes part, and some should? It holds its old dst
/// then, or what results hold all of whose elements lie behind the number.
bool keeps_results(const LengthRule& rule, const LengthAnswer& answer, const LengthMap& map) {
  if (answer.results.empty()) return true;
  const std::size_t size = map.room / answer.results.size();
  std::vector<std::uint64_t> kept = {map.old_dst};
  for (std::size_t n = 0; n < answer.results.size(); ++n)
    if (n * size >= answer.length) kept.push_back(answer.results[n]);
  for (std::size_t n = 0; n < answer.results.size() && n * size < answer.length; ++n) {
    bool any = false;
    for (std::size_t e = n * size; e < (n + 1) * size; ++e)
      any = any || rule.takes(answer, static_cast<std::uint32_t>(e));
    if (!any && std::ranges::count(kept, answer.results[n]) == 0) return false;
  }
  return true;
}

/// Asks the wrong answers first: few rules give them.
bool gives_all(const LengthRule& rule, const LengthMap& map) {
  const auto fits = [&](const LengthAnswer& answer) {
    return gives(rule, answer, map.room) && keeps_results(rule, answer, map);
  };
  for (const bool wrong : {true, false})
    if (!std::ranges::all_of(map.answers, [&](const LengthAnswer& answer) {
          return (answer.reach != answer.length) != wrong || fits(answer);
        }))
      return false;
  return true;
}

/// Adds answers; they stay in the order of repeat times and lengths.
void add_answers(LengthMap& map, const std::vector<LengthAnswer>& more) {
  map.answers.insert(map.answers.end(), more.begin(), more.end());
  std::ranges::sort(map.answers, {},
                    [](const LengthAnswer& each) { return std::pair(each.repeat, each.length); });
}

/// Asks more numbers. False if they could not be measured.
bool ask_more(Lengths& lengths, const std::vector<std::uint32_t>& numbers) {
  if (numbers.empty()) return false;
  const auto more = lengths.ask(numbers), should = lengths.ask_documents(numbers);
  if (!more.map || !should.map || more.map->answers.size() != should.map->answers.size()) return false;
  add_answers(lengths.measured, more.map->answers);
  add_answers(lengths.documented, should.map->answers);
  return true;
}

/// Halves the range between the first two neighbours of which one number is right and one is wrong, so that a
/// law can name the number where it begins or ends.
void ask_edges(Lengths& lengths) {
  for (unsigned halved = 0; halved < 8; ++halved) {
    const auto &is = lengths.measured.answers, &should = lengths.documented.answers;
    std::size_t k = 1;
    while (k < is.size() && is_right(is[k - 1], should[k - 1]) == is_right(is[k], should[k])) ++k;
    if (k >= is.size() || is[k].length <= is[k - 1].length + 1) return;
    if (!ask_more(lengths, {(is[k - 1].length + is[k].length) / 2})) return;
  }
}

/// What a rule says of any element type.
std::string general_text(const LengthRule& rule) {
  return rule.general.empty() ? rule.text : rule.general;
}

/// The first rules that predict every answer, the plainest first, and the law of the twin if it does.
std::vector<LengthRule> fitting(const Subject& subject, MaskGiven given, const Lengths& lengths) {
  constexpr std::size_t kMost = 12;
  std::vector<LengthRule> rules;
  for (LengthRule& rule : length_rules(subject, given, lengths.measured))
    if ((rules.size() < kMost || general_text(rule) == lengths.law_of_twin) &&
        gives_all(rule, lengths.measured))
      rules.push_back(std::move(rule));
  return rules;
}

/// The one of the fitting `rules` that is the law of the twin; the plainest if none is.
LengthRule shared_with_twin(const std::vector<LengthRule>& rules, const std::string& law_of_twin) {
  const auto shared = std::ranges::find(rules, law_of_twin, general_text);
  return shared == rules.end() ? rules[0] : *shared;
}

/// Laws differ at the ends of data blocks, or they differ nearly everywhere: these numbers are worth a look.
bool is_near_end(std::uint32_t number) {
  return number < 20 || number % 8 < 2 || number % 8 > 5 || number % 16 == 3;
}

/// Does a rule predict another answer than the first one? For each number up to `longest` that is worth a
/// look.
std::vector<bool> where_different(const LengthRule& first, const LengthRule& other, std::uint32_t longest,
                                  std::uint32_t room) {
  std::vector<bool> differ(longest + 1);
  for (std::uint32_t length = 1; length <= longest; ++length) {
    if (!is_near_end(length)) continue;
    const LengthAnswer of{length, 0, {}};
    const auto differs = [&](std::uint32_t e) { return first.takes(of, e) != other.takes(of, e); };
    for (std::uint32_t e = 0; e < room && !differ[length]; ++e) differ[length] = is_near_end(e) && differs(e);
  }
  return differ;
}

/// Numbers for which other rules predict something else than the first one.
std::vector<std::uint32_t> telling_numbers(const std::vector<LengthRule>& rules, const LengthMap& map,
                                           std::uint32_t longest) {
  std::vector<std::vector<bool>> untold;
  for (std::size_t k = 1; k < rules.size(); ++k)
    untold.push_back(where_different(rules[0], rules[k], longest, map.room));
  std::vector<std::uint32_t> numbers;
  constexpr std::size_t kMost = 4;
  while (numbers.size() < kMost) {
    std::uint32_t best = 0;
    std::ptrdiff_t most = 0;
    for (std::uint32_t length = 1; length <= longest; ++length) {
      const auto told = std::ranges::count_if(untold, [=](const auto& each) { return each[length]; });
      if (told > most) best = length;
      most = std::max<std::ptrdiff_t>(most, told);
    }
    if (best == 0) break;
    numbers.push_back(best);
    std::erase_if(untold, [=](const auto& each) { return each[best]; });
  }
  return numbers;
}

/// Has the number been asked, with repeat times of 1?
bool is_asked(const LengthMap& map, std::uint32_t number) {
  return std::ranges::any_of(
      map.answers, [=](const LengthAnswer& each) { return each.repeat == 1 && each.length == number; });
}

/// The plainest rule that predicts every answer, those to fresh numbers too.
std::optional<LengthRule> law_of(const Subject& subject, MaskGiven given, Lengths& lengths) {
  const std::uint32_t lanes = lengths.measured.lanes;
  const bool in_repeats = is_count(given);
  const std::uint32_t longest = in_repeats ? lengths.measured.room - lanes : std::min(lanes, 128u);
  std::vector<std::uint32_t> fresh = {3, lanes - 5};
  if (in_repeats) fresh = {3, 2 * lanes + lanes / 2 + 9, 3 * lanes, 4 * lanes - 1, 5 * lanes - 7};
  const bool reduces = !lengths.measured.answers[0].results.empty();  // each number takes more programs
  const unsigned most_rounds = reduces ? 2 : 4;
  for (unsigned round = 0;; ++round) {
    const auto rules = fitting(subject, given, lengths);
    if (rules.empty()) return {};
    for (const std::uint32_t number : telling_numbers(rules, lengths.measured, longest))
      fresh.push_back(number);
    std::erase_if(fresh, [&](std::uint32_t number) { return is_asked(lengths.measured, number); });
    if (round == most_rounds || !ask_more(lengths, fresh))
      return shared_with_twin(rules, lengths.law_of_twin);
    fresh.clear();
  }
}

/// "of a count of add.f16 itself and a count set in the register before, the larger one counts"
std::string text_of_merge(const std::string& name, MaskGiven given, bool takes_first,
                          std::string_view of_count, std::string_view of_mask, const std::string& only) {
  const std::string by = std::string(of_mask), set = only.empty() ? "" : " that " + only + " sets";
  switch (given) {
    case MaskGiven::contiguous:
      if (takes_first) return name + " ignores a contiguous mask of its own and uses the mask register";
      return name + " combines a contiguous mask of its own with the mask register by " + by;
    case MaskGiven::length:
      if (takes_first) return "a contiguous mask for the register has no effect after a mask set before";
      return "a contiguous mask for the register is combined with the mask set before by " + by;
    case MaskGiven::count:
      if (takes_first) return name + " ignores a count of its own if another count was set before";
      return "of a count of " + name + " itself and another count set before, " + std::string(of_count);
    case MaskGiven::total:
      if (takes_first)
        return "in counter mode a count" + set + " has no effect if another count was set before";
      return "in counter mode, of a count" + set + " and another count set before, " + std::string(of_count);
    case MaskGiven::words:
      break;
  }
  return {};
}

/// Are elements left out, and is every one that takes part one of those that should?
bool takes_less(const LengthMap& measured) {
  const auto any = [&](auto holds) { return std::ranges::any_of(measured.answers, holds); };
  return any([](const LengthAnswer& each) { return each.reach < each.length; }) &&
         !any([](const LengthAnswer& each) { return each.reach > each.length; });
}

std::vector<Difference> differences_of(const Subject& subject, MaskGiven given, Lengths& lengths) {
  if (lengths.measured.answers == lengths.documented.answers) return {};
  const std::string start = start_of(subject, given);
  if (const auto behind = elements_behind(subject, lengths.measured, lengths.documented)) {
    const std::string rest = name_of(given) + behind->rest;
    Difference difference{MapKind::length, start + behind->text + rest, {}, behind->only_example};
    if (!behind->general.empty()) difference.general = start + behind->general + rest;
    return {difference};
  }
  if (std::ranges::equal(lengths.measured.answers, lengths.documented.answers, is_right)) return {};
  auto law = law_of(subject, given, lengths);
  if (!law) {
    ask_edges(lengths);
    law = law_of(subject, given, lengths);
  }
  if (law) {
    Difference difference{MapKind::length, start + law->text, {}};
    difference.general = start + general_text(*law);
    if (!law->key.empty()) difference.key = "length: " + law->key;
    return {difference};
  }
  const std::string text = example(lengths.measured, lengths.documented, name_of(given));
  if (text.empty()) return {};
  return {{MapKind::length, start + text, {}, true}};
}

}  // namespace

std::string length_law(const Subject& subject, MaskGiven given, Lengths lengths) {
  const auto law = law_of(subject, given, lengths);
  return law ? general_text(*law) : "";
}

std::vector<Difference> length_differences(const Subject& subject, MaskGiven given, Lengths lengths) {
  auto differences = differences_of(subject, given, lengths);
  for (Difference& each : differences) each.takes_less = takes_less(lengths.measured);
  return differences;
}

std::vector<Difference> earlier_number_differences(const Subject& subject, MaskGiven given,
                                                   const LengthMap& measured, std::uint32_t earlier,
                                                   const std::string& only) {
  struct Merge {
    std::string_view text_of_count, text_of_mask;
    std::function<std::uint32_t(std::uint32_t n, std::uint32_t m)> reach;
  };
  const Merge merges[] = {
      {"the first one counts", "", [](auto, auto m) { return m; }},
      {"the larger one counts", "or", [](auto n, auto m) { return std::max(n, m); }},
      {"the smaller one counts", "and", [](auto n, auto m) { return std::min(n, m); }},
      {"their sum counts", "", [](auto n, auto m) { return n + m; }},
      {"the words are combined by or", "", [](auto n, auto m) { return n | m; }},
      {"the words are combined by and", "", [](auto n, auto m) { return n & m; }},
      {"the words are combined by xor", "", [](auto n, auto m) { return n ^ m; }},
  };
  for (const Merge& merge : merges) {
    const LengthRule rule = {
        "", [&](const LengthAnswer& of, std::uint32_t e) { return e < merge.reach(of.length, earlier); }};
    const bool is_mask = given == MaskGiven::contiguous || given == MaskGiven::length;
    if (is_mask && &merge != merges && merge.text_of_mask.empty()) continue;
    if (!gives_all(rule, measured)) continue;
    const bool first = &merge == merges;
    return {
        {MapKind::length,
         text_of_merge(mnemonic(subject.insn), given, first, merge.text_of_count, merge.text_of_mask, only),
         {}}};
  }
  return {};
}

}  // namespace lanecheck
