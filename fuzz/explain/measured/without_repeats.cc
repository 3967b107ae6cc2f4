#include "fuzz/explain/measured/without_repeats.h"

#include "fuzz/explain/questions/predicted_part.h"
#include "fuzz/explain/questions/variation.h"
#include "oracle/execute/execute.h"
#include "spec/text/program_text.h"

namespace lanecheck {

std::optional<WithoutRepeats> without_repeats(const Program& part, AskedBackend& asked,
                                              const Documented& documented) {
  const Instruction& insn = part.instructions.back();
  if (!row_of(insn.op).has_repeat || insn.repeat != 0) return {};
  PredictedPart predicted(part, asked, documented);
  const std::size_t last = part.instructions.size() - 1;
  const bool is_count = insn.mask_from == MaskFrom::count;
  const bool counts = is_count || predicted.before_of(part, last).mode == Mode::counter;
  if (!counts && insn.mask_from == MaskFrom::reg) return {};
  bool shows_again = false, any = false;
  const auto leaves = [&](const Program& program, bool& shows) {
    return predicted.leaves_all(program, shows);
  };
  if (!predicted.holds_for_data(leaves, shows_again) || !shows_again) return {};
  Program once = part;
  once.instructions.back().repeat = 1;
  make_room(once);
  if (!predicted.agrees(once, predicted.before_of(once, last + 1), any)) return {};
  if (!counts)
    return WithoutRepeats{"register", mnemonic(insn) +
                                          " does not put its own mask into the mask register if its repeat "
                                          "times are 0"};
  return WithoutRepeats{"writes", mnemonic(insn) + " writes nothing if its repeat times are 0, also " +
                                      (is_count ? "for a count of its own" : "in counter mode")};
}

}  // namespace lanecheck
