#include "fuzz/explain/measured/operand_laws.h"

#include <algorithm>
#include <cstring>

#include "fuzz/explain/questions/locate.h"
#include "fuzz/explain/questions/variation.h"
#include "fuzz/identify/given_number.h"
#include "fuzz/identify/trials/trials.h"
#include "oracle/compare/compare.h"
#include "spec/legality/find_fault.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

/// Results of a reduction are addressed by code of their own.
bool obeys_laws(const Instruction& insn, unsigned k) {
  const Walk walk = row_of(insn.op).operands[k].walk;
  return walk == Walk::blocks || walk == Walk::rows;
}

}  // namespace

OperandLaws::OperandLaws(const Documented& documented)
    : documented_(documented),
      scopes_({{"all operands in data blocks", 0, kMaxOperands},
               {"all sources in data blocks", 1, kMaxOperands},
               {"dst", 0, 0},
               {"the first source", 1, 1},
               {"the second source", 2, 2}}) {
  conditions_.push_back({"", [](const Program&, std::size_t) { return true; }});
  conditions_.push_back({" in normal mode", [](const Program& program, std::size_t n) {
                           return !is_count(mask_given(program, n));
                         }});
  conditions_.push_back({" in counter mode", [](const Program& program, std::size_t n) {
                           return is_count(mask_given(program, n));
                         }});
  for (const std::uint32_t most : {1U, 2U, 3U, 4U, 7U, 8U})
    conditions_.push_back(
        {" if repeat times are more than " + std::to_string(most),
         [most](const Program& program, std::size_t n) { return repeat_times_at(program, n) > most; }});
  add_changes();
  for (const Condition& condition : conditions_)
    for (const Change& change : changes_)
      for (const Scope& scope : scopes_) laws_.push_back({&condition, &change, &scope});
}

void OperandLaws::add_changes() {
  changes_.push_back({"exchange", "block stride and repeat stride",
                      [](const Instruction& insn, unsigned k, Operand& operand) {
                        if (obeys_laws(insn, k)) std::swap(operand.block_stride, operand.repeat_stride);
                      }});
  for (const bool if_more : {true, false})
    changes_.push_back({"lie",
                        std::string("in a row if the block stride is 1") +
                            (if_more ? " and the repeat stride leaves a gap between repeats" : ""),
                        [if_more](const Instruction& insn, unsigned k, Operand& operand) {
                          const bool is_row = obeys_laws(insn, k) && operand.block_stride == 1;
                          const std::uint32_t in_a_row = is_row ? contiguous_stride(insn, k) : 0;
                          if (is_row && (!if_more || operand.repeat_stride > in_a_row))
                            operand.repeat_stride = in_a_row;
                        }});
  changes_.push_back({"walk", "with block stride 1 if the repeat stride is 8",
                      [](const Instruction& insn, unsigned k, Operand& operand) {
                        if (obeys_laws(insn, k) && operand.repeat_stride == 8) operand.block_stride = 1;
                      }});
  changes_.push_back({"walk", "with a repeat stride that is multiplied by the block stride",
                      [](const Instruction& insn, unsigned k, Operand& operand) {
                        if (obeys_laws(insn, k)) operand.repeat_stride *= operand.block_stride;
                      }});
  for (const auto field : kStrides) add_changes_of(field);
}

void OperandLaws::add_changes_of(std::uint32_t Operand::*field) {
  const std::string name = stride_name(field);
  const bool of_blocks = field == &Operand::block_stride;
  const auto add = [&](const std::string& verb, const std::string& rest, auto taken) {
    changes_.push_back({verb, rest, [field, taken](const Instruction& insn, unsigned k, Operand& operand) {
                          if (obeys_laws(insn, k) && has_stride(insn, k, field))
                            operand.*field = static_cast<std::uint32_t>(taken(operand.*field));
                        }});
  };
  using Number = std::uint32_t;
  for (const Number instead : {1U, 8U})
    if (!of_blocks || instead == 1)
      add("take", "a " + name + " of 0 as " + std::to_string(instead),
          [instead](Number given) { return given == 0 ? instead : given; });
  for (Number bits = 3; bits < 8; ++bits)
    add("use", "only the lowest " + std::to_string(bits) + " bits of the " + name,
        [bits](Number given) { return given & ((1U << bits) - 1); });
  for (const Number most : {1U, 7U, 8U, 15U, 16U, 31U, 32U, 63U, 64U, 127U, 128U})
    add("walk", "with " + name + " " + std::to_string(most) + " if more is given",
        [most](Number given) { return std::min(given, most); });
  for (Number constant = 0; constant <= (of_blocks ? 4U : 16U); ++constant)
    add("walk", "with " + name + " " + std::to_string(constant) + ", whatever is given",
        [constant](Number) { return constant; });
  add("walk", "with twice the " + name + " that is given", [](Number given) { return 2 * given; });
  add("walk", "with half of the " + name + " that is given", [](Number given) { return given / 2; });
  add("walk", "with a " + name + " that is one more than what is given",
      [](Number given) { return given + 1; });
  add("walk", "with a " + name + " that is one less than what is given",
      [](Number given) { return given - std::min(given, 1U); });
}

Program OperandLaws::changed_by(const Law& law, const Program& program) const {
  Program changed = program;
  for (std::size_t n = 0; n < program.instructions.size(); ++n) {
    if (!law.condition->holds(program, n)) continue;
    const Instruction& insn = program.instructions[n];
    const auto operands = static_cast<unsigned>(row_of(insn.op).operands.size());
    for (unsigned k = law.scope->first; k < operands && k <= law.scope->last; ++k)
      law.change->apply(insn, k, changed.instructions[n].operands[k]);
  }
  return changed;
}

std::optional<Program> OperandLaws::by_law(std::size_t law, const Program& program) const {
  Program changed = changed_by(laws_[law], program);
  if (changed.instructions == program.instructions || find_fault(changed, documented_.readings())) return {};
  return changed;
}

namespace {

/// The instruction alone, and what sets its mask, and its compare mask if it reads that.
Variation alone_with_mask(const Program& program, std::size_t index) {
  Program alone = prefix(program, index + 1);
  const bool reads = row_of(program.instructions[index].op).compare_mask == CompareMaskUse::reads;
  for (std::size_t n = index; n-- > 0;)
    if (row_of(program.instructions[n].op).mask != MaskUse::is_mask_state &&
        !(reads && program.instructions[n].op == Op::set_cmpmask))
      alone.instructions.erase(alone.instructions.begin() + static_cast<std::ptrdiff_t>(n));
  return variation_of(alone, alone.instructions.size() - 1);
}

/// Old elements in dst, and scattered ones in the sources, by which other elements give other results.
void scatter_data(Variation& it) {
  set_data(it, 0, 1);
  Instruction& insn = it.insn();
  const Row& row = row_of(insn.op);
  std::uint32_t values = row.tolerance == Tolerance::exact ? 100 : 11;  // exp overflows soon
  if (row.compares) values = 3;                                         // some must be equal
  // A minimum with 101 is the element.
  if (takes_scalar(insn)) insn.scalar = scalar_of(scalar_type(insn), insn.op == Op::vmins ? 101 : 2);
  for (unsigned k = 1; k < row.operands.size(); ++k) {
    const bool is_control = row.operands[k].walk == Walk::bits;
    if (!is_control && !obeys_laws(insn, k)) continue;
    const Element type = is_control ? Element::u8 : operand_type(insn, row.operands[k]);
    const Allocation& home = it.program.allocations[insn.operands[k].allocation];
    for (std::uint32_t n = 0; n < home.bytes / size_of(type); ++n) {
      const std::uint32_t number = (n + 1009 * k) * 2654435761U >> 16;
      double value = number % values + 1;
      if (row.neutral == Neutral::lowest) value = n;  // the extreme tells how far a repeat reaches
      if (row.neutral == Neutral::highest) value = -1.0 * n;
      const std::uint64_t bits = is_control ? number & 255 : nearest(type, value);
      std::memcpy(&it.program.ub[home.offset + n * size_of(type)], &bits, size_of(type));
    }
  }
}

}  // namespace

std::optional<Program> OperandLaws::with_room(const Program& program, std::size_t index) const {
  constexpr std::uint32_t kRoomOfOperand = 4 * 1024;  // of each operand
  Variation it = alone_with_mask(program, index);
  spread_out(it, kRoomOfOperand);
  scatter_data(it);
  if (find_fault(it.program, documented_.readings())) return {};
  return std::move(it.program);
}

std::optional<Program> OperandLaws::with_room(const Program& program, std::size_t index,
                                              std::size_t law) const {
  Variation it = alone_with_mask(program, index);
  spread_out(it, 0);
  const std::vector<Instruction> given = it.program.instructions;
  it.program = changed_by(laws_[law], it.program);
  make_room(it.program);
  it.program.instructions = given;
  make_room(it.program);
  scatter_data(it);
  if (find_fault(it.program, documented_.readings())) return {};
  return std::move(it.program);
}

bool OperandLaws::gives(std::size_t law, const Program& program, const State& actual, Shown shown) const {
  const auto changed = by_law(law, program);
  return changed && agrees(*changed, documented_.semantics, actual, shown);
}

std::vector<std::size_t> OperandLaws::that_give(const Program& program, const State& actual,
                                                Shown shown) const {
  std::vector<std::size_t> found;
  for (std::size_t law = 0; law < laws_.size(); ++law)
    if (gives(law, program, actual, shown)) found.push_back(law);
  return found;
}

std::string OperandLaws::said_of(const Law& law, bool one) {
  constexpr std::string_view kWhatever = ", whatever is given";
  std::string rest = law.change->rest;
  if (!law.condition->text.empty() && rest.ends_with(kWhatever)) rest.resize(rest.size() - kWhatever.size());
  return law.change->verb + (one ? "s " : " ") + rest + law.condition->text;
}

std::string OperandLaws::text_of(const Law& law, const std::string& of) {
  return law.scope->name + of + " " + said_of(law, law.scope->first == law.scope->last);
}

std::string OperandLaws::sentence(std::size_t law, const std::string& instruction) const {
  return text_of(laws_[law], " of " + instruction);
}

std::string OperandLaws::key_of_one(std::size_t law) const {
  return said_of(laws_[law], true);
}

std::string OperandLaws::key(std::size_t law) const {
  return text_of(laws_[law], "");
}

}  // namespace lanecheck
