#include "fuzz/identify/trials/forgotten_dst.h"

#include "fuzz/identify/probes/place_map.h"
#include "fuzz/identify/probes/shapes.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// What the documents leave if the lanes that take part in the last repeat have an old dst of 0.
std::optional<Bytes> left_without_old_dst(const ShapeTrial& trial) {
  const Instruction& insn = trial.insn();
  const Region& dst = trial.layout.regions[0];
  const auto margin = static_cast<std::int32_t>(dst.margin / size_of(insn.dst_type));
  ShapeTrial zeroed = trial;
  for (unsigned lane = 0; lane + trial.subject.missing < lanes_of(insn); ++lane)
    put_element(zeroed.program, dst, insn.dst_type,
                static_cast<std::uint32_t>(margin + element_at(insn, 0, repeats_of(insn) - 1, lane)), 0);
  return left_by(zeroed, {trial.placed()});
}

}  // namespace

std::optional<Difference> forgotten_dst(Subject subject, const Ask& ask) {
  if (!row_of(subject.insn.op).reads_dst || shares_places(subject.insn)) return {};
  const unsigned lanes = lanes_of(subject.insn);
  unsigned seed = 601;
  for (const std::uint32_t missing : {subject.missing, lanes / 2 + 1, lanes - 1}) {
    subject.missing = missing;
    const auto trial = run_trial_over_numbers(subject, full_mask(subject), ++seed, ask);
    if (!trial || trial->is_right() || left_without_old_dst(*trial) != trial->actual) return {};
  }
  return Difference{
      MapKind::dst, "the old dst of " + mnemonic(subject.insn) + " counts as 0 in the last repeat", {}};
}

}  // namespace lanecheck
