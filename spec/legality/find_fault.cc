#include "spec/legality/find_fault.h"

#include <algorithm>
#include <bitset>

#include "spec/mask/footprint.h"
#include "spec/mask/mask_register.h"
#include "spec/program/profile.h"

namespace lanecheck {
namespace {

using Text = std::optional<std::string>;  // what is wrong, or nothing
/// Which law is broken and how, or nothing.
using Wrong = std::optional<std::pair<Law, std::string>>;
using TouchedBlocks = std::bitset<kMaxUbBytes / kBlockBytes>;

std::string number(std::uint64_t n) {
  return std::to_string(n);
}

Text layout_fault(const Program& program) {
  const std::size_t ub = program.ub.size();
  if (ub == 0 || ub > kMaxUbBytes || ub % kBlockBytes != 0)
    return "UB has " + number(ub) + " bytes; allowed: a multiple of 32 up to " + number(kMaxUbBytes);
  if (program.instructions.size() > kMaxInstructions)
    return number(program.instructions.size()) + " instructions; at most " + number(kMaxInstructions);
  if (program.allocations.size() > 0xffff) return std::string("more than 65535 allocations");
  std::vector<const Allocation*> by_place;
  for (const Allocation& each : program.allocations) by_place.push_back(&each);
  std::ranges::sort(by_place, {}, &Allocation::offset);
  std::uint64_t free_from = 0;
  for (const Allocation* each : by_place) {
    const auto named = "allocation '" + each->name + "'";
    if (each->offset % kBlockBytes != 0)
      return named + " starts at byte " + number(each->offset) + ", which is no multiple of 32";
    if (each->offset < free_from) return named + " overlaps the one before it";
    free_from = std::uint64_t{each->offset} + each->bytes;
    if (free_from > ub) return named + " ends at byte " + number(free_from) + " of a UB of " + number(ub);
  }
  return {};
}

Wrong type_fault(Profile profile, const Instruction& insn) {
  const Row& row = row_of(insn.op);
  const TypeList& list = row.in(profile);
  if (!list.offered) return {{Law::offered, std::string("not in profile ").append(row_of(profile).name)}};
  if (list.pairs.empty()) return {};
  const TypePair* pair = types_of(insn, profile);
  if (pair == nullptr) {
    std::string offered;
    for (const TypePair& each : list.pairs) {
      offered.append(offered.empty() ? "" : ", ").append(name_of(each.dst));
      if (each.src != each.dst) offered.append(" from ").append(name_of(each.src));
    }
    std::string what = "no ";
    what.append(name_of(insn.dst_type))
        .append(" from ")
        .append(name_of(insn.src_type))
        .append("; offered: ")
        .append(offered);
    return {{row.form == Form::padding ? Law::pad_types : Law::types, std::move(what)}};
  }
  if (row.form == Form::cast && (pair->modes >> static_cast<unsigned>(insn.round) & 1) == 0)
    return {
        {Law::round_mode,
         std::string("this cast has no round mode ").append(kRoundNames[static_cast<unsigned>(insn.round)])}};
  if (compares(row.form) && pair->modes != 0 && (pair->modes >> static_cast<unsigned>(insn.compare) & 1) == 0)
    return {{Law::round_mode, std::string("this comparison has no mode ")
                                  .append(kCompareNames[static_cast<unsigned>(insn.compare)])}};
  return {};
}

Wrong repeat_fault(Profile profile, const Instruction& insn) {
  const bool tik = profile == Profile::tik;
  const Row& row = row_of(insn.op);
  if (row.has_repeat && insn.repeat > kMaxRepeat)
    return {{tik ? Law::tik_repeat_range : Law::repeat_range,
             "repeat times " + number(insn.repeat) + "; allowed: 0 to 255"}};
  if (tik && insn.repeat == 0 && !insn.scalar_repeat)
    return {{Law::tik_immediate_zero, "an immediate repeat_times of 0; allowed: 1 to 255, or a Scalar"}};
  if (!tik && insn.scalar_repeat) return {{Law::mask_form, "repeat times by a Scalar are TIK's"}};
  return {};
}

Wrong stride_fault(Profile profile, const Instruction& insn) {
  const Row& row = row_of(insn.op);
  for (unsigned k = 0; k < row.operands.size(); ++k) {
    const Operand& operand = insn.operands[k];
    const std::string role(row.operands[k].role);
    const bool blocks = row.operands[k].walk == Walk::blocks;
    const MostStrides most = most_strides(profile, row, k);
    if (profile == Profile::tik && blocks && operand.block_stride != 1)
      return {{Law::tik_block_stride, role + " has a block stride other than 1"}};
    const Law range = profile == Profile::tik ? Law::tik_stride_range : Law::stride_range;
    if (operand.block_stride > most.block)
      return {{range, role + " has a block stride above " + number(most.block)}};
    if (operand.repeat_stride > most.repeat)
      return {{range, role + " has a repeat stride above " + number(most.repeat)}};
    if (k == 0 && blocks && role == "dst" && operand.block_stride == 0 &&
        rule_of(Law::dst_block_zero).holds_in(profile))
      return {{Law::dst_block_zero, "dst has a block stride of 0; allowed: 1 to " + number(most.block)}};
  }
  return {};
}

Wrong setting_fault(const Instruction& insn) {
  const Row& row = row_of(insn.op);
  for (unsigned q = 0; q < row.lengths; ++q)
    if (insn.lengths[q] > 4095)
      return {{Law::length_range, number(insn.lengths[q]) + " records in a queue; allowed: up to 4095"}};
  for (unsigned n = 0; n < row.settings.size(); ++n) {
    const SettingColumn& column = row.settings[n];
    if (insn.settings[n] >= column.least && insn.settings[n] <= column.most) continue;
    const Law law = row.form == Form::padding          ? Law::pad_mode
                    : row.form == Form::reduce_extreme ? Law::order_range
                    : row.form == Form::shift          ? Law::shift_range
                                                       : Law::pattern_range;
    return {{law, std::string(column.name) + " is " + number(insn.settings[n]) +
                      "; allowed: " + number(column.least) + " to " + number(column.most)}};
  }
  if (row.form == Form::shift && insn.settings[0] > 8 * size_of(insn.dst_type))
    return {{Law::shift_range,
             "by " + number(insn.settings[0]) + "; allowed: 0 to " + number(8 * size_of(insn.dst_type))}};
  if ((row.form == Form::gather_mask || row.form == Form::gather_mask_user) &&
      setting(insn, "counter") == 1 && setting(insn, "mask") == 0)
    return {{Law::gather_total, "mask is 0 in counter mode; allowed: 1 to 4294967295"}};
  return {};
}

/// `lanes`: of a full repeat, 128, 64 or 32.
Wrong contiguous_fault(Profile profile, std::uint64_t length, unsigned lanes, const Readings& readings) {
  const bool tik = profile == Profile::tik;
  const std::uint64_t least = !tik && readings.zero_mask == ZeroMask::no_op ? 0 : 1;
  if (length >= least && length <= lanes) return {};
  const Law law = lanes >= 128  ? (tik ? Law::tik_contiguous_16 : Law::contiguous_16)
                  : lanes == 64 ? (tik ? Law::tik_contiguous_32 : Law::contiguous_32)
                                : Law::contiguous_64;
  return {{law, "a contiguous mask of " + number(length) + "; allowed: 1 to " + number(lanes)}};
}

Wrong bitwise_fault(Profile profile, MaskWords words, unsigned lanes, const Readings& readings) {
  const bool tik = profile == Profile::tik;
  const bool empty = !tik && readings.zero_mask == ZeroMask::illegal && words.high == 0 && words.low == 0;
  if (lanes >= 128) {
    if (empty) return {{Law::bitwise_16, "both words of the mask are 0"}};
    return {};
  }
  const Law law = tik ? Law::tik_bitwise_32 : lanes == 64 ? Law::bitwise_32 : Law::bitwise_64;
  if (words.high != 0) return {{law, "the high word of the mask is not 0, and there are no such lanes"}};
  if (empty) return {{law, "the mask is 0"}};
  if (lanes < 64 && words.low >> lanes != 0) return {{law, "the low word of the mask is above 2^32 - 1"}};
  return {};
}

/// `mask`: as `insn` finds it.
Wrong mask_fault(Profile profile, const Instruction& insn, const MaskBits& mask, const Readings& readings) {
  const Row& row = row_of(insn.op);
  const bool counter = mask.mode == Mode::counter;
  if (!has_form(mask_forms(row, profile), insn.mask_from))
    return {{Law::mask_form, std::string("takes no mask operand of the kind ")
                                 .append(kMaskFromNames[static_cast<std::size_t>(insn.mask_from)])}};
  if (insn.op == Op::set_vector_mask && !counter)
    return bitwise_fault(profile, {insn.high, insn.low}, lanes_of(insn.dst_type), readings);
  if (insn.op == Op::set_vector_mask_len)
    return contiguous_fault(profile, insn.settings[0], lanes_of(insn.dst_type), readings);
  if (counter && (compares(row.form) || insn.mask_from == MaskFrom::contiguous ||
                  (row.brings_own_mask() && insn.mask_from != MaskFrom::count)))
    return {{Law::counter_open, "in counter mode the documents leave open what this means"}};
  const bool from_register = insn.mask_from == MaskFrom::reg && takes_mask(row);
  if (counter && (from_register || insn.mask_from == MaskFrom::bitwise) &&
      (from_register ? mask.words[0] : insn.low) > 0xffffffff)
    return {
        {Law::counter_open, "in counter mode the documents leave open what a count above 2^32 - 1 means"}};
  if (counter && insn.mask_from == MaskFrom::bitwise && insn.high != 0)
    return {{Law::counter_open, "in counter mode the high word is to be 0"}};
  switch (insn.mask_from) {
    case MaskFrom::contiguous:
      return contiguous_fault(profile, insn.low, lanes_of(insn), readings);
    case MaskFrom::bitwise:
      if (!counter) return bitwise_fault(profile, {insn.high, insn.low}, lanes_of(insn), readings);
      break;
    case MaskFrom::count:
      if (profile == Profile::tik && (insn.low == 0 || insn.low > 0xffffffff))
        return {{Law::tik_counter_range, "a count of " + number(insn.low) + "; allowed: 1 to 4294967295"}};
      if (insn.low > 0xffffffff)
        return {{Law::count_range, "a count of " + number(insn.low) + "; allowed: 0 to 4294967295"}};
      if (profile != Profile::tik)
        for (unsigned k = 0; k < row.operands.size(); ++k)
          if (row.operands[k].walk == Walk::blocks && !is_contiguous(insn, k))
            return {{Law::count_strides, std::string(row.operands[k].role) + " has strides of its own"}};
      break;
    case MaskFrom::reg:
      if (!counter && takes_mask(row) && rule_of(Law::register_open).holds_in(profile) &&
          readings.zero_mask == ZeroMask::illegal && !mask.any_of(lanes_of(insn)))
        return {{Law::register_open, "the register has no lane of this width on"}};
      break;
  }
  return {};
}

/// asc-devkit: 32 bytes, except results of a reduction (one repeat's results, 32 for cpadd), the queues of a
/// merge (a record) and the operand of set_cmpmask (16).
std::uint64_t alignment_of(const Instruction& insn, unsigned k) {
  switch (row_of(insn.op).operands[k].walk) {
    case Walk::results:
      return std::min<std::uint64_t>(repeat_bytes(insn, k), kBlockBytes);
    case Walk::records:
      return k == 0 ? kBlockBytes : 8;
    case Walk::sixteen:
      return row_of(insn.op).form == Form::set_cmpmask ? 16 : kBlockBytes;
    case Walk::returned:
      return 8;
    default:
      return row_of(insn.op).form == Form::get_cmpmask ? 16 : kBlockBytes;
  }
}

Law alignment_law(const Instruction& insn, unsigned k) {
  const Form form = row_of(insn.op).form;
  if (row_of(insn.op).operands[k].walk == Walk::returned) return Law::alignment;
  return form == Form::padding                                         ? Law::pad_alignment
         : form == Form::gather_mask || form == Form::gather_mask_user ? Law::gather_alignment
                                                                       : Law::alignment;
}

/// `bytes`: how far operand `k` reaches.
Text place_fault(const Program& program, const Instruction& insn, unsigned k, std::uint64_t bytes) {
  const Operand& operand = insn.operands[k];
  const auto role = std::string(row_of(insn.op).operands[k].role);
  if (operand.allocation >= program.allocations.size())
    return role + " names allocation " + number(operand.allocation) + ", which does not exist";
  const Allocation& home = program.allocations[operand.allocation];
  const std::uint64_t end = operand.offset + bytes;
  if (operand.offset > home.bytes || end > home.bytes)
    return role + " reaches byte " + number(end) + " of allocation '" + home.name + "', which has " +
           number(home.bytes) + " bytes";
  return {};
}

/// Offsets of gather and scatter: multiples of the element size that stay inside the indexed allocation.
/// They must be data that no instruction writes, so that legality needs no execution.
Text offsets_fault(const Program& program, const Instruction& insn, unsigned indexed, unsigned offsets) {
  const Operand& table = insn.operands[offsets];
  for (const Instruction& other : program.instructions)
    if (const Row& row = row_of(other.op); !row.operands.empty() && row.operands[0].role == "dst" &&
                                           other.operands[0].allocation == table.allocation)
      return std::string(
          "offsets lie in an allocation that an instruction writes; keep them in one of their own");
  const Operand& target = insn.operands[indexed];
  const std::uint64_t room = program.allocations[target.allocation].bytes - target.offset;
  const bool whole_blocks = row_of(insn.op).form == Form::gather_blocks;
  const unsigned size = whole_blocks ? kBlockBytes : size_of(insn.dst_type);
  const std::byte* words = program.ub.data() + start_of(program, table);
  for (unsigned n = 0; n < insn.repeat * (whole_blocks ? kRepeatBlocks : lanes_of(insn)); ++n) {
    const std::uint64_t offset = load<std::uint32_t>(words + 4 * n);
    if (offset % size != 0 || offset + size > room)
      return "offset number " + number(n) + " is " + number(offset) + "; allowed: multiples of " +
             number(size) + " up to " + number(room - std::min<std::uint64_t>(room, size));
  }
  return {};
}

/// The data blocks of operand `k` that repeat `r` of `here` touches.
TouchedBlocks touched(const Program& program, const ResolvedInstruction& here, unsigned k, unsigned r) {
  TouchedBlocks blocks;
  const Instruction& insn = here.insn;
  const std::uint64_t start = start_of(program, insn.operands[k]);
  if (row_of(insn.op).operands[k].walk == Walk::indexed) {
    const Allocation& home = program.allocations[insn.operands[k].allocation];
    for (std::uint64_t b = start / kBlockBytes; b * kBlockBytes < home.offset + home.bytes; ++b)
      blocks.set(b);
  }
  for_each_piece_of(insn, k, r, lanes_in(here, r), [&](std::uint64_t offset, std::uint64_t bytes) {
    if (bytes == 0) return;
    for (auto b = (start + offset) / kBlockBytes; b <= (start + offset + bytes - 1) / kBlockBytes; ++b)
      if (b < blocks.size()) blocks.set(b);
  });
  return blocks;
}

/// No two repeats of operand `k` touch the same block.
bool repeats_are_disjoint(const Program& program, const ResolvedInstruction& here, unsigned k) {
  TouchedBlocks seen;
  for (unsigned r = 0; r < repeats_of(here.insn); ++r) {
    const TouchedBlocks now = touched(program, here, k, r);
    if ((seen & now).any()) return false;
    seen |= now;
  }
  return true;
}

/// Where dst and operand `k`, not the same place, have a data block in common.
enum class Meeting : std::uint8_t { nowhere, in_one_repeat, read_after_write, write_after_read };
Meeting meeting(const Program& program, const ResolvedInstruction& here, unsigned k) {
  TouchedBlocks written, read;
  Meeting found = Meeting::nowhere;
  for (unsigned r = 0; r < repeats_of(here.insn); ++r) {
    const TouchedBlocks dst = touched(program, here, 0, r), src = touched(program, here, k, r);
    if ((dst & src).any()) return Meeting::in_one_repeat;
    if ((written & src).any()) found = Meeting::read_after_write;
    if (found == Meeting::nowhere && (read & dst).any()) found = Meeting::write_after_read;
    written |= dst;
    read |= src;
  }
  return found;
}

/// dst and operand `k` are the same elements, repeat by repeat.
bool same_place(const Instruction& insn, unsigned k) {
  const Row& row = row_of(insn.op);
  Operand dst = insn.operands[0];
  if (repeats_of(insn) <= 1) dst.repeat_stride = insn.operands[k].repeat_stride;  // which nothing takes
  return row.operands[k].walk == Walk::blocks && row.operands[0].walk == Walk::blocks &&
         size_of(insn.dst_type) == size_of(insn.src_type) && insn.operands[k] == dst;
}

/// gather_mask onto its own contiguous source: packing never runs ahead of reading (asc-devkit, example).
bool packs_in_place(const Instruction& insn, unsigned k) {
  const Form form = row_of(insn.op).form;
  const Operand &dst = insn.operands[0], &src = insn.operands[1];
  return (form == Form::gather_mask || form == Form::gather_mask_user) && k == 1 &&
         dst.offset == src.offset && src.block_stride == 1 &&
         (insn.repeat <= 1 || lanes_of(insn) * size_of(insn.src_type) <= src.repeat_stride * kBlockBytes);
}

/// asc-devkit, general constraints: dst may accumulate over repeats through src1 of these.
bool may_accumulate(const Instruction& insn, unsigned k) {
  const auto op = insn.op;
  return k == 2 && insn.operands[0].repeat_stride == 0 &&
         (op == Op::add || op == Op::sub || op == Op::mul || op == Op::vmax || op == Op::vmin) &&
         (insn.dst_type == Element::f16 || insn.dst_type == Element::f32 || insn.dst_type == Element::i32);
}

Wrong overlap_fault(const Program& program, const ResolvedInstruction& here, const Readings& readings) {
  const Instruction& insn = here.insn;
  const Row& row = row_of(insn.op);
  const bool tik = program.profile == Profile::tik;
  if (row.operands.empty() || row.operands[0].role != "dst" || repeats_of(insn) == 0) return {};
  const bool reads_dst = row.form == Form::multiply_add || row.form == Form::axpy;
  if (reads_dst && !repeats_are_disjoint(program, here, 0))
    return {{Law::overlap_dst, "dst is read and written, and two repeats share a block of it"}};
  const Law in_one = tik ? Law::tik_overlap_one : Law::overlap_partial;
  for (unsigned k = 1; k < row.operands.size(); ++k) {
    if (insn.operands[k].allocation != insn.operands[0].allocation || packs_in_place(insn, k)) continue;
    if (same_place(insn, k) && !(tik && readings.tik_overlap == TikOverlap::never)) {
      if (insn.operands[0].block_stride == 0)
        return {{Law::overlap_partial, "in place with block stride 0: blocks of one repeat meet"}};
      if (may_accumulate(insn, k) || insn.repeat <= 1 || repeats_are_disjoint(program, here, 0)) continue;
      return {{tik ? Law::tik_overlap_repeats : Law::overlap_repeats,
               "in place over " + number(insn.repeat) +
                   " repeats, and a repeat reads what an earlier one wrote"}};
    }
    const std::string both = "dst and " + std::string(row.operands[k].role);
    switch (meeting(program, here, k)) {
      case Meeting::nowhere:
        break;
      case Meeting::in_one_repeat:
        return {
            {in_one, both + " overlap" +
                         (same_place(insn, k) ? "; allowed: apart"
                                              : "; allowed: apart, or the same place, strides and width")}};
      case Meeting::read_after_write:
        return {{tik ? Law::tik_overlap_repeats : Law::overlap_repeats,
                 both + " overlap: a repeat reads what an earlier one wrote"}};
      case Meeting::write_after_read:
        return {{Law::overlap_open, both + " overlap: a repeat writes what an earlier one read"}};
    }
  }
  return {};
}

/// Lanes of `insn` up to the last that the mask has active.
unsigned lanes_to_last_active(const MaskBits& mask, unsigned lanes) {
  while (lanes > 0 && (mask.words[(lanes - 1) / 64] >> (lanes - 1) % 64 & 1) == 0) --lanes;
  return lanes;
}

/// Where the operands of what `here` walks over lie.
Wrong operand_fault(const Program& program, const ResolvedInstruction& here, const MaskBits& mask,
                    const Readings& readings) {
  const Instruction& insn = here.insn;
  const Row& row = row_of(insn.op);
  if (insn.repeat > kMostRepeats)
    return {{Law::layout, number(insn.repeat) + " repeats; a program of lanecheck has at most " +
                              number(kMostRepeats) + " in an instruction"}};
  const bool overhang = readings.masked_tail == MaskedTail::may_overhang && row.mask != MaskUse::ignores &&
                        here.total == kNoTotal;
  for (unsigned k = 0; k < row.operands.size(); ++k) {
    const bool may_overhang = overhang && row.operands[k].walk == Walk::blocks;
    const unsigned lanes = lanes_of(insn);
    if (Text what =
            place_fault(program, insn, k,
                        may_overhang ? extent(insn, k, lanes_to_last_active(mask, lanes)) : extent(here, k)))
      return {{Law::footprint, *what}};
    const std::uint64_t start = start_of(program, insn.operands[k]);
    if (start + extent(insn, k, lanes) > program.ub.size())
      return {{Law::layout, "the last repeat of " + std::string(row.operands[k].role) +
                                " reaches past UB; leave room behind it"}};
    if (const auto unit = alignment_of(insn, k); start % unit != 0)
      return {{alignment_law(insn, k), std::string(row.operands[k].role) + " starts at byte " +
                                           number(start) + ", which is no multiple of " + number(unit)}};
  }
  const bool fetches = row.form == Form::gather || row.form == Form::gather_blocks;
  if (fetches || row.form == Form::scatter)
    if (Text what = offsets_fault(program, insn, fetches ? 1 : 0, 2)) return {{Law::offsets, *what}};
  return {};
}

Wrong instruction_fault(const Program& program, const Instruction& insn, MaskBits& mask,
                        const Readings& readings) {
  const Profile profile = program.profile;
  if (Wrong wrong = type_fault(profile, insn)) return wrong;
  if (Wrong wrong = repeat_fault(profile, insn)) return wrong;
  if (Wrong wrong = stride_fault(profile, insn)) return wrong;
  if (Wrong wrong = setting_fault(insn)) return wrong;
  if (Wrong wrong = mask_fault(profile, insn, mask, readings)) return wrong;
  mask.load(insn, readings);
  const ResolvedInstruction here = resolve(insn, mask, readings);
  if (Wrong wrong = operand_fault(program, here, mask, readings)) return wrong;
  if (Wrong wrong = overlap_fault(program, here, readings)) return wrong;
  mask.leave(insn, readings);
  return {};
}

}  // namespace

MostStrides most_strides(Profile profile, const Row& row, unsigned k) {
  constexpr std::uint32_t kByte = 255, kWord = 65535;
  if (profile == Profile::vmc) return {kWord, kWord};
  if (profile == Profile::tik) return {kWord, kByte};
  switch (row.form) {
    case Form::unary:  // UnaryRepeatParams
    case Form::scalar:
    case Form::shift:
    case Form::axpy:
    case Form::cast:
    case Form::dup:
    case Form::padding:
    case Form::compare_scalar:
      return {kWord, kByte};
    case Form::binary:  // BinaryRepeatParams
    case Form::multiply_add:
    case Form::compare:
    case Form::compare_cmpmask:
    case Form::select:
    case Form::select_bits:
    case Form::select_scalar:
    case Form::select_cmpmask:
      return {kByte, kByte};
    case Form::gather_mask:  // GatherMaskParams
    case Form::gather_mask_user:
      return {kByte, k == 2 ? kByte : kWord};
    case Form::gather_blocks:
      return {kByte, kWord};
    default:
      return {kWord, kWord};
  }
}

std::optional<Fault> find_fault(const Program& program) {
  return find_fault(program, default_readings(program.profile));
}

std::optional<Fault> find_fault(const Program& program, const Readings& readings) {
  if (Text what = layout_fault(program)) return Fault{Fault::kWholeProgram, &rule_of(Law::layout), *what};
  MaskBits mask;
  for (std::size_t n = 0; n < program.instructions.size(); ++n)
    if (Wrong wrong = instruction_fault(program, program.instructions[n], mask, readings))
      return Fault{n, &rule_of(wrong->first), std::move(wrong->second)};
  return {};
}

std::string describe(const Program& program, const Fault& fault) {
  if (fault.instruction == Fault::kWholeProgram) return "program: " + fault.what;
  std::string text = "instruction " + number(fault.instruction + 1) + " (";
  return text.append(row_of(program.instructions[fault.instruction].op).name)
      .append("): ")
      .append(fault.what);
}

}  // namespace lanecheck
