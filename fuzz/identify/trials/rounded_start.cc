#include "fuzz/identify/trials/rounded_start.h"

#include <algorithm>
#include <vector>

#include "fuzz/identify/probes/shapes.h"
#include "fuzz/identify/trials/single_repeats.h"

namespace lanecheck {
namespace {

constexpr unsigned kRepeatsAsked = 2, kSeed = 811;  // the seed of the data

/// The subject with operand `k` as far behind the start of a data block as its alignment lets it be: then
/// each rounding moves it to another place.
std::optional<ShapeTrial> between_blocks(const Subject& subject, unsigned k, const Ask& ask) {
  for (std::uint32_t unit = 1; unit < kBlockBytes; unit *= 2) {
    const auto move = [&](ShapeTrial& trial) {
      fill_scattered(trial, kSeed);
      trial.program.instructions.back().operands[k].offset += kBlockBytes - unit;
    };
    if (auto trial = run_trial_with(subject, full_mask(subject), move, ask)) return trial;
  }
  return {};
}

PlaceLaw rounding(unsigned k, std::uint32_t bytes, bool up) {
  return [=](const Instruction& given) {
    Instruction executed = given;
    std::uint32_t& offset = executed.operands[k].offset;
    offset = (offset + (up ? bytes - 1 : 0)) / bytes * bytes;
    return std::optional(executed);
  };
}

constexpr std::uint32_t kMostBytes = 512;  // the largest unit that an address is rounded to

constexpr std::uint32_t kFarthest = kMostBytes - kBlockBytes;  // of it, each smaller unit leaves another rest

/// The subject with these operands at addresses that leave `rest` if they are divided by kMostBytes.
std::optional<ShapeTrial> at_address(const Subject& subject, const std::vector<unsigned>& operands,
                                     std::uint32_t rest, const Ask& ask) {
  return run_trial_with(
      subject, full_mask(subject),
      [&](ShapeTrial& trial) {
        fill_scattered(trial, kSeed);
        for (const unsigned k : operands) {
          const Region& region = trial.layout.regions[k];
          std::uint32_t& offset = trial.program.instructions.back().operands[k].offset;
          offset += (kMostBytes + rest - (region.begin + offset) % kMostBytes) % kMostBytes;
        }
      },
      ask);
}

/// The operands that always start with a data block.
std::vector<unsigned> operands_of_whole_blocks(const Instruction& insn) {
  std::vector<unsigned> operands;
  for (unsigned k = 0; k < operands_of(insn); ++k) {
    const OperandColumn& column = row_of(insn.op).operands[k];
    if (column.alignment == kBlockBytes && column.walk != Walk::results) operands.push_back(k);
  }
  return operands;
}

}  // namespace

std::optional<Difference> rounded_address(const Subject& given, unsigned k, const Ask& ask) {
  const Subject subject = in_a_row(given, kRepeatsAsked);
  const auto first = at_address(subject, {k}, kFarthest, ask);
  if (!first || first->is_right()) return {};
  const auto right = at_address(subject, {k}, 0, ask);
  if (!right || !right->is_right()) return {};
  for (const bool up : {false, true}) {
    // Each unit moves the operand to another place.
    const auto wrong = up ? at_address(subject, {k}, kBlockBytes, ask) : first;
    if (!wrong || wrong->is_right()) return {};
    for (std::uint32_t bytes = 2 * kBlockBytes; bytes <= kMostBytes; bytes *= 2) {
      Instruction executed = wrong->placed();
      std::uint32_t& offset = executed.operands[k].offset;
      const std::uint32_t rest = bytes - kBlockBytes;  // how far the operand moves
      if (!up && offset < rest) break;
      offset = up ? offset + rest : offset - rest;
      if (left_by(*wrong, {executed}) != wrong->actual) continue;
      Difference difference{map_of_role(row_of(subject.insn.op).operands[k].role),
                            role_of(subject.insn, k) + " starts at its address in UB rounded " +
                                (up ? "up" : "down") + " to a multiple of " + std::to_string(bytes) +
                                " bytes",
                            {}};
      difference.of_all_shapes = true;
      return difference;
    }
  }
  return {};
}

std::optional<Difference> rounded_start(const Subject& given, const Ask& ask) {
  const Subject subject = in_a_row(given, kRepeatsAsked);
  const auto whole = operands_of_whole_blocks(subject.insn);
  const auto moved = at_address(subject, whole, kFarthest, ask);
  if (moved && !moved->is_right())
    for (const unsigned k : whole)
      if (auto rounded = rounded_address(given, k, ask)) return rounded;
  for (unsigned k = 0; k < operands_of(subject.insn); ++k) {
    if (std::ranges::count(whole, k) > 0) continue;
    const auto trial = between_blocks(subject, k, ask);
    if (!trial || trial->is_right()) continue;
    for (std::uint32_t bytes = kBlockBytes; bytes > 1; bytes /= 2)
      for (const bool up : {false, true}) {
        const PlaceLaw law = rounding(k, bytes, up);
        if (left_by(*trial, {*law(trial->placed())}) != trial->actual) continue;
        Difference difference{map_of_role(row_of(subject.insn.op).operands[k].role),
                              role_of(subject.insn, k) + " starts at its address rounded " +
                                  (up ? "up" : "down") + " to a multiple of " + std::to_string(bytes) +
                                  " bytes",
                              {}};
        difference.of_all_shapes = true;
        difference.places = law;
        return difference;
      }
  }
  return {};
}

}  // namespace lanecheck
