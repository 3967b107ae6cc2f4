// Names of instructions with their element types.
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// Takes what stands before the next dot off `text`, and the dot.
std::string_view take_part(std::string_view& text) {
  const auto dot = text.find('.');
  const auto part = text.substr(0, dot);
  text = dot == std::string_view::npos ? std::string_view{} : text.substr(dot + 1);
  return part;
}

}  // namespace

std::string mnemonic(const Instruction& insn) {
  const Row& row = row_of(insn.op);
  std::string text(row.name);
  if (!row.typed() || row.untyped_bytes) return text;
  const bool by_source = row.compares;
  text.append(".").append(name_of(by_source ? insn.src_type : insn.dst_type));
  if (!by_source && insn.dst_type != insn.src_type) text.append(".").append(name_of(insn.src_type));
  if (row.rounds && insn.dst_type == insn.src_type) text.append(".").append(name_of(insn.src_type));
  return text;
}

bool parse_mnemonic(std::string_view text, Instruction& insn) {
  const Row* row = find_row(take_part(text));
  if (row == nullptr) return false;
  insn.op = row->op;
  if (!row->typed()) return text.empty();
  if (row->untyped_bytes) {
    insn.dst_type = insn.src_type = Element::u8;
    return text.empty();
  }
  const auto first = element_named(take_part(text));
  const auto second = text.empty() ? first : element_named(text);
  if (!first || !second) return false;
  const bool by_source = row->compares;
  insn.dst_type = by_source ? Element::u8 : *first;
  insn.src_type = *second;
  return !by_source || text.empty();
}

}  // namespace lanecheck
