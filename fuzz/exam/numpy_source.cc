#include "fuzz/exam/python_source.h"
#include "spec/program/profile.h"
#include "spec/text/instruction_fields.h"
#include "spec/text/joined.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

constexpr std::string_view kDefinitions = R"(
# allocation: a name; operands with the same name may overlap. start: bytes from the start of UB. Strides are in data
# blocks of 32 bytes; the repeat stride of the dst of a reduction is in results of one repeat.
Operand = collections.namedtuple("Operand", "allocation start block_stride repeat_stride")
Scalar = collections.namedtuple("Scalar", "value bits")  # bits: in the element type
)";

/// The arguments of a call, as for_each_field visits them.
class Arguments {
 public:
  Arguments(std::string& out, const Program& launch) : out_(out), launch_(launch) {}

  void word(FieldName name, const std::uint64_t& value) { add(name.json, show_hex(value)); }
  void operand(const OperandColumn& column, const Operand& operand) {
    add(column.role, "Operand(" + literal(launch_.allocations[operand.allocation].name) + ", " +
                         std::to_string(start_of(launch_, operand)) + ", " +
                         std::to_string(operand.block_stride) + ", " + std::to_string(operand.repeat_stride) +
                         ")");
  }
  void scalar(FieldName name, Element type, const Scalar& scalar) {
    add(name.json, "Scalar(" + python_scalar(type, scalar) + ", " + show_hex(scalar.bits) + ")");
  }
  template <class E>
  void choice(FieldName name, std::span<const std::string_view> names, const E& value) {
    add(name.json, literal(names[static_cast<std::size_t>(value)]));
  }
  void numbers(FieldName name, std::span<const std::uint32_t> values) {
    add(name.json, "[" + joined(values, [](std::uint32_t each) { return std::to_string(each); }) + "]");
  }
  void number(FieldName name, const std::uint32_t& value) { add(name.json, std::to_string(value)); }
  void mask_operand(const MaskFrom& from, const std::uint64_t& high, const std::uint64_t& low) {
    switch (from) {
      case MaskFrom::reg:
        return;
      case MaskFrom::bitwise:
        return add("mask_operand", "{\"high\": " + show_hex(high) + ", \"low\": " + show_hex(low) + "}");
      case MaskFrom::contiguous:
      case MaskFrom::count:
        break;
    }
    const std::string_view name = kMaskFromNames[static_cast<std::size_t>(from)];
    add("mask_operand", "{" + literal(name) + ": " + std::to_string(low) + "}");
  }
  void repeat(const std::uint32_t& times, const bool& by_scalar) {
    add("repeat", std::to_string(times));
    if (by_scalar) add("scalar_repeat", "True");
  }
  void add(std::string_view name, const std::string& value) {
    out_.append(out_.ends_with('(') ? "" : ", ").append(name).append("=").append(value);
  }

 private:
  std::string& out_;
  const Program& launch_;
};

std::string python_call(const Program& launch, const Instruction& insn) {
  const Row& row = row_of(insn.op);
  std::string call = "    unit." + std::string(row.name) + "(";
  Arguments arguments(call, launch);
  if (row.typed()) {
    arguments.add("dst_type", literal(name_of(insn.dst_type)));
    arguments.add("src_type", literal(name_of(insn.src_type)));
  }
  for_each_field(insn, arguments);
  return call + ")\n";
}

std::string_view name(const Instruction& insn) {
  return row_of(insn.op).name;
}

}  // namespace

std::vector<ExportedFile> numpy_source(const Exam& exam, const ExamLayout& layout) {
  return python_source(exam, layout,
                       {.about = "Unit(ub) is the state in which a launch starts, on a NumPy array of uint8 "
                                 "that it changes. It has one method for each\ninstruction, with the "
                                 "arguments that stand below.",
                        .call = python_call,
                        .name = name,
                        .definitions = kDefinitions});
}

}  // namespace lanecheck
