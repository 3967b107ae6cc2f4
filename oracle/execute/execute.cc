#include "oracle/execute/execute.h"

#include <cstring>

#include "oracle/execute/kernel.h"
#include "spec/mask/footprint.h"
#include "spec/program/profile.h"

namespace lanecheck {
namespace {

void no_kernel(Machine&, const Instruction& insn) {
  throw std::logic_error("the oracle has no kernel for " + std::string(row_of(insn.op).name));
}

struct Kernels {
  std::array<Kernel, kOps> by_default, under_readings;

  Kernels() {
    by_default.fill(no_kernel);
    under_readings.fill(no_kernel);
    for (const auto& family : kernel_families())
      for (const KernelRow& row : family) {
        by_default[static_cast<std::size_t>(row.op)] = row.by_default;
        under_readings[static_cast<std::size_t>(row.op)] = row.under_readings;
      }
  }
};

/// The kernels by Op. kernel_test.cc checks that each Op has one.
const Kernels kKernels;

/// How many repeats of `insn`, counted from the first, lie entirely inside UB. In a legal program all do;
/// other semantics may walk further.
std::uint32_t repeats_in_ub(const Machine& m, Instruction insn) {
  const auto fits = [&](std::uint32_t repeats) {
    insn.repeat = repeats;
    for (unsigned k = 0; k < row_of(insn.op).operands.size(); ++k)
      if (static_cast<std::uint64_t>(m.at(insn.operands[k]) - m.ub) + extent(insn, k, lanes_of(insn)) >
          m.ub_bytes)
        return false;
    return true;
  };
  std::uint32_t most = insn.repeat, least = 0;
  if (fits(most)) return most;
  while (least < most) {
    const std::uint32_t middle = least + (most - least + 1) / 2;
    if (fits(middle))
      least = middle;
    else
      most = middle - 1;
  }
  return least;
}

/// Runs the kernel of `insn`, which has its effective repeat times.
void compute(Machine& m, const Instruction& insn) {
  const auto& kernels = m.semantics.departs_in_arithmetic ? kKernels.under_readings : kKernels.by_default;
  kernels[static_cast<std::size_t>(insn.op)](m, insn);
}

/// One instruction: its mask operand goes into the register, its kernel computes, and the register is left as
/// the documents say.
template <class Compute>
void perform(Machine& m, const Instruction& insn, Compute compute) {
  const bool puts_back = puts_mask_back(insn, m.semantics.readings);
  Mask before;
  if (puts_back) before = m.mask;
  if (row_of(m.program.profile).mask_operands == MaskOperands::never)  // no mask operands, no modes
    compute(m, insn);
  else
    compute(m, begin(m, insn));
  m.semantics.seams.after_compute(m.reg(), insn, m.semantics.readings);
  if (puts_back) m.mask = before;
  if (m.semantics.seams.side_effect != nullptr) m.semantics.seams.side_effect(m, insn);
}

}  // namespace

std::span<const std::span<const KernelRow>> kernel_families() {
  static const std::array families = {
      mask_call_kernels(), elementwise_kernels(), multiply_add_kernels(), cast_kernels(),
      reduction_kernels(), select_kernels(),      compare_kernels(),      move_kernels(),
      sort_kernels(),      gather_mask_kernels(), padding_kernels(),
  };
  return families;
}

Instruction begin(Machine& m, const Instruction& insn) {
  const Seams& seams = m.semantics.seams;
  seams.before_compute(m.reg(), insn, m.semantics.readings);
  ResolvedInstruction here = seams.walk(insn, m.mode, m.mask, m.semantics.readings);
  m.counts = here.total != kNoTotal;
  m.total = here.total;
  if (row_of(insn.op).has_repeat && row_of(m.program.profile).mask_operands != MaskOperands::never &&
      seams.clips_repeats)
    here.insn.repeat = std::min(repeats_in_ub(m, here.insn), kMostRepeats);
  return here.insn;
}

void pass_over(const Program& program, const Instruction& insn, const Semantics& semantics, State& state) {
  Machine machine(program, semantics, state);
  perform(machine, insn, [](Machine& m, const Instruction& here) {
    if (row_of(here.op).operands.empty()) compute(m, here);
  });
}

void execute_one(const Program& program, const Instruction& insn, const Semantics& semantics, State& state) {
  Machine machine(program, semantics, state);
  perform(machine, insn, compute);
}

void execute(const Program& program, const Semantics& semantics, State& state) {
  execute(program, program.instructions, semantics, state);
}

void execute(const Program& program, std::span<const Instruction> instructions, const Semantics& semantics,
             State& state) {
  const std::size_t bytes = program.ub.size();
  if (state.ub.size() > bytes) state.ub.resize(bytes);
  if (state.ub.size() == bytes && bytes > 0)
    std::memcpy(state.ub.data(), program.ub.data(), bytes);  // quick under sanitizers, too
  else
    state.ub.assign(program.ub.begin(), program.ub.end());
  state.mask = semantics.initial_mask;
  state.mode = Mode::normal;
  state.cmpmask = {};
  Machine machine(program, semantics, state);
  for (const Instruction& insn : instructions) perform(machine, insn, compute);
}

}  // namespace lanecheck
