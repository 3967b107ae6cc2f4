#include "fuzz/explain/carried.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "fuzz/explain/executed_step.h"
#include "fuzz/explain/locate.h"
#include "fuzz/explain/repeatable.h"
#include "fuzz/explain/variation.h"
#include "fuzz/probes/probe.h"
#include "oracle/compare/compare.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr unsigned kOtherData = 2;  // programs with other data

/// A field that may be carried from one instruction to a later one.
struct Field {
  std::string name;  ///< "the scalar"
  std::string kind;  ///< "scalar"
  Matter matter;
  /// Takes the field of `earlier` over to `insn`. False if one of them has no such field, or both have the
  /// same.
  std::function<bool(const Instruction& earlier, Instruction& insn)> carry;
  /// Gives the earlier instruction another value there.
  std::function<void(Instruction& earlier)> vary;
};

template <class Member>
bool take(Member Instruction::*member, const Instruction& earlier, Instruction& insn) {
  if (earlier.*member == insn.*member) return false;
  insn.*member = earlier.*member;
  return true;
}

void add_strides(std::vector<Field>& fields, const Instruction& insn) {
  const auto columns = row_of(insn.op).operands;
  struct Stride {
    std::string name;
    std::uint32_t Operand::*value;
  };
  const Stride strides[] = {{"block stride", &Operand::block_stride},
                            {"repeat stride", &Operand::repeat_stride}};
  for (unsigned k = 0; k < columns.size(); ++k)
    for (const Stride& stride : strides) {
      const auto value = stride.value;
      const auto role_in = [role = columns[k].role](const Instruction& other) {
        const auto list = row_of(other.op).operands;
        return static_cast<std::size_t>(std::ranges::find(list, role, &OperandColumn::role) - list.begin());
      };
      fields.push_back({"the " + stride.name + " of " + std::string(columns[k].role), "stride",
                        Matter::address,
                        [=](const Instruction& earlier, Instruction& later) {
                          const std::size_t at = role_in(earlier);
                          if (at == row_of(earlier.op).operands.size()) return false;
                          const std::uint32_t carried = earlier.operands[at].*value;
                          if (carried == later.operands[k].*value) return false;
                          later.operands[k].*value = carried;
                          return true;
                        },
                        [=](Instruction& earlier) { ++(earlier.operands[role_in(earlier)].*value); }});
    }
}

std::vector<Field> fields_of(const Instruction& insn) {
  std::vector<Field> fields;
  if (takes_scalar(insn))
    fields.push_back({"the scalar", "scalar", Matter::arithmetic,
                      [](const Instruction& earlier, Instruction& later) {
                        const bool both = takes_scalar(earlier) && earlier.scalar.bits != later.scalar.bits;
                        if (both) later.scalar = scalar_from_bits(scalar_type(later), earlier.scalar.bits);
                        return both;
                      },
                      [](Instruction& earlier) { earlier.scalar = scalar_of(scalar_type(earlier), 7); }});
  if (row_of(insn.op).has_repeat)
    fields.push_back({"the repeat times", "repeat", Matter::address,
                      [](const Instruction& earlier, Instruction& later) {
                        return row_of(earlier.op).has_repeat && take(&Instruction::repeat, earlier, later);
                      },
                      [](Instruction& earlier) { ++earlier.repeat; }});
  if (row_of(insn.op).rounds)
    fields.push_back({"the rounding mode", "mode", Matter::arithmetic,
                      [](const Instruction& earlier, Instruction& later) {
                        return row_of(earlier.op).rounds && take(&Instruction::round, earlier, later);
                      },
                      [](Instruction&) {}});
  if (row_of(insn.op).compares)
    fields.push_back({"the comparison", "mode", Matter::arithmetic,
                      [](const Instruction& earlier, Instruction& later) {
                        return row_of(earlier.op).compares && take(&Instruction::compare, earlier, later);
                      },
                      [](Instruction&) {}});
  fields.push_back({"the mask operand", "mask-operand", Matter::mask,
                    [](const Instruction& earlier, Instruction& later) {
                      if (earlier.mask_from == MaskFrom::reg || earlier.mask_from != later.mask_from)
                        return false;
                      const bool high = take(&Instruction::high, earlier, later);
                      return take(&Instruction::low, earlier, later) || high;
                    },
                    [](Instruction& earlier) { earlier.low ^= 6; }});
  add_strides(fields, insn);
  return fields;
}

/// "the earlier dup.f16 (instruction 1)"
std::string earlier_one(const Program& part, std::size_t at) {
  return "the earlier " + mnemonic(part.instructions[at]) + " (instruction " + std::to_string(at + 1) + ")";
}

class Search {
 public:
  Search(Program part, AskedBackend& asked, const Documented& documented)
      : part_(std::move(part)),
        asked_(asked),
        documented_(documented),
        budget_(asked),
        last_(part_.instructions.size() - 1) {}

  std::optional<Carried> find() {
    const std::string name = mnemonic(part_.instructions[last_]);
    const bool sets_mask = row_of(part_.instructions[last_].op).mask == MaskUse::is_mask_state;
    for (std::size_t at = last_; at-- > 0 && !budget_.is_over();) {
      if (!sets_mask)
        for (const Field& field : fields_of(part_.instructions[last_]))
          if (holds(at, field))
            return Carried{
                name + " takes " + field.name + " of " + earlier_one(part_, at) + " instead of its own",
                field.kind, field.matter, true};
      if (holds_for_masks(at))
        return Carried{name +
                           (sets_mask ? " brings back the mask that was there before "
                                      : " uses the mask that was there before ") +
                           "instruction " + std::to_string(at + 1) + " (" + mnemonic(part_.instructions[at]) +
                           ")",
                       "mask", Matter::mask, true};
    }
    return {};
  }

 private:
  State before_of(const Program& program, std::size_t count) const {
    State state;
    execute(prefix(program, count), documented_.semantics, state);
    return state;
  }

  /// Does the backend leave for `program` what `field` of instruction `at` gives? `shows`: is that something
  /// else than the documents say?
  bool gives(const Program& program, std::size_t at, const Field& field, bool& shows) {
    Program other = program;
    if (!field.carry(program.instructions[at], other.instructions[last_])) return true;
    make_room(other);
    Program asked_for = other;
    asked_for.instructions = program.instructions;
    if (find_fault(asked_for, documented_.readings()) || find_fault(other, documented_.readings()))
      return true;
    State state = before_of(asked_for, last_);
    execute_one(other, other.instructions[last_], documented_.semantics, state);
    return agrees(asked_for, state, shows);
  }

  bool agrees(const Program& program, const State& predicted, bool& shows) {
    if (budget_.is_over()) return false;
    const BackendAnswer answer = asked_.ask(program);
    if (!answer.ran() || !identical(predicted, answer.state, asked_.shown())) return false;
    shows |= diverges(answer, program, documented_, asked_.shown());
    return true;
  }

  bool holds(std::size_t at, const Field& field) {
    bool shows = false, shows_again = false;
    if (!gives(part_, at, field, shows) || !shows) return false;
    for (unsigned round = 1; round <= kOtherData; ++round)
      if (!gives(with_data(part_, round), at, field, shows_again)) return false;
    Program varied = part_;
    field.vary(varied.instructions[at]);
    make_room(varied);
    return gives(varied, at, field, shows_again);
  }

  /// Is the mask that was there before instruction `at` the one that the last instruction uses, or if it
  /// sets the mask, leaves?
  bool gives_masks(const Program& program, std::size_t at, bool& shows) {
    if (find_fault(program, documented_.readings())) return true;
    const Instruction& insn = program.instructions.back();
    const Mask old = before_of(program, at).mask;
    State state = before_of(program, program.instructions.size() - 1);
    if (row_of(insn.op).mask == MaskUse::is_mask_state) {
      execute_one(program, insn, documented_.semantics, state);
      state.mask = old;
      return agrees(program, state, shows);
    }
    state.mask = old;
    const auto model = alone(program, insn, state);
    const BackendAnswer answer = asked_.ask(program);
    if (!model || !answer.ran() ||
        !compare(*model, documented_.semantics, answer.state, asked_.shown()).bytes.empty())
      return false;
    shows |= diverges(answer, program, documented_, asked_.shown());
    return true;
  }

  /// Asks once more after another mask, so that the mask of `at` is not the one that a program starts with.
  bool holds_for_masks(std::size_t at) {
    bool shows = false, shows_again = false;
    const auto op = row_of(documented_.profile).sets_mask;
    if (!op || !gives_masks(part_, at, shows) || !shows) return false;
    for (unsigned round = 0; round <= kOtherData; ++round) {
      Program after_another = round == 0 ? part_ : with_data(part_, round);
      const Instruction other = mask_setter(*op, {kEarlierMask.high << round, kEarlierMask.low >> round});
      after_another.instructions.insert(after_another.instructions.begin(), other);
      if (!gives_masks(after_another, at + 1, shows_again)) return false;
    }
    return shows_again;
  }

  Program part_;
  AskedBackend& asked_;
  const Documented& documented_;
  QuestionBudget budget_;
  std::size_t last_;
};

}  // namespace

std::optional<Carried> carried_over(const Finding& finding, AskedBackend& asked,
                                    const Documented& documented) {
  if (finding.instruction == 0) return {};
  const Program part = prefix(finding.program, finding.instruction + 1);
  State before;
  execute(prefix(part, finding.instruction), documented.semantics, before);
  const auto single = alone(part, part.instructions.back(), before);
  if (!single || says(asked.ask(*single), *single, documented, asked.shown()) != Says::conforms) return {};
  if (auto known = Search(part, asked, documented).find()) return known;
  std::string earlier;
  for (std::size_t n = 0; n < finding.instruction; ++n) {
    if (row_of(part.instructions[n].op).mask == MaskUse::is_mask_state) continue;
    earlier += (earlier.empty() ? "" : ", ") + mnemonic(part.instructions[n]);
  }
  if (earlier.empty()) earlier = "the earlier instructions that set the mask";
  return Carried{
      mnemonic(part.instructions.back()) +
          " is right if it runs alone, on the same UB and under the same mask; it is wrong after " + earlier,
      "something", Matter::unexplained};
}

}  // namespace lanecheck
