#include "fuzz/identify/mask_register/register_map.h"

#include <algorithm>
#include <functional>

#include "fuzz/identify/gates/mask_condition.h"
#include "fuzz/identify/mask_register/count_left.h"
#include "fuzz/identify/mask_register/register_bits.h"
#include "fuzz/identify/mask_register/register_of_number.h"
#include "fuzz/identify/mask_register/register_probe.h"
#include "fuzz/identify/mask_register/word_numbers.h"
#include "fuzz/identify/probes/gate_map.h"
#include "fuzz/identify/probes/intervals.h"
#include "fuzz/identify/probes/shapes.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

using Numbers = std::vector<unsigned>;

/// What becomes of a slot of the register: `old` is its value before, `right` the documented one, `first` its
/// value before the mode was switched to counter mode.
struct Fate {
  std::string_view text, of_one;  ///< of several slots, of a single one
  bool (*of)(bool old, bool right, bool first);
  bool says_instead = true;  ///< "instead of 0" makes sense behind it
};

constexpr Fate kFates[] = {
    {"are 1", "is 1", [](bool, bool, bool) { return true; }},
    {"are 0", "is 0", [](bool, bool, bool) { return false; }},
    {"are what they were before", "is what it was before", [](bool old, bool, bool) { return old; }},
    {"are again what they were before set_mask_count", "is again what it was before set_mask_count",
     [](bool, bool, bool first) { return first; }, false},
    {"stay 1 if they were 1 before (the old and the new mask are combined by or)",
     "stays 1 if it was 1 before (the old and the new mask are combined by or)",
     [](bool old, bool right, bool) { return old || right; }, false},
    {"stay 0 if they were 0 before (the old and the new mask are combined by and)",
     "stays 0 if it was 0 before (the old and the new mask are combined by and)",
     [](bool old, bool right, bool) { return old && right; }, false},
    {"are flipped if they were 1 before (the old and the new mask are combined by xor)",
     "is flipped if it was 1 before (the old and the new mask are combined by xor)",
     [](bool old, bool right, bool) { return old != right; }, false},
    {"are inverted", "is inverted", [](bool, bool right, bool) { return !right; }, false},
};

/// When something else becomes of slots than the documents say.
struct Condition {
  std::string text;
  std::function<bool(const Observed& each)> holds;
  /// Does it leave this one out although its text does not say so?
  std::function<bool(const Observed& each)> leaves_out{};
  bool of_earlier = false;  ///< what was set before has a say
  bool alone = false;       ///< the instruction that set the register before is right
};

/// Of a type with few lanes, a length that takes all of them in may set all slots.
bool sets_all_slots(const Observed& each) {
  return each.documented.words == MaskWords{kOnes, kOnes};
}

std::vector<Condition> conditions_for(const Subject& subject) {
  const auto always = [](const Observed&) { return true; };
  std::vector<Condition> all = {{"", always}, {"", always, {}, false, true}};
  for (const Mode mode : {Mode::normal, Mode::counter})
    all.push_back({mode == Mode::normal ? ", in normal mode" : ", in counter mode",
                   [mode](const Observed& each) { return each.before.mode == mode; }});
  if (takes_length(subject)) {
    for (std::size_t k = 0; k + 1 < std::size(kLengths); ++k) {
      const std::uint32_t length = kLengths[k];
      if (kLengths[k + 1] != length + 1) continue;  // it is not known where it ends
      const auto is_less = [=](const Observed& each) {
        return each.before.mode == Mode::normal && each.before.length <= length;
      };
      const std::string or_less = ", if the length n is " + std::to_string(length) + " or less";
      all.push_back({or_less, [=](const Observed& each) { return is_less(each) && !sets_all_slots(each); },
                     [=](const Observed& each) { return is_less(each) && sets_all_slots(each); }});
      all.push_back({or_less, is_less});
      all.push_back(
          {", if the length n is " + std::to_string(length + 1) + " or more", [=](const Observed& each) {
             return each.before.mode == Mode::normal && each.before.length > length;
           }});
    }
    return all;
  }
  if (subject.insn.op == Op::set_vector_mask_total)
    all.push_back({", if another set_vector_mask_total came before",
                   [](const Observed& each) { return each.before.by_total; }});
  const MaskWords full = full_mask(subject);
  for (const MaskCondition& condition : mask_conditions())
    for (const bool when : {true, false})
      all.push_back({", if in the new mask " + condition.text(when), [=](const Observed& each) {
                       return each.before.mode == Mode::normal &&
                              condition.holds(each.before.own, full) == when;
                     }});
  const auto has_old_word = [](const Observed& each, bool high) {
    return each.before.mode == Mode::normal && (high ? each.before.own.high == each.before.words.high
                                                     : each.before.own.low == each.before.words.low);
  };
  for (const bool high : {false, true})
    all.push_back(
        {std::string(", if its ") + (high ? "high" : "low") + " word is the one that was set before",
         [=](const Observed& each) { return has_old_word(each, high); },
         {},
         true});
  return all;
}

/// The slot before the subject. If the probes set the register by an instruction of the same kind, the fate
/// was its fate too.
bool old_slot(const Subject& subject, const Observed& each, unsigned slot, const Fate& fate,
              const Condition& condition) {
  const bool given = has_slot(each.before.words, slot), first = has_slot(each.before.first, slot);
  const bool same_kind = row_of(subject.insn.op).has_words && !each.before.by_length;
  return same_kind && condition.text.empty() && !condition.alone ? fate.of(first, given, first) : given;
}

/// Does the fate give the slots wherever the condition holds, and the documents give them elsewhere?
bool explains(const Subject& subject, const Fate& fate, const Condition& condition,
              const std::vector<Observed>& seen, const Numbers& slots) {
  return std::ranges::all_of(seen, [&](const Observed& each) {
    const bool holds = condition.holds(each);
    return std::ranges::all_of(slots, [&](unsigned slot) {
      const bool right = has_slot(each.documented.words, slot);
      return has_slot(each.actual.words, slot) ==
             (holds ? fate.of(old_slot(subject, each, slot, fate, condition), right,
                              has_slot(each.before.first, slot))
                    : right);
    });
  });
}

Numbers wrong_slots(const std::vector<Observed>& seen) {
  Numbers wrong;
  for (unsigned slot = 0; slot < kSlots; ++slot)
    if (std::ranges::any_of(seen, [&](const Observed& each) {
          return has_slot(each.actual.words, slot) != has_slot(each.documented.words, slot);
        }))
      wrong.push_back(slot);
  return wrong;
}

/// Whole words that hold all wrong slots, the slots from the first to the last wrong one, and the wrong ones:
/// some slots may be right by chance.
std::vector<Numbers> candidates(const Subject& subject, const Numbers& wrong) {
  std::vector<Numbers> all;
  const auto add = [&](unsigned from, unsigned to) {
    Numbers slots;
    for (unsigned slot = from; slot <= to; ++slot) slots.push_back(slot);
    all.push_back(slots);
  };
  if ((wrong.front() < 64 && wrong.back() >= 64) || full_mask(subject).high == 0) add(0, kSlots - 1);
  if (wrong.back() < 64) add(0, 63);
  if (wrong.front() >= 64) add(64, kSlots - 1);
  add(wrong.front(), wrong.back());
  all.push_back(wrong);
  return all;
}

std::string slots_text(const Numbers& slots) {
  return (slots.size() == kSlots ? "all slots" : counted_noun("slot", slots)) + " of the mask register ";
}

/// What the documents leave in the slots wherever the condition holds.
std::string documented_text(const Subject& subject, const std::vector<Observed>& seen,
                            const Condition& condition, const Numbers& slots) {
  const auto all = [&](auto is) {
    return std::ranges::all_of(seen, [&](const Observed& each) {
      return !condition.holds(each) || std::ranges::all_of(slots, [&](unsigned slot) {
        return has_slot(each.documented.words, slot) == is(each, slot);
      });
    });
  };
  if (all([](const Observed& each, unsigned slot) { return has_slot(each.before.words, slot); }))
    return slots.size() == 1 ? "what it was before" : "what they were before";
  if (all([](const Observed&, unsigned) { return true; })) return "1";
  if (all([](const Observed&, unsigned) { return false; })) return "0";
  std::string given = "mask";
  if (subject.insn.op == Op::set_vector_mask_total) given = "count";
  if (subject.insn.op == Op::set_vector_mask_len) given = "length";
  return (slots.size() == 1 ? "that of its own " : "those of its own ") + given;
}

/// `text`: what stands in the register afterwards. The same code may take the own mask of each instruction.
Difference left_after(const Instruction& insn, const std::string& text) {
  const std::string form = insn.mask_from == MaskFrom::count ? " with a count of its own" : "";
  Difference difference{MapKind::mask_register, "after " + mnemonic(insn) + form + ", " + text, {}};
  difference.general = text;
  return difference;
}

std::optional<Difference> wrong_register(const Subject& subject, const std::vector<Observed>& seen) {
  const Numbers wrong = wrong_slots(seen);
  if (wrong.empty()) return {};
  if (const std::string taken = register_of_number(subject, seen); !taken.empty())
    return left_after(subject.insn, taken);
  const auto conditions = conditions_for(subject);
  std::vector<Observed> in_normal_mode;  // a fault may also change the register that the probes set before
  std::ranges::copy_if(seen, std::back_inserter(in_normal_mode),
                       [](const Observed& each) { return each.before.mode == Mode::normal; });
  for (const auto* some : std::initializer_list<const std::vector<Observed>*>{&seen, &in_normal_mode})
    for (const Condition& condition : conditions)
      for (const Numbers& slots : candidates(subject, wrong))
        for (const Fate& fate : kFates) {
          if (some->empty() || !explains(subject, fate, condition, *some, slots)) continue;
          const std::string is = slots_text(slots) + std::string(slots.size() == 1 ? fate.of_one : fate.text);
          std::string what = is;
          if (fate.says_instead) what += " instead of " + documented_text(subject, *some, condition, slots);
          what += condition.text;
          if (some == &in_normal_mode && !condition.text.ends_with(" mode"))
            what += ", as seen in normal mode";
          Difference difference = left_after(subject.insn, what);
          difference.of_earlier = condition.of_earlier;
          if (fate.says_instead) difference.general = is + condition.text;
          if (condition.leaves_out && std::ranges::any_of(*some, condition.leaves_out))
            difference.what += " and does not take in all lanes";
          return difference;
        }
  Difference example = left_after(
      subject.insn, slots_text(wrong) + (wrong.size() == 1 ? "is not always " : "are not always ") +
                        documented_text(subject, seen, conditions[0], wrong));
  example.only_example = true;
  return example;
}

std::optional<Difference> wrong_mode(const Subject& subject, const std::vector<Observed>& seen) {
  const auto text = [](Mode mode) {
    return std::string(kModeNames[static_cast<std::size_t>(mode)]) + " mode";
  };
  for (const Observed& each : seen) {
    if (!each.actual.mode || !each.documented.mode || *each.actual.mode == *each.documented.mode) continue;
    const Mode is = *each.actual.mode, before = each.before.mode;
    return Difference{MapKind::mask_register,
                      mnemonic(subject.insn) + (is == before ? " leaves " : " switches to ") + text(is) +
                          (is == before ? " on instead of switching to " : " instead of leaving ") +
                          text(*each.documented.mode) + (is == before ? "" : " on"),
                      {}};
  }
  return {};
}

/// A mode that stays, of an instruction that leaves the slots as they were, too: then it leaves nothing of
/// its own.
std::optional<Difference> leaves_all_as_before(const Subject& subject, const std::vector<Observed>& seen) {
  const bool all_kept = std::ranges::all_of(seen, [](const Observed& each) {
    const bool mode_kept = !each.actual.mode || *each.actual.mode == each.before.mode;
    return mode_kept && (each.before.mode != Mode::normal || each.actual.words == each.before.words);
  });
  const bool shows = std::ranges::any_of(seen, [](const Observed& each) {
    return each.before.mode == Mode::normal && each.documented.words != each.before.words;
  });
  if (!all_kept || !shows) return {};
  return left_after(subject.insn, "the mode and all slots of the mask register are what they were before");
}

/// Is what the readers find as documented if the subject is left out? If not, they tell nothing about it.
/// `with_subject`: what they found after it.
bool readers_are_right(const Subject& subject, const std::vector<Observed>& with_subject, const Ask& ask) {
  const std::vector<Observed> seen = observe_register(subject, ask, false);
  if (!wrong_slots(seen).empty() || wrong_mode(subject, seen)) return false;
  std::vector<MaskWords> left;
  for (const Observed& each : with_subject)
    if (each.actual.words != each.documented.words) left.push_back(each.documented.words);
  return reader_finds(subject, left, ask);
}

}  // namespace

bool has_register_probes(const Subject& subject) {
  return row_of(subject.profile).sets_mask == Op::set_vector_mask;
}

namespace {

/// The same instruction for elements of which a repeat has 128: more lengths are legal there.
std::optional<Subject> with_all_lanes(const Subject& subject) {
  if (!takes_length(subject) || lanes_of(subject.insn) == kSlots) return {};
  if (!row_of(subject.insn.op).operands.empty()) {
    const std::vector<Subject> twins = with_128_lanes(subject);
    return twins.empty() ? std::nullopt : std::optional(twins[0]);
  }
  Subject twin = subject;
  twin.insn = mask_instruction(subject.insn.op);
  return twin;
}

/// A law that both the subject and its twin obey says more of the lengths; else that of the subject alone.
std::optional<Difference> wrong_register_of_all_lengths(const Subject& subject,
                                                        const std::vector<Observed>& seen, const Ask& ask) {
  const auto alone = wrong_register(subject, seen);
  const auto twin = alone ? with_all_lanes(subject) : std::nullopt;
  if (!twin) return alone;
  std::vector<Observed> both = observe_register(*twin, ask, true);
  if (both.empty()) return alone;
  both.insert(both.end(), seen.begin(), seen.end());
  const auto together = wrong_register(subject, both);
  return together && !together->only_example ? together : alone;
}

/// Does `words(given)` stand in the register wherever its mode is normal?
template <class Words>
bool stands_there(const std::vector<Observed>& seen, Words words) {
  return std::ranges::all_of(seen, [&](const Observed& each) {
    return each.before.mode != Mode::normal || each.actual.words == words(each.documented.words);
  });
}

/// One word takes the place of the other one if that is 0.
std::optional<Difference> register_of_copies(const Subject& subject, const std::vector<Observed>& seen) {
  for (const bool high : {true, false}) {
    const auto copied = [high](MaskWords own) {
      if (high) return MaskWords{own.high == 0 ? own.low : own.high, own.low};
      return MaskWords{own.high, own.low == 0 ? own.high : own.low};
    };
    if (!stands_there(seen, copied)) continue;
    const std::string text = std::string("slots ") + (high ? "64..127" : "0..63") +
                             " of the mask register hold the " + (high ? "low" : "high") +
                             " word of its own mask";
    Difference difference =
        left_after(subject.insn, text + ", if its " + (high ? "high" : "low") + " word is 0");
    difference.general = text;
    return difference;
  }
  return {};
}

/// The law of words as numbers that gives what stands in the register. It is one of words_as_numbers().
std::optional<Difference> register_of_numbers(const Subject& subject, const std::vector<Observed>& seen) {
  const auto text = find_word_law([&](const WhichWords& which, const WordLaw& law) {
    return stands_there(seen, [&](MaskWords own) { return which.taken(law, own); });
  });
  if (!text) return {};
  Difference difference = left_after(subject.insn, *text);
  difference.key = key_of_word_law(*text);
  return difference;
}

/// A law must hold under masks of many kinds too. In place of an example: which bit of its own mask each slot
/// holds.
std::optional<Difference> wrong_register_of_all_masks(const Subject& subject, std::vector<Observed> seen,
                                                      const Ask& ask) {
  const auto first = wrong_register_of_all_lengths(subject, seen, ask);
  if (!first || !takes_words(subject)) return first;
  const auto more = observe_own_masks(subject, gate_masks(subject), ask);
  seen.insert(seen.end(), more.begin(), more.end());
  auto wrong = wrong_register(subject, seen);
  if (!wrong || !wrong->only_example) return wrong;
  if (const auto bits = register_bits(more)) return left_after(subject.insn, *bits);
  for (const auto law : {register_of_copies, register_of_numbers})
    if (auto said = law(subject, seen)) return said;
  return wrong;
}

/// Does reset_mask set all slots? Then lanes that a mask leaves out are no matter of gates.
bool resets_all_slots(const Subject& subject, const Ask& ask) {
  Subject reset = subject;
  reset.insn = Instruction{.op = Op::reset_mask};
  const auto seen = observe_register(reset, ask, true);
  return !seen.empty() && wrong_slots(seen).empty();
}

}  // namespace

bool is_law_of_words(const Difference& law, const Subject& subject, const Ask& ask) {
  Subject setter = subject;
  setter.insn = mask_instruction(Op::set_vector_mask);
  const auto of_setter = wrong_register(setter, observe_register(setter, ask, true));
  return !law.general.empty() && !law.only_example && of_setter && of_setter->general == law.general;
}

std::vector<Difference> register_differences(const Subject& subject, const Ask& ask) {
  if (!has_register_probes(subject)) return {};
  const std::vector<Observed> seen = observe_register(subject, ask, true);
  if (seen.empty()) return {};
  auto wrong = wrong_mode(subject, seen);
  if (wrong)
    if (auto all = leaves_all_as_before(subject, seen)) wrong = std::move(all);
  if (!wrong) wrong = wrong_register_of_all_masks(subject, seen, ask);
  if (!wrong || wrong->what.ends_with(", in counter mode"))
    if (auto count = count_left(subject, ask); count && (!wrong || !count->only_example))
      wrong = std::move(count);
  if (!wrong && subject.insn.mask_from == MaskFrom::reg) return register_gate_differences(subject, ask);
  if (!wrong) return {};
  const bool is_mask_instruction = row_of(subject.insn.op).operands.empty();  // the readers may need it
  const bool is_known = is_mask_instruction || readers_are_right(subject, seen, ask) ||
                        (is_law_of_words(*wrong, subject, ask) && resets_all_slots(subject, ask));
  if (!is_known) return {};
  return {*wrong};
}

}  // namespace lanecheck
