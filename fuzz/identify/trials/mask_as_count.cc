#include "fuzz/identify/trials/mask_as_count.h"

#include <algorithm>

#include "spec/mask/footprint.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// What the documents leave if the first `count` elements of the trial take part.
std::optional<Bytes> left_with_count(const ShapeTrial& trial, const ShapeTrial& full, std::uint64_t count) {
  if (full.program.ub != trial.program.ub) return {};
  Bytes left = full.documented;
  const Instruction& insn = trial.placed();
  const auto size = static_cast<std::ptrdiff_t>(size_of(insn.dst_type));
  for (unsigned repeat = 0; repeat < repeats_of(insn); ++repeat)
    for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
      if (std::uint64_t{repeat} * lanes_of(insn) + lane < count) continue;
      const auto at = static_cast<std::ptrdiff_t>(start_of(trial.program, insn.operands[0]) +
                                                  lane_offset(insn, 0, repeat, lane));
      std::copy_n(trial.program.ub.begin() + at, size, left.begin() + at);
    }
  return left;
}

}  // namespace

std::optional<Difference> mask_as_count(const Subject& given, const Ask& ask) {
  constexpr unsigned kSeed = 611, kRepeats = 3;
  const Row& row = row_of(given.insn.op);
  if (row.mask != MaskUse::gates_writeback || given.given != MaskGiven::words || !row.has_repeat) return {};
  if (row.operands[0].walk != Walk::blocks) return {};
  const Subject subject = in_a_row(given, kRepeats);
  const auto full = run_trial_over_numbers(subject, full_mask(subject), kSeed, ask_oracle());
  const std::uint64_t lanes = lanes_of(subject.insn);
  for (const std::uint64_t count :
       {std::uint64_t{1}, std::uint64_t{5}, lanes - 1, lanes + 3, 2 * lanes + 1}) {
    const auto trial = run_trial_over_numbers(subject, {0, count}, kSeed, ask);
    if (!full || !trial || left_with_count(*trial, *full, count) != trial->actual) return {};
  }
  const std::string takes =
      " takes its mask for a count: the first n elements of all its repeats take part, where n "
      "is its low word";
  Difference difference{MapKind::gate, mnemonic(subject.insn) + takes, {}};
  difference.key = "gate: takes its mask for a count";
  return difference;
}

}  // namespace lanecheck
