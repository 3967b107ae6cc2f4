#include "fuzz/explain/earlier/lanes_of_earlier.h"

#include <algorithm>

#include "fuzz/explain/earlier/carried_fields.h"
#include "fuzz/explain/questions/executed_step.h"
#include "fuzz/explain/questions/locate.h"
#include "oracle/execute/execute.h"
#include "spec/mask/footprint.h"
#include "spec/mask/mask_register.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

bool is_reduction(const Instruction& insn) {
  return row_of(insn.op).mask == MaskUse::neutral_source && row_of(insn.op).operands.size() == 2;
}

/// Does the backend leave what follows if the elements that the last instruction must not count are those of
/// the same lanes of instruction `at`?
bool gives(const Program& program, std::size_t at, PredictedPart& predicted, bool& shows) {
  const Instruction &insn = program.instructions.back(), &earlier = program.instructions[at];
  const Semantics& semantics = predicted.documented().semantics;
  const State then = predicted.before_of(program, at);
  State state = predicted.before_of(program, program.instructions.size() - 1);
  if (state.mode == Mode::counter || then.mode == Mode::counter) return false;
  const std::size_t size = size_of(insn.src_type);
  const State now = state;
  for (unsigned repeat = 0; repeat < insn.repeat; ++repeat)
    for (unsigned lane = 0; lane < std::min(lanes_of(insn), kMaskSlots / 2); ++lane) {
      if (state.mask[lane] != 0) continue;
      const auto place = [&](const Instruction& of) {
        return static_cast<std::ptrdiff_t>(start_of(program, of.operands[1]) +
                                           lane_offset(of, 1, repeat, lane));
      };
      const auto to = state.ub.begin() + place(insn);
      const bool counted = repeat < earlier.repeat && then.mask[lane] != 0;
      if (counted)
        std::copy_n(then.ub.begin() + place(earlier), size, to);
      else
        std::fill_n(to, size, std::byte{0});  // nothing was left there
    }
  state.mask = kFullMask;
  execute_one(program, under_full_mask(program.profile, insn), semantics, state);
  state.mask = now.mask;
  const Allocation& src = program.allocations[insn.operands[1].allocation];
  std::copy_n(now.ub.begin() + src.offset, src.bytes, state.ub.begin() + src.offset);
  return predicted.agrees(program, state, shows);
}

/// The same with every other lane off, so that each result has active lanes and others.
std::optional<Program> with_half_of_the_lanes(Program program) {
  constexpr std::uint64_t kOdd = 0xaaaaaaaaaaaaaaaa;
  const auto setter = row_of(program.profile).sets_mask;
  if (!setter) return {};
  program.instructions.insert(program.instructions.end() - 1, mask_setter(*setter, {kOdd, kOdd}));
  return program;
}

}  // namespace

std::optional<Carried> lanes_of_earlier(const Program& part, std::size_t at, PredictedPart& predicted) {
  const Instruction &insn = part.instructions.back(), &earlier = part.instructions[at];
  const bool alike = is_reduction(insn) && is_reduction(earlier) && insn.src_type == earlier.src_type &&
                     insn.mask_from == MaskFrom::reg &&
                     insn.operands[1].allocation != insn.operands[0].allocation;
  if (!alike) return {};
  bool shows_again = false;
  const auto holds = [&](const Program& program, bool& shows) {
    return gives(program, at, predicted, shows);
  };
  if (!predicted.holds_for_data(holds, shows_again) || !shows_again) return {};
  bool shows_of_half = false;
  const auto half = with_half_of_the_lanes(part);
  if (half && (!holds(*half, shows_of_half) || !shows_of_half)) return {};
  return Carried{"masked-off elements of " + mnemonic(insn) + " count as what stood in their lanes in " +
                     instruction_at(part, at),
                 "lanes", Matter::mask, true};
}

}  // namespace lanecheck
