#include "fuzz/explain/earlier/needed_of_earlier.h"

#include <algorithm>

#include "fuzz/explain/questions/inserted.h"
#include "fuzz/explain/questions/locate.h"
#include "fuzz/explain/questions/repeatable.h"
#include "fuzz/explain/questions/variation.h"
#include "spec/legality/find_fault.h"
#include "spec/text/joined.h"

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

}  // namespace

bool is_right_if(const Program& part, const Changed& changed, const WouldShow& would_show,
                 AskedBackend& asked, const Documented& documented) {
  bool shows = false;
  for (const unsigned round : {0u, 1u}) {
    const std::optional<Program> other = changed(round == 0 ? part : with_data(part, round));
    if (!other || find_fault(*other, documented.readings()) || !would_show(*other)) continue;
    if (says(asked.ask(*other), *other, documented, asked.shown()) != Says::conforms) return false;
    shows = true;
  }
  return shows;
}

std::string lanes_needed(const Program& part, std::size_t at, const ShowsFrom& would_show,
                         AskedBackend& asked, const Documented& documented) {
  const auto changed = [&](const Program& program) {
    return with_other_lanes(program, at, asked, documented);
  };
  const auto shows = [&](const Program& other) { return would_show(other, at); };
  return is_right_if(part, changed, shows, asked, documented) ? kSameLanes : "";
}

namespace {

/// The program in which instruction `at` has another value of this field; the last one has it, too, if
/// `both`.
std::optional<Program> with_other_key(Program program, std::size_t at, const CarriedField& field,
                                      const CarriedField& key, unsigned attempt, bool both) {
  key.vary(program.instructions[at], attempt);
  Instruction taken = program.instructions.back();
  if (!key.carry(program.instructions[at], taken)) return {};
  if (both) program.instructions.back() = taken;
  make_room(program);
  return with_room_for(program, at, field);
}

/// Is the field taken only if both instructions have the same value of `key`?
bool is_needed(const Program& part, std::size_t at, const CarriedField& field, const CarriedField& key,
               const ShowsFrom& would_show, AskedBackend& asked, const Documented& documented) {
  Instruction taken = part.instructions.back();
  if (key.carry(part.instructions[at], taken)) return false;  // they are taken though these differ
  const auto shows = [&](const Program& other) { return would_show(other, at); };
  for (const unsigned attempt : {0u, 1u}) {
    const auto one = [&](const Program& program) {
      return with_other_key(program, at, field, key, attempt, false);
    };
    if (!is_right_if(part, one, shows, asked, documented)) continue;
    const auto both = with_other_key(part, at, field, key, attempt, true);
    if (both && !find_fault(*both, documented.readings()) && shows(*both) &&
        diverges(asked.ask(*both), *both, documented, asked.shown()))
      return true;
  }
  return false;
}

/// The program in which the operand that is carried from instruction `at` starts a data block further within
/// its allocation. Nothing if no operand is carried, or if others lie in that allocation.
std::optional<Program> with_later_start(Program program, std::size_t at, const CarriedField& field) {
  Instruction& last = program.instructions.back();
  Instruction taken = last;
  if (!field.carry(program.instructions[at], taken)) return {};
  const auto [own, carried] = std::ranges::mismatch(last.operands, taken.operands);
  if (own == last.operands.end() || own->allocation == carried->allocation || own->offset != carried->offset)
    return {};
  const auto allocation = own->allocation;
  std::ptrdiff_t users = 0;
  for (const Instruction& insn : program.instructions)
    for (std::size_t k = 0; k < row_of(insn.op).operands.size(); ++k)
      users += insn.operands[k].allocation == allocation ? 1 : 0;
  if (users != 1) return {};
  add_room_behind(program, std::byte{0});
  const Allocation& home = program.allocations[allocation];
  const auto begin = program.ub.begin() + home.offset, end = begin + home.bytes;
  std::copy_backward(begin, end - kBlockBytes, end);
  own->offset += kBlockBytes;
  return program;
}

}  // namespace

std::string fields_needed(const Program& part, std::size_t at, const CarriedField& field, AskedBackend& asked,
                          const Documented& documented) {
  const auto would_show = [&](const Program& program, std::size_t from) {
    return field_would_show(program, program.instructions[from], field, documented, asked.shown());
  };
  const auto shows = [&](const Program& other) { return would_show(other, at); };
  std::vector<std::string> names;
  for (const CarriedField& key : carried_fields(part.instructions.back())) {
    const bool is_number = key.kind == "setting" || key.kind == "stride" || key.kind == "repeat";
    if (is_number && key.name != field.name && is_needed(part, at, field, key, would_show, asked, documented))
      names.push_back(key.name.substr(std::string_view("the ").size()));
  }
  for (const unsigned attempt : {0u, 1u}) {
    const auto with_lanes = [&](const Program& program) {
      auto other = with_other_lanes(program, at, asked, documented);
      if (!other) return other;
      field.vary(other->instructions[at], attempt);
      make_room(*other);
      return std::optional(with_room_for(*other, at, field));
    };
    if (!is_right_if(part, with_lanes, shows, asked, documented)) continue;
    names.push_back("number of lanes");
    break;
  }
  const std::string same = names.empty() ? "" : ", if both have the same " + joined(names);
  const auto later_start = [&](const Program& program) { return with_later_start(program, at, field); };
  if (!is_right_if(part, later_start, shows, asked, documented)) return same;
  return same + ", if both operands start at the same offset of their allocations";
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
