// The example simulator as a plug-in: what an adapter in C++ looks like that has its own idea of a program.
#include <algorithm>
#include <cstring>

#include "fuzz/backend/lanecheck_plugin.h"
#include "fuzz/simulator/refuse.h"
#include "fuzz/simulator/simulator.h"
#include "spec/program/profile.h"

namespace {

using namespace lanecheck;

Instruction instruction_of(const lanecheck_instruction& given) {
  Instruction insn;
  insn.op = find_row(given.op)->op;
  insn.dst_type = static_cast<Element>(given.dst_type);
  insn.src_type = static_cast<Element>(given.src_type);
  insn.round = static_cast<Round>(given.round);
  insn.compare = static_cast<Compare>(given.compare);
  insn.repeat = given.repeat;
  for (std::uint32_t k = 0; k < given.operand_count; ++k) {
    const lanecheck_operand& from = given.operands[k];
    insn.operands[k] = {static_cast<std::uint16_t>(from.allocation), from.offset, from.block_stride,
                        from.repeat_stride};
  }
  insn.scalar = {given.scalar_bits, given.scalar_value};
  insn.lengths = {given.lengths[0], given.lengths[1]};
  insn.high = given.high;
  insn.low = given.low;
  std::copy_n(given.settings, kMaxSettings, insn.settings.begin());
  insn.mask_from = static_cast<MaskFrom>(given.mask_from);
  insn.scalar_repeat = given.scalar_repeat != 0;
  return insn;
}

void run(void*, lanecheck_program* programs, std::uint32_t count) {
  static Program program;  // keeps its memory
  static State state;
  for (lanecheck_program* each = programs; each != programs + count; ++each) {
    program.allocations.resize(each->allocation_count);
    for (std::uint32_t n = 0; n < each->allocation_count; ++n)
      program.allocations[n] = {each->allocations[n].name, static_cast<Element>(each->allocations[n].type),
                                each->allocations[n].offset, each->allocations[n].bytes};
    program.instructions.clear();
    for (std::uint32_t n = 0; n < each->instruction_count; ++n)
      program.instructions.push_back(instruction_of(each->instructions[n]));
    const auto* ub = reinterpret_cast<const std::byte*>(each->ub);
    program.ub.assign(ub, ub + each->ub_bytes);
    program.profile = *find_profile(each->profile);
    if (const auto why = simulator::refusal(program)) {
      std::strncpy(each->why, why->c_str(), LANECHECK_WHY_BYTES - 1);
      each->verdict = LANECHECK_REFUSED;
      continue;
    }
    simulator::run(program, state);
    each->mode = static_cast<std::uint32_t>(state.mode);
    std::memcpy(each->ub, state.ub.data(), each->ub_bytes);
    std::memcpy(each->mask, state.mask.data(), kMaskSlots);
    each->verdict = LANECHECK_RAN;
  }
}

constexpr const char* kProfileNames[] = {"vmc", "ascendc-a2", "ascendc-310p", "tik", nullptr};

constexpr lanecheck_plugin_info kInfo = [] {
  lanecheck_plugin_info info{};
  info.version = LANECHECK_PLUGIN_VERSION;
  info.size = sizeof(lanecheck_plugin_info);
  info.name = "example";
  info.release = "as a plug-in";
  info.refuses_illegal = 1;
  info.profiles = kProfileNames;
  info.shows_mode = 1;
  info.run = run;
  return info;
}();

}  // namespace

extern "C" const lanecheck_plugin_info* lanecheck_plugin(void) {
  return &kInfo;
}
