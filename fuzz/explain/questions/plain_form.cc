#include "fuzz/explain/questions/plain_form.h"

#include <algorithm>
#include <functional>

#include "fuzz/explain/questions/executed_step.h"
#include "fuzz/explain/questions/locate.h"
#include "fuzz/explain/questions/variation.h"
#include "oracle/compare/compare.h"
#include "oracle/execute/execute.h"

namespace lanecheck {
namespace {

bool sets_mask_alone(const Instruction& insn) {
  return row_of(insn.op).mask == MaskUse::is_mask_state;
}

constexpr MaskWords kAllOnes{kOnes, kOnes};

bool has_full_masks(const Program& program, AskedBackend&) {
  return std::ranges::all_of(program.instructions, [&](const Instruction& insn) {
    const MaskWords words{insn.high, insn.low};
    if (sets_mask_alone(insn)) return insn.op == row_of(program.profile).sets_mask && words == kAllOnes;
    return insn.mask_from == MaskFrom::reg ||
           (insn.mask_from == MaskFrom::bitwise && words == legal_words(program.profile, insn, kAllOnes));
  });
}

std::vector<Program> with_full_masks(const Program& program, const Documented&) {
  Program full = program;
  std::erase_if(full.instructions, sets_mask_alone);
  for (Instruction& insn : full.instructions) {
    if (insn.mask_from == MaskFrom::reg) continue;
    const MaskWords ones = legal_words(program.profile, insn, kAllOnes);
    insn.mask_from = MaskFrom::bitwise;
    insn.high = ones.high;
    insn.low = ones.low;
  }
  make_room(full);
  return {full};
}

bool has_no_counts(const Program& program, AskedBackend&) {
  return std::ranges::none_of(program.instructions, [](const Instruction& insn) {
    return insn.op == Op::set_mask_count || insn.op == Op::set_vector_mask_total ||
           insn.mask_from == MaskFrom::count || setting(insn, "counter") != 0;
  });
}

/// Only programs that have the form already.
std::vector<Program> as_it_is(const Program& program, const Documented&) {
  return {program};
}

bool is_in_a_row(const Program& program, AskedBackend&) {
  return std::ranges::all_of(program.instructions, [](const Instruction& insn) {
    Instruction row = insn;
    put_in_a_row(row);
    return row == insn && repeats_of(insn) <= 1;
  });
}

std::vector<Program> one_repeat_in_a_row(const Program& program, const Documented&) {
  Program row = program;
  for (Instruction& insn : row.instructions) {
    put_in_a_row(insn);
    if (row_of(insn.op).has_repeat) insn.repeat = std::min<std::uint32_t>(insn.repeat, 1);
  }
  make_room(row);
  return {row};
}

bool is_alone(const Program& program, AskedBackend&) {
  return std::ranges::count_if(program.instructions, std::not_fn(sets_mask_alone)) <= 1;
}

/// Each instruction on the memory that it meets by the documents, with the mask that it meets.
std::vector<Program> each_alone(const Program& program, const Documented& documented) {
  std::vector<Program> all;
  for (std::size_t n = 0; n < program.instructions.size(); ++n) {
    if (sets_mask_alone(program.instructions[n])) continue;
    State before;
    execute(prefix(program, n), documented.semantics, before);
    if (auto one = alone(program, program.instructions[n], before)) all.push_back(*std::move(one));
  }
  return all;
}

/// UB is one block, although the instruction has no operand: no backend needs to expect an empty one.
Program setter_alone(Profile profile, const Instruction& setter) {
  return {profile, {}, {setter}, std::vector<std::byte>(kBlockBytes)};
}

/// Is the register as documented after each instruction that sets it, if that one runs alone?
bool has_right_masks(const Program& program, AskedBackend& asked) {
  const Semantics documented(default_readings(program.profile));
  return asked.shown().mask && std::ranges::all_of(program.instructions, [&](const Instruction& insn) {
           if (!sets_mask_alone(insn)) return true;
           const Program setter = setter_alone(program.profile, insn);
           const BackendAnswer answer = asked.ask(setter);
           return answer.ran() && agrees(setter, documented, answer.state, asked.shown());
         });
}

/// What the register shows after `mask` is set, if it shows it too when that is set. Else `mask`.
MaskWords held_rightly(const MaskWords& mask, Profile profile, AskedBackend& asked) {
  const auto setter = row_of(profile).sets_mask;
  if (!setter || !asked.shown().mask) return mask;
  const auto held = [&](const MaskWords& words) -> std::optional<MaskWords> {
    const BackendAnswer answer = asked.ask(setter_alone(profile, mask_setter(*setter, words)));
    if (!answer.ran()) return {};
    return MaskWords{mask_word(answer.state.mask, 1), mask_word(answer.state.mask, 0)};
  };
  const auto shown = held(mask);
  return shown && held(*shown) == shown ? *shown : mask;
}

constexpr PlainForm kPlainForms[] = {
    {"under full masks", with_full_masks, has_full_masks},
    {"in normal mode", as_it_is, has_no_counts},
    {"in one repeat in a row", one_repeat_in_a_row, is_in_a_row},
    {"if it runs alone", each_alone, is_alone},
    {"under masks that are right in the register", as_it_is, has_right_masks, held_rightly},
};

}  // namespace

std::span<const PlainForm> plain_forms() {
  return kPlainForms;
}

Backend in_form(AskedBackend& asked, const PlainForm& form) {
  Backend restricted = asked.backend();
  restricted.run = [&asked, &form](const Program& program, State& state) -> Outcome {
    if (!form.holds(program, asked)) return Skipped{"a known mistake may show in it"};
    return asked.backend().run(program, state);
  };
  return restricted;
}

}  // namespace lanecheck
