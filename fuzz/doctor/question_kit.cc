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

}  // namespace

bool QuestionKit::offers(std::string_view mnemonic) const {
  Instruction insn;
  return parse_mnemonic(mnemonic, insn) &&
         (!row_of(insn.op).typed() || types_of(insn, kQuestionProfile) != nullptr) &&
         offers_.include(insn, kQuestionProfile);
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
  for (const char* name : kTwoSources)
    if (const auto mnemonic = typed(name, type); offers(mnemonic))
      return mnemonic + " " + dst + ", " + src0 + ", " + src1 + ", " + tail + "\n";
  for (const char* name : kOneSource)
    if (const auto mnemonic = typed(name, type); offers(mnemonic)) {
      const Row& row = *find_row(name);
      return mnemonic + " " + dst + ", " + src0 + ", " + (row.has_scalar ? "scalar=2, " : "") + tail + "\n";
    }
  return {};
}

std::optional<Element> QuestionKit::elementwise_type() const {
  for (const Element type : kQuestionTypes)
    if (!elementwise(type, "", "", "", "").empty()) return type;
  return {};
}

std::string typed(std::string_view instruction, Element type) {
  return std::string(instruction).append(".").append(name_of(type));
}

std::string memory(std::initializer_list<Element> types) {
  std::string text = "ub " + std::to_string(types.size() * (kRoom + kBlockBytes)) + "\n";
  std::uint32_t offset = 0;
  for (const Element type : types) {
    const char name = "dabc"[offset / (kRoom + kBlockBytes)];
    text.append("alloc ").append(1, name).append(" ").append(name_of(type));
    text.append(" " + std::to_string(offset) + " " + std::to_string(kRoom) + "\n");
    offset += kRoom + kBlockBytes;
  }
  return text;
}

std::string memory(Element type) {
  return memory({type, type, type});
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
