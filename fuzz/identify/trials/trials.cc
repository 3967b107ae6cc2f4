#include "fuzz/identify/trials/trials.h"

#include <algorithm>
#include <cstring>
#include <tuple>

#include "fuzz/identify/probes/digit_code.h"
#include "fuzz/identify/probes/reduction_map.h"
#include "fuzz/identify/probes/shapes.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

/// Pseudo-random numbers, the same in each run.
class Scatter {
 public:
  explicit Scatter(unsigned seed) : state_(seed * 0x9e3779b9U + 0x7f4a7c15U) {}

  unsigned below(unsigned count) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<unsigned>(state_ >> 33) % count;
  }

 private:
  std::uint64_t state_;
};

/// A value that the element type holds. Sums over a repeat are exact, and an extreme stands in few elements.
std::uint64_t source_bits(const Instruction& insn, Scatter& scatter) {
  const Row& row = row_of(insn.op);
  if (row.mask == MaskUse::gates_writeback) return digit_bits(insn, scatter.below(kDigits));
  const bool extreme = is_extreme(row);
  const bool has_negative = is_float(insn.src_type) || is_signed(insn.src_type);
  unsigned values = 15;
  if (extreme) values = size_of(insn.src_type) == 1 ? 100 : 2000;
  return nearest(insn.src_type, scatter.below(values) - (has_negative ? values / 2 : 0.0));
}

/// Each element, or data block, of the operand that they point into once in a repeat.
void fill_offsets(ShapeTrial& trial, Scatter& scatter) {
  const Instruction& insn = trial.insn();
  const Region& offsets = trial.layout.regions[kOffsetsOperand];
  const unsigned count = repeats_of(insn) * offsets_per_repeat(insn);
  if (count == 0) return;
  const unsigned start = scatter.below(count);
  for (unsigned n = 0; n < count; ++n)
    put_element(trial.program, offsets, Element::u32, offsets.margin / 4 + n,
                (start + n * 7) % count * bytes_per_offset(insn));
}

/// Numbers that no digit has as its result.
void fill_old_dst(ShapeTrial& trial, unsigned seed) {
  Scatter scatter(seed);
  const Element type = trial.insn().dst_type;
  const auto table = digit_table(trial.subject, 1);
  const Region& dst = trial.layout.regions[0];
  for (unsigned n = 0; n < dst.bytes / size_of(type); ++n) {
    std::uint64_t bits = nearest(type, 40 + scatter.below(80));
    while (table && table->digit_of(type, bits)) bits = nearest(type, 40 + scatter.below(80));
    put_element(trial.program, dst, type, n, bits);
  }
}

/// Results that may err by rounding (exp, rsqrt and such) become those of the oracle, so that trials compare
/// bytes.
void settle(ShapeTrial& trial) {
  const Row& row = row_of(trial.insn().op);
  if (row.mask != MaskUse::gates_writeback || row.operands.size() != 2) return;
  const auto table = digit_table(trial.subject, 1);
  if (!table || table->exact) return;
  const Element type = trial.insn().dst_type;
  const Region& dst = trial.layout.regions[0];
  for (const std::uint32_t n : changed_elements(trial.program.ub, trial.actual, dst, type)) {
    const std::uint64_t bits = get_element(trial.actual, dst, type, n);
    if (const auto digit = table->digit_of(type, bits))
      std::memcpy(&trial.actual[dst.begin + n * size_of(type)], &table->results[*digit], size_of(type));
  }
}

std::optional<ShapeTrial> run_settled(const Subject& subject, MaskWords mask,
                                      const std::function<void(ShapeTrial&)>& put_data, const Ask& ask) {
  auto trial = run_trial_with(with_plain_scalar(subject), mask, put_data, ask);
  if (trial) settle(*trial);
  return trial;
}

/// What a law executes may start, or overlap, where no instruction may: then the places alone count.
bool stays_inside_ub(const Program& program, const std::vector<Instruction>& instructions) {
  return std::ranges::all_of(instructions, [&](const Instruction& insn) {
    return !indexed_operand(row_of(insn.op)) && is_inside_ub(program, insn);
  });
}

std::vector<Instruction> before_subject(const Program& program) {
  return {program.instructions.begin(), program.instructions.end() - 1};
}

/// Does the oracle say what `instructions` do in the place of those of the program?
bool can_execute(const Program& program, const std::vector<Instruction>& instructions) {
  const auto fault = find_fault(program, instructions, default_readings(program.profile));
  const auto may_be = [](const LegalityRule& rule) {
    return rule.kind == "overlap" || rule.id.ends_with("-alignment");
  };
  return !fault || (may_be(*fault->rule) && stays_inside_ub(program, instructions));
}

/// Calls `change` with each stride of each operand.
template <class Change>
void for_each_stride(Instruction& insn, bool block_stride_fixed, Change change) {
  for (unsigned k = 0; k < row_of(insn.op).operands.size(); ++k)
    for (const auto field : kStrides)
      if (has_stride(insn, k, field) && !(block_stride_fixed && field == &Operand::block_stride))
        change(k, field);
}

constexpr std::uint32_t kSmall[] = {1, 2, 3, 5, 8, 9, 0, 4};

/// All operands have one stride in common.
Instruction with_common_strides(Instruction insn, bool fixed, unsigned n) {
  for_each_stride(insn, fixed, [&](unsigned k, auto field) {
    insn.operands[k].*field = field == &Operand::repeat_stride ? 12 + 4 * n : 1 + n;
  });
  return insn;
}

/// Some strides are small, those of another operand, or greater.
Instruction with_scattered_strides(const Instruction& insn, bool fixed, Scatter& scatter) {
  Instruction other = insn;
  for_each_stride(other, fixed, [&](unsigned k, auto field) {
    std::uint32_t& stride = other.operands[k].*field;
    switch (scatter.below(6)) {
      case 0:
        stride = kSmall[scatter.below(8)];
        break;
      case 1:
        stride = insn.operands[k == 0 ? 1 : 0].*field;
        break;
      case 2:
        stride = 8 + scatter.below(20);
        break;
    }
  });
  return other;
}

}  // namespace

void fill_scattered(ShapeTrial& trial, unsigned seed) {
  Scatter scatter(seed);
  const Instruction& insn = trial.insn();
  const Row& row = row_of(insn.op);
  fill_region(trial.program, trial.layout.regions[0], insn.dst_type, old_dst_bits(insn, 0x35));
  for (unsigned k = 1; k < row.operands.size(); ++k) {
    const Element type = operand_type(insn, row.operands[k]);
    const bool holds_values = type == insn.src_type && row.operands[k].walk != Walk::bits;
    const Region& region = trial.layout.regions[k];
    for (unsigned n = 0; n < region.bytes / size_of(type); ++n)
      put_element(trial.program, region, type, n,
                  holds_values ? source_bits(insn, scatter) : scatter.below(256));
  }
  if (indexed_operand(row)) fill_offsets(trial, scatter);
}

bool has_stride(const Instruction& insn, unsigned k, std::uint32_t Operand::*field) {
  const Walk walk = row_of(insn.op).operands[k].walk;
  if (walk == Walk::blocks) return true;
  return field == &Operand::repeat_stride && (walk == Walk::rows || walk == Walk::results);
}

std::optional<ShapeTrial> run_trial(const Subject& subject, MaskWords mask, unsigned seed, const Ask& ask) {
  return run_settled(
      subject, mask, [seed](ShapeTrial& it) { fill_scattered(it, seed); }, ask);
}

std::optional<ShapeTrial> run_trial_over_numbers(const Subject& subject, MaskWords mask, unsigned seed,
                                                 const Ask& ask) {
  const auto put_data = [seed](ShapeTrial& it) {
    fill_scattered(it, seed);
    fill_old_dst(it, seed + 1);
  };
  return run_settled(subject, mask, put_data, ask);
}

std::optional<ShapeTrial> run_trial_with_values(const Subject& subject, MaskWords mask, unsigned seed,
                                                const std::function<std::uint64_t(std::uint32_t n)>& bits,
                                                const Ask& ask) {
  const auto put_data = [&](ShapeTrial& it) {
    fill_scattered(it, seed);
    fill_old_dst(it, seed + 1);
    const Row& row = row_of(it.insn().op);
    for (unsigned k = 1; k < row.operands.size(); ++k) {
      const Region& region = it.layout.regions[k];
      const Element type = operand_type(it.insn(), row.operands[k]);
      for (std::uint32_t n = 0; k != kOffsetsOperand && n < region.bytes / size_of(type); ++n)
        put_element(it.program, region, type, n, bits(n));
    }
  };
  return run_trial_with(subject, mask, put_data, ask);
}

std::optional<ShapeTrial> run_trial_with(const Subject& subject, MaskWords mask,
                                         const std::function<void(ShapeTrial&)>& put_data, const Ask& ask) {
  const auto layout = lay_out(subject);
  if (!layout) return {};
  auto program = probe_program(subject, *layout, mask);
  if (!program) return {};
  ShapeTrial trial{subject, mask, *layout, std::move(*program)};
  put_data(trial);
  if (find_fault(trial.program)) return {};
  const Answers answers = ask_all(ask, {&trial.program, 1});
  if (!answers.why_not.empty()) return {};
  const auto documented = left_by(trial, {trial.placed()});
  if (!documented) return {};
  trial.documented = *documented;
  trial.actual = answers.states[0].ub;
  return trial;
}

std::optional<Bytes> left_by(const ShapeTrial& trial, const std::vector<Instruction>& instead) {
  const Program& program = trial.program;
  std::vector<Instruction> instructions = before_subject(program);
  instructions.insert(instructions.end(), instead.begin(), instead.end());
  if (!can_execute(program, instructions)) return {};
  State state;
  execute(program, instructions, Semantics(default_readings(program.profile)), state);
  return std::move(state.ub);
}

std::optional<std::vector<std::vector<WrittenElement>>> written_alone(
    const ShapeTrial& trial, const std::vector<Instruction>& instead) {
  const Program& program = trial.program;
  const Semantics semantics(default_readings(program.profile));
  const Region& dst = trial.layout.regions[0];
  const Element type = trial.insn().dst_type;
  const std::vector<Instruction> before = before_subject(program);
  std::vector<std::vector<WrittenElement>> written;
  State state;
  for (const Instruction& one : instead) {
    std::vector<Instruction> instructions = before;
    instructions.push_back(one);
    if (!can_execute(program, instructions)) return {};
    if (written.empty()) execute(program, before, semantics, state);
    const auto [mask, mode, cmpmask] = std::tuple(state.mask, state.mode, state.cmpmask);
    execute_one(program, one, semantics, state);
    auto& elements = written.emplace_back();
    for (const std::uint32_t n : changed_elements(program.ub, state.ub, dst, type))
      elements.push_back({n, get_element(state.ub, dst, type, n)});
    std::memcpy(&state.ub[dst.begin], &program.ub[dst.begin], dst.bytes);
    std::tie(state.mask, state.mode, state.cmpmask) = std::tie(mask, mode, cmpmask);
  }
  return written;
}

std::vector<ShapeTrial> trials_around(const ShapeTrial& first, const Ask& ask) {
  constexpr unsigned kInCommon = 2, kTogether = 24;
  constexpr unsigned kRepeatTimes[] = {1, 2, 3, 4, 5, 6, 7, 9, 11};
  const MaskWords full = full_mask(first.subject);
  const MaskWords gaps{kGappedMask.high & full.high, kGappedMask.low & full.low};
  const bool fixed = row_of(first.subject.profile).block_stride_fixed;
  std::vector<ShapeTrial> trials;
  unsigned seed = 1;
  const auto add = [&](const Instruction& insn, MaskWords mask) {
    Subject subject = first.subject;
    subject.insn = insn;
    if (auto trial = run_trial(subject, mask, ++seed, ask)) trials.push_back(std::move(*trial));
  };
  add(first.insn(), first.mask);
  add(first.insn(), gaps);
  Instruction insn = first.insn();
  for_each_stride(insn, fixed, [&](unsigned k, auto field) {
    const std::uint32_t own = insn.operands[k].*field;
    for (const std::uint32_t stride : {own + 1, own - std::min(own, 1U), kSmall[k], 2 * own + 3}) {
      Instruction other = insn;
      other.operands[k].*field = stride;
      if (stride != own) add(other, first.mask);
    }
  });
  for (const unsigned repeat : kRepeatTimes) {
    Instruction other = insn;
    other.repeat = repeat;
    if (row_of(insn.op).has_repeat) add(other, first.mask);
  }
  for_each_stride(insn, fixed, [&](unsigned k, auto field) {  // two operands have one stride in common
    for (unsigned j = 0; j < k; ++j) {
      Instruction other = insn;
      other.operands[j].*field = other.operands[k].*field = insn.operands[k].*field + 2;
      if (has_stride(insn, j, field)) add(other, first.mask);
    }
  });
  for (unsigned n = 0; n < kInCommon; ++n) add(with_common_strides(insn, fixed, n), first.mask);
  Scatter scatter(5);
  for (unsigned n = kInCommon; n < kTogether; ++n) {
    Instruction other = with_scattered_strides(insn, fixed, scatter);
    if (row_of(insn.op).has_repeat && n % 2 == 1) other.repeat = kRepeatTimes[scatter.below(9)];
    add(other, n % 4 == 3 ? gaps : first.mask);
  }
  return trials;
}

}  // namespace lanecheck
