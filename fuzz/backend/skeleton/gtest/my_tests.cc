// The documented rules as tests of a simulator. It works as it is, for two instructions. Replace add_i32 by
// calls into your simulator and extend the list; lanecheck_plugin.h describes every field.
#include <gtest/gtest.h>
#include <lanecheck/gtest.h>

#include <cstring>
#include <string_view>

namespace {
void set_mask(lanecheck_program& program, const lanecheck_instruction& i) {
  for (int bit = 0; bit < 64; ++bit) {
    program.mask[bit] = i.low >> bit & 1;
    program.mask[64 + bit] = i.high >> bit & 1;
  }
}

void add_i32(lanecheck_program& program, const lanecheck_instruction& i) {
  const auto at = [&](int operand, uint32_t repeat, uint32_t lane) {
    const lanecheck_operand& o = i.operands[operand];
    return program.ub + o.at + 32 * (repeat * o.repeat_stride + lane / 8 * o.block_stride) + lane % 8 * 4;
  };
  for (uint32_t repeat = 0; repeat < i.repeat; ++repeat)
    for (uint32_t lane = 0; lane < 64; ++lane) {
      uint32_t a, b;
      std::memcpy(&a, at(1, repeat, lane), 4);
      std::memcpy(&b, at(2, repeat, lane), 4);
      a += b;
      if (program.mask[lane] != 0) std::memcpy(at(0, repeat, lane), &a, 4);  // a masked-off lane keeps dst
    }
}

void run(lanecheck_program& program) {
  for (uint32_t n = 0; n < program.instruction_count; ++n) {
    const lanecheck_instruction& i = program.instructions[n];
    if (i.op == std::string_view("set_mask")) set_mask(program, i);
    if (i.op == std::string_view("add")) add_i32(program, i);
  }
  program.verdict = LANECHECK_RAN;
}
}  // namespace

LANECHECK_TEST(MySimulator,
               lanecheck::rules::Simulator(run, {{"set_mask", nullptr, nullptr}, {"add", "i32", "i32"}}),
               lanecheck::rules::Settings{});
