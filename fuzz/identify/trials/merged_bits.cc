#include "fuzz/identify/trials/merged_bits.h"

#include <random>

#include "fuzz/identify/probes/shapes.h"
#include "fuzz/identify/trials/trials.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr unsigned kMergeRepeats = 2;
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

/// Is every byte of the results what `merge` makes of it, and every other one as it was?
bool gives(const Merge& merge, const ShapeTrial& trial) {
  const std::size_t first = trial.layout.regions[0].start();
  const std::size_t end = first + repeats_of(trial.insn()) * lanes_of(trial.insn()) / 8;
  for (std::size_t n = 0; n < trial.actual.size(); ++n) {
    const std::byte old = trial.program.ub[n];
    const bool is_result = n >= first && n < end;
    if (trial.actual[n] != (is_result ? merge.of(old, trial.documented[n]) : old)) return false;
  }
  return true;
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
    if (!trial || trial->is_right()) return {};
    trials.push_back(std::move(*trial));
  }
  for (const Merge& merge : kMerges) {
    if (!std::ranges::all_of(trials, [&](const ShapeTrial& each) { return gives(merge, each); })) continue;
    Difference difference{MapKind::dst, mnemonic(subject.insn) + " " + std::string(merge.text), {}};
    difference.general = merge.text;
    difference.of_all_shapes = true;
    difference.matter = Matter::arithmetic;
    return difference;
  }
  return {};
}

}  // namespace lanecheck
