#include "fuzz/identify/mask_register/shown_mask.h"

#include <algorithm>
#include <numeric>

#include "fuzz/identify/gates/gate_differences.h"
#include "fuzz/identify/gates/mask_condition.h"
#include "fuzz/identify/mask_register/left_in_mask.h"
#include "fuzz/identify/mask_register/word_numbers.h"
#include "fuzz/identify/probes/gate_map.h"
#include "fuzz/identify/probes/index_formula.h"
#include "fuzz/identify/probes/intervals.h"
#include "spec/program/reading.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

using Numbers = std::vector<unsigned>;

/// One set_mask: its words, the register before it and the register that is shown after it.
struct SeenSetMask {
  MaskWords words{};
  MaskWords earlier{};  ///< the words set before; of a program without another set_mask, all ones
  Mask before = kFullMask, after = kFullMask;

  Mask documented() const {
    Mask mask = before;
    set_mask(mask, words.high, words.low);
    return mask;
  }
};

Program set_masks(const Subject& subject, const std::vector<MaskWords>& all) {
  Program program{subject.profile, {}, {}, {}};
  program.ub.resize(kBlockBytes);
  for (const MaskWords& words : all) program.instructions.push_back(mask_setter(Op::set_mask, words));
  return program;
}

/// Two set_mask with the same word, in both words, the low one or the high one.
std::vector<MaskWords> with_words_of_earlier(const Subject& subject) {
  const MaskWords full = full_mask(subject), old = kEarlierMask;
  std::vector<MaskWords> all = {old};
  for (const MaskWords& other : {MaskWords{~old.high, ~old.low}, {0, 0}, {kOnes, kOnes}}) {
    all.push_back({other.high, old.low});
    all.push_back({old.high, other.low});
  }
  for (MaskWords& words : all) words = {words.high & full.high, words.low & full.low};
  return all;
}

/// The masks of gate_masks() that are not coded: which bit a slot takes is measured behind another set_mask.
std::vector<MaskWords> masks_alone(const Subject& subject) {
  const std::size_t coded = coded_masks().size();
  std::vector<MaskWords> all = gate_masks(subject);
  if (full_mask(subject).high != 0) all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(coded));
  return all;
}

/// set_mask alone, and after another set_mask. The register before the second one is the one that was shown
/// after the first.
std::vector<SeenSetMask> measure(const Subject& subject, const Ask& ask) {
  std::vector<MaskWords> alone = masks_alone(subject), behind = gate_masks(subject);
  for (const MaskWords& words : masks_of_numbers())
    if (words.high <= full_mask(subject).high)
      for (auto* masks : {&alone, &behind}) masks->push_back(words);
  std::ranges::copy(with_words_of_earlier(subject), std::back_inserter(behind));
  std::vector<Program> programs = {set_masks(subject, {kEarlierMask})};
  for (const MaskWords& words : alone) programs.push_back(set_masks(subject, {words}));
  for (const MaskWords& words : behind) programs.push_back(set_masks(subject, {kEarlierMask, words}));
  const Answers answers = ask_all(ask, programs);
  if (!answers.why_not.empty()) return {};
  std::vector<SeenSetMask> seen;
  for (std::size_t n = 0; n < alone.size(); ++n)
    seen.push_back({alone[n], {kOnes, kOnes}, kFullMask, answers.states[1 + n].mask});
  for (std::size_t n = 0; n < behind.size(); ++n)
    seen.push_back(
        {behind[n], kEarlierMask, answers.states[0].mask, answers.states[1 + alone.size() + n].mask});
  return seen;
}

/// What becomes of a slot instead of taking its bit.
struct ShownFate {
  std::string_view text, of_one;  ///< said of several slots, and of one
  unsigned (*of)(const SeenSetMask& each, unsigned slot, unsigned bit);
  bool ignores_words = true;  ///< "whatever its words are" makes sense behind it
};

unsigned bit_of(std::uint64_t word, unsigned slot) {
  return static_cast<unsigned>(word >> slot % 64 & 1);
}

constexpr ShownFate kShownFates[] = {
    {"are 1", "is 1", [](const SeenSetMask&, unsigned, unsigned) { return 1u; }},
    {"are 0", "is 0", [](const SeenSetMask&, unsigned, unsigned) { return 0u; }},
    {"keep their old values", "keeps its old value",
     [](const SeenSetMask& each, unsigned slot, unsigned) { return unsigned{each.before[slot]}; }},
    {"are combined with their old values by or", "is combined with its old value by or",
     [](const SeenSetMask& each, unsigned slot, unsigned bit) { return each.before[slot] | bit; }},
    {"are combined with their old values by and", "is combined with its old value by and",
     [](const SeenSetMask& each, unsigned slot, unsigned bit) { return each.before[slot] & bit; }},
    {"are combined with their old values by xor", "is combined with its old value by xor",
     [](const SeenSetMask& each, unsigned slot, unsigned bit) { return each.before[slot] ^ bit; }},
    {"are inverted", "is inverted", [](const SeenSetMask&, unsigned, unsigned bit) { return bit ^ 1; },
     false},
    {"receive the bits of the low word", "receives a bit of the low word",
     [](const SeenSetMask& each, unsigned slot, unsigned) { return bit_of(each.words.low, slot); }, false},
    {"receive the bits of the high word", "receives a bit of the high word",
     [](const SeenSetMask& each, unsigned slot, unsigned) { return bit_of(each.words.high, slot); }, false},
};

template <class Expected>
bool explains_shown(const std::vector<SeenSetMask>& seen, const Numbers& slots, Expected expected) {
  return std::ranges::all_of(seen, [&](const SeenSetMask& each) {
    const Mask documented = each.documented();
    return std::ranges::all_of(slots, [&](unsigned slot) {
      return each.after[slot] == expected(each, slot, unsigned{documented[slot]});
    });
  });
}

/// A fate that slots have if two conditions hold for the words: "keep their old values if the high word is 0
/// and the low word is not 0".
std::optional<std::string> by_two_conditions(const std::vector<SeenSetMask>& seen, const Numbers& slots,
                                             const MaskWords& full) {
  constexpr std::ptrdiff_t kLeast = 3;  // wrong masks: fewer may fit two conditions by an accident
  if (std::ranges::count_if(seen, [](const SeenSetMask& each) { return each.after != each.documented(); }) <
      kLeast)
    return {};
  const auto conditions = mask_conditions();
  for (std::size_t a = 0; a < conditions.size(); ++a)
    for (std::size_t b = a + 1; b < conditions.size(); ++b)
      for (const unsigned when : {3U, 1U, 2U, 0U})
        for (const ShownFate& fate : kShownFates) {
          const bool first = (when & 1) != 0, second = (when & 2) != 0;
          if (!explains_shown(seen, slots, [&](const SeenSetMask& each, unsigned slot, unsigned bit) {
                const bool both = conditions[a].holds(each.words, full) == first &&
                                  conditions[b].holds(each.words, full) == second;
                return both ? fate.of(each, slot, bit) : bit;
              }))
            continue;
          return std::string(slots.size() == 1 ? fate.of_one : fate.text) + " if " +
                 conditions[a].text(first) + " and " + conditions[b].text(second);
        }
  return {};
}

/// "after set_mask, slots 64..127 of the mask are 1 if the high word is 0"
std::optional<std::string> by_fate(const Subject& subject, const std::vector<SeenSetMask>& seen,
                                   const Numbers& slots) {
  const std::string start = "after set_mask, " + counted_noun("slot", slots) + " of the mask ";
  const auto text_of = [&](const ShownFate& fate) {
    return std::string(slots.size() == 1 ? fate.of_one : fate.text);
  };
  const MaskWords full = full_mask(subject);
  for (const ShownFate& fate : kShownFates)
    if (explains_shown(seen, slots, [&](const SeenSetMask& each, unsigned slot, unsigned bit) {
          return fate.of(each, slot, bit);
        }))
      return start + text_of(fate) + (fate.ignores_words ? ", whatever its words are" : "");
  for (const MaskCondition& condition : mask_conditions())
    for (const bool when : {true, false})
      for (const ShownFate& fate : kShownFates)
        if (explains_shown(seen, slots, [&](const SeenSetMask& each, unsigned slot, unsigned bit) {
              return condition.holds(each.words, full) == when ? fate.of(each, slot, bit) : bit;
            }))
          return start + text_of(fate) + " if " + condition.text(when);
  // The words were compared with those that were set before.
  struct Same {
    std::string_view text;
    bool low, high;
  };
  for (const Same same : {Same{"its low word is", true, false}, Same{"its high word is", false, true},
                          Same{"its words are", true, true}})
    for (const bool when : {true, false})
      for (const ShownFate& fate : kShownFates)
        if (explains_shown(seen, slots, [&](const SeenSetMask& each, unsigned slot, unsigned bit) {
              const bool is_same = (!same.low || each.words.low == each.earlier.low) &&
                                   (!same.high || each.words.high == each.earlier.high);
              return is_same == when ? fate.of(each, slot, bit) : bit;
            }))
          return start + text_of(fate) + " if " + std::string(same.text) + (when ? "" : " not") +
                 " the same as before";
  if (const auto text = by_two_conditions(seen, slots, full)) return start + *text;
  return {};
}

/// "slots 64..127 of the mask receive bit slot - 64 of the words"
std::optional<std::string> by_bits(const std::vector<SeenSetMask>& seen, const Numbers& slots) {
  Numbers bits;
  for (const unsigned slot : slots)
    for (unsigned bit = 0; bit < 128; ++bit)
      if (explains_shown(seen, {slot}, [&](const SeenSetMask& each, unsigned, unsigned) {
            return has_slot(each.words, bit) ? 1u : 0u;
          })) {
        bits.push_back(bit);
        break;
      }
  if (bits.size() != slots.size()) return {};
  const auto formula = index_formula(slots, bits, 128, "slot");
  if (!formula) return {};
  return "set_mask gives " + counted_noun("slot", slots) + " of the mask bit " + *formula +
         " of its words (bit 64 is bit 0 of the high word)";
}

/// "set_mask: each word of its mask goes through an f64, which keeps 53 bits"
std::optional<std::string> by_numbers(const std::vector<SeenSetMask>& seen) {
  Numbers slots(kMaskSlots);
  std::iota(slots.begin(), slots.end(), 0U);
  for (const WhichWords& which : {kLowWord, kHighWord, kEachWord})  // no more is said than shows
    for (const WordLaw& law : word_laws())
      if (explains_shown(seen, slots, [&](const SeenSetMask& each, unsigned slot, unsigned bit) {
            if (slot >= 128) return bit;
            return has_slot(which.taken(law, each.words), slot) ? 1U : 0U;
          }))
        return "set_mask: " + std::string(which.text) + " of the mask " + std::string(law.text);
  return {};
}

Numbers wrong_shown_slots(const std::vector<SeenSetMask>& seen) {
  Numbers wrong;
  for (unsigned slot = 0; slot < kMaskSlots; ++slot)
    if (std::ranges::any_of(
            seen, [&](const SeenSetMask& each) { return each.after[slot] != each.documented()[slot]; }))
      wrong.push_back(slot);
  return wrong;
}

/// The first observation with a wrong slot, as it is.
std::string example(const std::vector<SeenSetMask>& seen) {
  const auto first =
      std::ranges::find_if(seen, [](const SeenSetMask& each) { return each.after != each.documented(); });
  return "after set_mask " + show_words(first->words) + " (high:low) " +
         wrong_slots_text(first->after, first->documented(), " of the mask") + ", against the documents";
}

/// ", which reading mask_after_brcb=all_ones allows"
std::string allowed_by(const Row& row) {
  if (row.mask_after == nullptr) return {};
  for (const Reading& reading : readings()) {
    Readings chosen;
    reading.set(chosen, 1);
    if (chosen.*row.mask_after == MaskAfter::all_ones)
      return ", which reading " + std::string(reading.id) + "=all_ones allows";
  }
  return {};
}

/// The instruction itself changes the register.
Difference changed_by_instruction(const Subject& subject, const Ask& ask) {
  const std::string name = mnemonic(subject.insn);
  if (auto text = left_in_mask(subject, ask, allowed_by(row_of(subject.insn.op))))
    return {MapKind::mask_register, *text, {}};
  return {MapKind::state, name + " changes the mask register", {}};
}

}  // namespace

std::vector<Difference> shown_mask_differences(const Subject& subject, const Ask& ask) {
  const std::vector<SeenSetMask> seen = measure(subject, ask);
  if (seen.empty()) return {};
  const Numbers wrong = wrong_shown_slots(seen);
  if (wrong.empty()) return {changed_by_instruction(subject, ask)};
  auto text = by_fate(subject, seen, wrong);
  if (!text) text = by_numbers(seen);
  if (!text) text = by_bits(seen, wrong);
  Difference difference{MapKind::state, text ? *std::move(text) : example(seen), {}};
  difference.of_shown_register = true;
  return {std::move(difference)};
}

}  // namespace lanecheck
