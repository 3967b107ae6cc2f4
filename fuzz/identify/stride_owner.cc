#include "fuzz/identify/stride_owner.h"

#include <algorithm>
#include <string>

#include "fuzz/identify/move_differences.h"
#include "fuzz/identify/place_differences.h"
#include "fuzz/probes/move_map.h"
#include "fuzz/probes/place_map.h"

namespace lanecheck {
namespace {

struct StrideField {
  std::string_view name;
  std::uint32_t Operand::*value;
};

constexpr StrideField kFields[] = {{"block stride ", &Operand::block_stride},
                                   {"repeat stride ", &Operand::repeat_stride}};

std::string clause(const StrideField& field, std::uint32_t stride) {
  return "walks with " + std::string(field.name) + std::to_string(stride) + " instead of ";
}

bool has(const OperandColumn& column, const StrideField& field) {
  const bool is_repeat = field.value == &Operand::repeat_stride;
  return column.walk == Walk::blocks || (is_repeat && column.walk == Walk::results);
}

std::vector<Difference> differences_in_places(const Subject& subject, MaskWords mask, const Ask& ask) {
  if (has_move_probes(row_of(subject.insn.op)))
    return move_differences(subject, measure_moves(subject, mask, ask),
                            measure_moves(subject, mask, ask_oracle()));
  return place_differences(subject, measure_places(subject, mask, ask),
                           measure_places(subject, mask, ask_oracle()), {})
      .list;
}

/// Does operand `k` walk with another stride if that of operand `other` is another one?
bool follows(Subject subject, MaskWords mask, const StrideField& field, unsigned k, unsigned other,
             const Ask& ask) {
  const auto columns = row_of(subject.insn.op).operands;
  std::uint32_t& stride = subject.insn.operands[other].*field.value;
  ++stride;
  if (stride == subject.insn.operands[k].*field.value) ++stride;
  const std::string expected = clause(field, stride);
  return std::ranges::any_of(differences_in_places(subject, mask, ask), [&](const Difference& each) {
    return each.map == columns[k].role && each.what.find(expected) != std::string::npos;
  });
}

void name_owner(const Subject& subject, MaskWords mask, Difference& difference, const StrideField& field,
                const Ask& ask) {
  const auto columns = row_of(subject.insn.op).operands;
  const auto own = std::ranges::find(columns, difference.map, &OperandColumn::role);
  if (own == columns.end()) return;
  const auto k = static_cast<unsigned>(own - columns.begin());
  for (unsigned other = 0; other < columns.size(); ++other) {
    const std::uint32_t stride = subject.insn.operands[other].*field.value;
    const std::size_t at = difference.what.find(clause(field, stride));
    if (other == k || at == std::string::npos || !has(columns[other], field)) continue;
    if (!follows(subject, mask, field, k, other, ask)) continue;
    constexpr std::string_view kInstead = " instead of ";
    difference.what.insert(at + clause(field, stride).size() - kInstead.size(),
                           " (that of " + std::string(columns[other].role) + ")");
    if (difference.places)  // if the other stride is as documented, the law holds for all strides
      difference.places = [k, other, value = field.value,
                           alone = difference.what.find(" and ") == std::string::npos,
                           law = difference.places](const Instruction& given) -> std::optional<Instruction> {
        if (!alone) return law(given);
        Instruction executed = given;
        executed.operands[k].*value = given.operands[other].*value;
        return executed;
      };
    return;
  }
}

}  // namespace

void name_stride_owners(const Subject& subject, MaskWords mask, std::vector<Difference>& differences,
                        const Ask& ask) {
  for (Difference& difference : differences)
    for (const StrideField& field : kFields) name_owner(subject, mask, difference, field, ask);
}

}  // namespace lanecheck
