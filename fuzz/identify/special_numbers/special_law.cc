#include "fuzz/identify/special_numbers/special_law.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "fuzz/identify/probes/move_map.h"
#include "fuzz/identify/probes/one_repeat.h"
#include "fuzz/identify/probes/place_map.h"
#include "fuzz/identify/probes/reduction_map.h"
#include "fuzz/identify/probes/shapes.h"
#include "fuzz/identify/sorts/sort_difference.h"
#include "fuzz/identify/special_numbers/blend.h"
#include "fuzz/identify/special_numbers/written_bytes.h"
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

/// Changes the sources and the scalar of `insn`, which walks as `walked` does.
void change_sources(const Program& program, const Instruction& walked, const ElementChange& change,
                    Instruction& insn, std::vector<std::byte>& ub) {
  const Row& row = row_of(insn.op);
  for (unsigned k = row.reads_dst ? 0 : 1; k < row.operands.size(); ++k) {
    const Element type = operand_type(insn, row.operands[k]);
    for_each_element(program, walked, k, [&](std::size_t at) {
      const std::uint64_t bits = change(type, load_bits(ub, at, size_of(type)));
      std::memcpy(&ub[at], &bits, size_of(type));
    });
  }
  if (!takes_scalar(insn)) return;
  const Element type = scalar_type(insn);
  const std::uint64_t bits = change(type, insn.scalar.bits);
  if (bits != insn.scalar.bits) insn.scalar = scalar_from_bits(type, bits);
}

void change_results(const SpecialLaw& law, Element type, const std::vector<bool>& written,
                    const std::vector<std::byte>& before, std::vector<std::byte>& ub) {
  const std::size_t size = size_of(type);
  for (std::size_t at = 0; at + size <= ub.size(); at += size) {
    if (!written[at]) continue;
    const std::uint64_t now = load_bits(ub, at, size), changed = law.numbers.change(type, now);
    if (changed == now) continue;
    std::memcpy(
        &ub[at],
        law.kind == SpecialLaw::Kind::kept ? &before[at] : reinterpret_cast<const std::byte*>(&changed),
        size);
  }
}

void step(const SpecialLaw& law, const Program& program, const Instruction& insn, const Semantics& semantics,
          State& state) {
  using Kind = SpecialLaw::Kind;
  if (law.kind == Kind::blended)
    return blend(program, insn, resolved(insn, semantics, state).insn, semantics, state);
  const State before = state;
  const std::vector<bool> written = written_bytes(program, insn, semantics, before);
  Instruction executed = insn;
  if (law.kind == Kind::read || law.kind == Kind::both)
    change_sources(program, resolved(insn, semantics, before).insn, law.numbers.change, executed, state.ub);
  execute_one(program, executed, semantics, state);
  if (law.kind != Kind::read)
    change_results(law, operand_type(insn, row_of(insn.op).operands[0]), written, before.ub, state.ub);
  for (std::size_t at = 0; at < before.ub.size(); ++at)  // sources stay as they are
    if (!written[at]) state.ub[at] = before.ub[at];
}

/// One step for each repeat, because a later one may write what an earlier one has written.
void step_by_step(const SpecialLaw& law, const Program& program, const Instruction& insn,
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

void step_of(const SpecialLaw& law, const Program& program, const Instruction& insn,
             const Semantics& semantics, State& state) {
  const ResolvedInstruction whole = resolved(insn, semantics, state);
  if (writes_twice(whole.insn)) return step_by_step(law, program, insn, whole, semantics, state);
  step(law, program, insn, semantics, state);
}

}  // namespace

std::string SpecialLaw::text() const {
  const std::string reads = "read " + numbers.of + " as " + numbers.as;
  const std::string writes = "write " + numbers.as + " instead of " + numbers.of;
  switch (kind) {
    case Kind::written:
      break;
    case Kind::read:
      return reads;
    case Kind::both:
      return reads + ", and " + writes;
    case Kind::kept:
      return "do not write results that are " + numbers.of + ": dst keeps what was there";
    case Kind::blended:
      return "write old dst * (1 - mask) + result * mask: a masked-off lane becomes NaN where the result is "
             "infinite or NaN, an active lane where old dst is, and -0 may become +0";
  }
  return writes;
}

std::vector<SpecialLaw> special_laws() {
  using Kind = SpecialLaw::Kind;
  std::vector<SpecialLaw> laws;
  // Without NaN: what a maximum of it is, the documents leave open.
  const auto is_special = [](Element type, std::uint64_t bits) {
    const double value = value_of(type, bits);
    const bool is_minus_zero = is_float(type) && value == 0 && bits != 0;
    return std::isinf(value) || is_minus_zero ? ~bits & all_bits(type) : bits;
  };
  laws.push_back({{"infinity and -0", "", is_special}, Kind::blended});
  const auto add = [&](const SpecialChange& numbers) {
    for (const Kind kind : {Kind::written, Kind::read, Kind::both}) laws.push_back({numbers, kind});
  };
  for (const SpecialChange& each : changes_of_subnormals()) add(each);
  for (const SpecialChange& each : changes_of_other_specials()) add(each);
  const auto is_zero = [](Element type, std::uint64_t bits) {
    return value_of(type, bits) == 0 ? ~bits & all_bits(type) : bits;
  };
  const auto is_plus_zero = [](Element type, std::uint64_t bits) {
    return bits == 0 ? all_bits(type) : bits;
  };
  laws.push_back({{"0", "", is_zero}, Kind::kept});
  laws.push_back({{"+0", "", is_plus_zero}, Kind::kept});
  return laws;
}

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

bool has_special_numbers(const Instruction& insn) {
  const Row& row = row_of(insn.op);
  if (row.operands.empty() || row.compares || row.compacts || has_sort_probes(row)) return false;
  return has_place_probes(row) || has_move_probes(row) || has_plain_results(row);
}

State left_under(const SpecialLaw& law, const std::set<std::string>& spared, const Program& program,
                 const Semantics& semantics) {
  State state;
  state.ub = program.ub;
  for (const Instruction& insn : program.instructions)
    if (!has_special_numbers(insn) || spared.contains(mnemonic(insn)))
      execute_one(program, insn, semantics, state);
    else
      step_of(law, program, insn, semantics, state);
  return state;
}

bool gives(const SpecialLaw& law, const std::set<std::string>& spared, const Program& program,
           const Semantics& semantics, const State& actual, Shown shown) {
  State expected = left_under(law, spared, program, semantics);
  take_nans(program, actual, expected);
  if (identical(expected, actual, shown)) return true;
  State documented;
  const AcceptMap lenient = accept_sets(program, semantics, documented);
  if (mask_differs(documented, actual, shown)) return false;
  for (std::size_t at = 0; at < actual.ub.size(); ++at) {
    const bool changes = expected.ub[at] != documented.ub[at];
    const bool is_left = actual.ub[at] == documented.ub[at];  // what the law changes
    if (actual.ub[at] != expected.ub[at] && ((changes && is_left) || !lenient.admits(actual.ub, at)))
      return false;
  }
  return true;
}

}  // namespace lanecheck
