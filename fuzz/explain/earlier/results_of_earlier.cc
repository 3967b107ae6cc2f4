#include "fuzz/explain/earlier/results_of_earlier.h"

#include <algorithm>

#include "fuzz/explain/earlier/carried_fields.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/mask/footprint.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// One result of a data block, of a pair of lanes or of the repeat: not a value and its index.
bool has_plain_results(const Instruction& insn) {
  const Row& row = row_of(insn.op);
  return row.mask == MaskUse::neutral_source && row.operands.size() == 2 &&
         row.operands[0].walk == Walk::results && row.settings.empty();
}

std::size_t place_of(const Program& program, const Instruction& insn, unsigned repeat, unsigned result) {
  return start_of(program, insn.operands[0]) + repeat * repeat_step(insn, 0) +
         result * size_of(insn.dst_type);
}

/// Does no slot of `mask` that belongs to this result of `insn` have a 1?
bool is_empty(const Instruction& insn, const Mask& mask, unsigned result) {
  const unsigned size = lanes_of(insn) / results_per_repeat(insn);
  const auto begin = mask.begin() + static_cast<std::ptrdiff_t>(result * size);
  return std::none_of(begin, begin + static_cast<std::ptrdiff_t>(size), [](auto slot) { return slot != 0; });
}

/// Does the backend leave what follows if each result of no active lane is that of the last repeat of
/// instruction `at`, if that one has an active lane there?
bool gives_results(const Program& program, std::size_t at, PredictedPart& predicted, bool& shows) {
  if (find_fault(program, predicted.documented().readings())) return true;
  const Instruction &insn = program.instructions.back(), &earlier = program.instructions[at];
  const State then = predicted.before_of(program, at + 1);
  const State before = predicted.before_of(program, program.instructions.size() - 1);
  State state = predicted.before_of(program, program.instructions.size());
  if (then.mode == Mode::counter || before.mode == Mode::counter) return false;
  const std::size_t size = size_of(insn.dst_type);
  for (unsigned repeat = 0; repeat < insn.repeat; ++repeat)
    for (unsigned result = 0; result < results_per_repeat(insn); ++result)
      if (is_empty(insn, before.mask, result) && !is_empty(earlier, then.mask, result))
        std::copy_n(then.ub.begin() +
                        static_cast<std::ptrdiff_t>(place_of(program, earlier, earlier.repeat - 1u, result)),
                    size,
                    state.ub.begin() + static_cast<std::ptrdiff_t>(place_of(program, insn, repeat, result)));
  return predicted.agrees(program, state, shows);
}

}  // namespace

std::optional<Carried> results_of_earlier(const Program& part, std::size_t at, PredictedPart& predicted) {
  const Instruction &insn = part.instructions.back(), &earlier = part.instructions[at];
  const bool alike = has_plain_results(insn) && has_plain_results(earlier) &&
                     insn.dst_type == earlier.dst_type && insn.mask_from == MaskFrom::reg &&
                     earlier.repeat != 0 && results_per_repeat(insn) == results_per_repeat(earlier);
  if (!alike) return {};
  bool shows_again = false;
  const auto holds = [&](const Program& program, bool& shows) {
    return gives_results(program, at, predicted, shows);
  };
  if (!predicted.holds_for_data(holds, shows_again) || !shows_again) return {};
  return Carried{mnemonic(insn) + " writes, as a result of no active lane, the result that " +
                     instruction_at(part, at) + " had there, instead of keeping dst",
                 "results", Matter::mask, true};
}

}  // namespace lanecheck
