#include "fuzz/identify/trials/rounded_start.h"

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

}  // namespace

std::optional<Difference> rounded_start(const Subject& given, const Ask& ask) {
  const Subject subject = in_a_row(given, kRepeatsAsked);
  for (unsigned k = 0; k < operands_of(subject.insn); ++k) {
    if (row_of(subject.insn.op).operands[k].alignment == kBlockBytes &&
        row_of(subject.insn.op).operands[k].walk != Walk::results)
      continue;
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
