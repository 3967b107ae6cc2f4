#include "fuzz/explain/earlier/carried_fields.h"

#include <algorithm>

#include "fuzz/explain/questions/variation.h"
#include "spec/program/type_list.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {

unsigned tail_of(const Instruction& insn) {
  return insn.low == 0 ? 0 : static_cast<unsigned>((insn.low - 1) % lanes_of(insn)) + 1;
}

namespace {

template <class Member>
bool take(Member Instruction::*member, const Instruction& earlier, Instruction& insn) {
  if (earlier.*member == insn.*member) return false;
  insn.*member = earlier.*member;
  return true;
}

/// Which operand of `insn` has the role; as many as it has operands if none has.
std::size_t operand_with(std::string_view role, const Instruction& insn) {
  const auto list = row_of(insn.op).operands;
  return static_cast<std::size_t>(std::ranges::find(list, role, &OperandColumn::role) - list.begin());
}

void add_strides(std::vector<CarriedField>& fields, const Instruction& insn) {
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
      const std::string_view role = columns[k].role;
      fields.push_back(
          {"the " + stride.name + " of " + std::string(role), "stride", Matter::address,
           [=](const Instruction& earlier, Instruction& later) {
             const std::size_t at = operand_with(role, earlier);
             if (at == row_of(earlier.op).operands.size()) return false;
             const std::uint32_t carried = earlier.operands[at].*value;
             if (carried == later.operands[k].*value) return false;
             later.operands[k].*value = carried;
             return true;
           },
           [=](Instruction& earlier, unsigned attempt) {
             earlier.operands[operand_with(role, earlier)].*value += 1 + attempt;
           },
           [=](Instruction& later, unsigned attempt) { later.operands[k].*value += 1 + attempt; },
           [=](const Instruction& later) { return std::to_string(later.operands[k].*value); }});
    }
}

/// What a setting is called in a sentence.
std::string called(std::string_view setting) {
  if (setting == "by") return "the shift distance";
  if (setting == "mode") return "the padMode";
  if (setting == "side") return "the padSide";
  return "the " + std::string(setting);
}

/// Its own numbers beside strides and repeat times: a shift distance, a pattern.
void add_settings(std::vector<CarriedField>& fields, const Instruction& insn) {
  const auto columns = row_of(insn.op).settings;
  if (row_of(insn.op).mask == MaskUse::is_mask_state) return;  // its number is a mask
  for (unsigned n = 0; n < columns.size(); ++n) {
    const SettingColumn& column = columns[n];
    fields.push_back(
        {called(column.name), "setting", column.name == "by" ? Matter::arithmetic : Matter::address,
         [=](const Instruction& earlier, Instruction& later) {
           const auto at = setting_index(row_of(earlier.op), column.name);
           if (!at || earlier.settings[*at] == later.settings[n]) return false;
           later.settings[n] = earlier.settings[*at];
           return true;
         },
         [=](Instruction& earlier, unsigned attempt) {
           const auto at = setting_index(row_of(earlier.op), column.name);
           std::uint32_t& value = earlier.settings[*at];
           const std::uint64_t values = std::uint64_t{column.most} - column.least + 1;
           value = column.least + static_cast<std::uint32_t>((value - column.least + 1 + attempt) % values);
         }});
  }
}

/// What an instruction has read there may be kept, by an address that is not enough to tell two places apart.
void add_sources(std::vector<CarriedField>& fields, const Instruction& insn) {
  const auto columns = row_of(insn.op).operands;
  for (unsigned k = 1; k < columns.size(); ++k) {
    const bool is_data = columns[k].role.starts_with("src");
    const std::string role(columns[k].role);
    fields.push_back(
        {is_data ? role : "the " + role, "operand", Matter::address,
         [k, columns, type = operand_type(insn, columns[k]), of = columns[k].role](const Instruction& earlier,
                                                                                   Instruction& later) {
           const std::size_t at = operand_with(of, earlier);
           const auto list = row_of(earlier.op).operands;
           if (at == list.size() || operand_type(earlier, list[at]) != type) return false;
           const Operand& carried = earlier.operands[at];
           Operand& own = later.operands[k];
           const auto lies_there = [&](const Operand& each) {  // then another law says the same
             return each.allocation == carried.allocation && each.offset == carried.offset;
           };
           if (std::any_of(later.operands.begin() + 1, later.operands.begin() + columns.size(), lies_there))
             return false;
           own.allocation = carried.allocation;
           own.offset = carried.offset;
           return true;
         },
         [](Instruction&, unsigned) {}});
  }
}

/// A select may take, in place of its control, the bits that a comparison wrote or set_cmpmask loaded.
void add_bits(std::vector<CarriedField>& fields, const Instruction& insn) {
  const std::size_t k = operand_with("control", insn);
  if (k == row_of(insn.op).operands.size()) return;
  fields.push_back({"the bits", "bits", Matter::address,
                    [k](const Instruction& earlier, Instruction& later) {
                      const Row& row = row_of(earlier.op);
                      if (row.operands.empty() || (!row.compares && earlier.op != Op::set_cmpmask))
                        return false;
                      later.operands[k].allocation = earlier.operands[0].allocation;
                      later.operands[k].offset = earlier.operands[0].offset;
                      return true;
                    },
                    [](Instruction&, unsigned) {}});
}

/// Another mask, or a count that fills another number of repeats.
void vary_mask(Instruction& earlier, unsigned attempt) {
  if (attempt == 0) earlier.low ^= 6;
  if (attempt == 1) earlier.low += 97;
}

void add_masks(std::vector<CarriedField>& fields, const Instruction& insn) {
  if (row_of(insn.op).has_repeat && insn.mask_from == MaskFrom::count)
    fields.push_back({"the number of lanes in the last repeat", "tail", Matter::mask,
                      [](const Instruction& earlier, Instruction& later) {
                        if (earlier.mask_from != MaskFrom::count || tail_of(earlier) == tail_of(later))
                          return false;
                        later.low = later.low - tail_of(later) + tail_of(earlier);
                        return true;
                      },
                      vary_mask});
  fields.push_back({"the mask operand", "mask-operand", Matter::mask,
                    [](const Instruction& earlier, Instruction& later) {
                      if (earlier.mask_from == MaskFrom::reg || earlier.mask_from != later.mask_from)
                        return false;
                      const bool high = take(&Instruction::high, earlier, later);
                      return take(&Instruction::low, earlier, later) || high;
                    },
                    vary_mask});
}

}  // namespace

std::vector<CarriedField> carried_fields(const Instruction& insn) {
  std::vector<CarriedField> fields;
  if (takes_scalar(insn))
    fields.push_back(
        {"the scalar", "scalar", Matter::arithmetic,
         [](const Instruction& earlier, Instruction& later) {
           const bool both = takes_scalar(earlier) && earlier.scalar.bits != later.scalar.bits;
           if (both) later.scalar = scalar_from_bits(scalar_type(later), earlier.scalar.bits);
           return both;
         },
         [](Instruction& earlier, unsigned attempt) {  // what is greater than one may be less than the other
           earlier.scalar = scalar_of(scalar_type(earlier), attempt == 0 ? 7 : -3);
         },
         [](Instruction& later, unsigned attempt) {
           const Element type = scalar_type(later);
           const bool negative = attempt % 2 == 1 && (is_float(type) || is_signed(type));
           later.scalar = scalar_of(type, negative ? -5.0 - attempt : 5.0 + attempt);  // on both sides of 0
         },
         [](const Instruction& later) { return show_element(scalar_type(later), later.scalar.bits); }});
  if (row_of(insn.op).has_repeat)
    fields.push_back({"the repeat times", "repeat", Matter::address,
                      [](const Instruction& earlier, Instruction& later) {
                        return row_of(earlier.op).has_repeat && take(&Instruction::repeat, earlier, later);
                      },
                      [](Instruction& earlier, unsigned attempt) { earlier.repeat += 1 + attempt; },
                      [](Instruction& later, unsigned attempt) { later.repeat += 1 + attempt; },
                      [](const Instruction& later) { return std::to_string(later.repeat); }});
  if (row_of(insn.op).rounds)
    fields.push_back({"the rounding mode", "mode", Matter::arithmetic,
                      [](const Instruction& earlier, Instruction& later) {
                        return row_of(earlier.op).rounds && take(&Instruction::round, earlier, later);
                      },
                      [](Instruction&, unsigned) {},
                      [](Instruction& later, unsigned attempt) {
                        constexpr Round kModes[] = {Round::floor, Round::ceil, Round::round, Round::rint};
                        later.round = kModes[attempt % std::size(kModes)];
                      },
                      [](const Instruction& later) {
                        return "mode " + std::string(kRoundNames[static_cast<std::size_t>(later.round)]);
                      }});
  if (row_of(insn.op).compares)
    fields.push_back({"the comparison", "mode", Matter::arithmetic,
                      [](const Instruction& earlier, Instruction& later) {
                        return row_of(earlier.op).compares && take(&Instruction::compare, earlier, later);
                      },
                      [](Instruction&, unsigned) {}});
  add_masks(fields, insn);
  add_settings(fields, insn);
  add_strides(fields, insn);
  add_sources(fields, insn);
  add_bits(fields, insn);
  return fields;
}

Program with_room_for(const Program& program, std::size_t at, const CarriedField& field) {
  Program carried = program;
  field.carry(program.instructions[at], carried.instructions.back());
  make_room_for_whole_repeats(carried);
  carried.instructions = program.instructions;
  return carried;
}

std::string earlier_one(const Program& part, std::size_t at) {
  return "the earlier " + mnemonic(part.instructions[at]) + " (instruction " + std::to_string(at + 1) + ")";
}

std::string earlier_ones(const Program& part, std::size_t first, std::size_t end) {
  if (end == first + 1) return earlier_one(part, first);
  return "instructions " + std::to_string(first + 1) + ".." + std::to_string(end);
}

std::string instruction_at(const Program& part, std::size_t at) {
  return "instruction " + std::to_string(at + 1) + " (" + mnemonic(part.instructions[at]) + ")";
}

}  // namespace lanecheck
