// A plug-in takes an exam: the functions of lanecheck_exam.h, for a test. The plug-in starts every program
// from the default state. What stands between load and store is one program for it.
#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <utility>
#include <vector>

#include "lanecheck_exam.h"
#include "lanecheck_plugin.h"

namespace {

std::vector<lanecheck_instruction> instructions;
std::vector<lanecheck_allocation> allocations;
std::vector<std::uint8_t> ub;

/// The index of `name`: the enums of the plug-in interface are in this order.
template <std::size_t N>
std::uint32_t index_of(const std::array<const char*, N>& names, const char* name) {
  for (std::uint32_t n = 0; n < N; ++n)
    if (std::strcmp(names[n], name) == 0) return n;
  throw std::invalid_argument(name);
}

/// Operands of different allocations do not overlap. Where the allocations begin and end is not known: each
/// may be all of UB.
std::uint32_t allocation_of(const exam::Operand& operand) {
  for (std::uint32_t n = 0; n < allocations.size(); ++n)
    if (std::strcmp(allocations[n].name, operand.allocation) == 0) return n;
  allocations.push_back({operand.allocation, LANECHECK_U8, 0, static_cast<std::uint32_t>(ub.size())});
  return static_cast<std::uint32_t>(allocations.size() - 1);
}

constexpr std::array kTypes = {"f16", "bf16", "f32", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"};
constexpr std::array kRounds = {"none", "rint", "floor", "ceil", "round", "trunc", "odd"};
constexpr std::array kCompares = {"eq", "ne", "lt", "le", "gt", "ge"};
constexpr std::array kMasks = {"register", "contiguous", "bitwise", "count"};

}  // namespace

void exam::start(std::size_t bytes) {
  ub.assign(bytes, 0);
}

void exam::load(std::size_t at, const std::uint8_t* from, std::size_t bytes) {
  std::copy_n(from, bytes, &ub[at]);
}

void exam::run(const Instruction& given) {
  lanecheck_instruction insn{};
  insn.op = given.name;
  insn.dst_type = index_of(kTypes, given.dst_type);
  insn.src_type = index_of(kTypes, given.src_type);
  insn.repeat = given.repeat;
  insn.round = index_of(kRounds, given.round);
  insn.compare = index_of(kCompares, given.compare);
  for (const Operand& each : given.operands)
    if (each.name != nullptr)
      insn.operands[insn.operand_count++] = {each.start, allocation_of(each), each.start, each.block_stride,
                                             each.repeat_stride};
  insn.scalar_bits = given.scalar_bits;
  insn.scalar_value = given.scalar_value;
  std::copy_n(given.lengths, 2, insn.lengths);
  std::copy_n(given.settings, 3, insn.settings);
  insn.high = given.high;
  insn.low = given.low;
#ifdef EXAM_SWAPS_WORDS
  std::swap(insn.high, insn.low);
#endif
  insn.mask_from = index_of(kMasks, given.mask_from);
  insn.scalar_repeat = given.scalar_repeat ? 1 : 0;
  instructions.push_back(insn);
}

void exam::store(std::size_t at, std::uint8_t* to, std::size_t bytes) {
  std::array<std::uint8_t, LANECHECK_MASK_SLOTS> mask;
  mask.fill(1);
  lanecheck_program program{};
  program.instructions = instructions.data();
  program.instruction_count = static_cast<std::uint32_t>(instructions.size());
  program.allocations = allocations.data();
  program.allocation_count = static_cast<std::uint32_t>(allocations.size());
  program.ub = ub.data();
  program.ub_bytes = static_cast<std::uint32_t>(ub.size());
  program.mask = mask.data();
  program.profile = EXAM_PROFILE;
  lanecheck_plugin()->run(nullptr, &program, 1);
  if (program.verdict != LANECHECK_RAN) throw std::runtime_error(program.why);
  std::copy_n(&ub[at], bytes, to);
  instructions.clear();
  allocations.clear();
}
