#include "fuzz/explain/earlier/skipped_behind.h"

#include <algorithm>

#include "fuzz/explain/earlier/carried_fields.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// Does the last instruction nothing if the earlier one has another scalar, too? To compute with a scalar
/// that was kept may change nothing.
bool does_nothing_with_other_scalar(Program part, std::size_t at, PredictedPart& predicted) {
  Instruction& earlier = part.instructions[at];
  if (!takes_scalar(earlier)) return true;
  earlier.scalar = scalar_of(scalar_type(earlier), 3);
  bool shows = false;
  return predicted.leaves_all(part, shows);
}

bool does_nothing(const Program& part, PredictedPart& predicted) {
  bool shows_again = false, shows_reset = false;
  const auto leaves = [&](const Program& program, bool& shows) {
    return predicted.leaves_all(program, shows);
  };
  const Program reset = with_reset_before(part, part.instructions.size() - 1);
  return predicted.holds_for_data(leaves, shows_again) && shows_again &&
         predicted.leaves_all(reset, shows_reset) && shows_reset;
}

/// Has instruction `at` no active lane here, and is all right if it has all of them?
bool must_be_empty(const Program& part, std::size_t at, PredictedPart& predicted) {
  const Mask mask = predicted.before_of(part, at).mask;
  const unsigned lanes = std::min(lanes_of(part.instructions[at]), kMaskSlots);
  if (std::any_of(mask.begin(), mask.begin() + lanes, [](auto slot) { return slot != 0; })) return false;
  const Program reset = with_reset_before(part, at);
  bool shows = false;
  return predicted.agrees(reset, predicted.before_of(reset, reset.instructions.size()), shows) && !shows;
}

}  // namespace

Program with_reset_before(Program program, std::size_t at) {
  program.instructions.insert(program.instructions.begin() + static_cast<std::ptrdiff_t>(at),
                              Instruction{.op = Op::reset_mask});
  return program;
}

std::optional<Carried> skipped_behind(const Program& part, std::size_t at, PredictedPart& predicted) {
  const auto is_setter = [](const Instruction& insn) {
    return row_of(insn.op).mask == MaskUse::is_mask_state;
  };
  const Instruction& last = part.instructions.back();
  const bool is_next = std::all_of(part.instructions.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                                   part.instructions.end() - 1, is_setter);
  if (!is_next || is_setter(last) || is_setter(part.instructions[at])) return {};
  const auto writes_same = [&](const Instruction& insn) {  // it may compute once more what stands there
    return &insn != &last && !is_setter(insn) && insn.operands[0].allocation == last.operands[0].allocation;
  };
  if (std::ranges::any_of(part.instructions, writes_same) || !does_nothing(part, predicted) ||
      !does_nothing_with_other_scalar(part, at, predicted))
    return {};
  return Carried{mnemonic(last) + " does nothing behind " + earlier_one(part, at) +
                     (must_be_empty(part, at, predicted) ? ", if that has no active lane" : ""),
                 "skipped", Matter::mask, true};
}

}  // namespace lanecheck
