#include "fuzz/explain/measured/without_repeats.h"

#include "fuzz/explain/questions/predicted_part.h"
#include "fuzz/explain/questions/variation.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// The program with repeat times of 1 and, if it counts, a count that fills two repeats.
Program with_one_repeat(const Program& part, bool counts) {
  Variation it = variation_of(part, part.instructions.size() - 1);
  it.insn().repeat = 1;
  if (counts) {
    Instruction& holder = it.mask ? it.program.instructions[*it.mask] : it.insn();
    const std::uint32_t count = 2 * lanes_of(it.insn());
    holder.high = 0;
    holder.low = count;
    if (!row_of(holder.op).has_words && row_of(holder.op).mask == MaskUse::is_mask_state)
      holder.settings[0] = count;
  }
  make_room(it.program);
  return it.program;
}

}  // namespace

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
  const Program once = with_one_repeat(part, counts);  // it may be that no more repeats than these are run
  if (find_fault(once, documented.readings())) return {};
  if (!predicted.agrees(once, predicted.before_of(once, last + 1), any)) return {};
  if (!counts)
    return WithoutRepeats{"register", mnemonic(insn) +
                                          " does not put its own mask into the mask register if its repeat "
                                          "times are 0"};
  return WithoutRepeats{"writes", mnemonic(insn) + " writes nothing if its repeat times are 0, also " +
                                      (is_count ? "for a count of its own" : "in counter mode")};
}

}  // namespace lanecheck
