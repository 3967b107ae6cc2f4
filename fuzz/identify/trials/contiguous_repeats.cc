#include "fuzz/identify/trials/contiguous_repeats.h"

#include <algorithm>

#include "fuzz/identify/probes/gate_law.h"
#include "fuzz/identify/probes/one_repeat.h"
#include "fuzz/identify/probes/shapes.h"
#include "fuzz/identify/trials/trials.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr unsigned kContiguousRepeats = 4;

/// A trial under a contiguous mask of `length` lanes; nothing if it cannot be asked.
std::optional<ShapeTrial> contiguous_trial(const Subject& subject, std::uint32_t length, const Ask& ask) {
  const auto put_data = [&](ShapeTrial& it) {
    fill_scattered(it, length);
    Instruction& insn = it.program.instructions.back();
    it.program.instructions = {insn};
    it.program.instructions[0].mask_from = MaskFrom::contiguous;
    it.program.instructions[0].high = 0;
    it.program.instructions[0].low = length;
  };
  return run_trial_with(subject, full_mask(subject), put_data, ask);
}

/// What is left if the repeats of `in` take all lanes, or none, and the others the mask.
std::optional<Bytes> left_by_lengths(const ShapeTrial& trial, const RepeatLaw& in, bool all) {
  std::vector<Instruction> repeats;
  for (unsigned r = 0; r < kContiguousRepeats; ++r) {
    Instruction one = one_repeat(trial.placed(), r);
    const bool holds = in.holds(r, kContiguousRepeats);
    if (holds && !all) continue;
    if (holds) one.low = lanes_of(one);
    repeats.push_back(one);
  }
  return left_by(trial, repeats);
}

}  // namespace

std::optional<Difference> contiguous_in_repeats(const Subject& given, const Ask& ask) {
  const Row& row = row_of(given.insn.op);
  const bool takes = has_form(mask_forms(row, given.profile), MaskFrom::contiguous);
  if (!takes || !row.has_repeat || row.compacts || given.in_place != 0) return {};
  const Subject subject = in_a_row(given, kContiguousRepeats);
  std::vector<ShapeTrial> trials;
  for (const std::uint32_t length : {5U, lanes_of(subject.insn) / 2 + 3}) {
    auto trial = contiguous_trial(subject, length, ask);
    if (!trial || (trials.empty() && trial->is_right())) return {};
    trials.push_back(std::move(*trial));
  }
  for (const RepeatLaw& in : repeat_laws())
    for (const bool all : {true, false}) {
      const bool gives = std::ranges::all_of(
          trials, [&](const ShapeTrial& each) { return left_by_lengths(each, in, all) == each.actual; });
      if (!gives || in.kind == RepeatLaw::Kind::all) continue;
      const std::string text =
          std::string(all ? "takes all lanes" : "takes no lane") + " instead of a contiguous mask of its own";
      Difference difference{MapKind::gate, mnemonic(subject.insn) + " " + text, in.text()};
      difference.key = "gate: " + text + " " + in.text();
      difference.of_all_shapes = true;
      return difference;
    }
  return {};
}

}  // namespace lanecheck
