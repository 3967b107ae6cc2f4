#include "fuzz/explain/measured/without_repeats.h"

#include "fuzz/explain/questions/predicted_part.h"
#include "fuzz/explain/questions/variation.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// The program with repeat times of 1 and, if it counts, a count that fills two repeats.
Program with_one_repeat(Program program, bool counts) {
  Instruction& insn = program.instructions.back();
  insn.repeat = 1;
  const std::uint32_t count = 2 * lanes_of(insn);
  for (std::size_t n = counts ? program.instructions.size() : 0; n-- > 0;) {
    Instruction& holder = program.instructions[n];
    const Row& row = row_of(holder.op);
    const bool sets_register = row.mask == MaskUse::is_mask_state && (row.has_words || !row.settings.empty());
    if (!sets_register && holder.mask_from != MaskFrom::count) continue;
    holder.high = 0;
    holder.low = count;
    if (sets_register && !row.has_words) holder.settings[0] = count;
    break;
  }
  make_room(program);
  return program;
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
