#include "fuzz/identify/element_laws/element_law.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "fuzz/identify/element_laws/blend.h"
#include "fuzz/identify/element_laws/written_bytes.h"
#include "fuzz/identify/probes/move_map.h"
#include "fuzz/identify/probes/one_repeat.h"
#include "fuzz/identify/probes/place_map.h"
#include "fuzz/identify/probes/reduction_map.h"
#include "fuzz/identify/probes/shapes.h"
#include "fuzz/identify/sorts/sort_difference.h"
#include "fuzz/identify/values/type_limits.h"
#include "oracle/execute/execute.h"
#include "spec/mask/footprint.h"
#include "spec/mask/mask_register.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// Calls f(byte offset in UB) for each element of operand `k`, if it has elements.
template <class F>
void for_each_element(const Program& program, const Instruction& insn, unsigned k, F f) {
  const OperandColumn& column = row_of(insn.op).operands[k];
  if (column.walk == Walk::bits || (column.type != TypeOf::dst && column.type != TypeOf::src)) return;
  const std::size_t size = size_of(operand_type(insn, column)), start = start_of(program, insn.operands[k]);
  for_each_piece(insn, k, [&](std::uint64_t from, std::uint64_t bytes) {
    for (std::uint64_t at = 0; at + size <= bytes; at += size)
      if (start + from + at + size <= program.ub.size()) f(start + from + at);
  });
}

ResolvedInstruction resolved(const Instruction& insn, const Semantics& semantics, const State& before) {
  MaskBits mask = bits_of(before.mask, before.mode, MaskOrigin::set);
  mask.load(insn, semantics.readings);
  return resolve(insn, mask, semantics.readings);
}

/// Changes the sources of `insn`, which walks as `walked` does.
void change_sources(const Program& program, const Instruction& walked, const ElementChange& change,
                    const Instruction& insn, std::vector<std::byte>& ub) {
  const Row& row = row_of(insn.op);
  for (unsigned k = row.reads_dst ? 0 : 1; k < row.operands.size(); ++k) {
    const Element type = operand_type(insn, row.operands[k]);
    for_each_element(program, walked, k, [&](std::size_t at) {
      const std::uint64_t bits = change(type, load_bits(ub, at, size_of(type)));
      std::memcpy(&ub[at], &bits, size_of(type));
    });
  }
}

void change_scalar(const ElementChange& change, Instruction& insn) {
  if (!takes_scalar(insn)) return;
  const Element type = scalar_type(insn);
  const std::uint64_t bits = change(type, insn.scalar.bits);
  if (bits != insn.scalar.bits) insn.scalar = scalar_from_bits(type, bits);
}

void change_results(const ElementWrite& write, Element type, const std::vector<bool>& written,
                    const std::vector<std::byte>& before, std::vector<std::byte>& ub) {
  const std::size_t size = size_of(type);
  for (std::size_t at = 0; at + size <= ub.size(); at += size) {
    if (!written[at]) continue;
    const std::uint64_t bits = write(type, load_bits(before, at, size), load_bits(ub, at, size));
    std::memcpy(&ub[at], &bits, size);
  }
}

void step(const ElementLaw& law, const Program& program, const Instruction& insn, const Semantics& semantics,
          State& state) {
  Instruction executed = insn;
  if (law.blends) return blend(program, insn, resolved(insn, semantics, state).insn, semantics, state);
  if (law.scalar) change_scalar(law.scalar, executed);
  if (law.executed) law.executed(executed);
  if (law.is_of_instructions()) {
    const bool fits = is_inside_ub(program, resolved(executed, semantics, state).insn);
    return execute_one(program, fits ? executed : insn, semantics, state);
  }
  const State before = state;
  const std::vector<bool> written = written_bytes(program, insn, semantics, before);
  if (law.read) change_sources(program, resolved(insn, semantics, before).insn, law.read, insn, state.ub);
  execute_one(program, executed, semantics, state);
  if (law.write)
    change_results(law.write, operand_type(insn, row_of(insn.op).operands[0]), written, before.ub, state.ub);
  for (std::size_t at = 0; at < before.ub.size(); ++at)  // sources stay as they are
    if (!written[at]) state.ub[at] = before.ub[at];
}

/// One step for each repeat, because a later one may write what an earlier one has written.
void step_by_step(const ElementLaw& law, const Program& program, const Instruction& insn,
                  const ResolvedInstruction& whole, const Semantics& semantics, State& state) {
  State after = state;
  execute_one(program, insn, semantics, after);
  for (unsigned r = 0; r < whole.insn.repeat; ++r) {
    Instruction one = one_repeat(whole.insn, r);
    if (whole.total != kNoTotal) {
      const std::uint64_t done = std::uint64_t{r} * lanes_of(insn);
      one.low = whole.total - std::min(whole.total, done);
      if (insn.mask_from == MaskFrom::reg) set_mask_word(state.mask, 0, one.low);
    }
    step(law, program, one, semantics, state);
  }
  after.ub = std::move(state.ub);
  state = std::move(after);
}

bool writes_twice(const Instruction& insn) {
  const Row& row = row_of(insn.op);
  return row.has_repeat && !indexed_operand(row) && row.operands[0].walk == Walk::blocks && insn.repeat > 1 &&
         shares_places(insn);
}

void step_of(const ElementLaw& law, const Program& program, const Instruction& insn,
             const Semantics& semantics, State& state) {
  // Each step copies UB: of a longer one, what is written twice is taken as written once, so that most laws
  // do not fit.
  constexpr std::size_t kMostCopied = std::size_t{1} << 24;
  const ResolvedInstruction whole = resolved(insn, semantics, state);
  if (writes_twice(whole.insn) && whole.insn.repeat * state.ub.size() <= kMostCopied)
    return step_by_step(law, program, insn, whole, semantics, state);
  step(law, program, insn, semantics, state);
}

}  // namespace

namespace {

/// No document says which bits a NaN has: where both states have one, `expected` takes that of `actual`.
void take_nans(const Program& program, const State& actual, State& expected) {
  for (const Allocation& each : program.allocations) {
    const std::size_t size = size_of(each.type);
    for (std::size_t at = each.offset; is_float(each.type) && at + size <= each.offset + each.bytes;
         at += size)
      if (std::isnan(value_of(each.type, load_bits(actual.ub, at, size))) &&
          std::isnan(value_of(each.type, load_bits(expected.ub, at, size))))
        std::memcpy(&expected.ub[at], &actual.ub[at], size);
  }
}

}  // namespace

bool changes(const ElementLaw& law, Element type, std::uint64_t bits) {
  if (law.blends) return std::isinf(value_of(type, bits)) || bits == sign_of(type);
  return (law.read && law.read(type, bits) != bits) || (law.scalar && law.scalar(type, bits) != bits) ||
         (law.write && law.write(type, ~bits & all_bits(type), bits) != bits);
}

bool concerns(const ElementLaw& law, const Instruction& insn) {
  const Row& row = row_of(insn.op);
  if (law.is_of_scalars()) return takes_scalar(insn);
  if (law.executed) {
    Instruction changed = insn;
    return law.executed(changed);
  }
  if (row.operands.empty() || row.compares || row.compacts || has_sort_probes(row)) return false;
  return has_place_probes(row) || has_move_probes(row) || has_plain_results(row);
}

State left_under(const ElementLaw& law, const std::set<std::string>& spared, const Program& program,
                 const Semantics& semantics) {
  State state;
  state.ub = program.ub;
  for (const Instruction& insn : program.instructions)
    if (!concerns(law, insn) || spared.contains(mnemonic(insn)))
      execute_one(program, insn, semantics, state);
    else
      step_of(law, program, insn, semantics, state);
  return state;
}

bool gives(const ElementLaw& law, const std::set<std::string>& spared, const Program& program,
           const Semantics& semantics, const State& actual, Shown shown) {
  State expected = left_under(law, spared, program, semantics);
  take_nans(program, actual, expected);
  if (identical(expected, actual, shown)) return true;
  State documented;
  const AcceptMap lenient = accept_sets(program, semantics, documented);
  if (mask_differs(documented, actual, shown)) return false;
  for (std::size_t at = 0; at < actual.ub.size(); ++at) {
    const bool is_changed = expected.ub[at] != documented.ub[at];
    const bool is_left = actual.ub[at] == documented.ub[at];  // what the law changes
    if (actual.ub[at] != expected.ub[at] && ((is_changed && is_left) || !lenient.admits(actual.ub, at)))
      return false;
  }
  return true;
}

}  // namespace lanecheck
