// What a C++ test to paste must keep of its program.
#include <gtest/gtest.h>

#include "fuzz/bundle/snippets.h"

namespace lanecheck {
namespace {

TEST(ACppSnippet, KeepsTheSignOfAZeroScalar) {
  SavedCase finding;
  Program& program = finding.smallest.program;
  program.ub.resize(512);
  program.allocations = {{.name = "dst", .type = Element::f32, .bytes = 256},
                         {.name = "src0", .type = Element::f32, .offset = 256, .bytes = 256}};
  Instruction insn{.op = Op::adds, .dst_type = Element::f32, .src_type = Element::f32, .repeat = 1};
  insn.operands[1].allocation = 1;
  insn.scalar = {.bits = 0x80000000, .value = -0.0};
  program.instructions = {insn};
  const std::string text = cpp_snippet(finding, "it differs");
  EXPECT_NE(text.find("value = 0x8000000000000000u"), std::string::npos) << text;
}

}  // namespace
}  // namespace lanecheck
