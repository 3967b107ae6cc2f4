#include "fuzz/identify/mask_register/count_left.h"

#include <algorithm>

#include "fuzz/identify/mask_register/register_probe.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// What may be left of `count` elements behind an instruction with so many lanes in a repeat.
struct CountLaw {
  const char* text;
  std::uint64_t (*left)(std::uint64_t count, std::uint64_t lanes);
};

constexpr CountLaw kCountLaws[] = {
    {"0", [](std::uint64_t, std::uint64_t) { return std::uint64_t{0}; }},
    {"the number of elements of its last repeat",
     [](std::uint64_t n, std::uint64_t lanes) { return (n - 1) % lanes + 1; }},
    {"n modulo its lanes", [](std::uint64_t n, std::uint64_t lanes) { return n % lanes; }},
    {"n minus the lanes of one repeat (0 if n is less)",
     [](std::uint64_t n, std::uint64_t lanes) { return n > lanes ? n - lanes : 0; }},
    {"n minus the lanes of one repeat (n if it is not more)",
     [](std::uint64_t n, std::uint64_t lanes) { return n > lanes ? n - lanes : n; }},
    {"n, but at most the lanes of one repeat",
     [](std::uint64_t n, std::uint64_t lanes) { return std::min(n, lanes); }},
    {"the number of its repeats",
     [](std::uint64_t n, std::uint64_t lanes) { return (n + lanes - 1) / lanes; }},
    {"n rounded up to whole repeats",
     [](std::uint64_t n, std::uint64_t lanes) { return (n + lanes - 1) / lanes * lanes; }},
    {"n rounded down to whole repeats",
     [](std::uint64_t n, std::uint64_t lanes) { return n / lanes * lanes; }},
    {"n - 1", [](std::uint64_t n, std::uint64_t) { return n - 1; }},
    {"n + 1", [](std::uint64_t n, std::uint64_t) { return n + 1; }},
};

bool stays(const Observed& each) {
  return each.actual.words == each.documented.words;
}

Difference said(const Subject& subject, const std::string& what, bool only_example) {
  const std::string text = "the mask register holds " + what;
  Difference difference{MapKind::mask_register, "after " + mnemonic(subject.insn) + ", " + text, {}};
  difference.general = text;
  difference.only_example = only_example;
  return difference;
}

}  // namespace

std::optional<Difference> count_left(const Subject& subject, const Ask& ask) {
  const Row& row = row_of(subject.insn.op);
  const MaskFrom from = subject.insn.mask_from;
  if ((from != MaskFrom::reg && from != MaskFrom::bitwise) || row.operands.empty() || row.compacts) return {};
  const std::uint64_t lanes = lanes_of(subject.insn);
  auto seen = observe_counts(subject, {2 * lanes + 7}, ask);
  if (seen.empty() || stays(seen[0])) return {};
  const auto more = observe_counts(subject, {1, lanes - 1, lanes, lanes + 1, 2 * lanes, 3 * lanes - 1}, ask);
  seen.insert(seen.end(), more.begin(), more.end());
  for (const CountLaw& law : kCountLaws) {
    const bool gives = std::ranges::all_of(seen, [&](const Observed& each) {
      return each.actual.words == MaskWords{0, law.left(each.documented.words.low, lanes)};
    });
    if (gives)
      return said(subject, std::string(law.text) + " instead of the count n, in counter mode", false);
  }
  if (from != MaskFrom::reg || seen[0].actual.words.high != 0) return {};
  return said(subject,
              std::to_string(seen[0].actual.words.low) + " instead of the count " +
                  std::to_string(seen[0].documented.words.low) + ", in counter mode",
              true);
}

}  // namespace lanecheck
