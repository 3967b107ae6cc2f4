#include "fuzz/explain/questions/repeatable.h"

#include <algorithm>
#include <optional>

#include "fuzz/explain/questions/suspects.h"
#include "oracle/compare/compare.h"
#include "spec/legality/find_fault.h"
#include "spec/program/profile.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

/// The program with a UB of the largest size, in which `fill` follows its bytes.
Program with_behind(Program program, std::byte fill) {
  program.ub.resize(kMaxUbBytes, fill);
  return program;
}

/// Other offsets would lead outside of UB.
bool holds_offsets(const Program& program, const Allocation& allocation) {
  return std::ranges::any_of(program.instructions, [&](const Instruction& insn) {
    return indexed_operand(row_of(insn.op)) &&
           &program.allocations[insn.operands[kOffsetsOperand].allocation] == &allocation;
  });
}

/// What the backend leaves in the bytes of the program itself; nothing if it does not run it.
std::optional<std::vector<std::byte>> left_by(const Program& program, std::size_t bytes,
                                              AskedBackend& asked) {
  BackendAnswer answer = asked.ask_anew(program);
  if (!answer.ran()) return {};
  answer.state.ub.resize(std::min(answer.state.ub.size(), bytes));
  return std::move(answer.state.ub);
}

}  // namespace

Program with_data(Program program, unsigned round) {
  std::uint32_t word = 0x9e3779b9U + round;
  for (const Allocation& each : program.allocations) {
    if (holds_offsets(program, each)) continue;
    for (std::uint32_t n = 0; n < each.bytes; ++n) {
      word = word * 1664525U + 1013904223U;
      program.ub[each.offset + n] = static_cast<std::byte>(word >> 24 & 0x3f);  // no NaN, no large offset
    }
  }
  return program;
}

Program with_own_sources(const Program& program) {
  const Instruction& last = program.instructions.back();
  Program result = program;
  for (std::uint16_t home = 0; home < program.allocations.size(); ++home) {
    const auto reads = [&](const Instruction& insn) {
      for (unsigned k = 1; k < row_of(insn.op).operands.size(); ++k)
        if (insn.operands[k].allocation == home) return true;
      return false;
    };
    const bool is_written = std::ranges::any_of(program.instructions, [&](const Instruction& insn) {
      return row_of(insn.op).writes_dst() && insn.operands[0].allocation == home;
    });
    if (!reads(last) || is_written || holds_offsets(program, program.allocations[home])) continue;
    const auto copy = static_cast<std::uint16_t>(result.allocations.size());
    for (std::size_t n = 0; n + 1 < result.instructions.size(); ++n)
      for (unsigned k = 1; k < row_of(result.instructions[n].op).operands.size(); ++k)
        if (result.instructions[n].operands[k].allocation == home)
          result.instructions[n].operands[k].allocation = copy;
    Allocation& own = result.allocations.emplace_back(program.allocations[home]);
    own.name = "own" + std::to_string(copy);
    own.offset = static_cast<std::uint32_t>(in_whole_blocks(result.ub.size())) + kBlockBytes;
    result.ub.resize(own.offset + in_whole_blocks(own.bytes));
  }
  if (result.allocations.size() == program.allocations.size()) return program;
  return with_data(std::move(result), 3);
}

Program with_zeros_behind_ub(Program program) {
  return with_behind(std::move(program), std::byte{0});
}

bool reads_behind_ub(const Program& program, AskedBackend& asked) {
  const Program zeros = with_zeros_behind_ub(program), ones = with_behind(program, std::byte{1});
  if (find_fault(zeros)) return false;
  const std::size_t bytes = program.ub.size();
  const auto first = left_by(zeros, bytes, asked), other = left_by(ones, bytes, asked);
  const auto again = left_by(zeros, bytes, asked), other_again = left_by(ones, bytes, asked);
  return first && other && *first != *other && first == again && other == other_again;
}

AskedAgain ask_again(const Program& program, AskedBackend& asked, unsigned times) {
  const BackendAnswer first = asked.ask_anew(program);
  if (!first.ran()) return AskedAgain::does_not_run;
  for (unsigned n = 1; n < times; ++n) {
    const BackendAnswer again = asked.ask_anew(program);
    if (!again.ran()) return AskedAgain::does_not_run;
    if (!identical_but_for_nans(program, first.state, again.state, asked.shown()))
      return AskedAgain::other_states;
  }
  return AskedAgain::same_state;
}

Program to_run_between(const Program& program, unsigned round) {
  Program between = with_data(program, round);
  for (Instruction& insn : between.instructions)
    if (takes_scalar(insn)) insn.scalar = scalar_of(scalar_type(insn), 2 + round % 4);
  Program full = between;
  std::erase_if(full.instructions, [](const Instruction& insn) { return row_of(insn.op).operands.empty(); });
  if (round % 2 == 1 && !find_fault(full)) return full;
  Program masked = between;
  if (const auto sets_mask = row_of(program.profile).sets_mask) {
    const std::uint64_t high = 0x5a5a5a5a5a5a5a5a >> round % 3;
    masked.instructions.push_back(mask_setter(*sets_mask, {high, ~high}));
  }
  return find_fault(masked) ? between : masked;
}

bool depends_on_earlier_programs(const Program& program, AskedBackend& asked) {
  const BackendAnswer first = asked.ask_anew(program);
  const QuestionBudget budget(asked);
  if (!first.ran()) return false;
  for (unsigned round = 0; round < kRoundsBetween; ++round) {
    const Program between = to_run_between(program, round);
    if (find_fault(between) || budget.is_over()) return false;
    asked.ask_anew(between);
    const BackendAnswer again = asked.ask_anew(program);
    if (!again.ran()) return false;
    if (!identical_but_for_nans(program, first.state, again.state, asked.shown())) return true;
  }
  return false;
}

}  // namespace lanecheck
