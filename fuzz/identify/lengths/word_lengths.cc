#include "fuzz/identify/lengths/word_lengths.h"

#include <algorithm>
#include <iterator>

namespace lanecheck {
namespace {

using Word = std::uint64_t;
using Number = std::uint32_t;

constexpr Number kBits = 64;  // of a word

/// The lowest `m` bits of a word.
Word ones(Number m) {
  return m >= kBits ? ~Word{0} : (Word{1} << m) - 1;
}

/// How many of the first n elements a word has: word 0 is the low one.
Number elements_in(unsigned word, Number n) {
  return std::min(kBits, n - std::min(n, word * kBits));
}

/// Makes word `word` of the mask for n elements.
using MakeWord = std::function<Word(unsigned word, Number n)>;

LengthRule rule_of(std::string text, std::uint32_t lanes, MakeWord make) {
  LengthRule rule{text, [lanes, make = std::move(make)](const LengthAnswer& of, std::uint32_t e) {
                    return e < std::min(lanes, 2 * kBits) &&
                           (make(e / kBits, of.length) >> e % kBits & 1) != 0;
                  }};
  rule.key = std::move(text);  // a word has 64 slots of every type
  return rule;
}

/// One word at some lengths, and what a shift by 64 makes of it there.
struct Edge {
  std::string text;
  bool (*holds)(Number n);
  Word instead;
  bool leaves_out = false;  ///< at one number alone
};

/// What is made of m elements in place of the lowest m bits. In the text, {m} stands for their number and {W}
/// for the word.
struct Formula {
  std::string text;
  std::function<Word(Number m)> of;
  std::string as_if{};
};

std::vector<Formula> formulas() {
  const auto bit = [](Number m) { return m >= kBits ? 0 : Word{1} << m; };
  std::vector<Formula> all = {
      {"leaves {W} 0", [](Number) { return Word{0}; }},
      {"sets all bits of {W}", [](Number) { return ~Word{0}; }},
      {"sets bit {m} alone in {W} instead of the {m} bits below it", bit, ", as if - 1 were missing"},
      {"sets bit {m} mod 64 alone in {W} instead of the {m} bits below bit {m}",
       [=](Number m) { return bit(m % kBits); }, ", as if - 1 were missing"},
      {"sets of {W} only the last of its {m} bits", [=](Number m) { return m == 0 ? Word{0} : bit(m - 1); }},
      {"sets the last {m} bits of {W} instead of the first {m}",
       [](Number m) { return m == 0 ? Word{0} : ones(m) << (kBits - m); }},
      {"sets the bits of {W} from bit {m} on instead of those below it", [](Number m) { return ~ones(m); }},
      {"sets {m} mod 32 bits of {W} instead of {m}", [](Number m) { return ones(m % 32); },
       ", as a shift of 32 bits does"},
      {"sets at most 32 bits of {W}", [](Number m) { return ones(std::min(m, Number{32})); }},
      {"sets one bit less of {W}", [](Number m) { return ones(m - std::min(m, Number{1})); }},
      {"sets one bit more of {W}", [](Number m) { return ones(m + 1); }},
  };
  for (const Number digits : {53U, 24U})
    for (const Word whole : {~Word{0}, Word{0}})
      all.push_back({"computes {W} as 2^{m} - 1 in " + std::string(digits == 53 ? "f64" : "f32") +
                         ", which is 2^{m} if {m} is " + std::to_string(digits + 1) +
                         " or more: bit {m} alone",
                     [=](Number m) { return m == kBits   ? whole
                                            : m > digits ? bit(m)
                                                         : ones(m); }});
  for (const Number unit : {32U, 16U, 8U, 4U}) {
    const std::string size = std::to_string(unit);
    all.push_back({"rounds {m} down to a multiple of " + size + " in {W}",
                   [=](Number m) { return ones(m / unit * unit); }});
    all.push_back({"rounds {m} up to a multiple of " + size + " in {W}",
                   [=](Number m) { return ones((m + unit - 1) / unit * unit); }});
  }
  return all;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

/// A word that is made wrongly for some numbers n, of which m elements are in it.
struct Part {
  bool low, high;
  std::string name, count;  ///< of the word, and of its elements
  std::string condition;
  bool (*holds)(Number n, Number m);
};

std::vector<Part> parts_of(const std::string& n) {
  const auto always = [](Number, Number) { return true; };
  const auto begun = [](Number, Number m) { return m > 0; };
  const auto in_part = [](Number, Number m) { return m > 0 && m < kBits; };
  const auto low_alone = [](Number of, Number) { return of <= kBits; };
  const std::string low = "the low word of the mask", high = "the high word of the mask";
  const std::string each = "each word of the mask (m of the n elements are in it)";
  return {{true, false, low, "n", " if " + n + " is 64 or less", low_alone},
          {true, false, low, "n", " if " + n + " is less than 64", in_part},
          {true, false, low, "min(n, 64)", "", always},
          {false, true, high, "n - 64", " if " + n + " is more than 64", begun},
          {false, true, high, "n - 64", " if " + n + " is more than 64 and less than 128", in_part},
          {false, true, high, "max(n - 64, 0)", "", always},
          {true, true, each, "m", "", always},
          {true, true, each, "m", " if m is not 0", begun},
          {true, true, each, "m", " if m is neither 0 nor 64", in_part}};
}

}  // namespace

std::vector<LengthRule> shifts_by_64(const std::string& n, std::uint32_t lanes) {
  const auto never = [](Number) { return false; };
  const Edge low[] = {
      {" 0 if " + n + " is 64", [](Number of) { return of == kBits; }, 0, true},
      {" 0 if " + n + " is 64 or more", [](Number of) { return of >= kBits; }, 0},
      {"", never, 0},
  };
  const Edge high[] = {
      {" 0 if " + n + " is 128", [](Number of) { return of == 2 * kBits; }, 0, true},
      {" all ones if " + n + " is 64", [](Number of) { return of == kBits; }, ~Word{0}},
      {" all ones if " + n + " is 64 or less", [](Number of) { return of <= kBits; }, ~Word{0}},
      {"", never, 0},
  };
  std::vector<LengthRule> rules;
  for (const Edge& l : low)
    for (const Edge& h : high) {
      const bool of_one_number = (l.leaves_out && h.text.empty()) || (h.leaves_out && l.text.empty());
      if (of_one_number || (l.text.empty() && h.text.empty())) continue;  // plainer rules say it
      std::string text = "makes ";
      if (!l.text.empty()) text += "the low word of the mask" + l.text;
      if (!l.text.empty() && !h.text.empty()) text += " and ";
      if (!h.text.empty()) text += "the high word of the mask" + h.text;
      if (!l.text.empty() || &h != &high[2]) text += ", as if a shift by 64 were none";
      rules.push_back(rule_of(text, lanes, [l, h](unsigned word, Number of) {
        const Edge& edge = word == 0 ? l : h;
        return edge.holds(of) ? edge.instead : ones(elements_in(word, of));
      }));
    }
  return rules;
}

std::vector<LengthRule> word_lengths(const std::string& n, std::uint32_t lanes) {
  std::vector<LengthRule> rules;
  rules.push_back(rule_of(
      "puts the lowest n - 64 bits of the high word of the mask into its low word, too, if " + n +
          " is more than 64",
      lanes, [](unsigned word, Number of) { return ones(of > kBits ? of - kBits : elements_in(word, of)); }));
  rules.push_back(rule_of("leaves the last 128 - n bits of the low word of the mask 0 if " + n +
                              " is 64 or more, as if n mod 64 bits were in it",
                          lanes, [](unsigned word, Number of) {
                            return ones(of >= kBits ? of - kBits : elements_in(word, of));
                          }));
  const std::vector<Formula> all = formulas();
  for (const Part& part : parts_of(n))
    for (const Formula& formula : all) {
      const std::string text = replaced(replaced(formula.text, "{W}", part.name), "{m}", part.count) +
                               part.condition + formula.as_if;
      rules.push_back(rule_of(text, lanes, [part, of = formula.of](unsigned word, Number count) {
        const Number m = elements_in(word, count);
        const bool is_wrong = (word == 0 ? part.low : part.high) && part.holds(count, m);
        return is_wrong ? of(m) : ones(m);
      }));
    }
  return rules;
}

std::vector<LengthRule> words_of_last_repeat(std::uint32_t lanes) {
  if (lanes <= kBits) return {};
  const std::string left = "the number n of elements that are left for the last repeat";
  std::vector<LengthRule> rules = shifts_by_64(left, lanes);
  std::ranges::move(word_lengths(left, lanes), std::back_inserter(rules));
  std::erase_if(rules, [](const LengthRule& each) {  // a law of elements says the same more plainly
    return each.text.find("each word") != std::string::npos;
  });
  for (LengthRule& rule : rules)
    rule.takes = [lanes, of_words = std::move(rule.takes)](const LengthAnswer& of, std::uint32_t e) {
      const Number full = of.length / lanes * lanes;
      LengthAnswer tail = of;
      tail.length -= full;
      return e < full || (e < full + lanes && tail.length > 0 && of_words(tail, e - full));
    };
  return rules;
}

}  // namespace lanecheck
