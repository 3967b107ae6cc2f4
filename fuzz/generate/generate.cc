#include "fuzz/generate/generate.h"

#include <algorithm>
#include <array>
#include <vector>

#include "fuzz/generate/boundary.h"
#include "fuzz/generate/builder.h"
#include "fuzz/generate/directed_cases.h"
#include "fuzz/generate/draws.h"
#include "fuzz/generate/end_of_ub.h"
#include "fuzz/generate/mask_draws.h"
#include "spec/program/profile.h"

namespace lanecheck {
namespace {

/// How often the list that instructions are drawn from holds `row`: those that a document is about count
/// most.
unsigned weight_of(const Row& row) {
  const Family family = row.family;
  if (family == Family::gather_mask || family == Family::padding) return 6;
  return row.mask != MaskUse::ignores ? 2 : 1;
}

/// The instructions that compute, by their weight.
const std::vector<Op>& computing(Profile profile, Family family) {
  using Lists = std::array<std::array<std::vector<Op>, kFamilies>, kProfiles>;
  static const Lists lists = [] {
    Lists all;
    for (const Profile each_profile : kEveryProfile)
      for (const Row& row : instruction_table()) {
        if (!computes(row, each_profile)) continue;
        for (const Family each : {Family::any, row.family}) {
          auto& list = all[static_cast<std::size_t>(each_profile)][static_cast<std::size_t>(each)];
          list.insert(list.end(), weight_of(row), row.op);
        }
      }
    return all;
  }();
  return lists[static_cast<std::size_t>(profile)][static_cast<std::size_t>(family)];
}

/// Adds an instruction that sets the mask, as `pick` (0 .. 15) has it; false if it has not.
bool add_mask(Profile profile, unsigned pick, Draws& draws, Builder& builder) {
  const bool register_alone = row_of(profile).mask_operands == MaskOperands::never;
  if (register_alone && pick < 5) {
    builder.set_mask(draw_mask(draws));
    return true;
  }
  if (register_alone && pick == 5) {
    builder.push_bare(Op::reset_mask);
    return true;
  }
  if (pick >= 4 || !row_of(Op::set_mask_norm).in(profile).offered) return false;
  builder.add_mask_state();
  return true;
}

/// The instructions are taken in turn, `turn` by `turn`, so that none is late; the ones after the first are
/// drawn.
void build_drawn(const Mix& mix, std::uint64_t turn, bool wild, Draws& draws, Builder& builder) {
  const unsigned most = draws.one_in(8) ? mix.most_instructions : std::min(8u, mix.most_instructions);
  const unsigned count = 1 + draws.below(most);
  const auto& ops = computing(mix.profile, mix.family);
  const bool register_alone = row_of(mix.profile).mask_operands == MaskOperands::never;
  const Row* last = nullptr;
  for (unsigned n = 0; n < count; ++n) {
    const unsigned pick = draws.below(16);
    const bool is_last = n + 1 == count;  // a mask that nothing meets shows little
    if (!is_last && add_mask(mix.profile, pick, draws, builder)) continue;
    const std::size_t at =
        last == nullptr ? turn % ops.size() : draws.below(static_cast<unsigned>(ops.size()));
    const bool again = last != nullptr && draws.one_in(10);  // it may keep something of the one before
    const Row& row = again ? *last : row_of(ops[at]);
    last = &row;
    if (register_alone && row.family == Family::reductions && draws.one_in(4))
      builder.set_mask(draw_mask_with_empty_blocks(draws));
    if (takes_register(row, mix.profile) && draws.one_in(16))
      builder.add_after_calls(row);
    else
      builder.add_drawn(row);
  }
  if (wild && draws.one_in(6)) builder.add_again();
}

/// Many large instructions may need more than UB has: then the last ones are left out, with their
/// allocations. UB ends where the first of these starts: behind the room for whole repeats of the one before.
void fit_into_ub(Program& program) {
  while (program.ub.size() > kMaxUbBytes && !program.instructions.empty()) {
    program.instructions.pop_back();
    std::size_t used = 0;
    for (const Instruction& insn : program.instructions)
      for (unsigned k = 0; k < row_of(insn.op).operands.size(); ++k)
        used = std::max(used, std::size_t{insn.operands[k].allocation} + 1);
    if (used == program.allocations.size()) continue;
    program.ub.resize(program.allocations[used].offset);
    program.allocations.resize(used);
  }
}

/// The first cases: of each four of them two are directed, one is a row of the boundary tables and one is
/// drawn, until all directed cases have come.
std::uint64_t first_cases(Profile profile) {
  return (directed_cases(profile) + 1) / 2 * 4;
}

/// Of a case that is not drawn.
bool is_directed_case(Profile profile, std::uint64_t index) {
  return index < first_cases(profile) && index % 4 != 0;
}

/// A case of the first cases that is not drawn.
void build_first(Profile profile, std::uint64_t index, Builder& builder) {
  const std::uint64_t directed = directed_cases(profile), rows = boundary_rows(profile);
  if (!is_directed_case(profile, index)) return build_boundary(profile, scrambled(index / 4, rows), builder);
  const std::uint64_t n = index / 4 * 2 + index % 4 / 3;
  build_directed_case(profile, n % directed, builder);
}

/// Adds what case `index`, which is not drawn, tries.
void build_tabled(Profile profile, std::uint64_t index, Builder& builder) {
  const std::uint64_t first = first_cases(profile), rows = boundary_rows(profile);
  if (index < first) return build_first(profile, index, builder);
  build_boundary(profile, scrambled(first / 4 + (index - first) / 2, rows), builder);
}

}  // namespace

bool is_boundary_case(const Mix& mix, std::uint64_t index) {
  if (!mix.with_boundaries || index >= cases_with_boundaries(mix.profile)) return false;
  return index < first_cases(mix.profile) ? index % 4 != 1 : index % 2 == 0;
}

std::uint64_t cases_with_boundaries(Profile profile) {
  const std::uint64_t first = first_cases(profile);
  return first + 2 * (boundary_rows(profile) - first / 4);
}

Kind generate(std::uint64_t seed, std::uint64_t index, const Mix& mix, Program& program) {
  Draws draws(seed, index);
  Builder builder(draws, program, mix.profile);
  if (is_boundary_case(mix, index)) {
    build_tabled(mix.profile, index, builder);
    fit_into_ub(program);
    if (program.ub.empty()) program.ub.resize(kBlockBytes);
    if (is_directed_case(mix.profile, index))  // each instruction has cases of both kinds
      ((index / 4 + index) % 2 == 0 ? end_with_dst : end_with_last_allocation)(program);
    return Kind::boundary;
  }
  const bool wild = draws.below(16) < mix.wild_in_sixteen;
  builder.make_wild(wild);
  const bool among_first = mix.with_boundaries && index < first_cases(mix.profile);
  build_drawn(mix, among_first ? index / 4 : index / 2, wild, draws, builder);
  fit_into_ub(program);
  if (program.ub.empty()) program.ub.resize(kBlockBytes);  // only mask instructions
  return wild ? Kind::wild : Kind::decisive;
}

}  // namespace lanecheck
