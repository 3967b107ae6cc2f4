#include <cmath>

#include "fuzz/exam/export.h"
#include "spec/program/profile.h"
#include "spec/text/joined.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

constexpr const char* kHeader = R"(// What a simulator must define to take an exam of lanecheck.
#pragma once

#include <cstddef>
#include <cstdint>

namespace exam {

struct Operand {
  const char* name;         // "dst", "src0", ...; null: no operand
  const char* allocation;   // operands with the same name may overlap
  std::uint32_t start;      // bytes from the start of UB
  std::uint32_t block_stride;   // data blocks of 32 bytes
  std::uint32_t repeat_stride;  // data blocks; of the dst of a reduction: results of one repeat
};

struct Instruction {
  const char* name;                 // "add", "set_mask", ...
  const char *dst_type, *src_type;  // "f16", ...
  std::uint32_t repeat;
  const char *round, *compare;  // "none", "rint", ...; "eq", ...
  Operand operands[4];
  std::uint64_t scalar_bits;  // in the element type
  double scalar_value;
  std::uint32_t lengths[2];   // records in each queue of the merges
  std::uint32_t settings[3];  // in the order of `lanecheck offers`
  std::uint64_t high, low;    // the two words of the instructions that set the mask, and of mask operands
  const char* mask_from;      // "register", "contiguous", "bitwise", "count"
  bool scalar_repeat;         // TIK: repeat times are given by a Scalar
};

/// A launch starts: UB has `bytes` bytes, and the mask is 256 ones.
void start(std::size_t bytes);
/// Copies `bytes` bytes to UB, from its byte `at` on.
void load(std::size_t at, const std::uint8_t* from, std::size_t bytes);
/// Executes one instruction.
void run(const Instruction& instruction);
/// Copies `bytes` bytes out of UB, from its byte `at` on. All instructions so far must have ended.
void store(std::size_t at, std::uint8_t* to, std::size_t bytes);

}  // namespace exam
)";

constexpr const char* kTests = R"(
#ifndef LANECHECK_EXAM_DIR
#define LANECHECK_EXAM_DIR "."  // the folder with input.bin, golden.bin and compare.bin
#endif

std::vector<std::uint8_t> read(const std::string& name) {
  std::ifstream file(std::string(LANECHECK_EXAM_DIR) + "/" + name, std::ios::binary);
  EXPECT_TRUE(file.is_open()) << name << " cannot be read in " << LANECHECK_EXAM_DIR;
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Runs all launches once and writes output.bin, which `lanecheck judge` reads.
const std::vector<std::uint8_t>& output() {
  static const std::vector<std::uint8_t> image = [] {
    std::vector<std::uint8_t> bytes = read("input.bin");
    std::size_t launch = 0;
    for (const Program& each : kPrograms) {
      if (each.offset + each.bytes > bytes.size()) return std::vector<std::uint8_t>();
      if (each.base == 0) exam::start(kLaunchBytes[launch++]);
      exam::load(each.base, &bytes[each.offset], each.bytes);
      if (each.base != 0) reset();
      each.run();
      exam::store(each.base, &bytes[each.offset], each.bytes);
    }
    std::ofstream file(std::string(LANECHECK_EXAM_DIR) + "/output.bin", std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    file.close();
    EXPECT_TRUE(file) << "output.bin cannot be written in " << LANECHECK_EXAM_DIR;
    return bytes;
  }();
  return image;
}

class Exam : public testing::TestWithParam<std::size_t> {};

TEST_P(Exam, LeavesTheGoldenBytes) {
  static const std::vector<std::uint8_t> golden = read("golden.bin"), compared = read("compare.bin");
  const Program& region = kPrograms[GetParam()];
  ASSERT_LE(region.offset + region.bytes, output().size());
  ASSERT_EQ(golden.size(), output().size());
  ASSERT_EQ(compared.size(), output().size());
  std::size_t wrong = 0, first = 0;
  for (std::size_t at = region.offset; at < region.offset + region.bytes; ++at)
    if (((output()[at] ^ golden[at]) & compared[at]) != 0 && wrong++ == 0) first = at;
  EXPECT_EQ(wrong, 0u) << "bytes of program " << GetParam() << " are wrong, the first is byte " << first
                       << " of output.bin. `lanecheck judge " << LANECHECK_EXAM_DIR << "` names the cause.";
}

INSTANTIATE_TEST_SUITE_P(Program, Exam, testing::Range(std::size_t{0}, std::size(kPrograms)));

}  // namespace
)";

std::string cpp_double(double value) {
  if (std::isnan(value)) return "NAN";
  if (std::isinf(value)) return value > 0 ? "INFINITY" : "-INFINITY";
  char text[40];
  std::snprintf(text, sizeof text, "%a", value);
  return text;
}

double scalar_value(const Instruction& insn) {
  return takes_scalar(insn) ? value_of_scalar(scalar_type(insn), insn.scalar) : 0;
}

std::string operands_of(const Program& placed, const Instruction& insn) {
  const auto& columns = row_of(insn.op).operands;
  std::string text;
  for (unsigned k = 0; k < columns.size(); ++k) {
    const Operand& each = insn.operands[k];
    text += std::string(k == 0 ? "{" : ", {") + literal(columns[k].role) + ", " +
            literal(placed.allocations[each.allocation].name) + ", " +
            std::to_string(start_of(placed, each)) + ", " + std::to_string(each.block_stride) + ", " +
            std::to_string(each.repeat_stride) + "}";
  }
  return "{" + text + "}";
}

template <class List>
std::string list_of(const List& list) {
  return "{" + joined(list, [](auto each) { return std::to_string(each); }) + "}";
}

std::string cpp_call(const Program& placed, const Instruction& insn) {
  return "  run({" + literal(row_of(insn.op).name) + ", " + literal(name_of(insn.dst_type)) + ", " +
         literal(name_of(insn.src_type)) + ", " + std::to_string(insn.repeat) + ", " +
         literal(kRoundNames[static_cast<std::size_t>(insn.round)]) + ", " +
         literal(kCompareNames[static_cast<std::size_t>(insn.compare)]) + ", " + operands_of(placed, insn) +
         ", " + show_hex(insn.scalar.bits) + "u, " + cpp_double(scalar_value(insn)) + ", " +
         list_of(insn.lengths) + ", " + list_of(insn.settings) + ", " + show_hex(insn.high) + "u, " +
         show_hex(insn.low) + "u, " + literal(kMaskFromNames[static_cast<std::size_t>(insn.mask_from)]) +
         ", " + (insn.scalar_repeat ? "true" : "false") + "});\n";
}

std::string cpp_function(const std::string& name, const std::string& body) {
  return "void " + name + "() {\n" + body + "}\n\n";
}

}  // namespace

std::vector<ExportedFile> gtest_source(const Exam& exam, const ExamLayout& layout) {
  const Profile profile = exam.front().program.profile;
  std::string text =
      "// An exam of profile " + std::string(row_of(profile).name) + ": " + programs_in_launches(exam) +
      ". Written by `lanecheck export`.\n// Link it with GoogleTest and with a "
      "definition of the functions of lanecheck_exam.h.\n#include \"lanecheck_exam.h\"\n\n#include "
      "<gtest/gtest.h>\n\n#include <cmath>\n#include <fstream>\n#include <iterator>\n#include "
      "<string>\n#include <vector>\n\nnamespace {\n\nusing exam::run;\n\n";
  const std::string launches =
      joined(layout.launches, [](const ExamLayout::Launch& each) { return std::to_string(each.bytes); });
  std::string reset, programs;
  for (const Instruction& insn : reset_instructions(profile)) reset += cpp_call({}, insn);
  text += "// What runs between two programs of a launch.\n" + cpp_function("reset", reset);
  for (std::size_t n = 0; n < exam.size(); ++n) {
    const std::string name = "program_" + std::to_string(n);
    const Program placed = placed_program(exam[n]);
    std::string body;
    for (const Instruction& insn : placed.instructions) body += cpp_call(placed, insn);
    text += cpp_function(name, body);
    programs += "    {" + std::to_string(exam[n].base) + ", " + std::to_string(layout.offset_of(exam[n])) +
                ", " + std::to_string(exam[n].program.ub.size()) + ", " + name + "},\n";
  }
  text +=
      "struct Program {\n  std::size_t base;    // where its UB begins in the UB of the launch; 0: the "
      "first of a launch\n  std::size_t offset;  // where its UB begins in the files\n  std::size_t "
      "bytes;\n  void (*run)();\n};\nconst Program kPrograms[] = {\n" +
      programs + "};\nconst std::size_t kLaunchBytes[] = {" + launches + "};\n" + kTests;
  return {{"lanecheck_exam.h", kHeader}, {"exam_test.cc", text}};
}

}  // namespace lanecheck
