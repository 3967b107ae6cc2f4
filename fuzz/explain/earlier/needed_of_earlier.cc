#include "fuzz/explain/earlier/needed_of_earlier.h"

#include "fuzz/explain/earlier/carried_fields.h"
#include "fuzz/explain/questions/inserted.h"
#include "fuzz/explain/questions/locate.h"
#include "fuzz/explain/questions/repeatable.h"
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

constexpr const char* kSameLanes = ", if both have the same number of lanes";

/// Is the backend right about `part` if it is changed so, though what is carried would show, and about it
/// with other data, if it shows there?
template <class Changed, class WouldShow>
bool is_right_if(const Program& part, Changed changed, WouldShow would_show, AskedBackend& asked,
                 const Documented& documented) {
  for (const unsigned round : {0u, 1u}) {
    const std::optional<Program> other = changed(round == 0 ? part : with_data(part, round));
    const bool shows = other && !find_fault(*other, documented.readings()) && would_show(*other);
    if (!shows && round == 0) return false;
    if (shows && says(asked.ask(*other), *other, documented, asked.shown()) != Says::conforms) return false;
  }
  return true;
}

}  // namespace

std::string lanes_needed(const Program& part, std::size_t at, const ShowsFrom& would_show,
                         AskedBackend& asked, const Documented& documented) {
  const auto changed = [&](const Program& program) {
    return with_other_lanes(program, at, asked, documented);
  };
  const auto shows = [&](const Program& other) { return would_show(other, at); };
  return is_right_if(part, changed, shows, asked, documented) ? kSameLanes : "";
}

std::string users_needed(const Program& part, std::size_t at, const ShowsFrom& would_show,
                         AskedBackend& asked, const Documented& documented) {
  const auto setter = row_of(documented.profile).sets_mask;
  const auto without = [&](std::size_t n) {
    return [&, n](Program program) -> std::optional<Program> {
      const Instruction& insn = program.instructions[n];
      if (insn.mask_from == MaskFrom::reg)
        program.instructions.erase(program.instructions.begin() + static_cast<std::ptrdiff_t>(n));
      else if (insn.mask_from == MaskFrom::bitwise && setter)
        program.instructions[n] = mask_setter(*setter, {insn.high, insn.low});
      else
        return {};
      return program;
    };
  };
  const auto shows = [&](const Program& other) {  // one instruction may be gone
    return would_show(other, at + other.instructions.size() - part.instructions.size());
  };
  for (std::size_t n = at; n-- > 0;) {
    const Instruction& user = part.instructions[n];
    if (row_of(user.op).mask == MaskUse::is_mask_state ||
        !is_right_if(part, without(n), shows, asked, documented))
      continue;
    const auto other_lanes = [&](const Program& program) {
      return with_other_lanes(program, n, asked, documented);
    };
    const std::string which = instruction_at(part, n);
    const bool by_lanes = is_right_if(part, other_lanes, shows, asked, documented);
    if (user.mask_from == MaskFrom::reg) return ", not without " + which + (by_lanes ? kSameLanes : "");
    return (by_lanes ? ", if " + which + " has the same number of lanes" : "") + ", not if " +
           std::string(row_of(*setter).name) + " sets that mask in place of " + which;
  }
  return "";
}

}  // namespace lanecheck
