#include "fuzz/generate/generate.h"

#include <algorithm>
#include <array>
#include <vector>

#include "fuzz/generate/boundary.h"
#include "fuzz/generate/builder.h"
#include "fuzz/generate/draws.h"
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

void build_drawn(const Mix& mix, Draws& draws, Builder& builder) {
  const unsigned most = draws.one_in(8) ? mix.most_instructions : std::min(8u, mix.most_instructions);
  const unsigned count = 1 + draws.below(most);
  const auto& ops = computing(mix.profile, mix.family);
  for (unsigned n = 0; n < count; ++n) {
    const unsigned pick = draws.below(16);
    const bool is_last = n + 1 == count;  // a mask that nothing meets shows little
    if (!is_last && add_mask(mix.profile, pick, draws, builder)) continue;
    builder.add_drawn(row_of(ops[draws.below(static_cast<unsigned>(ops.size()))]));
  }
}

}  // namespace

Kind generate(std::uint64_t seed, std::uint64_t index, const Mix& mix, Program& program) {
  Draws draws(seed, index);
  Builder builder(draws, program, mix.profile);
  if (mix.boundaries_first && index < boundary_cases(mix.profile)) {
    build_boundary(mix.profile, index, builder);
    if (program.ub.empty()) program.ub.resize(kBlockBytes);
    return Kind::boundary;
  }
  const bool wild = draws.below(16) < mix.wild_in_sixteen;
  builder.make_wild(wild);
  build_drawn(mix, draws, builder);
  if (program.ub.empty()) program.ub.resize(kBlockBytes);  // only mask instructions
  return wild ? Kind::wild : Kind::decisive;
}

}  // namespace lanecheck
