// A simulator with three instructions. BROKEN breaks it on purpose: 1 adds masked-off lanes, 2 crashes if
// repeat is 3.
#pragma once

#include <lanecheck_plugin.h>

#include <cstdlib>
#include <cstring>
#include <string_view>

inline int broken() {
  const char* const text = std::getenv("BROKEN");
  return text == nullptr ? 0 : std::atoi(text);
}

inline void set_mask(lanecheck_program& program, const lanecheck_instruction& i) {
  for (int bit = 0; bit < 64; ++bit) {
    program.mask[bit] = i.low >> bit & 1;
    program.mask[64 + bit] = i.high >> bit & 1;
  }
}

inline void add_i32(lanecheck_program& program, const lanecheck_instruction& i) {
  const auto at = [&](int operand, uint32_t repeat, uint32_t lane) {
    const lanecheck_operand& o = i.operands[operand];
    return program.ub + o.at + 32 * (repeat * o.repeat_stride + lane / 8 * o.block_stride) + lane % 8 * 4;
  };
  if (broken() == 2 && i.repeat == 3) std::abort();
  for (uint32_t repeat = 0; repeat < i.repeat; ++repeat)
    for (uint32_t lane = 0; lane < 64; ++lane) {
      uint32_t a, b;
      std::memcpy(&a, at(1, repeat, lane), 4);
      std::memcpy(&b, at(2, repeat, lane), 4);
      a += b;
      if (program.mask[lane] != 0 || broken() == 1) std::memcpy(at(0, repeat, lane), &a, 4);
    }
}

inline void run(lanecheck_program& program) {
  for (uint32_t n = 0; n < program.instruction_count; ++n) {
    const lanecheck_instruction& i = program.instructions[n];
    if (i.op == std::string_view("set_mask")) set_mask(program, i);
    if (i.op == std::string_view("reset_mask")) std::memset(program.mask, 1, 128);
    if (i.op == std::string_view("add")) add_i32(program, i);
  }
  program.verdict = LANECHECK_RAN;
}
