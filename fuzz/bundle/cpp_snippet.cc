#include <bit>

#include "fuzz/backend/plugin_batch.h"
#include "fuzz/bundle/snippets.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// "  i.repeat = 2;" for a field that is not 0.
void set(std::string& text, const std::string& field, std::uint64_t value) {
  if (value == 0) return;
  text += "    i." + field + " = " + (value < 10 ? std::to_string(value) : show_hex(value) + "u") + ";\n";
}

std::string operand_text(const lanecheck_operand& operand) {
  std::string text = "{";
  for (const std::uint32_t each :
       {operand.at, operand.allocation, operand.offset, operand.block_stride, operand.repeat_stride})
    text += (text.size() > 1 ? ", " : "") + std::to_string(each);
  return text + "}";
}

/// The assignments that make instruction `n`.
std::string instruction_text(const lanecheck_instruction& insn, std::uint32_t n, const std::string& comment) {
  std::string text = "  {  // " + comment + "\n    lanecheck_instruction& i = instructions[" +
                     std::to_string(n) + "];\n    i.op = \"" + insn.op + "\";\n";
  set(text, "dst_type", insn.dst_type);
  set(text, "src_type", insn.src_type);
  set(text, "repeat", insn.repeat);
  set(text, "round", insn.round);
  set(text, "compare", insn.compare);
  set(text, "operand_count", insn.operand_count);
  for (std::uint32_t k = 0; k < insn.operand_count; ++k)
    text += "    i.operands[" + std::to_string(k) + "] = " + operand_text(insn.operands[k]) +
            ";  // at, allocation, offset, block and repeat stride\n";
  set(text, "scalar_bits", insn.scalar_bits);
  // As bits: NaN and infinity have no literal, and -0.0 is not 0.
  if (const auto bits = std::bit_cast<std::uint64_t>(insn.scalar_value); bits != 0)
    text += "    const uint64_t value = " + show_hex(bits) +
            "u;\n    std::memcpy(&i.scalar_value, &value, sizeof value);\n";
  for (unsigned k = 0; k < 2; ++k) set(text, "lengths[" + std::to_string(k) + "]", insn.lengths[k]);
  set(text, "high", insn.high);
  set(text, "low", insn.low);
  for (unsigned k = 0; k < LANECHECK_MOST_SETTINGS; ++k)
    set(text, "settings[" + std::to_string(k) + "]", insn.settings[k]);
  set(text, "mask_from", insn.mask_from);
  set(text, "scalar_repeat", insn.scalar_repeat);
  return text + "  }\n";
}

/// The program, all but its UB and its mask.
std::string program_text(const Program& given, const lanecheck_program& program) {
  std::string text = "  const std::vector<lanecheck_allocation> allocations = {";
  for (std::uint32_t n = 0; n < program.allocation_count; ++n) {
    const lanecheck_allocation& each = program.allocations[n];
    text += std::string(n == 0 ? "" : ", ") + "{\"" + each.name + "\", " + std::to_string(each.type) + ", " +
            std::to_string(each.offset) + ", " + std::to_string(each.bytes) + "}";
  }
  text += "};  // name, type, offset, bytes\n  std::vector<lanecheck_instruction> instructions(" +
          std::to_string(program.instruction_count) + ");\n";
  for (std::uint32_t n = 0; n < program.instruction_count; ++n)
    text += instruction_text(program.instructions[n], n, print_instruction(given, given.instructions[n]));
  return text +
         "  lanecheck_program program{};\n  program.instructions = instructions.data();\n"
         "  program.allocations = allocations.data();\n  program.instruction_count = " +
         std::to_string(program.instruction_count) +
         ";\n  program.allocation_count = " + std::to_string(program.allocation_count) +
         ";\n  program.ub_bytes = " + std::to_string(program.ub_bytes) + ";\n  program.profile = \"" +
         program.profile + "\";\n";
}

constexpr const char* kHead = R"(#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "lanecheck_plugin.h"  // link the test with the plug-in

namespace {

std::vector<uint8_t> bytes_of(const std::string& hex) {
  std::vector<uint8_t> bytes;
  for (std::size_t n = 0; n < hex.size(); n += 2)
    bytes.push_back(static_cast<uint8_t>(std::stoul(hex.substr(n, 2), nullptr, 16)));
  return bytes;
}

)";

constexpr const char* kRun = R"(  program.ub = ub.data();
  program.mask = mask.data();
  const lanecheck_plugin_info* plugin = lanecheck_plugin();
  void* opened = plugin->open != nullptr ? plugin->open() : nullptr;
  plugin->run(opened, &program, 1);
  if (plugin->close != nullptr) plugin->close(opened);
)";

std::string cpp_expectations(const SavedCase& finding) {
  if (!finding.smallest.expect) return "  EXPECT_EQ(program.verdict, LANECHECK_REFUSED);\n";
  std::string text =
      "  ASSERT_EQ(program.verdict, LANECHECK_RAN) << program.why;\n  EXPECT_EQ(ub, bytes_of(\n" +
      quoted_hex(finding.smallest.expect->ub, "      ") + "      ));\n";
  if (finding.mask_differs)
    text += "  EXPECT_EQ(mask, bytes_of(\n" +
            quoted_hex(mask_bytes(finding.smallest.expect->mask), "      ") + "      ));\n";
  return text;
}

}  // namespace

std::string cpp_snippet(const SavedCase& finding, const std::string& what) {
  const Program& program = finding.smallest.program;
  PluginBatch batch;
  batch.put({&program, 1});
  return "// " + comment_text(what) + "\n//\n// Finding " + comment_text(finding.id) +
         " of lanecheck. Where the documents leave a choice (NaN, the last bit of exp), the expected bytes "
         "are one\n"
         "// of the results that they allow.\n" +
         kHead + "TEST(Lanecheck, " + identifier_of(finding.id) +
         ") {\n  std::vector<uint8_t> ub = bytes_of(\n" + quoted_hex(program.ub, "      ") +
         "      );\n  std::vector<uint8_t> mask(LANECHECK_MASK_SLOTS, 1);\n" +
         program_text(program, *batch.programs()) + kRun + cpp_expectations(finding) +
         "}\n\n}  // namespace\n";
}

}  // namespace lanecheck
