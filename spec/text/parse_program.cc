// Reading the text of programs.
#include <algorithm>
#include <cstring>

#include "spec/program/input_error.h"
#include "spec/program/profile.h"
#include "spec/text/did_you_mean.h"
#include "spec/text/instruction_fields.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

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

struct LineError {
  std::string what;
};

[[noreturn]] void complain(std::string_view a, std::string_view b = {}, std::string_view c = {}) {
  std::string what(a);
  throw LineError{what.append(b).append(c)};
}

std::uint64_t unsigned_or_complain(std::string_view text, std::string_view name, std::uint64_t most) {
  const auto value = parse_unsigned(text);
  if (!value || *value > most) complain(name, " must be a number up to ", std::to_string(most));
  return *value;
}

/// An operand whose allocation is missing: the usual mistake is a program that was copied from a report.
[[noreturn]] void complain_of_place(std::string_view role, std::string_view name) {
  const std::string what = name.empty() ? " is missing: write NAME+OFFSET, where NAME"
                                        : " names no allocation: " + std::string(name) + "; the name";
  complain(
      role, what,
      " is that of an earlier line such as 'alloc t0 f32 0 256 = 7 x64' (name, type, first byte and number "
      "of bytes in UB, data); `lanecheck run --save FOLDER` writes files with all lines");
}

/// A mnemonic that cannot be read: its types may be wrong, or its name.
[[noreturn]] void complain_of_mnemonic(std::string_view text, Profile profile) {
  const std::string_view name = text.substr(0, text.find('.'));
  const Row* row = find_row(name);
  if (row == nullptr)
    complain("no such instruction: ", text,
             "; `lanecheck offers` lists them" + did_you_mean_instruction(name, profile));
  std::string names;
  for (const TypePair& pair : row->in(profile).pairs) {
    Instruction insn;
    insn.op = row->op;
    insn.dst_type = pair.dst;
    insn.src_type = pair.src;
    names.append(names.empty() ? "" : ", ").append(mnemonic(insn));
  }
  if (name == text) complain(name, " needs its element types; there are: ", names);
  const std::string types(text.substr(name.size() + 1));
  complain("'" + types + "' is no type of ", name,
           names.empty() ? "; write it without types" : "; there are: " + names);
}

constexpr std::uint64_t kAny32 = 0xffffffff;
constexpr std::uint64_t kAny64 = ~std::uint64_t{0};

std::uint32_t number32(std::string_view text, std::string_view name) {
  return static_cast<std::uint32_t>(unsigned_or_complain(text, name, kAny32));
}

/// Reads "NAME=NUMBER".
std::uint64_t named_number(std::string_view text, std::string_view name, std::uint64_t most) {
  if (!text.starts_with(name) || text.substr(name.size()).substr(0, 1) != "=")
    complain("expected ", name, "=NUMBER");
  return unsigned_or_complain(text.substr(name.size() + 1), name, most);
}

std::uint32_t named_number32(std::string_view text, std::string_view name) {
  return static_cast<std::uint32_t>(named_number(text, name, kAny32));
}

/// The value in "NAME=VALUE", or the whole text for a field without a name.
std::optional<std::string_view> value_of(FieldName name, std::string_view text) {
  if (name.text.empty()) return text;
  if (!text.starts_with(name.text) || text.substr(name.text.size()).substr(0, 1) != "=") return {};
  return text.substr(name.text.size() + 1);
}

/// "none, rint or odd"
std::string alternatives(std::span<const std::string_view> names) {
  std::string text;
  for (std::size_t n = 0; n < names.size(); ++n) {
    if (n > 0) text.append(n + 1 < names.size() ? ", " : " or ");
    text.append(names[n]);
  }
  return text;
}

/// Reads the fields of an instruction from what stands behind its mnemonic.
class FieldParser {
 public:
  FieldParser(const Program& program, std::string_view line) : program_(program), line_(line) {}

  void word(FieldName name, std::uint64_t& value) {
    value = named_number(lanecheck::word(line_), name.text, kAny64);
  }

  void operand(const OperandColumn& column, Operand& operand) {
    std::string_view text = next();
    std::string_view place = lanecheck::word(text);
    const auto name = cut(place, "+");
    const auto home = std::ranges::find(program_.allocations, name, &Allocation::name);
    if (home == program_.allocations.end()) complain_of_place(column.role, name);
    operand.allocation = static_cast<std::uint16_t>(home - program_.allocations.begin());
    operand.offset = number32(place, "offset");
    if (shows_block_stride(column.walk)) operand.block_stride = named_number32(lanecheck::word(text), "blk");
    if (shows_repeat_stride(column.walk))
      operand.repeat_stride = named_number32(lanecheck::word(text), "rep");
    if (!trim(text).empty()) complain("unexpected '", trim(text), "' after an operand");
  }

  void scalar(FieldName name, Element type, Scalar& scalar) {
    const auto value = value_of(name, next());
    const auto parsed = value ? parse_scalar(type, *value) : std::nullopt;
    if (!parsed) complain("expected scalar=VALUE of type ", name_of(type));
    scalar = *parsed;
  }

  template <class Enum>
  void choice(FieldName name, std::span<const std::string_view> names, Enum& choice) {
    const auto value = value_of(name, next());
    const auto found = value ? std::ranges::find(names, *value) : names.end();
    if (found == names.end()) {
      const std::string first = name.text.empty() ? "" : std::string(name.text) + "=";
      complain("expected ", first, alternatives(names));
    }
    choice = static_cast<Enum>(found - names.begin());
  }

  void numbers(FieldName name, std::span<std::uint32_t> values) {
    for (std::uint32_t& value : values) number(name, value);
  }

  void number(FieldName name, std::uint32_t& value) { value = named_number32(next(), name.text); }

  /// "mask=5", "mask=0x0:0xff" or "count=300".
  void mask_operand(MaskFrom& from, std::uint64_t& high, std::uint64_t& low) {
    line_ = trim(line_);
    if (!line_.starts_with("mask=") && !line_.starts_with("count=")) return;
    const std::string_view text = next();
    if (text.starts_with("count=")) {
      from = MaskFrom::count;
      low = named_number(text, "count", kAny64);
    } else if (const auto colon = text.find(':'); colon != std::string_view::npos) {
      from = MaskFrom::bitwise;
      high = named_number(text.substr(0, colon), "mask", kAny64);
      low = unsigned_or_complain(text.substr(colon + 1), "mask", kAny64);
    } else {
      from = MaskFrom::contiguous;
      low = named_number(text, "mask", kAny64);
    }
  }

  void repeat(std::uint32_t& times, bool& by_scalar) {
    const std::string_view text = next();
    by_scalar = text.starts_with(kRepeatByScalar);
    times =
        by_scalar ? number32(text.substr(kRepeatByScalar.size()), "repeat") : named_number32(text, "repeat");
  }

  void expect_end() const {
    if (!trim(line_).empty()) complain("unexpected '", trim(line_), "' at the end");
  }

 private:
  std::string_view next() { return cut(line_, ","); }

  const Program& program_;
  std::string_view line_;
};

Instruction parse_instruction(const Program& program, std::string_view line) {
  Instruction insn;
  const auto name = word(line);
  if (!parse_mnemonic(name, insn)) complain_of_mnemonic(name, program.profile);
  FieldParser parser(program, line);
  for_each_field(insn, parser);
  parser.expect_end();
  return insn;
}

/// Reads the lines that place data; UB grows with them if no line says how large it is.
class Places {
 public:
  explicit Places(Program& program) : program_(program) {}

  /// "ub 512": before the allocations.
  void set_size(std::string_view bytes) {
    if (!program_.allocations.empty()) complain("'ub BYTES' must stand before the first allocation");
    program_.ub.assign(unsigned_or_complain(bytes, "ub", kMaxUbBytes), std::byte{0});
    is_given_ = true;
  }

  /// "t0 f32 0 256 = 7 x64": name, type, first byte, number of bytes, data.
  void add(std::string_view line) {
    Allocation allocation = begin(line);
    allocation.type = type_or_complain(word(line), allocation.name);
    allocation.offset = static_cast<std::uint32_t>(unsigned_or_complain(word(line), "offset", kMaxUbBytes));
    allocation.bytes = static_cast<std::uint32_t>(unsigned_or_complain(word(line), "bytes", kMaxUbBytes));
    line = trim(line);
    if (!line.empty() && !line.starts_with("="))
      complain("expected '= DATA' after the size of ", allocation.name);
    if (!line.empty()) line.remove_prefix(1);
    fill(std::move(allocation), line);
  }

  /// "t0 f32[64] = 7 x64": as a finding shows it. It lies behind the others, with a data block in between.
  void add_printed(std::string_view line) {
    Allocation allocation = begin(line);
    allocation.type = type_or_complain(cut(line, "["), allocation.name);
    const auto elements = unsigned_or_complain(cut(line, "]"), "the number of elements", kMaxUbBytes);
    allocation.offset = static_cast<std::uint32_t>(
        program_.allocations.empty() ? 0 : in_whole_blocks(program_.ub.size()) + kBlockBytes);
    allocation.bytes = static_cast<std::uint32_t>(elements * size_of(allocation.type));
    line = trim(line);
    line.remove_prefix(1);
    if (line.find("...") != std::string_view::npos)
      complain("the report shows a part of the data of ", allocation.name,
               " only; `lanecheck run --save FOLDER` writes files with all of it");
    fill(std::move(allocation), trim(line) == "0 everywhere" ? std::string_view{} : line);
  }

 private:
  Allocation begin(std::string_view& line) const {
    Allocation allocation;
    allocation.name = std::string(word(line));
    if (!is_name(allocation.name)) complain("not a name: ", allocation.name);
    if (std::ranges::count(program_.allocations, allocation.name, &Allocation::name) != 0)
      complain("a second allocation named ", allocation.name);
    return allocation;
  }

  static Element type_or_complain(std::string_view text, std::string_view name) {
    const auto type = element_named(text);
    if (!type) complain("expected an element type after the name of ", name);
    return *type;
  }

  void fill(Allocation allocation, std::string_view data) {
    const std::size_t end = std::size_t{allocation.offset} + allocation.bytes;
    if (!is_given_ && end <= kMaxUbBytes) program_.ub.resize(std::max(program_.ub.size(), end));
    if (end > program_.ub.size())
      complain("allocation ", allocation.name,
               is_given_ ? " does not fit in UB, which 'ub BYTES' makes larger" : " does not fit in UB");
    std::vector<std::string> runs;
    while (!trim(data).empty()) runs.emplace_back(cut(data, ","));
    if (const auto wrong = parse_runs(allocation, runs, program_.ub.data() + allocation.offset);
        !wrong.empty())
      complain(wrong);
    program_.allocations.push_back(std::move(allocation));
  }

  Program& program_;
  bool is_given_ = false;
};

/// False if the line is an instruction.
bool parse_line_of_places(Program& program, Places& places, std::string_view line) {
  std::string_view rest = line;
  const auto first = word(rest);
  if (first == "profile") {
    const Profile* profile = find_profile(trim(rest));
    if (profile == nullptr) complain("no such profile; ", profile_names());
    program.profile = *profile;
  } else if (first == "ub") {
    places.set_size(trim(rest));
  } else if (first == "alloc") {
    places.add(rest);
  } else if (rest.find("] =") != std::string_view::npos) {
    places.add_printed(line);
  } else {
    return false;
  }
  return true;
}

/// A finding numbers its instructions, and marks one: "2  dup.i16 ...   <- differs after this".
std::string_view without_marks(std::string_view line) {
  line = trim(line.substr(0, line.find("<-")));
  std::string_view rest = line;
  return parse_unsigned(word(rest)) ? trim(rest) : line;
}

}  // namespace

bool is_name(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  return !text.empty() && text.size() <= 64 && letter(text[0]) &&
         std::ranges::all_of(text, [&](char c) { return letter(c) || digit(c); });
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
          .append("': expected a value of type ")
          .append(name_of(allocation.type))
          .append(", optionally followed by xCOUNT (decimals must be exact; 0x gives the bits)");
    if (*count > room - n)
      return what.append("more than its ").append(std::to_string(room)).append(" elements");
    for (std::uint64_t last = n + *count; n < last; ++n) std::memcpy(data + n * size, &*element, size);
  }
  return {};
}

Program parse_program(std::string_view text, const std::string& where) {
  struct Line {
    unsigned number;
    std::string_view text;
  };
  Program program;
  Places places(program);
  std::vector<Line> instructions;  // in a finding they stand before the allocations
  const auto at_line = [&](unsigned number, auto parse) {
    try {
      parse();
    } catch (const LineError& error) {
      throw InputError(where + ":" + std::to_string(number), error.what);
    }
  };
  for (unsigned number = 1; !text.empty(); ++number) {
    std::string_view line = cut(text, "\n");
    line = trim(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    at_line(number, [&] {
      if (!parse_line_of_places(program, places, line)) instructions.push_back({number, without_marks(line)});
    });
  }
  for (const Line& each : instructions)
    at_line(each.number, [&] { program.instructions.push_back(parse_instruction(program, each.text)); });
  if (program.ub.empty()) throw InputError(where, "no 'ub BYTES' line, and no allocation");
  return program;
}

}  // namespace lanecheck
