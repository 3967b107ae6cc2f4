#include "fuzz/identify/gather_mask/gather_mask_pattern.h"

#include <algorithm>
#include <map>

#include "fuzz/identify/gather_mask/gather_mask_example.h"
#include "fuzz/identify/probes/index_formula.h"
#include "fuzz/identify/probes/intervals.h"
#include "fuzz/identify/probes/shapes.h"

namespace lanecheck {
namespace {

using Numbers = std::vector<unsigned>;

constexpr unsigned kPatterns = 7;
constexpr unsigned kCodedBits = 256;  // of the user pattern: eight binary digits

/// The elements of the only repeat that are kept if bit `bit` of the user pattern is
/// (digit `code` / 2 of `bit`) != `code` mod 2.
std::optional<Numbers> kept_by_code(const Subject& plain, unsigned code, const Ask& ask) {
  GatherCall call{in_a_row(plain, 1)};
  call.pattern = [code](std::int32_t bit) {
    return (static_cast<std::uint32_t>(bit) % kCodedBits >> code / 2 & 1) != code % 2;
  };
  const auto gathered = gather(call, ask);
  return gathered ? lanes_kept(call.insn(), *gathered) : std::nullopt;
}

/// The bit that decides about each element.
std::optional<Numbers> deciding_bits(const Subject& plain, const Ask& ask) {
  std::vector<Numbers> kept;
  for (unsigned code = 0; code < 16; ++code) {
    const auto own = kept_by_code(plain, code, ask);
    if (!own) return {};
    kept.push_back(*own);
  }
  Numbers bits;
  for (unsigned lane = 0; lane < kRepeatBytes / size_of(plain.insn.src_type); ++lane) {
    unsigned bit = 0;
    for (unsigned code = 0; code < 16; code += 2) {
      const bool one = std::ranges::count(kept[code], lane) > 0,
                 zero = std::ranges::count(kept[code + 1], lane) > 0;
      if (one == zero) return {};  // no single bit decides
      bit |= one ? 1u << code / 2 : 0;
    }
    bits.push_back(bit);
  }
  return bits;
}

/// The law that the patterns in `wrong` are executed as others.
GatherLaw law_of(const std::map<unsigned, unsigned>& wrong, const std::string& text) {
  return {MapKind::places, text, [wrong](Instruction& insn) {
            std::uint32_t& pattern = insn.settings[*setting_index(row_of(insn.op), "pattern")];
            const auto found = wrong.find(pattern);
            if (found != wrong.end()) pattern = found->second;
          }};
}

/// Which pattern is executed in place of `pattern`, in all calls with it; nothing if none is.
std::optional<unsigned> executed_pattern(const std::vector<GatherComparison>& all,
                                         const GatherCondition& condition, unsigned pattern) {
  for (unsigned n = 0; n < kPatterns; ++n) {
    const unsigned other = (pattern - 1 + n) % kPatterns + 1;  // the pattern itself first
    const GatherLaw law = law_of({{pattern, other}}, "");
    const bool fits = std::ranges::all_of(all, [&](const GatherComparison& each) {
      const bool has_pattern = setting(each.call.insn(), "pattern") == pattern;
      return !has_pattern || !condition.holds(each.call) || predict(each.call, &law, nullptr) == each.is;
    });
    if (fits) return other;
  }
  return {};
}

std::string text_of(const std::map<unsigned, unsigned>& wrong) {
  const auto [pattern, other] = *wrong.begin();
  const auto second = wrong.find(other);
  if (wrong.size() == 2 && second != wrong.end() && second->second == pattern)
    return "exchanges fixed patterns " + std::to_string(pattern) + " and " + std::to_string(other);
  std::string text;
  for (const auto& [from, to] : wrong)
    text += (text.empty() ? "executes fixed pattern " : ", ") + std::to_string(from) + " as " +
            std::to_string(to);
  return text;
}

}  // namespace

std::vector<GatherLaw> measured_bits_laws(const Subject& plain, const Ask& ask) {
  const auto bits = deciding_bits(plain, ask);
  if (!bits) return {};
  Numbers elements;
  for (unsigned n = 0; n < bits->size(); ++n) elements.push_back(n);
  if (elements == *bits) return {};
  const auto formula = index_formula(elements, *bits, static_cast<unsigned>(bits->size()), "element");
  const std::string text = "keeps each element of a repeat by bit " +
                           (formula ? "(" + *formula + ")" : intervals(*bits)) +
                           " of the user pattern instead of by its own bit";
  return {law_of_bits(*bits, text, true), law_of_bits(*bits, text, false)};
}

std::optional<GatherLaw> measured_patterns_law(const std::vector<GatherComparison>& all,
                                               const GatherCondition& condition) {
  std::map<unsigned, unsigned> wrong;  // a pattern, and the one that is executed
  for (unsigned pattern = 1; pattern <= kPatterns; ++pattern) {
    const auto other = executed_pattern(all, condition, pattern);
    if (!other) return {};
    if (*other != pattern) wrong.emplace(pattern, *other);
  }
  if (wrong.size() < 2) return {};  // of one pattern it is said which elements it keeps
  return law_of(wrong, text_of(wrong));
}

}  // namespace lanecheck
