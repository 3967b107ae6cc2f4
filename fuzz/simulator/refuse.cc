#include "fuzz/simulator/refuse.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "fuzz/simulator/instruction_list.h"

namespace lanecheck::simulator {
namespace {

using Why = std::optional<std::string>;

struct Span {
  std::uint64_t from, to;  ///< bytes of UB
};

bool is_tik(const Program& program) {
  return program.profile == Profile::tik;
}
bool is_ascend(const Program& program) {
  return program.profile == Profile::a2 || program.profile == Profile::p310;
}
bool collects(Op op) {
  return op == Op::gather_mask || op == Op::gather_mask_user;
}

/// The greatest block stride and repeat stride that a call can hold.
struct Fields {
  std::uint32_t block = 0xffff, repeat = 0xffff;
};

Fields fields_of(const Program& program, const Row& row, unsigned k) {
  if (is_tik(program)) return {0xffff, 0xff};
  if (!is_ascend(program)) return {};
  if (collects(row.op)) return {0xff, k == 2 ? 0xffu : 0xffffu};
  if (row.op == Op::gatherb) return {0xff, 0xffff};
  if (known(row.op).mask == MaskRole::neutral || row.op == Op::brcb || row.op == Op::gather) return {};
  unsigned tensors = 0;  // that the call strides over; with two sources or more every stride is one byte
  for (const OperandColumn& column : row.operands) tensors += column.walk == Walk::blocks ? 1 : 0;
  const bool compares_two = row.op == Op::compare || row.op == Op::compare_cmpmask;
  const bool binary = tensors > 2 || compares_two || row.op == Op::select_scalar;
  return {binary ? 0xffu : 0xffffu, 0xff};
}

/// Faults of the instruction by itself, whatever memory and the mask hold.
Why refuse_fields(const Program& program, const Instruction& insn) {
  const Row& row = row_of(insn.op);
  const TypeList& offer = row.in(program.profile);
  if (!offer.offered) return "the profile does not offer it";
  const TypePair* types = types_of(insn, program.profile);
  if (!offer.pairs.empty() && types == nullptr) return "the profile does not offer it in these element types";
  if (insn.op == Op::cast && (types->modes >> static_cast<unsigned>(insn.round) & 1) == 0)
    return "these element types do not have this round mode";
  const bool compares = insn.op == Op::compare || insn.op == Op::compare_scalar;
  if (compares && types->modes != 0 && (types->modes >> static_cast<unsigned>(insn.compare) & 1) == 0)
    return "this element type does not have this comparison";
  if (row.has_repeat && insn.repeat > 255) return "the repeat times are above 255";
  if (is_tik(program) && insn.repeat == 0 && !insn.scalar_repeat) return "repeat_times is an immediate 0";
  for (unsigned k = 0; k < row.operands.size(); ++k) {
    const Operand& operand = insn.operands[k];
    const Fields fields = fields_of(program, row, k);
    if (operand.block_stride > fields.block || operand.repeat_stride > fields.repeat)
      return "a stride is too large for its field";
    if (k == 0 && is_ascend(program) && row.operands[0].role == "dst" &&
        row.operands[0].walk == Walk::blocks && operand.block_stride == 0)
      return "the block stride of dst is 0";
  }
  for (unsigned n = 0; n < row.settings.size(); ++n)
    if (insn.settings[n] < row.settings[n].least || insn.settings[n] > row.settings[n].most)
      return "a setting is out of range";
  if ((insn.op == Op::shl || insn.op == Op::shr) && insn.settings[0] > 8 * size_of(insn.dst_type))
    return "it shifts by more bits than an element has";
  if (collects(insn.op) && setting(insn, "counter") == 1 && setting(insn, "mask") == 0)
    return "the counter is 0";
  if (std::max(insn.lengths[0], insn.lengths[1]) > 4095) return "a queue has more than 4095 records";
  return {};
}

Why refuse_length(std::uint64_t length, unsigned lanes) {
  if (length < 1 || length > lanes)
    return "the contiguous mask is not in the range 1 to " + std::to_string(lanes);
  return {};
}

Why refuse_words(const Program& program, std::uint64_t high, std::uint64_t low, unsigned lanes) {
  if (lanes < 128 && high != 0) return "the mask has bits for lanes that a repeat does not have";
  if (lanes < 64 && low >> lanes != 0) return "the mask has bits for lanes that a repeat does not have";
  if (!is_tik(program) && high == 0 && low == 0) return "the mask has no active lane";
  return {};
}

/// Faults of the mask that the instruction sets or takes as an operand.
Why refuse_mask(const Program& program, const State& state, const Instruction& insn) {
  const bool counter = state.mode == Mode::counter;
  if (insn.op == Op::set_vector_mask_len)
    return refuse_length(setting(insn, "len"), kRepeatBytes / size_of(insn.dst_type));
  if (insn.op == Op::set_vector_mask_total && setting(insn, "len") > 0x7fffffff)
    return "the length is not an int32_t";
  if (insn.op == Op::set_vector_mask && counter && insn.high != 0) return "maskHigh is not 0 in counter mode";
  if (insn.op == Op::set_vector_mask && !counter)
    return refuse_words(program, insn.high, insn.low, kRepeatBytes / size_of(insn.dst_type));
  switch (insn.mask_from) {
    case MaskFrom::contiguous:
      return refuse_length(insn.low, lanes_of(insn));
    case MaskFrom::bitwise:
      return counter ? Why{} : refuse_words(program, insn.high, insn.low, lanes_of(insn));
    case MaskFrom::count:
      if (insn.low > 0xffffffff || (is_tik(program) && insn.low == 0))
        return "the count is not in the range 1 to 4294967295";
      return {};
    case MaskFrom::reg:
      break;
  }
  return {};
}

/// How much one call walks over. If a count decides, the last repeat may be a short one.
struct Extent {
  std::uint64_t repeats;
  std::uint64_t per_repeat;                 ///< elements of a full repeat
  std::uint64_t total = ~std::uint64_t{0};  ///< elements of the whole call, if a count decides

  std::uint64_t elements_of(std::uint64_t repeat) const {
    return std::min(per_repeat, total - std::min(total, repeat * per_repeat));
  }
};

Extent counted(std::uint64_t total, std::uint64_t per_repeat) {
  return {(total + per_repeat - 1) / per_repeat, per_repeat, total};
}

Extent extent_of(const Machine& machine, const Instruction& insn) {
  const std::uint64_t repeats = row_of(insn.op).has_repeat ? insn.repeat : 1;
  if (collects(insn.op)) {
    const unsigned lanes = kRepeatBytes / size_of(insn.src_type);
    if (setting(insn, "counter") != 1) return {repeats, lanes};
    const unsigned mask = setting(insn, "mask");
    return machine.choices.gathers_in_all ? counted(mask, lanes) : Extent{repeats, mask};
  }
  if (machine.state.mode == Mode::counter && obeys_count(insn))
    return counted(machine.total(), lanes_of(insn));
  return {repeats, lanes_of(insn)};
}

/// Calls f(span) for the pieces of operand `k` that repeat `r` touches.
template <class F>
void for_each_span(const Machine& machine, const Instruction& insn, const Extent& extent, unsigned k,
                   std::uint64_t r, F f) {
  const Operand& operand = insn.operands[k];
  const OperandColumn& column = row_of(insn.op).operands[k];
  const std::uint64_t size = size_of(operand_type(insn, column));
  const std::uint64_t full = extent.elements_of(0);
  const std::uint64_t lanes = extent.elements_of(r);
  const std::uint64_t start = lanecheck::start_of(machine.program, operand);
  const auto add = [&](std::uint64_t from, std::uint64_t bytes) { f(Span{from, from + bytes}); };
  switch (column.walk) {
    case Walk::blocks: {
      const bool whole_blocks = insn.op == Op::vpadding && k > 0;  // count does not bound what is read (VP)
      for (std::uint64_t done = 0, b = 0; done < lanes * size; done += kBlockBytes, ++b)
        add(start + kBlockBytes * (r * operand.repeat_stride + b * operand.block_stride),
            whole_blocks ? kBlockBytes : std::min<std::uint64_t>(kBlockBytes, lanes * size - done));
      return;
    }
    case Walk::rows:
      return add(start + r * operand.repeat_stride * kBlockBytes, lanes * size);
    case Walk::results:
      return add(start + r * operand.repeat_stride * result_bytes(insn), result_bytes(insn));
    case Walk::bits:
      return add(start + r * full / 8, (lanes + 7) / 8);
    case Walk::elements: {
      const std::uint64_t step = size * (column.per_repeat != 0 ? column.per_repeat : full);
      return add(start + r * step, column.per_repeat != 0 ? step : size * lanes);
    }
    case Walk::records: {
      const std::uint64_t bytes = 8 * (insn.op == Op::mergesort_2seq && k > 0 ? insn.lengths[k - 1] : lanes);
      return add(start + r * bytes, bytes);
    }
    case Walk::pattern: {
      const std::uint64_t word = size_of(insn.src_type);
      return add(start + r * operand.repeat_stride * kBlockBytes, (lanes + 8 * word - 1) / (8 * word) * word);
    }
    case Walk::packed: {
      const unsigned pattern = setting(insn, "pattern");
      const auto kept = [&](std::uint64_t of) {
        if (insn.op == Op::gather_mask_user || pattern == 7) return of;
        const std::uint64_t every = pattern < 3 ? 2 : 4, first = pattern < 3 ? pattern - 1 : pattern - 3;
        return of > first ? (of - first - 1) / every + 1 : 0;
      };
      return add(start + r * kept(full) * size, kept(lanes) * size);
    }
    case Walk::sixteen:
      return add(start, 16);
    case Walk::returned:
      return add(start, 8);
    case Walk::indexed: {
      const Allocation& home = machine.program.allocations[operand.allocation];
      return add(start, home.offset + home.bytes - std::min<std::uint64_t>(start, home.offset + home.bytes));
    }
  }
}

/// The end of what repeat `r` touches of operand `k`; 0 if it touches nothing.
std::uint64_t end_of_repeat(const Machine& machine, const Instruction& insn, const Extent& extent, unsigned k,
                            std::uint64_t r) {
  const Operand& operand = insn.operands[k];
  std::uint64_t end = 0;
  if (row_of(insn.op).operands[k].walk != Walk::blocks || operand.block_stride == 0 ||
      insn.op == Op::vpadding) {
    for_each_span(machine, insn, extent, k, r,
                  [&](const Span& span) { end = std::max(end, span.to > span.from ? span.to : 0); });
    return end;
  }
  const std::uint64_t bytes =
      extent.elements_of(r) * size_of(operand_type(insn, row_of(insn.op).operands[k]));
  if (bytes == 0) return 0;
  const std::uint64_t last = (bytes - 1) / kBlockBytes;  // of its blocks: with a stride it lies furthest
  return lanecheck::start_of(machine.program, operand) +
         kBlockBytes * (r * operand.repeat_stride + last * operand.block_stride) + bytes - last * kBlockBytes;
}

unsigned alignment_of(const Instruction& insn, unsigned k) {
  switch (row_of(insn.op).operands[k].walk) {
    case Walk::results:
      return std::min(result_bytes(insn), kBlockBytes);
    case Walk::records:
      return k == 0 ? 32 : 8;
    case Walk::sixteen:
      return insn.op == Op::set_cmpmask ? 16 : 32;
    case Walk::returned:
      return 8;
    case Walk::elements:
      return insn.op == Op::get_cmpmask ? 16 : 32;
    case Walk::blocks:
    case Walk::bits:
    case Walk::rows:
    case Walk::indexed:
    case Walk::pattern:
    case Walk::packed:
      break;
  }
  return 32;
}

Why refuse_offsets(const Machine& machine, const Instruction& insn, std::uint64_t repeats) {
  const bool moves_blocks = insn.op == Op::gatherb;
  if (insn.op != Op::gather && insn.op != Op::scatter && !moves_blocks) return {};
  const Operand& target = insn.operands[insn.op == Op::scatter ? 0 : 1];
  const std::uint64_t room = machine.program.allocations[target.allocation].bytes - target.offset;
  const unsigned unit = moves_blocks ? kBlockBytes : size_of(insn.dst_type);
  const std::uint64_t count = repeats * (moves_blocks ? kRepeatBlocks : lanes_of(insn));
  const std::byte* table = machine.program.ub.data() + lanecheck::start_of(machine.program, insn.operands[2]);
  std::vector<std::uint64_t> taken_by(insn.op == Op::scatter ? room / unit : 0);  // repeat + 1, for a place
  for (std::uint64_t n = 0; n < count; ++n) {
    const auto offset = load<std::uint32_t>(table + 4 * n);
    const bool inside_element = (offset & (unit - 1)) != 0;  // a unit is a power of two
    if (inside_element || std::uint64_t{offset} + unit > room)
      return "an offset lies outside its operand or inside an element";
    if (insn.op != Op::scatter) continue;
    const std::uint64_t repeat = n / lanes_of(insn) + 1;
    if (std::exchange(taken_by[offset / unit], repeat) == repeat)
      return "two elements of one repeat go to one place";
  }
  return {};
}

/// Some data block belongs to both.
bool meet(const std::vector<Span>& some, const std::vector<Span>& others) {
  for (const Span& a : some)
    for (const Span& b : others)
      if (a.from / kBlockBytes <= (b.to - 1) / kBlockBytes &&
          b.from / kBlockBytes <= (a.to - 1) / kBlockBytes)
        return true;
  return false;
}

/// No data block of operand `k`, which lies inside its allocation, belongs to two repeats.
bool repeats_stay_apart(const Machine& machine, const Instruction& insn, const Extent& extent, unsigned k) {
  const Allocation& home = machine.program.allocations[insn.operands[k].allocation];
  const std::uint64_t first = home.offset / kBlockBytes;
  const std::uint64_t nobody = extent.repeats;
  std::vector<std::uint64_t> owner(home.bytes / kBlockBytes + 2, nobody);  // by data block: the repeat
  bool apart = true;
  for (std::uint64_t r = 0; r < extent.repeats && apart; ++r)
    for_each_span(machine, insn, extent, k, r, [&](const Span& span) {
      for (std::uint64_t b = span.from / kBlockBytes; b <= (span.to - 1) / kBlockBytes; ++b) {
        apart &= owner[b - first] == nobody || owner[b - first] == r;
        owner[b - first] = r;
      }
    });
  return apart;
}

/// gather_mask may pack into its own source: it never writes ahead of what it has read.
bool packs_into_its_source(const Instruction& insn, const Extent& extent, unsigned k) {
  const Operand &dst = insn.operands[0], &src = insn.operands[1];
  if (!collects(insn.op) || k != 1 || dst.offset != src.offset || src.block_stride != 1) return false;
  const std::uint64_t bytes = extent.elements_of(0) * size_of(insn.src_type);
  return extent.repeats == 1 || bytes <= src.repeat_stride * kBlockBytes;
}

/// Operand `k` is walked exactly as dst is.
bool is_in_place(const Instruction& insn, unsigned k, std::uint64_t repeats) {
  const auto& columns = row_of(insn.op).operands;
  Operand dst = insn.operands[0];
  if (repeats == 1) dst.repeat_stride = insn.operands[k].repeat_stride;
  return insn.operands[k] == dst && columns[0].walk == Walk::blocks && columns[k].walk == Walk::blocks &&
         size_of(insn.dst_type) == size_of(insn.src_type);
}

/// All repeats add to (or compare with) the same dst, which is their second source (asc-devkit).
bool accumulates(const Instruction& insn, unsigned k) {
  const bool op_may = insn.op == Op::add || insn.op == Op::sub || insn.op == Op::mul || insn.op == Op::vmax ||
                      insn.op == Op::vmin;
  const bool type_may =
      insn.dst_type == Element::f16 || insn.dst_type == Element::f32 || insn.dst_type == Element::i32;
  return k == 2 && insn.operands[0].repeat_stride == 0 && op_may && type_may;
}

Why refuse_in_place(const Machine& machine, const Instruction& insn, const Extent& extent, unsigned k) {
  if (insn.operands[0].block_stride == 0) return "dst is also a source, and its block stride is 0";
  if (extent.repeats > 1 && !accumulates(insn, k) && !repeats_stay_apart(machine, insn, extent, 0))
    return "dst is also a source, and a repeat reads what an earlier one wrote";
  return {};
}

Why refuse_overlap(const Machine& machine, const Instruction& insn, const Extent& extent) {
  const Row& row = row_of(insn.op);
  const bool reads_dst = insn.op == Op::axpy || insn.op == Op::muladddst || insn.op == Op::fusedmuladd;
  if (row.operands.empty() || row.operands[0].role != "dst" || extent.repeats == 0) return {};
  if (reads_dst && machine.choices.read_dst_may_meet) {
    if (insn.operands[0].block_stride == 0) return "it reads dst, and the block stride of dst is 0";
  } else if (reads_dst && !repeats_stay_apart(machine, insn, extent, 0)) {
    return "it reads dst, and two of its repeats share a data block of dst";
  }
  for (unsigned k = 1; k < row.operands.size(); ++k) {
    if (insn.operands[k].allocation != insn.operands[0].allocation) continue;
    if (packs_into_its_source(insn, extent, k)) continue;
    if (is_in_place(insn, k, extent.repeats)) {
      if (Why why = refuse_in_place(machine, insn, extent, k)) return why;
      continue;
    }
    std::vector<Span> dst, src;
    for (std::uint64_t r = 0; r < extent.repeats; ++r) {
      for_each_span(machine, insn, extent, 0, r, [&](const Span& span) { dst.push_back(span); });
      for_each_span(machine, insn, extent, k, r, [&](const Span& span) { src.push_back(span); });
    }
    if (meet(dst, src)) return "dst and a source overlap in part";
  }
  return {};
}

/// Faults of where the operands lie. They depend on the mask, because a count decides how many repeats there
/// are.
Why refuse_places(const Machine& machine, const Instruction& insn) {
  const Program& program = machine.program;
  const Extent extent = extent_of(machine, insn);
  const std::uint64_t repeats = extent.repeats;
  for (unsigned k = 0; k < row_of(insn.op).operands.size(); ++k) {
    const Operand& operand = insn.operands[k];
    if (operand.allocation >= program.allocations.size()) return "an operand has no allocation";
    const Allocation& home = program.allocations[operand.allocation];
    if (operand.offset > home.bytes) return "an operand starts past the end of its allocation";
    std::uint64_t end = 0;  // of what the first and the last two repeats touch
    if (repeats > 0 || row_of(insn.op).operands[k].walk == Walk::returned)
      end = end_of_repeat(machine, insn, extent, k, 0);
    // The last repeat may be a short tail, so that the full one before it reaches further.
    if (repeats > 1) end = std::max(end, end_of_repeat(machine, insn, extent, k, repeats - 2));
    if (repeats > 1) end = std::max(end, end_of_repeat(machine, insn, extent, k, repeats - 1));
    if (end > home.offset + home.bytes) return "an operand reaches past the end of its allocation";
    if (lanecheck::start_of(program, operand) % alignment_of(insn, k) != 0)
      return "an operand is not aligned";
  }
  if (Why why = refuse_offsets(machine, insn, repeats)) return why;
  return refuse_overlap(machine, insn, extent);
}

}  // namespace

std::optional<std::string> refusal(const Program& program) {
  State state;  // only its mask and mode are followed
  Machine machine{program, state, choices_of(program.profile)};
  for (std::size_t n = 0; n < program.instructions.size(); ++n) {
    const Instruction& insn = program.instructions[n];
    Why why = refuse_fields(program, insn);
    if (!why) why = refuse_mask(program, state, insn);
    if (!why) {
      take_operand(state, insn);
      why = refuse_places(machine, insn);
    }
    if (why) return "instruction " + std::to_string(n + 1) + ": " + *why;
    if (known(insn.op).mask == MaskRole::sets) set_register(machine, insn);
    leave_register(machine, insn);
  }
  return {};
}

}  // namespace lanecheck::simulator
