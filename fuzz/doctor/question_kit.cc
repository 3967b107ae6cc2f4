#include "fuzz/doctor/question_kit.h"

#include <array>
#include <cstring>

#include "spec/program/program.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr std::array kTwoSources = {"sub", "add", "vmax", "vmin", "mul", "vor", "vand"};
constexpr std::array kOneSource = {"adds", "abs", "muls", "vnot", "vmaxs", "relu", "exp", "sqrt"};

void fill(Program& program) {
  for (std::size_t a = 0; a < program.allocations.size(); ++a) {
    const Allocation& home = program.allocations[a];
    for (std::uint32_t k = 0; k < home.bytes / size_of(home.type); ++k)
      put_element(program, a, k, (a == 0 ? 90 : 3 + 17 * static_cast<double>(a)) + (7 * k + k / 8) % 29);
  }
}

/// The kind of mask operand with which `tail` begins.
MaskFrom mask_of(std::string_view tail) {
  if (tail.starts_with("count=")) return MaskFrom::count;
  if (tail.starts_with("mask=0x")) return MaskFrom::bitwise;
  return tail.starts_with("mask=") ? MaskFrom::contiguous : MaskFrom::reg;
}

}  // namespace

bool QuestionKit::offers(std::string_view mnemonic, MaskFrom from) const {
  Instruction insn;
  if (!parse_mnemonic(mnemonic, insn)) return false;
  const Row& row = row_of(insn.op);
  insn.mask_from = from;
  return row.in(profile_).offered && (!row.typed() || types_of(insn, profile_) != nullptr) &&
         (from == MaskFrom::reg || has_form(mask_forms(row, profile_), from)) &&
         offers_.include(insn, profile_);
}

std::string QuestionKit::first_offered(std::initializer_list<std::string_view> mnemonics) const {
  for (const std::string_view each : mnemonics)
    if (offers(each)) return std::string(each);
  return {};
}

std::optional<Element> QuestionKit::type_of(std::string_view instruction) const {
  for (const Element type : kQuestionTypes)
    if (offers(typed(instruction, type))) return type;
  return {};
}

std::string QuestionKit::elementwise(Element type, const std::string& dst, const std::string& src0,
                                     const std::string& src1, const std::string& tail) const {
  const MaskFrom from = mask_of(tail);
  for (const char* name : kTwoSources)
    if (const auto mnemonic = typed(name, type); offers(mnemonic, from))
      return mnemonic + " " + dst + ", " + src0 + ", " + src1 + ", " + with_own_mask(mnemonic, tail) + "\n";
  for (const char* name : kOneSource)
    if (const auto mnemonic = typed(name, type); offers(mnemonic, from)) {
      const Row& row = *find_row(name);
      return mnemonic + " " + dst + ", " + src0 + ", " + (row.has_scalar ? "scalar=2, " : "") +
             with_own_mask(mnemonic, tail) + "\n";
    }
  return {};
}

std::optional<Element> QuestionKit::elementwise_type() const {
  for (const Element type : kQuestionTypes)
    if (!elementwise(type, "", "", "", "").empty()) return type;
  return {};
}

std::optional<Element> QuestionKit::mask_type() const {
  if (!profile().all_slots_legal)
    for (const Element type : kQuestionTypes)
      if (size_of(type) == 2 && !elementwise(type, "", "", "", "").empty()) return type;
  return elementwise_type();
}

std::uint64_t QuestionKit::high_word(Element type, std::uint64_t high) const {
  return profile().all_slots_legal || lanes_of(type) > 64 ? high : 0;
}

std::string QuestionKit::set_mask(Element type, std::uint64_t high, std::uint64_t low) const {
  if (!profile().sets_mask) return {};
  const Row& row = row_of(*profile().sets_mask);
  const std::string mnemonic = row.typed() ? typed(row.name, type) : std::string(row.name);
  if (!offers(mnemonic)) return {};
  return mnemonic + " high=" + show_hex(high_word(type, high)) + " low=" + show_hex(low) + "\n";
}

std::string QuestionKit::own_words(Element type, std::uint64_t high, std::uint64_t low) const {
  return "mask=" + show_hex(high_word(type, high)) + ":" + show_hex(low) + ", ";
}

std::string QuestionKit::with_own_mask(std::string_view mnemonic, const std::string& tail) const {
  Instruction insn;
  parse_mnemonic(mnemonic, insn);
  if (mask_of(tail) != MaskFrom::reg || has_form(mask_forms(row_of(insn.op), profile_), MaskFrom::reg))
    return tail;
  return "mask=" + std::to_string(lanes_of(insn)) + ", " + tail;
}

std::string QuestionKit::head() const {
  return "profile " + std::string(profile().name) + "\n";
}

std::string QuestionKit::memory(std::initializer_list<Element> types) const {
  std::string text = head() + "ub " + std::to_string(types.size() * (kRoom + kBlockBytes)) + "\n";
  std::uint32_t offset = 0;
  for (const Element type : types) {
    const char name = "dabc"[offset / (kRoom + kBlockBytes)];
    text.append("alloc ").append(1, name).append(" ").append(name_of(type));
    text.append(" " + std::to_string(offset) + " " + std::to_string(kRoom) + "\n");
    offset += kRoom + kBlockBytes;
  }
  return text;
}

std::string typed(std::string_view instruction, Element type) {
  return std::string(instruction).append(".").append(name_of(type));
}

Program with_data(const std::string& text) {
  Program program = parse_program(text, "the doctor");
  fill(program);
  return program;
}

void put_element(Program& program, std::size_t allocation, std::uint32_t index, double value) {
  const Allocation& home = program.allocations[allocation];
  const std::uint64_t bits = nearest(home.type, value);
  const unsigned size = size_of(home.type);
  std::memcpy(program.ub.data() + home.offset + std::size_t{index} * size, &bits, size);
}

}  // namespace lanecheck
