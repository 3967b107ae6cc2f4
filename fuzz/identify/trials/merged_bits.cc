#include "fuzz/identify/trials/merged_bits.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <span>

#include "fuzz/identify/probes/shapes.h"
#include "fuzz/identify/trials/trials.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr unsigned kMergeRepeats = 3;
constexpr unsigned kSeeds[] = {1, 2};

/// How bits of dst become those of the result and those that stood there.
struct Merge {
  std::string_view text;
  std::byte (*of)(std::byte old, std::byte result);
};

constexpr Merge kMerges[] = {
    {"leaves a bit of dst at 1 that was 1 before: the old bits are merged with its own by OR",
     [](std::byte old, std::byte result) { return old | result; }},
    {"leaves a bit of dst at 0 that was 0 before: the old bits are merged with its own by AND",
     [](std::byte old, std::byte result) { return old & result; }},
    {"inverts a bit of dst where its own is 1: the old bits are merged with its own by XOR",
     [](std::byte old, std::byte result) { return old ^ result; }},
};

/// Small numbers, of which some are equal, and any bits in dst.
void put_equal_numbers(ShapeTrial& trial, unsigned seed) {
  std::mt19937_64 random(seed);
  const Row& row = row_of(trial.insn().op);
  const Region& dst = trial.layout.regions[0];
  for (unsigned n = 0; n < dst.bytes; ++n) trial.program.ub[dst.begin + n] = std::byte(random() & 0xff);
  for (unsigned k = 1; k < row.operands.size(); ++k) {
    const Element type = operand_type(trial.insn(), row.operands[k]);
    const Region& region = trial.layout.regions[k];
    for (unsigned n = 0; n < region.bytes / size_of(type); ++n)
      put_element(trial.program, region, type, n, nearest(type, 1 + static_cast<double>(random() % 3)));
  }
}

/// What stands in the results by the documents.
std::span<const std::byte> results_in(const ShapeTrial& trial, const Bytes& ub) {
  return std::span(ub).subspan(trial.layout.regions[0].start(),
                               repeats_of(trial.insn()) * lanes_of(trial.insn()) / 8);
}

/// Is every byte outside of the results as it was?
bool is_right_outside(const ShapeTrial& trial) {
  Bytes ub = trial.actual;
  std::ranges::copy(results_in(trial, trial.program.ub), ub.begin() + trial.layout.regions[0].start());
  return same_bytes(ub, trial.program.ub);
}

/// Is every byte of the results what `merge` makes of it, from repeat `first` on?
bool gives(const Merge& merge, unsigned first, const ShapeTrial& trial) {
  const auto old = results_in(trial, trial.program.ub), is = results_in(trial, trial.actual),
             should = results_in(trial, trial.documented);
  const std::size_t before = first * lanes_of(trial.insn()) / 8;
  for (std::size_t n = 0; n < is.size(); ++n)
    if (is[n] != (n < before ? should[n] : merge.of(old[n], should[n]))) return false;
  return true;
}

/// 64 results as `word |= 1 << n` collects them, where 1 << n is an int: n counts mod 32, and the sign of
/// 1 << 31 fills the upper half.
std::uint64_t by_int_shifts(std::uint64_t results) {
  std::uint64_t word = 0;
  for (unsigned n = 0; n < 64; ++n)
    if ((results >> n & 1) != 0) word |= n % 32 == 31 ? ~std::uint64_t{0} << 31 : std::uint64_t{1} << n % 32;
  return word;
}

bool is_packed_by_int_shifts(const ShapeTrial& trial) {
  constexpr std::size_t kWord = sizeof(std::uint64_t);
  const auto is = results_in(trial, trial.actual), should = results_in(trial, trial.documented);
  for (std::size_t n = 0; n + kWord <= is.size(); n += kWord) {
    std::uint64_t word = 0, actual = 0;
    std::memcpy(&word, &should[n], kWord);
    std::memcpy(&actual, &is[n], kWord);
    if (actual != by_int_shifts(word)) return false;
  }
  return is.size() >= kWord;
}

}  // namespace

std::optional<Difference> merged_bits_difference(const Subject& given, const Ask& ask) {
  const Row& row = row_of(given.insn.op);
  if (!row.compares || row.operands.empty() || row.operands[0].walk != Walk::bits) return {};
  Subject subject = in_a_row(given, kMergeRepeats);
  if (takes_scalar(subject.insn)) subject.insn.scalar = scalar_of(scalar_type(subject.insn), 2);
  std::vector<ShapeTrial> trials;
  for (const unsigned seed : kSeeds) {
    auto trial = run_trial_with(
        subject, full_mask(subject), [seed](ShapeTrial& it) { put_equal_numbers(it, seed); }, ask);
    if (!trial || trial->is_right() || !is_right_outside(*trial)) return {};
    trials.push_back(std::move(*trial));
  }
  const auto say = [&](std::string_view text, Matter matter) {
    Difference difference{MapKind::dst, mnemonic(subject.insn) + " " + std::string(text), {}};
    difference.general = text;
    difference.of_all_shapes = true;
    difference.matter = matter;
    return difference;
  };
  for (const Merge& merge : kMerges)
    for (const unsigned first : {0u, 1u})
      if (std::ranges::all_of(trials, [&](const ShapeTrial& each) { return gives(merge, first, each); })) {
        Difference difference = say(merge.text, Matter::arithmetic);
        if (first > 0) difference.where = "in every repeat after the first";
        return difference;
      }
  if (std::ranges::all_of(trials, is_packed_by_int_shifts))
    return say(
        "packs 64 results as word |= 1 << n in 32 bits: bits n and n + 32 meet in bit n, and bits 31..63 "
        "are 1 if result 31 or 63 is",
        Matter::address);
  return {};
}

}  // namespace lanecheck
