// Builder: the mask that an instruction meets.
#include <algorithm>

#include "fuzz/generate/builder.h"
#include "fuzz/generate/mask_draws.h"
#include "spec/legality/find_fault.h"

namespace lanecheck {
namespace {

constexpr std::uint64_t kTotalOfWords = 0xffff;  // a greater one is given in words, too

/// An element type with this many lanes.
Element type_of_lanes(unsigned lanes) {
  if (lanes >= 128) return Element::f16;
  return lanes == 64 ? Element::f32 : Element::i64;
}

}  // namespace

std::optional<unsigned> control_in_ub(const Row& row) {
  for (unsigned k = 0; k < row.operands.size(); ++k)
    if (row.operands[k].role == "control" && row.operands[k].walk == Walk::bits) return k;
  return {};
}

void Builder::set_mask(MaskWords mask) {
  Instruction insn;
  insn.op = Op::set_mask;
  insn.high = mask.high;
  insn.low = mask.low;
  push(insn);
}

void Builder::set_total(std::uint64_t total) {
  Instruction insn;
  insn.op = Op::set_vector_mask_total;
  insn.settings[0] = static_cast<std::uint32_t>(total);
  push(insn);
}

void Builder::push_length(Element type, std::uint32_t length) {
  Instruction insn;
  insn.op = Op::set_vector_mask_len;
  insn.dst_type = insn.src_type = type;
  insn.settings[0] = length;
  push(insn);
}

void Builder::push_words(Element type, MaskWords words) {
  Instruction insn;
  insn.op = Op::set_vector_mask;
  insn.dst_type = insn.src_type = type;
  insn.high = words.high;
  insn.low = words.low;
  push(insn);
}

void Builder::add_mask_state() {
  switch (draws_.below(8)) {
    case 0:
      return push_bare(Op::set_mask_norm);
    case 1:
      push_bare(Op::set_mask_count);
      if (!draws_.one_in(4)) set_total(draw_total(draws_, 64));
      return;
    case 2:
      return push_bare(Op::reset_mask);
    case 3:
      return set_total(draw_total(draws_, 64));
    default:
      return set_vector_mask(draws_.below(16));
  }
}

/// One call that sets the mask or its mode, whatever is set at this moment.
void Builder::add_call() {
  constexpr std::array calls = {Op::set_mask_norm,   Op::set_mask_count,      Op::reset_mask,
                                Op::set_vector_mask, Op::set_vector_mask_len, Op::set_vector_mask_total};
  if (profile().mask_operands == MaskOperands::never) {
    if (draws_.one_in(4)) return push_bare(Op::reset_mask);
    const MaskWords before{mask_.words[1], mask_.words[0]}, drawn = draw_mask(draws_);
    const unsigned same = draws_.below(4);  // one of the two words often stays
    const auto last = std::ranges::find(program_.instructions.rbegin(), program_.instructions.rend(),
                                        Op::set_mask, &Instruction::op);
    if (same == 2 && last != program_.instructions.rend())  // even if reset_mask came between them
      return set_mask({last->high, last->low});
    return set_mask({same == 0 ? before.high : drawn.high, same == 1 ? before.low : drawn.low});
  }
  const Op op = draws_.pick(calls);
  const unsigned choice = draws_.below(16);
  if (op == Op::set_vector_mask_total) return set_total(draw_total(draws_, 64));
  if (op == Op::set_vector_mask_len) return push_length(Element::f16, draw_length(draws_, 128, choice));
  if (op == Op::set_vector_mask) {
    const bool counter = mask_.mode == Mode::counter;
    return push_words(Element::f16,
                      counter ? MaskWords{0, draw_total(draws_, 64)} : draw_words(draws_, 128, choice));
  }
  push_bare(op);
}

/// Would a count that the register holds walk over more than UB has room for?
bool Builder::count_is_too_long(unsigned lanes) const {
  return mask_.words[0] > 8 * lanes || mask_.words[1] != 0;
}

bool Builder::is_illegally_empty(unsigned lanes) const {
  return !may_meet_empty_register(program_.profile) && !mask_.any_of(lanes);
}

/// A count that would not fit into UB is not used: the mode becomes normal. A mask without any lane is set
/// anew where it is illegal.
void Builder::make_register_usable(unsigned lanes) {
  if (profile().mask_operands == MaskOperands::never) return;
  const bool not_used = count_is_too_long(lanes) || mask_.words[0] == 0;
  if (mask_.mode == Mode::counter && not_used) push_bare(Op::set_mask_norm);
  if (mask_.mode == Mode::normal && is_illegally_empty(lanes)) push_bare(Op::reset_mask);
}

/// SetVectorMask for operands of a drawn width: a length, or words.
void Builder::set_vector_mask(unsigned choice) {
  constexpr std::array widths = {Element::f16, Element::f32, Element::i64};
  const Element type = draws_.pick(widths);
  const unsigned lanes = lanes_of(type);
  const bool counter = mask_.mode == Mode::counter;
  if (choice % 2 == 0) {
    if (counter) return push_words(type, {0, draw_total(draws_, lanes)});
    return push_length(type, draw_length(draws_, lanes, choice / 2));
  }
  if (counter) push_bare(Op::set_mask_norm);
  push_words(type, draw_words(draws_, lanes, choice));
}

/// Puts into the register what an instruction of `lanes` lanes can use, in the mode that is on.
void Builder::set_vector_mask_for(unsigned lanes, unsigned choice) {
  if (mask_.mode == Mode::counter) return set_total(draw_total(draws_, lanes));
  const Element type = type_of_lanes(lanes);
  if (draws_.one_in(2)) return push_length(type, draw_length(draws_, lanes, choice / 4 + draws_.below(3)));
  push_words(type, draw_words(draws_, lanes, draws_.below(16)));
}

/// Some lanes of each data block are off, some are on.
void Builder::meet_partial_mask() {
  constexpr std::array masks = {
      MaskWords{0x5555555555555555, 0x5555555555555555},
      MaskWords{0xaaaaaaaaaaaaaaaa, 0xaaaaaaaaaaaaaaaa},
      MaskWords{0x0101010101010101, 0x8080808080808080},
      MaskWords{0x7fff7fff7fff7fff, 0xfefefefefefefefe},
  };
  if (profile().mask_operands == MaskOperands::never) set_mask(draws_.pick(masks));
}

/// The next instruction has all lanes on, if it can take its mask from the register.
void Builder::leave_full_mask() {
  if (profile().mask_operands == MaskOperands::always) return;
  keeps_register_ = true;
  if (mask_.mode == Mode::counter) push_bare(Op::set_mask_norm);
  if (mask_.words[0] != kOnes || mask_.words[1] != kOnes) push_bare(Op::reset_mask);
}

/// Only a mask that instructions take from the register can be left there.
void Builder::leave_without_block(unsigned lanes) {
  keeps_register_ = profile().mask_operands != MaskOperands::always;
  const unsigned slots = std::max(1u, lanes / kRepeatBlocks), most = std::min(lanes, 128u);
  const unsigned first = draws_.below(most / slots) * slots;
  const std::uint64_t off = ((std::uint64_t{1} << slots) - 1) << first % 64;
  MaskWords words = {kOnes, kOnes};
  (first < 64 ? words.low : words.high) &= ~off;
  if (profile().mask_operands == MaskOperands::never) return set_mask(words);
  if (lanes <= 64) words.high = 0;
  if (lanes <= 32) words.low &= 0xffffffff;
  if (keeps_register_) push_words(type_of_lanes(lanes), words);
}

void Builder::leave_empty_register() {
  if (profile().mask_operands == MaskOperands::never) return set_mask({0, 0});
  const Row& empties = row_of(Op::gather_mask);
  if (!may_meet_empty_register(program_.profile) || !empties.in(program_.profile).offered) return;
  keeps_register_ = true;  // GatherMask with a mask of 0 leaves it there
  add(empties, empties.in(program_.profile).pairs[0], 1, kContiguousStrides, 0);
}

/// Gives `insn` a mask operand that its profile takes, or brings the register into a state that it can use.
void Builder::choose_mask(Instruction& insn, unsigned choice) {
  const Row& row = row_of(insn.op);
  const std::uint8_t forms = mask_forms(row, program_.profile);
  const unsigned lanes = lanes_of(insn);
  if (profile().repeat_by_scalar) insn.scalar_repeat = insn.repeat == 0 || draws_.one_in(8);
  if (wanted_.total) return take_wanted_total(insn, forms);
  if (has_form(forms, MaskFrom::count) && choice % 4 == 3) {
    insn.mask_from = MaskFrom::count;
    const bool walks_far = !profile().count_is_contiguous && has_room_for_long();
    const bool is_long = walks_far && row.family == Family::elementwise && draws_.one_in(32);
    insn.low = is_long ? draw_long_total(draws_, lanes) : draw_total(draws_, lanes);
    insn.repeat = std::max(1u, draws_.below(8));  // ignored
    return;
  }
  const bool open = row.compares || row.brings_own_mask();
  if (mask_.mode == Mode::counter && open) push_bare(Op::set_mask_norm);
  constexpr std::uint8_t kRegisterAlone = 1u << static_cast<unsigned>(MaskFrom::reg);
  if (has_form(forms, MaskFrom::reg) && (choice % 4 == 0 || keeps_register_ || forms == kRegisterAlone))
    return prepare_register(row, lanes, choice);
  if (mask_.mode == Mode::counter) {
    const bool is_far = row.family == Family::elementwise && has_room_for_long() && draws_.one_in(24);
    insn.mask_from = MaskFrom::bitwise;
    insn.low = is_far ? draw_far_total(draws_, lanes) : draw_total(draws_, lanes);
    return;
  }
  if (choice % 4 == 1 || wanted_.length) {
    insn.mask_from = MaskFrom::contiguous;
    insn.low = wanted_.length ? std::min(*wanted_.length, lanes)
                              : draw_length(draws_, lanes, choice / 4 + draws_.below(3));
    return;
  }
  insn.mask_from = MaskFrom::bitwise;
  const bool may_be_empty = profile().mask_operands == MaskOperands::always;
  if (may_be_empty && draws_.one_in(16)) return;
  const MaskWords words = draw_words(draws_, lanes, draws_.below(16));
  insn.high = words.high;
  insn.low = words.low;
}

void Builder::add_again() {
  const auto last = std::find_if(program_.instructions.rbegin(), program_.instructions.rend(),
                                 [](const Instruction& each) { return each.op != Op::get_cmpmask; });
  if (last == program_.instructions.rend()) return;
  Instruction insn = *last;
  const Row& row = row_of(insn.op);
  if (row.reads_dst || row.operands.empty() || row.lengths > 0) return;
  for (unsigned k = 1; k < row.operands.size(); ++k)
    if (insn.operands[k].allocation == insn.operands[0].allocation && !control_in_ub(row)) return;
  if (mask_.mode == Mode::counter || insn.mask_from == MaskFrom::count) return;
  const bool ignores = row.mask == MaskUse::ignores;
  overwrite_control(insn);
  if (insn.op == Op::select_bits) add_compare_mask(kContiguousStrides);
  if (ignores || row.compacts || draws_.one_in(3)) overwrite_source(insn);
  if (!ignores) draw_other_mask(insn);
  push(insn);
}

void Builder::draw_other_mask(Instruction& insn) {
  const unsigned lanes = lanes_of(insn);
  if (insn.mask_from == MaskFrom::contiguous)
    insn.low = draw_length(draws_, lanes, draws_.below(4));
  else if (insn.mask_from == MaskFrom::bitwise) {
    const MaskWords words = draw_words(draws_, lanes, draws_.below(16));
    insn.high = words.high;
    insn.low = words.low;
  } else if (profile().mask_operands == MaskOperands::never)
    set_mask(draw_mask(draws_));
  else
    set_vector_mask_for(lanes, draws_.below(16));
}

/// Adds a comparison that writes the control bits of `insn`, if it has some in UB.
void Builder::overwrite_control(const Instruction& insn) {
  const auto control = control_in_ub(row_of(insn.op));
  if (!control) return;
  const Row& writes = row_of(Op::compare);
  const auto& types = writes.in(program_.profile).pairs;
  const auto same_lanes = std::ranges::find(types, insn.src_type, &TypePair::src);
  if (same_lanes == types.end()) return;
  placement_.dst_place = insn.operands[*control];
  add(writes, *same_lanes, std::max(1u, insn.repeat), kContiguousStrides, draws_.below(16));
  placement_.dst_place.reset();
}

/// Adds a dup whose dst is the allocation of the first source, or of the user pattern, if that has the size
/// of a repeat.
void Builder::overwrite_source(const Instruction& insn) {
  constexpr std::uint32_t kMostRepeats = 8;
  const Row& row = row_of(insn.op);
  auto source = std::ranges::find(row.operands, Walk::pattern, &OperandColumn::walk);
  if (source == row.operands.end())
    source = std::ranges::find_if(row.operands,
                                  [](const OperandColumn& each) { return each.role.starts_with("src"); });
  if (source == row.operands.end()) return;
  const Operand& written = insn.operands[static_cast<std::size_t>(source - row.operands.begin())];
  const Allocation& home = program_.allocations[written.allocation];
  const auto& types = row_of(Op::dup).in(program_.profile).pairs;
  auto type = std::ranges::find(types, home.type, &TypePair::dst);
  if (type == types.end()) type = std::ranges::find(types, Element::u16, &TypePair::dst);  // not all have u8
  if (type == types.end() || home.bytes < kRepeatBytes) return;
  Instruction dup;
  dup.op = Op::dup;
  dup.dst_type = type->dst;
  dup.src_type = type->src;
  dup.repeat = std::min(home.bytes / kRepeatBytes, kMostRepeats);
  dup.operands[0] = {written.allocation, 0, 1, kRepeatBlocks};
  dup.scalar = draw_scalar(dup);
  if (profile().mask_operands != MaskOperands::never) {
    const MaskWords words = draw_words(draws_, lanes_of(dup), draws_.below(16));
    dup.mask_from = MaskFrom::bitwise;
    dup.high = words.high;
    dup.low = words.low;
  }
  push(dup);
}

/// A count of the instruction itself, or a total that it finds in the register.
void Builder::take_wanted_total(Instruction& insn, std::uint8_t forms) {
  const bool by_register = profile().has_modes && has_form(forms, MaskFrom::reg);
  const bool fills_ub = profile().count_is_contiguous && *wanted_.total > 16 * lanes_of(insn);
  if (has_form(forms, MaskFrom::count) &&
      (wanted_.is_own || !by_register || (!fills_ub && draws_.one_in(2)))) {
    insn.mask_from = MaskFrom::count;
    insn.low = *wanted_.total;
    insn.scalar_repeat = insn.scalar_repeat || wanted_.no_repeats;
    insn.repeat = wanted_.no_repeats ? 0 : std::max(1u, draws_.below(3));  // ignored
    return;
  }
  if (mask_.mode != Mode::counter) push_bare(Op::set_mask_count);
  const bool in_words = *wanted_.total > kTotalOfWords && draws_.one_in(2);
  if (in_words) return push_words(type_of_lanes(lanes_of(insn)), {0, *wanted_.total});
  set_total(*wanted_.total);
}

/// Sets the register for an instruction of `row` where it must be set, and now and then where it need not.
void Builder::prepare_register(const Row& row, unsigned lanes, unsigned choice) {
  if (!takes_mask(row) || keeps_register_) return;
  if (mask_.mode == Mode::counter && count_is_too_long(lanes)) return set_total(draw_total(draws_, lanes));
  const bool walks_far = row.family == Family::elementwise && has_room_for_long();
  if (mask_.mode == Mode::counter && walks_far && draws_.one_in(32))
    return set_total(draw_long_total(draws_, lanes));
  if (mask_.mode == Mode::counter && walks_far && draws_.one_in(24))
    return push_words(type_of_lanes(lanes), {0, draw_far_total(draws_, lanes)});
  if (draws_.one_in(2) || is_illegally_empty(lanes)) set_vector_mask_for(lanes, choice);
}

}  // namespace lanecheck
