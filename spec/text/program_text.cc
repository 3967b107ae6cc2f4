#include "spec/text/program_text.h"

#include <cstring>

#include "spec/program/profile.h"
#include "spec/text/instruction_fields.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

/// Writes the fields of an instruction behind its mnemonic.
class FieldPrinter {
 public:
  FieldPrinter(const Program& program, std::string text) : program_(program), text_(std::move(text)) {}

  std::string text() && { return std::move(text_); }

  void word(FieldName name, std::uint64_t value) {
    text_.append(" ").append(name.text).append("=").append(show_hex(value));
  }

  void operand(const OperandColumn& column, const Operand& operand) {
    std::string place = "?" + std::to_string(operand.allocation);
    if (operand.allocation < program_.allocations.size())
      place = program_.allocations[operand.allocation].name;
    place.append("+").append(std::to_string(operand.offset));
    if (shows_block_stride(column.walk)) place.append(" blk=").append(std::to_string(operand.block_stride));
    if (shows_repeat_stride(column.walk)) place.append(" rep=").append(std::to_string(operand.repeat_stride));
    add("", place);
  }

  void scalar(FieldName name, Element type, const Scalar& scalar) {
    add(name.text, show_scalar(type, scalar));
  }

  template <class Enum>
  void choice(FieldName name, std::span<const std::string_view> names, Enum choice) {
    add(name.text, names[static_cast<unsigned>(choice)]);
  }

  void numbers(FieldName name, std::span<const std::uint32_t> values) {
    for (const std::uint32_t value : values) number(name, value);
  }

  void number(FieldName name, std::uint32_t value) { add(name.text, std::to_string(value)); }

  void mask_operand(MaskFrom from, std::uint64_t high, std::uint64_t low) {
    switch (from) {
      case MaskFrom::reg:
        return;
      case MaskFrom::contiguous:
        return add("mask", std::to_string(low));
      case MaskFrom::bitwise:
        return add("mask", show_hex(high) + ":" + show_hex(low));
      case MaskFrom::count:
        return add("count", std::to_string(low));
    }
  }

  void repeat(std::uint32_t times, bool by_scalar) {
    if (by_scalar)
      add("", std::string(kRepeatByScalar) + std::to_string(times));
    else
      add("repeat", std::to_string(times));
  }

 private:
  void add(std::string_view name, std::string_view value) {
    text_.append(separator_).append(name).append(name.empty() ? "" : "=").append(value);
    separator_ = ", ";
  }

  const Program& program_;
  std::string text_;
  std::string_view separator_ = " ";
};

}  // namespace

std::vector<std::string> print_runs(Element type, const std::byte* data, std::uint32_t bytes) {
  std::vector<std::string> runs;
  const unsigned size = size_of(type);
  const auto element = [&](std::uint32_t n) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, data + std::size_t{n} * size, size);
    return bits;
  };
  std::uint32_t count = bytes / size;
  while (count > 0 && element(count - 1) == 0) --count;
  for (std::uint32_t n = 0; n < count;) {
    std::uint32_t same = 1;
    while (n + same < count && element(n + same) == element(n)) ++same;
    std::string run = show_element(type, element(n));
    if (same > 1) run.append(" x").append(std::to_string(same));
    runs.push_back(std::move(run));
    n += same;
  }
  return runs;
}

std::string print_instruction(const Program& program, const Instruction& insn) {
  FieldPrinter printer(program, mnemonic(insn));
  for_each_field(insn, printer);
  return std::move(printer).text();
}

std::string print(const Program& program) {
  std::string text;
  if (program.profile != kDefaultProfile)
    text.append("profile ").append(row_of(program.profile).name).append("\n");
  text.append("ub ").append(std::to_string(program.ub.size())).append("\n");
  for (const Allocation& each : program.allocations) {
    text.append("alloc ").append(each.name).append(" ").append(name_of(each.type));
    text.append(" " + std::to_string(each.offset) + " " + std::to_string(each.bytes));
    std::string_view separator = " = ";
    for (const std::string& run : print_runs(each.type, program.ub.data() + each.offset, each.bytes)) {
      text.append(separator).append(run);
      separator = ", ";
    }
    text += '\n';
  }
  for (const Instruction& insn : program.instructions)
    text.append(print_instruction(program, insn)).append("\n");
  return text;
}

}  // namespace lanecheck
