#include "fuzz/explain/earlier/count_of_earlier.h"

#include <algorithm>

#include "fuzz/explain/earlier/carried_fields.h"
#include "fuzz/explain/questions/variation.h"
#include "fuzz/identify/probes/one_repeat.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// Does the last instruction leave all as it was, whatever fields the earlier one has? A scalar of 0 that is
/// carried may do so, too.
bool writes_nothing(const Program& part, std::size_t at, PredictedPart& predicted) {
  bool shows_again = false;
  const auto leaves = [&](const Program& program, bool& shows) {
    return predicted.leaves_all(program, shows);
  };
  if (!predicted.holds_for_data(leaves, shows_again) || !shows_again) return false;
  return std::ranges::all_of(carried_fields(part.instructions.back()), [&](const CarriedField& field) {
    Program varied = part;
    field.vary(varied.instructions[at], 0);
    make_room(varied);
    return leaves(varied, shows_again);
  });
}

/// `insn` with no lane from `tail` on.
Instruction with_first_lanes(Instruction insn, unsigned tail) {
  if (insn.mask_from == MaskFrom::contiguous) insn.low = std::min<std::uint64_t>(insn.low, tail);
  if (insn.mask_from != MaskFrom::bitwise) return insn;
  if (tail < 128) insn.high &= tail <= 64 ? 0 : kOnes >> (128 - tail);
  if (tail < 64) insn.low &= kOnes >> (64 - tail);
  return insn;
}

/// Has the last repeat of the last instruction no more lanes than that of instruction `at`?
bool is_cut(const Program& program, std::size_t at, PredictedPart& predicted, bool& shows) {
  if (find_fault(program, predicted.documented().readings())) return true;
  const Instruction& last = program.instructions.back();
  State state = predicted.before_of(program, program.instructions.size() - 1);
  for (unsigned repeat = 0; repeat < last.repeat; ++repeat) {
    const Instruction one = one_repeat(last, repeat);
    const bool cut = repeat + 1 == last.repeat;
    execute_one(program, cut ? with_first_lanes(one, tail_of(program.instructions[at])) : one,
                predicted.documented().semantics, state);
  }
  return predicted.agrees(program, state, shows);
}

bool has_tail_of(const Program& part, std::size_t at, PredictedPart& predicted) {
  const MaskFrom from = part.instructions.back().mask_from;
  if (part.instructions[at].mask_from != MaskFrom::count ||
      (from != MaskFrom::bitwise && from != MaskFrom::contiguous))
    return false;
  bool shows = false;
  if (!is_cut(part, at, predicted, shows) || !shows) return false;
  bool shows_again = false;
  for (const unsigned count : {37u, 69u, 5u}) {
    Program program = with_data(part, count);
    program.instructions[at].low = count;
    program.instructions.back().repeat = 2;
    make_room(program);
    if (!is_cut(program, at, predicted, shows_again)) return false;
  }
  return shows_again;
}

/// Is the last instruction right if it has a count of its own, which fills two repeats?
bool obeys_own_count(const Program& part, std::size_t at, PredictedPart& predicted) {
  Program program = with_data(part, 1);
  program.instructions[at].low = 37;
  Instruction& last = program.instructions.back();
  last.mask_from = MaskFrom::count;
  last.high = 0;
  last.low = std::uint64_t{2} * lanes_of(last);
  last.repeat = 2;
  make_room(program);
  if (find_fault(program, predicted.documented().readings())) return false;
  State state = predicted.before_of(program, program.instructions.size() - 1);
  execute_one(program, program.instructions.back(), predicted.documented().semantics, state);
  bool shows = false;
  return predicted.agrees(program, state, shows);
}

}  // namespace

std::optional<Carried> count_of_earlier(const Program& part, std::size_t at, PredictedPart& predicted) {
  const Instruction& insn = part.instructions.back();
  if (row_of(insn.op).mask == MaskUse::is_mask_state || row_of(part.instructions[at].op).operands.empty())
    return {};
  const State before = predicted.before_of(part, part.instructions.size() - 1);
  const bool is_counted = insn.mask_from == MaskFrom::reg && before.mode == Mode::counter;
  if (is_counted && writes_nothing(part, at, predicted))
    return Carried{mnemonic(insn) + " writes nothing after " + earlier_one(part, at) +
                       ", as if it had used up the count in the register",
                   "count", Matter::mask, true, true};
  if (has_tail_of(part, at, predicted))
    return Carried{mnemonic(insn) +
                       " has in its last repeat no more lanes than are left for the last repeat by the count "
                       "of " +
                       earlier_one(part, at) +
                       (obeys_own_count(part, at, predicted) ? ", not if it has a count of its own" : ""),
                   "tail", Matter::mask, true, true};
  return {};
}

}  // namespace lanecheck
