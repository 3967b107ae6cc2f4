#include "fuzz/exam/ascendc_call.h"

#include "spec/program/input_error.h"
#include "spec/program/profile.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

std::string cpp_type(Element type) {
  constexpr std::string_view names[] = {"half",     "bfloat16_t", "float",    "int8_t",  "uint8_t", "int16_t",
                                        "uint16_t", "int32_t",    "uint32_t", "int64_t", "uint64_t"};
  return std::string(names[static_cast<std::size_t>(type)]);
}

/// One instruction as a call of Ascend C.
class AscendCall {
 public:
  AscendCall(const Program& placed, const Instruction& insn)
      : placed_(placed), insn_(insn), row_(row_of(insn.op)) {}

  /// Statements. Throws InputError if Ascend C has no call for the instruction.
  std::string text() const;

 private:
  const Operand* operand(std::string_view role) const {
    for (unsigned k = 0; k < row_.operands.size(); ++k)
      if (row_.operands[k].role == role) return &insn_.operands[k];
    return nullptr;
  }
  std::string tensor(std::string_view role) const {
    for (unsigned k = 0; k < row_.operands.size(); ++k)
      if (row_.operands[k].role == role)
        return tensor(operand_type(insn_, row_.operands[k]), start_of(placed_, insn_.operands[k]));
    return {};
  }
  static std::string tensor(Element type, std::uint32_t start) {
    return "At<" + cpp_type(type) + ">(" + std::to_string(start) + ")";
  }
  /// An operand that the instruction does not have has the usual strides.
  std::string block_stride(std::string_view role) const {
    const Operand* const found = operand(role);
    return std::to_string((found != nullptr ? *found : Operand{}).block_stride);
  }
  std::string repeat_stride(std::string_view role) const {
    const Operand* const found = operand(role);
    return std::to_string((found != nullptr ? *found : Operand{}).repeat_stride);
  }
  std::string unary_strides() const {
    return "{" + block_stride("dst") + ", " + block_stride("src") + ", " + repeat_stride("dst") + ", " +
           repeat_stride("src") + "}";
  }
  std::string binary_strides() const {
    return "{" + block_stride("dst") + ", " + block_stride("src0") + ", " + block_stride("src1") + ", " +
           repeat_stride("dst") + ", " + repeat_stride("src0") + ", " + repeat_stride("src1") + "}";
  }
  std::string reduction_strides() const {
    return repeat_stride("dst") + ", " + block_stride("src") + ", " + repeat_stride("src");
  }
  std::string scalar() const {
    return "FromBits<" + cpp_type(scalar_type(insn_)) + ">(" + show_hex(insn_.scalar.bits) + ")";
  }
  std::string repeat() const { return std::to_string(insn_.repeat); }
  std::string value(std::string_view name) const { return std::to_string(setting(insn_, name)); }
  std::string flag(std::string_view name) const { return setting(insn_, name) != 0 ? "true" : "false"; }
  std::string round() const {
    constexpr std::string_view names[] = {"NONE", "RINT", "FLOOR", "CEIL", "ROUND", "TRUNC", "ODD"};
    return "AscendC::RoundMode::CAST_" + std::string(names[static_cast<std::size_t>(insn_.round)]);
  }
  std::string compare() const {
    constexpr std::string_view names[] = {"EQ", "NE", "LT", "LE", "GT", "GE"};
    return "AscendC::CMPMODE::" + std::string(names[static_cast<std::size_t>(insn_.compare)]);
  }
  std::string mask() const {
    switch (insn_.mask_from) {
      case MaskFrom::reg:
        return "AscendC::MASK_PLACEHOLDER";
      case MaskFrom::bitwise:
        return "mask";
      case MaskFrom::contiguous:
      case MaskFrom::count:
        break;
    }
    return "uint64_t{" + std::to_string(insn_.low) + "}";
  }
  /// "AscendC::Add<half, false>(": `types` are the types of the template.
  std::string call(const std::string& types) const {
    return "AscendC::" + std::string(row_.api) + "<" + types + ">(";
  }
  std::string masked_call(const std::string& types) const {
    if (insn_.mask_from == MaskFrom::count) return call(types);
    return call(types + (insn_.mask_from == MaskFrom::reg ? ", false" : ", true"));
  }
  /// The mask, the repeat times and the strides, or a count of elements, which takes their place.
  std::string rest(const std::string& strides) const {
    if (insn_.mask_from == MaskFrom::count) return ", " + std::to_string(insn_.low) + ")";
    return ", " + mask() + ", " + repeat() + ", " + strides + ")";
  }
  std::string extreme(const std::string& order) const {
    return masked_call(type()) + tensor("dst") + ", " + tensor("src") + ", " + mask() + ", " + repeat() +
           ", " + reduction_strides() + ", AscendC::ReduceOrder::ORDER_" + order + ")";
  }
  std::string type() const { return cpp_type(insn_.src_type); }
  std::string both_types() const { return cpp_type(insn_.dst_type) + ", " + cpp_type(insn_.src_type); }
  /// Of the compares and selects, whose template takes the type of the bits last.
  std::string type_and_bits() const { return type() + ", uint8_t"; }

  std::string expression() const;
  std::string with_bits() const;
  std::string move() const;
  std::string reduction() const;
  std::string cast() const;
  std::string padding() const;
  std::string select(std::string_view second, std::string_view mode) const;
  std::string merge() const;
  std::string gather_mask(const std::string& pattern, const std::string& types) const;
  std::string set_vector_mask() const;

  const Program& placed_;
  const Instruction& insn_;
  const Row& row_;
};

std::string AscendCall::select(std::string_view second, std::string_view mode) const {
  return masked_call(type_and_bits()) + tensor("dst") + ", " + tensor("control") + ", " + tensor("src0") +
         ", " + std::string(second) + ", AscendC::SELMODE::VSEL_" + std::string(mode) +
         rest(binary_strides());
}

std::string AscendCall::merge() const {
  std::string lengths, queues, valid;  // valid: a bit for each queue, and the repeat times
  const std::string n0 = std::to_string(insn_.lengths[0]), n1 = std::to_string(insn_.lengths[1]);
  if (row_.form == Form::merge4) {
    const auto queue = [&](std::uint32_t n) {
      constexpr std::uint32_t kRecordBytes = 8;
      return tensor(insn_.src_type,
                    start_of(placed_, insn_.operands[1]) + n * insn_.lengths[0] * kRecordBytes);
    };
    lengths = n0 + ", " + n0 + ", " + n0 + ", " + n0;
    queues = queue(0) + ", " + queue(1) + ", " + queue(2) + ", " + queue(3);
    valid = "15, " + repeat();
  } else {
    lengths = n0 + ", " + n1 + ", 0, 0";
    queues = tensor("src0") + ", " + tensor("src1") + ", " + tensor("src0") + ", " + tensor("src0");
    valid = "3, 1";
  }
  return "const uint16_t lengths[4] = {" + lengths + "};\n    " + call(type()) + tensor("dst") +
         ", AscendC::MrgSortSrcList<" + type() + ">(" + queues + "), AscendC::MrgSort4Info(lengths, false, " +
         valid + "))";
}

std::string AscendCall::gather_mask(const std::string& pattern, const std::string& types) const {
  return "uint64_t kept = 0;\n    " + call(types) + tensor("dst") + ", " + tensor("src0") + ", " + pattern +
         ", " + flag("counter") + ", " + value("mask") + ", {" + block_stride("src0") + ", " + repeat() +
         ", " + repeat_stride("src0") + ", " + (operand("src1") != nullptr ? repeat_stride("src1") : "0") +
         "}, kept);\n    Wait();\n    " + tensor("count") + ".SetValue(0, kept)";
}

std::string AscendCall::set_vector_mask() const {
  const bool total = insn_.op == Op::set_vector_mask_total;
  const std::string start =
      call((total ? "half" : type()) + ", AscendC::MaskMode::" + (total ? "COUNTER" : "NORMAL"));
  if (row_.form == Form::set_mask) return start + show_hex(insn_.high) + ", " + show_hex(insn_.low) + ")";
  if (setting(insn_, "len") > 0x7fffffffu)
    throw InputError("--as ascendc", "'" + std::string(row_.name) + "' of " + value("len") +
                                         " cannot be written: SetVectorMask takes an int32_t");
  return start + value("len") + ")";
}

/// The calls that read or write bits: compares and selects.
std::string AscendCall::with_bits() const {
  const Form form = row_.form;
  const std::string dst = tensor("dst") + ", ", to_source = dst + tensor("src"),
                    to_sources = dst + tensor("src0") + ", " + tensor("src1");
  if (form == Form::select) return select(tensor("src1"), "TENSOR_TENSOR_MODE");
  if (form == Form::select_bits) return select(tensor("src1"), "CMPMASK_SPR");
  if (form == Form::select_scalar) return select(scalar(), "TENSOR_SCALAR_MODE");
  if (form == Form::select_cmpmask)
    return call(type() + ", AscendC::SELMODE::VSEL_CMPMASK_SPR") + to_sources + ", " + repeat() + ", " +
           binary_strides() + ")";
  if (form == Form::compare)
    return masked_call(type_and_bits()) + to_sources + ", " + compare() + rest(binary_strides());
  if (form == Form::compare_scalar)
    return masked_call(type_and_bits()) + to_source + ", " + scalar() + ", " + compare() +
           rest(unary_strides());
  return masked_call(type()) + tensor("src0") + ", " + tensor("src1") + ", " + compare() + ", " + mask() +
         ", " + binary_strides() + ")";  // compare_cmpmask
}

/// The calls that gather, broadcast or sort.
std::string AscendCall::move() const {
  const Form form = row_.form;
  const std::string to_source = tensor("dst") + ", " + tensor("src");
  if (form == Form::gather)
    return call(type()) + to_source + ", " + tensor("offsets") + ", 0, " + mask() + ", " + repeat() + ", " +
           repeat_stride("dst") + ")";
  const std::string dst_strides = "{" + block_stride("dst") + ", " + repeat_stride("dst") + "})";
  if (form == Form::gather_blocks)
    return call(type()) + to_source + ", " + tensor("offsets") + ", " + repeat() + ", " + dst_strides;
  if (form == Form::brcb) return call(type()) + to_source + ", " + repeat() + ", " + dst_strides;
  if (form == Form::sort32) return call(type()) + to_source + ", " + tensor("index") + ", " + repeat() + ")";
  if (form == Form::gather_mask) return gather_mask("uint8_t{" + value("pattern") + "}", type());
  if (form == Form::merge4 || form == Form::merge2) return merge();
  const Element bits = size_of(insn_.src_type) == 2 ? Element::u16 : Element::u32;
  return gather_mask(tensor(bits, start_of(placed_, *operand("src1"))),
                     type() + ", " + cpp_type(bits));  // gather_mask_user
}

/// In two of them the repeat times come before the mask.
std::string AscendCall::reduction() const {
  const std::string start = masked_call(type()) + tensor("dst") + ", " + tensor("src") + ", ";
  if (row_.form == Form::reduce_block || row_.form == Form::reduce_pair)
    return start + repeat() + ", " + mask() + ", " + reduction_strides() + ")";
  if (insn_.op == Op::cadd) return start + mask() + ", " + repeat() + ", " + reduction_strides() + ")";
  if (row_.form == Form::reduce_repeat) return extreme("ONLY_VALUE");
  constexpr std::string_view orders[] = {"VALUE_INDEX", "INDEX_VALUE", "ONLY_VALUE", "ONLY_INDEX"};
  return extreme(std::string(orders[setting(insn_, "order")]));
}

std::string AscendCall::cast() const {
  const std::string scale = takes_scalar(insn_) ? "AscendC::SetDeqScale(" + scalar() + ");\n    " : "";
  return scale + masked_call(both_types()) + tensor("dst") + ", " + tensor("src") + ", " + round() +
         rest(unary_strides());
}

std::string AscendCall::padding() const {
  return masked_call(type()) + tensor("dst") + ", " + tensor("src") + ", " + value("mode") + ", " +
         flag("side") + rest(unary_strides());
}

std::string AscendCall::expression() const {
  const std::string dst = tensor("dst") + ", ", to_source = dst + tensor("src"),
                    to_sources = dst + tensor("src0") + ", " + tensor("src1");
  switch (row_.form) {
    case Form::set_mask:
    case Form::set_length:
      return set_vector_mask();
    case Form::reset_mask:
    case Form::set_mode:
      return "AscendC::" + std::string(row_.api) + "()";
    case Form::set_cmpmask:
    case Form::get_cmpmask:
      return call("uint8_t") + tensor(row_.operands[0].role) + ")";
    case Form::unary:
      return masked_call(type()) + to_source + rest(unary_strides());
    case Form::binary:
      return masked_call(type()) + to_sources + rest(binary_strides());
    case Form::multiply_add:
      return masked_call(insn_.op == Op::muladddst ? both_types() : type()) + to_sources +
             rest(binary_strides());
    case Form::scalar:
      return masked_call(type()) + to_source + ", " + scalar() + rest(unary_strides());
    case Form::axpy:
      return masked_call(both_types()) + to_source + ", " + scalar() + rest(unary_strides());
    case Form::shift:
      return masked_call(type()) + to_source + ", " + value("by") + rest(unary_strides());
    case Form::padding:
      return padding();
    case Form::cast:
      return cast();
    case Form::dup:
      return masked_call(type()) + dst + scalar() + rest(block_stride("dst") + ", " + repeat_stride("dst"));
    case Form::reduce_repeat:
    case Form::reduce_extreme:
    case Form::reduce_block:
    case Form::reduce_pair:
      return reduction();
    case Form::select:
    case Form::select_bits:
    case Form::select_scalar:
    case Form::select_cmpmask:
    case Form::compare:
    case Form::compare_scalar:
    case Form::compare_cmpmask:
      return with_bits();
    case Form::gather:
    case Form::gather_blocks:
    case Form::brcb:
    case Form::sort32:
    case Form::merge4:
    case Form::merge2:
    case Form::gather_mask:
    case Form::gather_mask_user:
      return move();
    case Form::scatter:
    case Form::select_number:
      break;
  }
  throw InputError("--as ascendc", "Ascend C has no call for '" + std::string(row_.name) + "'");
}

std::string AscendCall::text() const {
  const bool words = insn_.mask_from == MaskFrom::bitwise;
  const std::string array =
      "uint64_t mask[2] = {" + show_hex(insn_.low) + ", " + show_hex(insn_.high) + "};\n    ";
  return "    {\n    " + (words ? array : "") + expression() + ";\n    Wait();\n    }\n";
}

}  // namespace

std::string ascendc_call(const Program& placed, const Instruction& insn) {
  return AscendCall(placed, insn).text();
}

}  // namespace lanecheck
