#include "fuzz/identify/trials/conditional_law.h"
#include "spec/mask/footprint.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

std::string role(const Instruction& insn, unsigned k) {
  return std::string(row_of(insn.op).operands[k].role);
}

/// The conjecture that the instruction is carried out with the strides that `change` makes of its own.
Conjecture with_strides(std::string text, MapKind map, const std::function<void(Instruction&)>& change) {
  return conjecture_of(std::move(text), map, [change](const Instruction& given) {
    Instruction executed = given;
    change(executed);
    return std::optional(executed);
  });
}

void add_exchanges(const Instruction& insn, unsigned j, unsigned k, std::vector<Conjecture>& all) {
  const std::string operands = " of " + role(insn, j) + " and " + role(insn, k);
  const auto can = [&](auto field) { return has_stride(insn, j, field) && has_stride(insn, k, field); };
  for (const auto field : kStrides)
    if (can(field))
      all.push_back(with_strides(mnemonic(insn) + " exchanges the " + stride_name(field) + "s" + operands,
                                 map_of_role(role(insn, k)), [=](Instruction& executed) {
                                   std::swap(executed.operands[j].*field, executed.operands[k].*field);
                                 }));
  if (std::ranges::all_of(kStrides, can))
    all.push_back(with_strides(mnemonic(insn) + " exchanges the strides" + operands,
                               map_of_role(role(insn, k)), [=](Instruction& executed) {
                                 for (const auto field : kStrides)
                                   std::swap(executed.operands[j].*field, executed.operands[k].*field);
                               }));
}

}  // namespace

bool lies_in_a_row(const Instruction& insn, unsigned k) {
  return row_of(insn.op).operands[k].walk == Walk::blocks && is_contiguous(insn, k);
}

std::vector<Conjecture> exchange_conjectures(const Instruction& insn) {
  std::vector<Conjecture> all;
  const auto operands = static_cast<unsigned>(row_of(insn.op).operands.size());
  for (unsigned j = 0; j < operands; ++j)
    for (unsigned k = j + 1; k < operands; ++k) add_exchanges(insn, j, k, all);
  return all;
}

std::vector<Conjecture> source_conjectures(const Instruction& insn) {
  if (row_of(insn.op).operands.size() != 3 || role(insn, 1) != "src0" || role(insn, 2) != "src1") return {};
  return {with_strides(mnemonic(insn) + " takes src0 for src1 and src1 for src0", MapKind::src0,
                       [](Instruction& executed) { std::swap(executed.operands[1], executed.operands[2]); })};
}

std::uint32_t repeat_stride_in_a_row(const Instruction& insn, unsigned k) {
  return lanes_of(insn) / per_block(operand_type(insn, row_of(insn.op).operands[k]));
}

std::vector<Conjecture> in_a_row_conjectures(const Instruction& insn) {
  std::vector<Conjecture> all;
  const auto operands = static_cast<unsigned>(row_of(insn.op).operands.size());
  const auto has_strides = [&](unsigned k) {
    return std::ranges::all_of(kStrides, [&](auto field) { return has_stride(insn, k, field); });
  };
  const auto add = [&](const std::string& text, unsigned from, unsigned to) {
    all.push_back(with_strides(text, map_of_role(role(insn, from)), [from, to](Instruction& executed) {
      for (unsigned k = from; k < to; ++k) {
        executed.operands[k].block_stride = 1;
        executed.operands[k].repeat_stride = repeat_stride_in_a_row(executed, k);
      }
    }));
    all.back().always = ", whatever strides are given";
    if (from == 1 && to == operands) all.back().key = "sources: they lie in a row";
  };
  for (unsigned k = 0; k < operands; ++k)
    if (has_strides(k)) add(role(insn, k) + " of " + mnemonic(insn) + " lies in a row", k, k + 1);
  if (operands == 3 && has_strides(1) && has_strides(2))
    add(role(insn, 1) + " and " + role(insn, 2) + " of " + mnemonic(insn) + " lie in a row", 1, operands);
  return all;
}

}  // namespace lanecheck
