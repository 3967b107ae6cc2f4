#include "fuzz/identify/trials/elements_of_before.h"

#include "fuzz/identify/probes/move_map.h"
#include "fuzz/identify/probes/place_map.h"
#include "fuzz/identify/probes/shapes.h"
#include "fuzz/identify/trials/trials.h"
#include "spec/mask/footprint.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr unsigned kSumRepeats = 3;

/// The elements of the last repeat that the count leaves out become those of the repeat before.
void repeat_elements(ShapeTrial& trial, unsigned missing) {
  const Instruction& insn = trial.insn();
  const Region& src = trial.layout.regions[1];
  const auto margin = static_cast<std::int32_t>(src.margin / size_of(insn.src_type));
  const auto element = [&](unsigned repeat, unsigned lane) {
    return static_cast<std::uint32_t>(margin + element_at(insn, 1, repeat, lane));
  };
  for (unsigned lane = lanes_of(insn) - missing; lane < lanes_of(insn); ++lane)
    put_element(trial.program, src, insn.src_type, element(kSumRepeats - 1, lane),
                get_element(trial.program.ub, src, insn.src_type, element(kSumRepeats - 2, lane)));
}

/// What is left if a result that the count cuts in two is that of all its elements. Results that lie behind
/// the count stay as they are.
std::optional<Bytes> left_with_elements_of_before(const ShapeTrial& trial) {
  const Instruction& insn = trial.insn();
  const unsigned missing = trial.subject.missing, active = lanes_of(insn) - missing;
  ShapeTrial whole = trial;
  whole.subject.missing = 0;
  auto program = probe_program(whole.subject, whole.layout, whole.mask);
  if (!program) return {};
  program->ub = trial.program.ub;
  whole.program = std::move(*program);
  repeat_elements(whole, missing);
  const auto of_whole = left_by(whole, {whole.placed()});
  if (!of_whole) return {};
  Program left = trial.program;
  left.ub = trial.documented;
  const Region& dst = trial.layout.regions[0];
  const unsigned size = size_of(insn.dst_type), group = group_size(insn);
  const auto start =
      static_cast<std::uint32_t>((dst.margin + std::uint64_t{kSumRepeats - 1} * repeat_step(insn, 0)) / size);
  const std::uint32_t cut = active / group;  // the result with elements on both sides of the count
  if (active % group != 0)
    put_element(left, dst, insn.dst_type, start + cut,
                get_element(*of_whole, dst, insn.dst_type, start + cut));
  return std::move(left.ub);
}

}  // namespace

std::optional<Difference> elements_of_before(const Subject& given, const Ask& ask) {
  Subject subject = in_a_row(given, kSumRepeats);
  const unsigned lanes = lanes_of(subject.insn);
  unsigned seed = 701, deviates = 0;
  for (const std::uint32_t missing :
       {lanes - 1, lanes - 1, lanes - 3, lanes - 3, lanes / 2 + 5, lanes / 4 + 3, lanes / 2}) {
    subject.missing = missing;
    const auto trial = run_trial(subject, full_mask(subject), ++seed, ask);
    if (!trial || left_with_elements_of_before(*trial) != trial->actual) return {};
    deviates += trial->is_right() ? 0 : 1;
  }
  if (deviates < 2) return {};
  return Difference{
      MapKind::contribution,
      mnemonic(subject.insn) +
          " takes the elements of the repeat before in place of those of the last repeat behind the count n",
      {}};
}

}  // namespace lanecheck
