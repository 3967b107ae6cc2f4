#include <algorithm>

#include "oracle/mutants/mutant_list.h"
#include "spec/rules/rule.h"

namespace lanecheck {
namespace {

std::vector<Mutant> all_mutants() {
  std::vector<Mutant> list;
  add_set_mask_mutants(list);
  add_lookup_mutants(list);
  add_packed_bits_mutants(list);
  add_reduction_mutants(list);
  add_mask_use_mutants(list);
  add_operand_mutants(list);
  add_counter_mutants(list);
  add_register_mutants(list);
  add_lane_mutants(list);
  add_gather_mask_mutants(list);
  add_padding_mutants(list);
  add_tik_mutants(list);
  return list;
}

}  // namespace

void add_rows(std::vector<Mutant>& list, std::span<const MutantRow> rows) {
  for (const MutantRow& row : rows) {
    const auto* end = std::ranges::find(row.breaks, std::string_view{});
    list.push_back({std::string(row.id), std::string(row.what), {std::begin(row.breaks), end}, row.apply});
  }
}

std::span<const Mutant> mutants() {
  static const std::vector<Mutant> list = all_mutants();
  return list;
}

bool Mutant::exists_in(Profile profile) const {
  return std::ranges::any_of(breaks, [&](std::string_view broken) {
    const Rule* rule = find_rule(broken);
    return rule != nullptr && rule->holds_in(profile);
  });
}

const Mutant* find_mutant(std::string_view id) {
  const auto found = std::ranges::find(mutants(), id, &Mutant::id);
  return found == mutants().end() ? nullptr : &*found;
}

}  // namespace lanecheck
