#include "fuzz/identify/mask_register/words_as_numbers.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "fuzz/identify/mask_register/word_numbers.h"
#include "fuzz/identify/probes/shapes.h"
#include "oracle/compare/compare.h"
#include "spec/program/profile.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// The instruction under one mask after the other, on data in which neighbouring elements differ.
class UnderMasks {
 public:
  UnderMasks(const Subject& subject, const Layout& layout) : subject_(subject), layout_(layout) {
    masks_ = {{kOnes, kOnes}, kGappedMask, {~kGappedMask.high, ~kGappedMask.low}, {kOnes, kOnes - 1}};
    for (const MaskWords& mask : masks_of_numbers()) masks_.push_back(mask);
  }

  /// The programs, with `taken(mask)` in place of each mask; empty if the profile cannot give it one.
  template <class Taken>
  std::vector<Program> programs(Taken taken) const {
    const MaskWords full = full_mask(subject_);
    std::vector<Program> all;
    for (const MaskWords& each : masks_) {
      const MaskWords mask = taken(MaskWords{each.high & full.high, each.low & full.low});
      auto program = probe_program(subject_, layout_, {mask.high & full.high, mask.low & full.low});
      if (!program) return {};
      for (unsigned k = 0; k < row_of(subject_.insn.op).operands.size(); ++k)
        put_small_numbers(*program, layout_.regions[k], k, 0);
      all.push_back(std::move(*program));
    }
    return all;
  }

 private:
  const Subject& subject_;
  const Layout& layout_;
  std::vector<MaskWords> masks_;
};

bool gives(const Program& program, const State& actual) {
  return agrees(program, Semantics(default_readings(program.profile)), actual, false);
}

/// Is the register that the backend shows the documented one after each program?
bool shows_right_register(const std::vector<Program>& programs, const Answers& answers) {
  const Answers documented = ask_all(ask_oracle(), programs);
  return documented.why_not.empty() &&
         std::ranges::equal(documented.states, answers.states, {}, &State::mask, &State::mask);
}

}  // namespace

std::optional<Difference> words_as_numbers(const Subject& given, const Ask& ask, Shown shown) {
  if (given.given != MaskGiven::words || given.in_place != 0) return {};
  const Subject subject = in_a_row(with_plain_scalar(given), 2);
  const auto layout = lay_out(subject);
  if (!layout) return {};
  const UnderMasks trials(subject, *layout);
  const auto programs = trials.programs([](MaskWords mask) { return mask; });
  if (programs.empty()) return {};
  const Answers answers = ask_all(ask, programs);
  if (!answers.why_not.empty() || !gives(programs[0], answers.states[0])) return {};
  if (shown.mask && row_of(subject.profile).shows_mask && !shows_right_register(programs, answers)) return {};
  if (std::ranges::equal(programs, answers.states, gives)) return {};
  for (const auto& [text, low, high] :
       {std::tuple{"each word", true, true}, {"the low word", true, false}, {"the high word", false, true}})
    for (const WordLaw& law : word_laws()) {
      const auto taken = trials.programs([&, low = low, high = high](MaskWords mask) {
        return MaskWords{high ? law.of(mask.high) : mask.high, low ? law.of(mask.low) : mask.low};
      });
      if (!std::ranges::equal(taken, answers.states, gives)) continue;
      const std::string of_mask = std::string(text) + " of the mask " + std::string(law.text);
      Difference difference{MapKind::gate, mnemonic(subject.insn) + ": " + of_mask, {}};
      difference.key = "gate: " + of_mask;
      difference.of_all_shapes = difference.of_all_families = true;
      return difference;
    }
  return {};
}

}  // namespace lanecheck
