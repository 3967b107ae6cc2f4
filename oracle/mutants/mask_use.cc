// Mutants of one instruction each: it ignores the mask that should gate it, or obeys the mask that it should
// ignore (VMC 3.1, 4).
#include "oracle/mutants/replace_seam.h"
#include "spec/rules/rule.h"

namespace lanecheck {
namespace {

std::string_view elementwise_rule(const Row& row) {
  if (row.op == Op::dup) return "VMC-3.1-dup";
  if (row.op == Op::cast) return "VMC-3.1-cast";
  if (row.has_scalar) return "VMC-3.1-unary-scalar";
  return row.operands.size() == 3 ? "VMC-3.1-binary" : "VMC-3.1-unary";
}

/// VMC has one select; with a number as its second source it is a row of its own.
bool is_select(Op op) {
  return op == Op::select || op == Op::select_number;
}

std::vector<std::string_view> ignoring_rules(const Row& row) {
  if (is_select(row.op)) return {"VMC-4-select", "VMC-4-own-control"};
  return {find_rule("VMC-4-" + std::string(row.name))->id};
}

}  // namespace

void add_mask_use_mutants(std::vector<Mutant>& list) {
  for (const Row& row : instruction_table()) {
    if (!row.in(Profile::vmc).offered) continue;
    const std::string name(row.name);
    if (row.mask == MaskUse::gates_writeback)
      list.push_back(
          {name + "-ignores-mask",
           name + " writes masked-off lanes",
           {elementwise_rule(row), "VMC-3.1-keeps-masked-off", "VMC-6-pattern-a", "VMC-7-keeps-dst"},
           replace_use(row.op, MaskUse::ignores),
           row.op});
    if (row.mask == MaskUse::ignores && row.standing != Standing::deprecated) {
      list.push_back({name + "-obeys-mask", name + " keeps dst where the mask is 0", ignoring_rules(row),
                      replace_use(row.op, MaskUse::gates_writeback), row.op});
    }
  }
}

}  // namespace lanecheck
