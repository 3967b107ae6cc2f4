#include "fuzz/identify/mask_register/words_as_numbers.h"

#include <algorithm>
#include <vector>

#include "fuzz/identify/mask_register/word_numbers.h"
#include "fuzz/identify/probes/shapes.h"
#include "spec/program/profile.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// Masks whose words are numbers of all kinds; the first one is full.
std::vector<MaskWords> masks_for(const Subject& subject) {
  std::vector<MaskWords> masks = {
      {kOnes, kOnes}, kGappedMask, {~kGappedMask.high, ~kGappedMask.low}, {kOnes, kOnes - 1}};
  for (const MaskWords& mask : masks_of_numbers()) masks.push_back(mask);
  const MaskWords full = full_mask(subject);
  for (MaskWords& mask : masks) mask = {mask.high & full.high, mask.low & full.low};
  return masks;
}

/// The instruction under one mask, on data in which neighbouring elements differ; nothing if its profile
/// cannot give it the mask.
std::optional<Program> program_under(const MaskWords& mask, const Subject& subject, const Layout& layout) {
  const MaskWords full = full_mask(subject);
  auto program = probe_program(subject, layout, {mask.high & full.high, mask.low & full.low});
  for (unsigned k = 0; program && k < row_of(subject.insn.op).operands.size(); ++k)
    put_small_numbers(*program, layout.regions[k], k, 0);
  return program;
}

}  // namespace

std::optional<Difference> words_as_numbers(const Subject& given, const Ask& ask) {
  if (given.given != MaskGiven::words || given.in_place != 0) return {};
  const Subject subject = in_a_row(with_plain_scalar(given), 2);
  const auto layout = lay_out(subject);
  if (!layout) return {};
  const std::vector<MaskWords> masks = masks_for(subject);
  std::vector<Program> programs;
  for (const MaskWords& mask : masks) {
    auto program = program_under(mask, subject, *layout);
    if (!program) return {};
    programs.push_back(std::move(*program));
  }
  const Answers answers = ask_all(ask, programs);
  if (!answers.why_not.empty() || !is_allowed(programs[0], answers.states[0])) return {};
  if (std::ranges::equal(programs, answers.states, is_allowed)) return {};
  const auto text = find_word_law([&](const WhichWords& which, const WordLaw& law) {
    return std::ranges::equal(masks, answers.states, [&](const MaskWords& mask, const State& actual) {
      const auto taken = program_under(which.taken(law, mask), subject, *layout);
      return taken && is_allowed(*taken, actual);
    });
  });
  if (!text) return {};
  Difference difference{MapKind::gate, mnemonic(subject.insn) + ": " + *text, {}};
  difference.key = key_of_word_law(*text);
  difference.of_all_shapes = difference.of_all_families = true;
  return difference;
}

}  // namespace lanecheck
