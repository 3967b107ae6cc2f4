#include "fuzz/exam/easyasc_source.h"

#include <algorithm>

#include "fuzz/exam/export.h"
#include "fuzz/exam/python_source.h"
#include "spec/program/input_error.h"
#include "spec/program/profile.h"
#include "spec/text/joined.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

/// The name of the function in easyasc, which has one function for both selects.
std::string_view function_of(const Instruction& insn) {
  return insn.op == Op::select_number ? "select" : row_of(insn.op).name;
}

std::string_view easyasc_type(Element type) {
  constexpr std::string_view names[] = {"half",     "bfloat16_t", "float",    "int8_t",  "uint8_t", "int16_t",
                                        "uint16_t", "int",        "uint32_t", "int64_t", "uint64_t"};
  return names[static_cast<std::size_t>(type)];
}

/// The element types that its functions take.
bool takes_type(const Instruction& insn) {
  using enum Element;
  const Element type = insn.src_type;
  switch (row_of(insn.op).form) {
    case Form::binary:
    case Form::multiply_add:
    case Form::scalar:
    case Form::dup:
      if (insn.op == Op::vand || insn.op == Op::vor) return type == i32;
      if (insn.op == Op::div || insn.op == Op::lrelu) return type == f16 || type == f32;
      return type == f16 || type == f32 || type == i32;
    case Form::select:
    case Form::select_number:
    case Form::compare:
    case Form::compare_scalar:
      return type == f16 || type == f32 || type == i16 || type == i32;
    case Form::unary:
      return insn.op == Op::vnot ? type == i32 : type == f16 || type == f32;
    case Form::axpy:
    case Form::reduce_repeat:
    case Form::reduce_block:
    case Form::reduce_pair:
    case Form::sort32:
    case Form::merge4:
    case Form::merge2:
      return type == f16 || type == f32;
    case Form::cast:
    case Form::gather:
    case Form::scatter:
    case Form::brcb:
    case Form::set_mask:
    case Form::reset_mask:
    case Form::set_cmpmask:
      return true;
    case Form::set_length:
    case Form::set_mode:
    case Form::shift:
    case Form::reduce_extreme:
    case Form::compare_cmpmask:
    case Form::select_scalar:
    case Form::select_bits:
    case Form::select_cmpmask:
    case Form::get_cmpmask:
    case Form::gather_blocks:
    case Form::gather_mask:
    case Form::gather_mask_user:
    case Form::padding:
      break;
  }
  return false;
}

/// One call, in the order in which easyasc names the arguments.
class EasyascCall {
 public:
  EasyascCall(const Program& placed, const Instruction& insn)
      : placed_(placed), insn_(insn), row_(row_of(insn.op)) {}

  std::string text() {
    if (row_.has_words) {
      add("mask_high", show_hex(insn_.high));
      add("mask_low", show_hex(insn_.low));
    }
    for (unsigned k = 0; k < row_.operands.size(); ++k)
      add(name_of_operand(row_.operands[k].role), tensor(k));
    if (takes_scalar(insn_)) add(name_of_scalar(), python_scalar(scalar_type(insn_), insn_.scalar));
    if (row_.compares) add("mode", choice(kCompareNames[static_cast<std::size_t>(insn_.compare)], ""));
    if (row_.rounds) add("round_mode", choice(kRoundNames[static_cast<std::size_t>(insn_.round)], "CAST_"));
    if (row_.form == Form::merge4) add("length_per_blk", insn_.lengths[0]);
    if (row_.form == Form::merge2) {
      add("size1", insn_.lengths[0]);
      add("size2", insn_.lengths[1]);
    }
    if (row_.has_repeat) add("repeat", insn_.repeat);
    add_strides();
    return "    unit." + std::string(function_of(insn_)) + "(" + arguments_ + ")\n";
  }

 private:
  void add(std::string_view name, const std::string& value) {
    arguments_.append(arguments_.empty() ? "" : ", ").append(name).append("=").append(value);
  }
  void add(std::string_view name, std::uint32_t value) { add(name, std::to_string(value)); }
  /// Its sources are numbered from 1.
  std::string_view name_of_operand(std::string_view role) const {
    if (role == "src0" || (role == "src" && row_.form == Form::compare_scalar)) return "src1";
    if (role == "src1") return "src2";
    if (role == "control") return "selmask";
    if (role == "offsets") return "offset";
    return role == "index" ? "idx" : role;
  }
  std::string_view name_of_scalar() const {
    if (insn_.op == Op::dup) return "value";
    return row_.form == Form::scalar || row_.form == Form::axpy ? "val" : "src2";
  }
  std::string tensor(unsigned k) const {
    return "unit.tensor(" + literal(easyasc_type(operand_type(insn_, row_.operands[k]))) + ", " +
           std::to_string(start_of(placed_, insn_.operands[k])) + ")";
  }
  static std::string choice(std::string_view name, std::string_view prefix) {
    std::string word(name);
    for (char& c : word) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    return literal(std::string(prefix) + word);
  }
  void add_strides() {
    for (const bool repeat : {false, true})
      for (unsigned k = 0; k < row_.operands.size(); ++k) {
        const OperandColumn& column = row_.operands[k];
        const bool has_both = column.walk == Walk::blocks;
        if (!has_both && !(repeat && (column.walk == Walk::results || column.walk == Walk::rows))) continue;
        const Operand& operand = insn_.operands[k];
        add(std::string(name_of_operand(column.role)) + (repeat ? "_rep_stride" : "_blk_stride"),
            repeat ? operand.repeat_stride : operand.block_stride);
      }
  }

  const Program& placed_;
  const Instruction& insn_;
  const Row& row_;
  std::string arguments_;
};

std::string call(const Program& placed, const Instruction& insn) {
  const std::string fault = easyasc_lacks(insn);
  if (!fault.empty())
    throw InputError("--as easyasc",
                     fault + "; `lanecheck distill --for easyasc` leaves such instructions out");
  return EasyascCall(placed, insn).text();
}

}  // namespace

std::string easyasc_lacks(const Instruction& insn) {
  const std::string name = "easyasc's " + std::string(function_of(insn));
  const std::string types =
      std::string(easyasc_type(insn.dst_type)) + " from " + std::string(easyasc_type(insn.src_type));
  if (!row_of(insn.op).in(Profile::vmc).offered)
    return "easyasc has no '" + std::string(row_of(insn.op).name) + "'";
  if (insn.op == Op::cast) {
    if (takes_scalar(insn)) return name + " takes no scale, which " + types + " needs";
    if (insn.round == Round::odd) return name + " cannot round to odd";
    const bool wider = size_of(insn.dst_type) > size_of(insn.src_type);
    return wider && insn.round != Round::none ? name + " does not round " + types : "";
  }
  if (!takes_type(insn)) return name + " takes no " + std::string(easyasc_type(insn.src_type));
  const bool packed = row_of(insn.op).compares || !row_of(insn.op).typed();
  return !packed && insn.dst_type != insn.src_type ? name + " does not compute " + types : "";
}

std::vector<ExportedFile> easyasc_source(const Exam& exam, const ExamLayout& layout) {
  if (const Profile profile = exam.front().program.profile; profile != Profile::vmc)
    throw InputError("--as easyasc", "the instructions of profile " + std::string(row_of(profile).name) +
                                         " are not functions of easyasc; distill with --profile vmc");
  return python_source(
      exam, layout,
      {.about =
           "Unit(ub) is the state in which a launch starts, on a NumPy array of uint8 that it changes. It "
           "has the functions of easyasc as\nmethods, with easyasc's arguments; modes are names, "
           "\"CAST_FLOOR\" and \"LE\". unit.tensor(\"half\", 256) is a tensor in UB whose\nfirst element "
           "starts at byte 256. When the program ends, unit.run() executes what was called.",
       .call = call,
       .name = [](const Instruction& insn) { return function_of(insn); },
       .ends_with_run = true});
}

}  // namespace lanecheck
