#include "fuzz/explain/needed_of_earlier.h"

#include "fuzz/explain/carried_fields.h"
#include "fuzz/explain/inserted.h"
#include "fuzz/explain/locate.h"
#include "fuzz/explain/repeatable.h"
#include "spec/legality/find_fault.h"

namespace lanecheck {
namespace {

/// The program with another instruction in place of instruction `at`: the same with the first types that make
/// another number of lanes, that the backend offers, and that are legal. It has operands of its own.
std::optional<Program> with_other_lanes(const Program& program, std::size_t at, AskedBackend& asked,
                                        const Documented& documented) {
  const Instruction& earlier = program.instructions[at];
  const Row& row = row_of(earlier.op);
  const auto replaced = [&](const TypePair& types) -> std::optional<Program> {
    Program other = with_inserted(prefix(program, at + 1), row, types);
    Instruction& insn = other.instructions[at];
    if (lanes_of(insn) == lanes_of(earlier)) return {};
    if (insn.mask_from == MaskFrom::bitwise && lanes_of(insn) <= 64) insn.high = 0;
    other.instructions.pop_back();
    other.instructions.insert(other.instructions.end(),
                              program.instructions.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                              program.instructions.end());
    return other;
  };
  return first_that_runs(row, replaced, asked, documented);
}

}  // namespace

std::string lanes_needed(const Program& part, std::size_t at, const ShowsFrom& would_show,
                         AskedBackend& asked, const Documented& documented) {
  for (const Program& program : {part, with_data(part, 1)}) {
    const auto other = with_other_lanes(program, at, asked, documented);
    if (!other || !would_show(*other, at) ||
        says(asked.ask(*other), *other, documented, asked.shown()) != Says::conforms)
      return "";
  }
  return ", if both have the same number of lanes";
}

std::string users_needed(const Program& part, std::size_t at, const ShowsFrom& would_show,
                         AskedBackend& asked, const Documented& documented) {
  const auto is_right_without = [&](Program program, std::size_t n) {
    program.instructions.erase(program.instructions.begin() + static_cast<std::ptrdiff_t>(n));
    return !find_fault(program, documented.readings()) && would_show(program, at - 1) &&
           says(asked.ask(program), program, documented, asked.shown()) == Says::conforms;
  };
  for (std::size_t n = at; n-- > 0;)
    if (row_of(part.instructions[n].op).mask != MaskUse::is_mask_state && is_right_without(part, n) &&
        is_right_without(with_data(part, 1), n))
      return ", not without " + instruction_at(part, n);
  return "";
}

}  // namespace lanecheck
