#include "fuzz/identify/trials/written_source.h"

#include <algorithm>

#include "fuzz/identify/probes/shapes.h"
#include "spec/mask/footprint.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr unsigned kRepeatsAsked = 3, kSeed = 701;  // the seed of the data

/// What is left if the results of these lanes stand in operand `k`, too. `all_lanes`: those of masked-off
/// lanes as well, which `full`, the same trial under a full mask, shows.
Bytes left_with_results_in(unsigned k, const ShapeTrial& trial, const ShapeTrial& full, bool all_lanes) {
  Bytes left = trial.documented;
  const Instruction& insn = trial.placed();
  const auto size = static_cast<std::ptrdiff_t>(size_of(insn.dst_type));
  const unsigned slots = settable_slots(trial.subject);
  for (unsigned repeat = 0; repeat < repeats_of(insn); ++repeat)
    for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
      if (!all_lanes && lane < slots && !has_slot(trial.mask, lane)) continue;
      const auto place = [&](unsigned operand) {
        return static_cast<std::ptrdiff_t>(start_of(trial.program, insn.operands[operand]) +
                                           lane_offset(insn, operand, repeat, lane));
      };
      std::copy_n(full.documented.begin() + place(0), size, left.begin() + place(k));
    }
  return left;
}

/// In which lanes it writes them; nothing if it does something else.
enum class Writes : std::uint8_t { nothing, active_lanes, all_lanes };
std::optional<Writes> writes_into(unsigned k, const Subject& subject, const Ask& ask) {
  const MaskWords gaps = gapped_mask(subject);
  const auto trial = run_trial_over_numbers(subject, gaps, kSeed, ask);
  const auto full = run_trial_over_numbers(subject, full_mask(subject), kSeed, ask_oracle());
  if (!trial || !full) return {};
  if (trial->is_right()) return Writes::nothing;
  for (const bool all : {false, true})
    if (left_with_results_in(k, *trial, *full, all) == trial->actual)
      return all ? Writes::all_lanes : Writes::active_lanes;
  return {};
}

}  // namespace

std::optional<Difference> written_source(const Subject& given, const Ask& ask) {
  const Row& row = row_of(given.insn.op);
  if (row.mask != MaskUse::gates_writeback || row.operands[0].walk != Walk::blocks) return {};
  Subject plain = in_a_row(given, kRepeatsAsked);
  if (!row.has_repeat) plain.insn.repeat = given.insn.repeat;
  for (unsigned k = 1; k < row.operands.size(); ++k) {
    if (row.operands[k].walk != Walk::blocks ||
        operand_type(plain.insn, row.operands[k]) != plain.insn.dst_type)
      continue;
    const auto seen = writes_into(k, plain, ask);
    if (seen == Writes::nothing) return {};  // no source is written
    if (!seen) continue;
    const std::string role(row.operands[k].role);
    std::string text = mnemonic(plain.insn) + " writes its results into " + role + ", too" +
                       (seen == Writes::all_lanes ? ", whatever the mask is" : "");
    Subject apart = plain;
    apart.insn.operands[k].block_stride = 2;
    apart.insn.operands[k].repeat_stride = 2 * kRepeatBlocks + 1;
    if (!row_of(plain.profile).block_stride_fixed && writes_into(k, apart, ask) == Writes::nothing)
      text += ", if " + role + " lies in a row";
    Difference difference{MapKind::elsewhere, text, {}};
    difference.of_all_shapes = true;
    return difference;
  }
  return {};
}

}  // namespace lanecheck
