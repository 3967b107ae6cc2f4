#include "fuzz/explain/earlier/count_needed.h"

#include <algorithm>

#include "fuzz/explain/earlier/needed_of_earlier.h"
#include "fuzz/explain/questions/locate.h"
#include "fuzz/explain/questions/variation.h"
#include "fuzz/identify/probes/probe.h"
#include "oracle/execute/execute.h"

namespace lanecheck {
namespace {

std::uint32_t repeats_for(const Instruction& insn, std::uint64_t count) {
  const std::uint64_t lanes = lanes_of(insn);
  return static_cast<std::uint32_t>(std::max<std::uint64_t>(1, (count + lanes - 1) / lanes));
}

/// The last instruction with a full mask of its own, for as many repeats as `count` fills.
Program under_own_mask(Program program, std::uint64_t count) {
  Instruction& insn = program.instructions.back();
  insn.repeat = repeats_for(insn, count);
  insn.mask_from = MaskFrom::contiguous;
  insn.high = 0;
  insn.low = lanes_of(insn);
  return program;
}

/// The same under a full mask in the register, in normal mode.
Program under_full_register(Program program, std::uint64_t count) {
  program.instructions.back().repeat = repeats_for(program.instructions.back(), count);
  const Instruction last = program.instructions.back();
  program.instructions.back() = mask_instruction(Op::set_mask_norm);
  program.instructions.push_back(
      mask_instruction(Op::set_vector_mask, {~std::uint64_t{0}, ~std::uint64_t{0}}));
  program.instructions.push_back(last);
  return program;
}

/// The last instruction with a count of its own that fills its repeats.
Program with_own_count(Program program) {
  Instruction& insn = program.instructions.back();
  insn.mask_from = MaskFrom::count;
  insn.high = 0;
  insn.low = std::uint64_t{std::max(insn.repeat, 1u)} * lanes_of(insn);
  return program;
}

}  // namespace

std::string count_needed(const Program& part, std::size_t at, const CarriedField& field, AskedBackend& asked,
                         const Documented& documented) {
  const Instruction& last = part.instructions.back();
  State before;
  execute(prefix(part, part.instructions.size() - 1), documented.semantics, before);
  const bool in_counter_mode = before.mode == Mode::counter && last.mask_from == MaskFrom::reg;
  const auto other_form = [&](const Program& program) -> std::optional<Program> {
    Program other = last.mask_from == MaskFrom::count ? under_own_mask(program, last.low)
                    : in_counter_mode ? under_full_register(program, mask_word(before.mask, 0))
                                      : with_own_count(program);
    make_room(other);
    return with_room_for(other, at, field);
  };
  const auto shows = [&](const Program& other) {
    return field_would_show(other, other.instructions[at], field, documented, asked.shown());
  };
  if (!is_right_if(part, other_form, shows, asked, documented)) return "";
  if (in_counter_mode) return ", in counter mode";
  return last.mask_from == MaskFrom::count ? ", with a count of its own" : ", not with a count of its own";
}

}  // namespace lanecheck
