#include "fuzz/explain/earlier/repeats_of_earlier.h"

#include "fuzz/explain/earlier/carried_fields.h"
#include "fuzz/explain/earlier/ended_by.h"
#include "fuzz/explain/questions/variation.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/mask/mask_register.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// How instruction `at` runs, if it counts elements. A contiguous mask has no number to change.
std::optional<ResolvedInstruction> counted(const Program& program, std::size_t at,
                                           const PredictedPart& predicted) {
  const Instruction& insn = program.instructions[at];
  if (!takes_mask(row_of(insn.op)) || insn.mask_from == MaskFrom::contiguous) return {};
  const State before = predicted.before_of(program, at);
  const Readings& readings = predicted.documented().readings();
  MaskBits mask = bits_of(before.mask, before.mode, MaskOrigin::set);
  mask.load(insn, readings);
  const ResolvedInstruction here = resolve(insn, mask, readings);
  return here.total == kNoTotal ? std::nullopt : std::optional(here);
}

/// What is left if the last instruction runs no more repeats than instruction `at` needs. Nothing if one of
/// the two does not count, or if the last one needs no more.
std::optional<State> left_with_repeats_of(const Program& program, std::size_t at,
                                          const PredictedPart& predicted) {
  const auto own = counted(program, program.instructions.size() - 1, predicted);
  const auto earlier = counted(program, at, predicted);
  if (!own || !earlier) return {};
  Instruction last = program.instructions.back();
  const std::uint64_t most = std::uint64_t{earlier->insn.repeat} * lanes_of(last);
  if (most == 0 || own->total <= most) return {};
  const State documented = predicted.before_of(program, program.instructions.size());
  State state = predicted.before_of(program, program.instructions.size() - 1);
  if (last.mask_from != MaskFrom::reg)
    last.low = most;
  else
    set_mask_word(state.mask, 0, most);
  execute_one(program, last, predicted.documented().semantics, state);
  state.mask = documented.mask;
  state.mode = documented.mode;
  return state;
}

/// Gives instruction `at` another count. Does nothing if that stands in the register.
Program with_count(Program program, std::size_t at, std::uint64_t count) {
  Instruction& insn = program.instructions[at];
  if (insn.mask_from == MaskFrom::count) insn.low = count;
  make_room(program);
  return program;
}

/// With three repeats in the last instruction, if its count stands in it, and one or two in the earlier one;
/// whole ones, as room is needed for whole ones. With as many in both the last one must be right.
bool holds_for_counts(const Program& part, std::size_t at, PredictedPart& predicted, AskedBackend& asked) {
  constexpr std::uint64_t kMost = 3;
  const Documented& documented = predicted.documented();
  bool shows = false;
  for (std::uint64_t repeats = 1; repeats <= kMost; ++repeats) {
    const Program program =
        with_count(with_count(with_data(part, static_cast<unsigned>(repeats)), at,
                              repeats * lanes_of(part.instructions[at])),
                   part.instructions.size() - 1, kMost * lanes_of(part.instructions.back()));
    if (find_fault(program, documented.readings())) continue;
    const auto left = left_with_repeats_of(program, at, predicted);
    const bool holds = left ? predicted.agrees(program, *left, shows)
                            : says(asked.ask(program), program, documented, asked.shown()) == Says::conforms;
    if (!holds) return false;
  }
  return shows;
}

}  // namespace

std::optional<Carried> repeats_of_earlier(const Program& part, std::size_t at, PredictedPart& predicted,
                                          AskedBackend& asked) {
  bool shows_again = false;
  const auto gives = [&](const Program& program, bool& shows) {
    const auto left = left_with_repeats_of(program, at, predicted);
    return left && predicted.agrees(program, *left, shows);
  };
  if (!predicted.holds_for_data(gives, shows_again) || !shows_again ||
      !holds_for_counts(part, at, predicted, asked))
    return {};
  const auto would_show = [&](const Program& between) {
    const auto left = left_with_repeats_of(between, at, predicted);
    const auto next = left_with_repeats_of(between, between.instructions.size() - 2, predicted);
    return left && (next || row_of(between.instructions.end()[-2].op).operands.empty());
  };
  return Carried{mnemonic(part.instructions.back()) + " runs at most as many repeats in counter mode as " +
                     earlier_one(part, at) + ended_by(part, would_show, asked, predicted.documented()),
                 "counted-repeats", Matter::mask, true, true};
}

}  // namespace lanecheck
