// The start of a lanecheck plug-in. It works as it is, for two instructions:
//
//   cmake -B build && cmake --build build && lanecheck run --backend plugin:build/libmy_simulator.so
//
// Replace add_i32 by calls into your simulator and extend `offers`; lanecheck_plugin.h describes every field.
#include <cstring>
#include <string_view>

#include "lanecheck_plugin.h"

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

void run(void*, lanecheck_program* programs, uint32_t count) {
  for (lanecheck_program* program = programs; program != programs + count; ++program) {
    for (uint32_t n = 0; n < program->instruction_count; ++n) {
      const lanecheck_instruction& i = program->instructions[n];
      if (i.op == std::string_view("set_mask")) set_mask(*program, i);
      if (i.op == std::string_view("add")) add_i32(*program, i);
    }
    program->verdict = LANECHECK_RAN;
  }
}

const lanecheck_offer offers[] = {{"set_mask", nullptr, nullptr}, {"add", "i32", "i32"}};
}  // namespace

extern "C" const lanecheck_plugin_info* lanecheck_plugin(void) {
  static lanecheck_plugin_info info{};
  info.version = LANECHECK_PLUGIN_VERSION;
  info.size = sizeof info;
  info.name = "my simulator";
  info.offers = offers;
  info.offer_count = 2;
  info.run = run;
  return &info;
}
