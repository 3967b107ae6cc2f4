#include "fuzz/explain/smallest/room_behind.h"

#include <algorithm>

#include "fuzz/explain/questions/locate.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

bool is_right(const Program& program, AskedBackend& asked, const Documented& documented) {
  const BackendAnswer answer = asked.ask(program);
  return answer.ran() && !diverges(answer, program, documented, asked.shown());
}

/// The program with this allocation at the end of UB, before a guard block, and with `more` bytes in it that
/// hold `fill`.
std::optional<Program> with_last_allocation(Program program, std::size_t number, std::uint32_t more,
                                            std::byte fill = {}) {
  Allocation& home = program.allocations[number];
  const auto begin = static_cast<std::uint32_t>(in_whole_blocks(program.ub.size()));
  const std::size_t end = std::size_t{begin} + in_whole_blocks(home.bytes) + more;
  if (end + kBlockBytes > kMaxUbBytes) return {};
  program.ub.resize(end - more, std::byte{});
  program.ub.resize(end, fill);
  program.ub.resize(end + kBlockBytes);
  std::copy_n(program.ub.begin() + home.offset, home.bytes, program.ub.begin() + begin);
  home.offset = begin;
  home.bytes += more;
  return program;
}

}  // namespace

bool ends_with_ub(const Program& program, const Allocation& allocation) {
  return std::size_t{allocation.offset} + allocation.bytes == program.ub.size();
}

std::optional<std::string> wrong_at_end_of_ub(const Program& part, AskedBackend& asked,
                                              const Documented& documented) {
  const Instruction& last = part.instructions.back();
  const auto operands = row_of(last.op).operands;
  std::string at_end;
  for (unsigned k = 0; k < operands.size(); ++k)
    if (last.operands[k].allocation < part.allocations.size() &&
        ends_with_ub(part, part.allocations[last.operands[k].allocation]))
      at_end = at_end.empty() ? std::string(operands[k].role) : at_end;
  if (at_end.empty() || part.ub.size() + kBlockBytes > kMaxUbBytes) return {};
  Program longer = part;
  longer.ub.resize(part.ub.size() + kBlockBytes);
  if (!is_right(longer, asked, documented)) return {};
  return mnemonic(last) + " is wrong if its " + at_end +
         " ends where UB ends; with a data block of UB behind it, it is right";
}

std::optional<std::string> wrong_at_end_of_allocation(const Program& part, AskedBackend& asked,
                                                      const Documented& documented) {
  const Instruction& last = part.instructions.back();
  const auto operands = row_of(last.op).operands;
  for (unsigned k = 0; k < operands.size(); ++k) {
    const Operand& operand = last.operands[k];
    if (operand.allocation >= part.allocations.size()) continue;
    const std::uint32_t more = std::max(operand.repeat_stride, 8U) * kBlockBytes;
    // What is read there by mistake may be equal to what should be read: it must not matter what stands
    // there.
    const auto is_right_before = [&](std::byte fill) {
      const auto roomy = with_last_allocation(part, operand.allocation, more, fill);
      return roomy && is_right(*roomy, asked, documented);
    };
    if (!is_right_before(std::byte{0}) || !is_right_before(std::byte{0x5a}) ||
        is_right(*with_last_allocation(part, operand.allocation, 0), asked, documented))
      continue;
    const std::string role(operands[k].role);
    return mnemonic(last) + " is wrong if the allocation of " + role + " ends where " + role +
           " ends; with more room in it, it is right";
  }
  return {};
}

}  // namespace lanecheck
