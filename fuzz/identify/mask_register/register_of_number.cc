#include "fuzz/identify/mask_register/register_of_number.h"

#include <algorithm>

namespace lanecheck {
namespace {

MaskWords lowest(std::uint64_t count) {
  return contiguous_words(count, kSlots, FullLength::its_lanes);
}

/// What an implementation may make of the number.
struct Meaning {
  const char* text;
  MaskWords (*of)(std::uint64_t number);
  bool of_words = false;  ///< tried if the number is given in words (of others: length_rules.h)
};

constexpr Meaning kMeanings[] = {
    {"the lowest n slots of the mask register are 1", lowest},
    {"the mask register holds n as a number, not as slots that are 1",
     [](std::uint64_t n) {
       return MaskWords{0, n};
     }},
    {"the lowest 2 n slots of the mask register are 1", [](std::uint64_t n) { return lowest(2 * n); }},
    {"the lowest 4 n slots of the mask register are 1", [](std::uint64_t n) { return lowest(4 * n); }},
    {"the lowest n / 2 slots of the mask register are 1", [](std::uint64_t n) { return lowest(n / 2); }},
    {"the lowest n + 1 slots of the mask register are 1", [](std::uint64_t n) { return lowest(n + 1); }},
    {"the lowest n - 1 slots of the mask register are 1", [](std::uint64_t n) { return lowest(n - 1); }},
    {"only slot n of the mask register is 1",
     [](std::uint64_t n) {
       const MaskWords more = lowest(n + 1), less = lowest(n);
       return MaskWords{more.high ^ less.high, more.low ^ less.low};
     }},
    {"only slot n - 1 of the mask register is 1",
     [](std::uint64_t n) {
       const MaskWords more = lowest(n), less = lowest(n - 1);
       return MaskWords{more.high ^ less.high, more.low ^ less.low};
     }},
    {"the mask register holds only the lowest 8 bits of n",
     [](std::uint64_t n) {
       return MaskWords{0, n & 0xff};
     },
     true},
    {"the mask register holds only the lowest 16 bits of n",
     [](std::uint64_t n) {
       return MaskWords{0, n & 0xffff};
     },
     true},
};

/// Modes in which the number is taken so; in the other mode the documents hold.
struct When {
  const char* text;
  bool normal, counter;

  bool holds(Mode mode) const { return mode == Mode::normal ? normal : counter; }
};

constexpr When kWhen[] = {
    {"", true, true}, {", in normal mode", true, false}, {", in counter mode", false, true}};

}  // namespace

std::string register_of_number(const Subject& subject, const std::vector<Observed>& seen) {
  const bool in_words = takes_words(subject);  // a number in counter mode
  const bool has_count = subject.insn.mask_from == MaskFrom::count;
  if (!in_words && !has_count && !takes_length(subject) && subject.insn.op != Op::set_vector_mask_total)
    return {};
  const auto number_of = [&](const Before& before) {
    return in_words ? before.own.low : std::uint64_t{before.length};
  };
  for (const When& when : kWhen)
    for (const Meaning& meaning : kMeanings) {
      if ((meaning.of_words && !in_words) || (when.normal && in_words)) continue;
      const bool gives = std::ranges::all_of(seen, [&](const Observed& each) {
        return each.actual.words ==
               (when.holds(each.before.mode) ? meaning.of(number_of(each.before)) : each.documented.words);
      });
      if (gives) return std::string(meaning.text) + ", where n is the number that it is given" + when.text;
    }
  return {};
}

}  // namespace lanecheck
