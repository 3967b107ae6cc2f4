#include "spec/text/program_text.h"

#include <algorithm>

#include "spec/program/profile.h"
#include "spec/text/input_error.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

constexpr std::string_view kSpace = " \t\r";

std::string_view trim(std::string_view text) {
  const auto from = text.find_first_not_of(kSpace);
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(kSpace) - from + 1);
}

/// Cuts `text` at the first `mark`; the rest stays in `text`.
std::string_view cut(std::string_view& text, std::string_view mark) {
  const auto at = text.find_first_of(mark);
  const auto head = text.substr(0, at);
  text = at == std::string_view::npos ? std::string_view{} : text.substr(at + 1);
  return trim(head);
}

std::string_view word(std::string_view& text) {
  text = trim(text);
  return cut(text, kSpace);
}

template <std::size_t N>
int index_in(const std::string_view (&names)[N], std::string_view name) {
  const auto* found = std::find(names, names + N, name);
  return found == names + N ? -1 : static_cast<int>(found - names);
}

/// Instructions whose operands are bytes of no element type.
bool is_bytes(Form form) {
  return form == Form::set_cmpmask || form == Form::get_cmpmask;
}

struct Complaint {
  std::string what;
};

[[noreturn]] void complain(std::string_view a, std::string_view b = {}, std::string_view c = {}) {
  std::string what(a);
  throw Complaint{what.append(b).append(c)};
}

std::uint64_t unsigned_or_complain(std::string_view text, std::string_view name, std::uint64_t most) {
  const auto value = parse_unsigned(text);
  if (!value || *value > most) complain(name, " must be a number up to ", std::to_string(most));
  return *value;
}

std::uint64_t setting(std::string_view text, std::string_view name, std::uint64_t most) {
  if (!text.starts_with(name) || text.substr(name.size()).substr(0, 1) != "=")
    complain("expected ", name, "=NUMBER");
  return unsigned_or_complain(text.substr(name.size() + 1), name, most);
}

constexpr std::uint64_t kAny32 = 0xffffffff;

Operand parse_operand(const Program& program, const OperandColumn& column, std::string_view text) {
  std::string_view place = word(text);
  const auto name = cut(place, "+");
  const auto home = std::ranges::find(program.allocations, name, &Allocation::name);
  if (home == program.allocations.end()) complain(column.role, " names no allocation: ", name);
  Operand operand;
  operand.allocation = static_cast<std::uint16_t>(home - program.allocations.begin());
  operand.offset = static_cast<std::uint32_t>(unsigned_or_complain(place, "offset", kAny32));
  if (shows_block_stride(column.walk))
    operand.block_stride = static_cast<std::uint32_t>(setting(word(text), "blk", kAny32));
  if (shows_repeat_stride(column.walk))
    operand.repeat_stride = static_cast<std::uint32_t>(setting(word(text), "rep", kAny32));
  if (!trim(text).empty()) complain("unexpected '", trim(text), "' after an operand");
  return operand;
}

/// "mask=5", "mask=0x0:0xff" or "count=300".
void parse_mask(std::string_view text, Instruction& insn) {
  constexpr std::uint64_t kAny64 = ~std::uint64_t{0};
  if (text.starts_with("count=")) {
    insn.mask_from = MaskFrom::count;
    insn.low = setting(text, "count", kAny64);
  } else if (const auto colon = text.find(':'); colon != std::string_view::npos) {
    insn.mask_from = MaskFrom::bitwise;
    insn.high = setting(text.substr(0, colon), "mask", kAny64);
    insn.low = unsigned_or_complain(text.substr(colon + 1), "mask", kAny64);
  } else {
    insn.mask_from = MaskFrom::contiguous;
    insn.low = setting(text, "mask", kAny64);
  }
}

Instruction parse_instruction(const Program& program, std::string_view line) {
  Instruction insn;
  const auto name = word(line);
  if (!parse_mnemonic(name, insn)) complain("no such instruction: ", name);
  const Row& row = row_of(insn.op);
  if (row.form == Form::set_mask) {
    insn.high = setting(word(line), "high", ~std::uint64_t{0});
    insn.low = setting(word(line), "low", ~std::uint64_t{0});
  }
  for (unsigned k = 0; k < row.operands.size(); ++k)
    insn.operands[k] = parse_operand(program, row.operands[k], cut(line, ","));
  if (takes_scalar(insn)) {
    const auto text = cut(line, ",");
    const auto scalar =
        text.starts_with("scalar=") ? parse_scalar(scalar_type(insn), text.substr(7)) : std::nullopt;
    if (!scalar) complain("expected scalar=VALUE of type ", name_of(scalar_type(insn)));
    insn.scalar = *scalar;
  }
  if (row.form == Form::cast) {
    const auto text = cut(line, ",");
    const int mode = text.starts_with("round=") ? index_in(kRoundNames, text.substr(6)) : -1;
    if (mode < 0) complain("expected round=none, rint, floor, ceil, round, trunc or odd");
    insn.round = static_cast<Round>(mode);
  }
  if (compares(row.form)) {
    const int mode = index_in(kCompareNames, cut(line, ","));
    if (mode < 0) complain("expected eq, ne, lt, le, gt or ge");
    insn.compare = static_cast<Compare>(mode);
  }
  for (unsigned q = 0; q < row.lengths; ++q)
    insn.lengths[q] = static_cast<std::uint32_t>(setting(cut(line, ","), "length", kAny32));
  for (unsigned n = 0; n < row.settings.size(); ++n)
    insn.settings[n] = static_cast<std::uint32_t>(setting(cut(line, ","), row.settings[n].name, kAny32));
  if (line = trim(line); line.starts_with("mask=") || line.starts_with("count="))
    parse_mask(cut(line, ","), insn);
  if (row.has_repeat) {
    std::string_view text = cut(line, ",");
    constexpr std::string_view by_scalar = "repeat=scalar:";
    insn.scalar_repeat = text.starts_with(by_scalar);
    insn.repeat = static_cast<std::uint32_t>(
        insn.scalar_repeat ? unsigned_or_complain(text.substr(by_scalar.size()), "repeat", kAny32)
                           : setting(text, "repeat", kAny32));
  }
  if (!trim(line).empty()) complain("unexpected '", trim(line), "' at the end");
  return insn;
}

void parse_allocation(Program& program, std::string_view line) {
  Allocation allocation;
  allocation.name = std::string(word(line));
  if (!is_name(allocation.name)) complain("not a name: ", allocation.name);
  if (std::ranges::count(program.allocations, allocation.name, &Allocation::name) != 0)
    complain("a second allocation named ", allocation.name);
  const auto type = element_named(word(line));
  if (!type) complain("expected an element type after the name of ", allocation.name);
  allocation.type = *type;
  allocation.offset = static_cast<std::uint32_t>(unsigned_or_complain(word(line), "offset", kMaxUbBytes));
  allocation.bytes = static_cast<std::uint32_t>(unsigned_or_complain(word(line), "bytes", kMaxUbBytes));
  if (std::size_t{allocation.offset} + allocation.bytes > program.ub.size())
    complain("allocation ", allocation.name, " does not fit in UB");
  std::vector<std::string> runs;
  if (line = trim(line); line.starts_with("=")) {
    line.remove_prefix(1);
    while (!trim(line).empty()) runs.emplace_back(cut(line, ","));
  } else if (!line.empty()) {
    complain("expected '= DATA' after the size of ", allocation.name);
  }
  if (const auto wrong = parse_runs(allocation, runs, program.ub.data() + allocation.offset); !wrong.empty())
    complain(wrong);
  program.allocations.push_back(std::move(allocation));
}

void parse_line(Program& program, std::string_view line) {
  std::string_view rest = line;
  const auto first = word(rest);
  if (first == "profile") {
    const Profile* profile = find_profile(trim(rest));
    if (profile == nullptr) complain("no such profile; ", profile_names());
    program.profile = *profile;
  } else if (first == "ub") {
    program.ub.assign(unsigned_or_complain(trim(rest), "ub", kMaxUbBytes), std::byte{0});
  } else if (first == "alloc") {
    parse_allocation(program, rest);
  } else {
    program.instructions.push_back(parse_instruction(program, line));
  }
}

}  // namespace

bool is_name(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  return !text.empty() && text.size() <= 64 && letter(text[0]) &&
         std::ranges::all_of(text, [&](char c) { return letter(c) || digit(c); });
}

std::string mnemonic(const Instruction& insn) {
  const Row& row = row_of(insn.op);
  std::string text(row.name);
  if (!row.typed() || is_bytes(row.form)) return text;
  const bool by_source = compares(row.form);
  text.append(".").append(name_of(by_source ? insn.src_type : insn.dst_type));
  if (!by_source && insn.dst_type != insn.src_type) text.append(".").append(name_of(insn.src_type));
  if (row.form == Form::cast && insn.dst_type == insn.src_type)
    text.append(".").append(name_of(insn.src_type));
  return text;
}

bool parse_mnemonic(std::string_view text, Instruction& insn) {
  const Row* row = find_row(cut(text, "."));
  if (row == nullptr) return false;
  insn.op = row->op;
  if (!row->typed()) return text.empty();
  if (is_bytes(row->form)) {
    insn.dst_type = insn.src_type = Element::u8;
    return text.empty();
  }
  const auto first = element_named(cut(text, "."));
  const auto second = text.empty() ? first : element_named(text);
  if (!first || !second) return false;
  const bool by_source = compares(row->form);
  insn.dst_type = by_source ? Element::u8 : *first;
  insn.src_type = *second;
  return !by_source || text.empty();
}

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

std::string parse_runs(const Allocation& allocation, const std::vector<std::string>& runs, std::byte* data) {
  const unsigned size = size_of(allocation.type);
  const std::uint64_t room = allocation.bytes / size;
  std::uint64_t n = 0;
  for (std::string_view run : runs) {
    const std::string_view all = run;
    const auto element = parse_element(allocation.type, word(run));
    std::optional<std::uint64_t> count = 1;
    if (run = trim(run); !run.empty())
      count = run.starts_with("x") ? parse_unsigned(run.substr(1)) : std::nullopt;
    std::string what = "data of " + allocation.name + ": ";
    if (!element || !count)
      return what.append("'")
          .append(all)
          .append("' is no '")
          .append(name_of(allocation.type))
          .append("' element and optional xCOUNT (decimals must be exact; 0x gives the bits)");
    if (*count > room - n)
      return what.append("more than its ").append(std::to_string(room)).append(" elements");
    for (std::uint64_t last = n + *count; n < last; ++n) std::memcpy(data + n * size, &*element, size);
  }
  return {};
}

std::string print_instruction(const Program& program, const Instruction& insn) {
  const Row& row = row_of(insn.op);
  std::string text = mnemonic(insn);
  std::string_view separator = " ";
  const auto add = [&](std::string_view piece) {
    text.append(separator).append(piece);
    separator = ", ";
  };
  if (row.form == Form::set_mask) text.append(" high=" + show_hex(insn.high) + " low=" + show_hex(insn.low));
  for (unsigned k = 0; k < row.operands.size(); ++k) {
    const Operand& operand = insn.operands[k];
    std::string place = operand.allocation < program.allocations.size()
                            ? program.allocations[operand.allocation].name
                            : "?" + std::to_string(operand.allocation);
    place.append("+").append(std::to_string(operand.offset));
    if (shows_block_stride(row.operands[k].walk))
      place.append(" blk=").append(std::to_string(operand.block_stride));
    if (shows_repeat_stride(row.operands[k].walk))
      place.append(" rep=").append(std::to_string(operand.repeat_stride));
    add(place);
  }
  if (takes_scalar(insn)) add("scalar=" + show_scalar(scalar_type(insn), insn.scalar));
  if (row.form == Form::cast)
    add(std::string("round=").append(kRoundNames[static_cast<unsigned>(insn.round)]));
  if (compares(row.form)) add(kCompareNames[static_cast<unsigned>(insn.compare)]);
  for (unsigned q = 0; q < row.lengths; ++q) add("length=" + std::to_string(insn.lengths[q]));
  for (unsigned n = 0; n < row.settings.size(); ++n)
    add(std::string(row.settings[n].name).append("=").append(std::to_string(insn.settings[n])));
  if (insn.mask_from == MaskFrom::contiguous) add("mask=" + std::to_string(insn.low));
  if (insn.mask_from == MaskFrom::bitwise) add("mask=" + show_hex(insn.high) + ":" + show_hex(insn.low));
  if (insn.mask_from == MaskFrom::count) add("count=" + std::to_string(insn.low));
  if (row.has_repeat) add((insn.scalar_repeat ? "repeat=scalar:" : "repeat=") + std::to_string(insn.repeat));
  return text;
}

std::string print(const Program& program) {
  std::string text;
  if (program.profile != Profile::vmc)
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

Program parse_program(std::string_view text, const std::string& where) {
  Program program;
  for (unsigned line_number = 1; !text.empty(); ++line_number) {
    std::string_view line = cut(text, "\n");
    line = trim(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    try {
      parse_line(program, line);
    } catch (const Complaint& complaint) {
      throw InputError(where + ":" + std::to_string(line_number), complaint.what);
    }
  }
  if (program.ub.empty()) throw InputError(where, "no 'ub BYTES' line");
  return program;
}

}  // namespace lanecheck
