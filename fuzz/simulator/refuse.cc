#include "fuzz/simulator/refuse.h"

#include <algorithm>
#include <vector>

#include "fuzz/simulator/machine.h"

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
bool collects(const Instruction& i) {
  return i.op == Op::gather_mask || i.op == Op::gather_mask_user;
}

/// What the stride fields of a call can hold.
struct Fields {
  std::uint32_t block = 0xffff, repeat = 0xffff;
};

Fields fields_of(const Program& program, const Row& row, unsigned k) {
  if (is_tik(program)) return {0xffff, 0xff};
  if (!is_ascend(program)) return {};
  if (row.form == Form::gather_mask || row.form == Form::gather_mask_user)
    return {0xff, k == 2 ? 0xffu : 0xffffu};
  if (row.form == Form::gather_blocks) return {0xff, 0xffff};
  if (row.mask == MaskUse::neutral_source || row.form == Form::brcb || row.form == Form::gather) return {};
  unsigned tensors = 0;  // that the call strides over: two sources or more have bytes throughout
  for (const OperandColumn& column : row.operands) tensors += column.walk == Walk::blocks ? 1 : 0;
  const bool compares_two = row.form == Form::compare || row.form == Form::compare_cmpmask;
  const bool binary = tensors > 2 || compares_two || row.form == Form::select_scalar;
  return {binary ? 0xffu : 0xffffu, 0xff};
}

/// What the instruction itself says, without looking at memory or the mask.
Why refuse_fields(const Program& program, const Instruction& i) {
  const Row& row = row_of(i.op);
  const TypeList& offer = row.in(program.profile);
  if (!offer.offered) return "not in this profile";
  const TypePair* types = types_of(i, program.profile);
  if (!offer.pairs.empty() && types == nullptr) return "element types not on offer";
  if (row.form == Form::cast && (types->modes >> static_cast<unsigned>(i.round) & 1) == 0)
    return "no such round mode";
  const bool compares = row.form == Form::compare || row.form == Form::compare_scalar;
  if (compares && types->modes != 0 && (types->modes >> static_cast<unsigned>(i.compare) & 1) == 0)
    return "no such comparison of this type";
  if (row.has_repeat && i.repeat > 255) return "repeat times above 255";
  if (is_tik(program) && i.repeat == 0 && !i.scalar_repeat) return "an immediate repeat_times of 0";
  for (unsigned k = 0; k < row.operands.size(); ++k) {
    const Operand& operand = i.operands[k];
    const Fields fields = fields_of(program, row, k);
    if (operand.block_stride > fields.block || operand.repeat_stride > fields.repeat)
      return "a stride is too large for its field";
    if (k == 0 && is_ascend(program) && row.operands[0].role == "dst" &&
        row.operands[0].walk == Walk::blocks && operand.block_stride == 0)
      return "a block stride of 0 for dst";
  }
  for (unsigned n = 0; n < row.settings.size(); ++n)
    if (i.settings[n] < row.settings[n].least || i.settings[n] > row.settings[n].most)
      return "a setting is out of range";
  if (row.form == Form::shift && i.settings[0] > 8 * size_of(i.dst_type))
    return "shifts by more than the width";
  if (collects(i) && setting(i, "counter") == 1 && setting(i, "mask") == 0) return "a counter of 0 elements";
  if (std::max(i.lengths[0], i.lengths[1]) > 4095) return "a queue of more than 4095 records";
  return {};
}

Why refuse_length(std::uint64_t length, unsigned lanes) {
  if (length < 1 || length > lanes) return "a contiguous mask outside 1 to " + std::to_string(lanes);
  return {};
}

Why refuse_words(const Program& program, std::uint64_t high, std::uint64_t low, unsigned lanes) {
  if (lanes < 128 && high != 0) return "mask bits for lanes that are not there";
  if (lanes < 64 && low >> lanes != 0) return "mask bits for lanes that are not there";
  if (!is_tik(program) && high == 0 && low == 0) return "a mask without a lane";
  return {};
}

/// The mask that the instruction sets or brings along.
Why refuse_mask(const Program& program, const State& state, const Instruction& i) {
  const bool counter = state.mode == Mode::counter;
  if (i.op == Op::set_vector_mask_len)
    return refuse_length(setting(i, "len"), kRepeatBytes / size_of(i.dst_type));
  if (i.op == Op::set_vector_mask && !counter)
    return refuse_words(program, i.high, i.low, kRepeatBytes / size_of(i.dst_type));
  switch (i.mask_from) {
    case MaskFrom::contiguous:
      return refuse_length(i.low, lanes_of(i));
    case MaskFrom::bitwise:
      return counter ? Why{} : refuse_words(program, i.high, i.low, lanes_of(i));
    case MaskFrom::count:
      if (i.low > 0xffffffff || (is_tik(program) && i.low == 0)) return "a count outside 1 to 4294967295";
      return {};
    case MaskFrom::reg:
      break;
  }
  return {};
}

std::uint64_t repeats_of(const Machine& machine, const Instruction& i) {
  if (collects(i) && setting(i, "counter") == 1 && machine.readings.gather_counter == GatherCounter::total) {
    const unsigned lanes = kRepeatBytes / size_of(i.src_type);
    return (setting(i, "mask") + std::uint64_t{lanes} - 1) / lanes;
  }
  if (machine.state.mode == Mode::counter && obeys_count(i))
    return (std::uint64_t{machine.total()} + lanes_of(i) - 1) / lanes_of(i);
  return row_of(i.op).has_repeat ? i.repeat : 1;
}

/// Elements of repeat `r`: those of a full one, or what is left of a total.
std::uint64_t elements_of(const Machine& machine, const Instruction& i, std::uint64_t r) {
  const bool counted = machine.state.mode == Mode::counter && obeys_count(i);
  const bool whole_call = machine.readings.gather_counter == GatherCounter::total;
  if (collects(i) && setting(i, "counter") == 1 && !whole_call) return setting(i, "mask");
  const bool collects_total = collects(i) && setting(i, "counter") == 1;
  const std::uint64_t full = collects(i) ? kRepeatBytes / size_of(i.src_type) : lanes_of(i);
  if (!counted && !collects_total) return full;
  const std::uint64_t total = collects_total ? setting(i, "mask") : machine.total();
  return std::min(full, total - std::min(total, r * full));
}

/// Calls f(span) for the pieces of operand `k` that repeat `r` touches.
template <class F>
void for_each_span(const Machine& machine, const Instruction& i, unsigned k, std::uint64_t r, F f) {
  const Operand& operand = i.operands[k];
  const OperandColumn& column = row_of(i.op).operands[k];
  const std::uint64_t size = size_of(operand_type(i, column));
  const std::uint64_t full = elements_of(machine, i, 0);
  const std::uint64_t lanes = elements_of(machine, i, r);
  const std::uint64_t start = lanecheck::start_of(machine.program, operand);
  const auto add = [&](std::uint64_t from, std::uint64_t bytes) { f(Span{from, from + bytes}); };
  switch (column.walk) {
    case Walk::blocks: {
      const bool whole_blocks = i.op == Op::vpadding && k > 0;  // count does not bound what is read (VP)
      for (std::uint64_t done = 0, b = 0; done < lanes * size; done += kBlockBytes, ++b)
        add(start + kBlockBytes * (r * operand.repeat_stride + b * operand.block_stride),
            whole_blocks ? kBlockBytes : std::min<std::uint64_t>(kBlockBytes, lanes * size - done));
      return;
    }
    case Walk::rows:
      return add(start + r * operand.repeat_stride * kBlockBytes, lanes * size);
    case Walk::results:
      return add(start + r * operand.repeat_stride * result_bytes(i), result_bytes(i));
    case Walk::bits:
      return add(start + r * full / 8, (lanes + 7) / 8);
    case Walk::elements: {
      const std::uint64_t step = size * (column.per_repeat != 0 ? column.per_repeat : full);
      return add(start + r * step, column.per_repeat != 0 ? step : size * lanes);
    }
    case Walk::records: {
      const std::uint64_t bytes = 8 * (row_of(i.op).form == Form::merge2 && k > 0 ? i.lengths[k - 1] : lanes);
      return add(start + r * bytes, bytes);
    }
    case Walk::pattern: {
      const std::uint64_t word = size_of(i.src_type);
      return add(start + r * operand.repeat_stride * kBlockBytes, (lanes + 8 * word - 1) / (8 * word) * word);
    }
    case Walk::packed: {
      const unsigned pattern = setting(i, "pattern");
      const auto kept = [&](std::uint64_t of) {
        if (i.op == Op::gather_mask_user || pattern == 7) return of;
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

unsigned alignment_of(const Instruction& i, unsigned k) {
  switch (row_of(i.op).operands[k].walk) {
    case Walk::results:
      return std::min(result_bytes(i), kBlockBytes);
    case Walk::records:
      return k == 0 ? 32 : 8;
    case Walk::sixteen:
      return i.op == Op::set_cmpmask ? 16 : 32;
    case Walk::returned:
      return 8;
    default:
      return i.op == Op::get_cmpmask ? 16 : 32;
  }
}

Why refuse_offsets(const Machine& machine, const Instruction& i, std::uint64_t repeats) {
  const Form form = row_of(i.op).form;
  if (form != Form::gather && form != Form::scatter && form != Form::gather_blocks) return {};
  const Operand& target = i.operands[form == Form::scatter ? 0 : 1];
  const std::uint64_t room = machine.program.allocations[target.allocation].bytes - target.offset;
  const std::uint64_t unit = form == Form::gather_blocks ? kBlockBytes : size_of(i.dst_type);
  const std::uint64_t count = repeats * (form == Form::gather_blocks ? kRepeatBlocks : lanes_of(i));
  const std::byte* table = machine.program.ub.data() + lanecheck::start_of(machine.program, i.operands[2]);
  for (std::uint64_t n = 0; n < count; ++n) {
    const auto offset = load<std::uint32_t>(table + 4 * n);
    if (offset % unit != 0 || offset + unit > room) return "an offset is no place of its operand";
  }
  return {};
}

bool meet(const std::vector<Span>& some, const std::vector<Span>& others) {
  for (const Span& a : some)
    for (const Span& b : others)
      if (a.from / kBlockBytes <= (b.to - 1) / kBlockBytes &&
          b.from / kBlockBytes <= (a.to - 1) / kBlockBytes)
        return true;
  return false;
}

/// No data block of operand `k`, which lies inside its allocation, belongs to two repeats.
bool repeats_stay_apart(const Machine& machine, const Instruction& i, unsigned k, std::uint64_t repeats) {
  const Allocation& home = machine.program.allocations[i.operands[k].allocation];
  const std::uint64_t first = home.offset / kBlockBytes;
  std::vector<std::uint64_t> owner(home.bytes / kBlockBytes + 2, repeats);  // by data block: the repeat
  bool apart = true;
  for (std::uint64_t r = 0; r < repeats && apart; ++r)
    for_each_span(machine, i, k, r, [&](const Span& span) {
      for (std::uint64_t b = span.from / kBlockBytes; b <= (span.to - 1) / kBlockBytes; ++b) {
        apart &= owner[b - first] == repeats || owner[b - first] == r;
        owner[b - first] = r;
      }
    });
  return apart;
}

Why refuse_overlap(const Machine& machine, const Instruction& i, std::uint64_t repeats) {
  const Row& row = row_of(i.op);
  const bool reads_dst = row.form == Form::axpy || row.form == Form::multiply_add;
  if (row.operands.empty() || row.operands[0].role != "dst" || repeats == 0) return {};
  if (reads_dst && !repeats_stay_apart(machine, i, 0, repeats)) return "repeats of a dst that is read meet";
  for (unsigned k = 1; k < row.operands.size(); ++k) {
    if (i.operands[k].allocation != i.operands[0].allocation) continue;
    Operand first = i.operands[0];
    if (repeats == 1) first.repeat_stride = i.operands[k].repeat_stride;
    const bool same = i.operands[k] == first && row.operands[0].walk == Walk::blocks &&
                      row.operands[k].walk == Walk::blocks && size_of(i.dst_type) == size_of(i.src_type);
    const bool keeps_pace = collects(i) && k == 1 && first.offset == i.operands[1].offset &&
                            i.operands[1].block_stride == 1 &&
                            (repeats == 1 || elements_of(machine, i, 0) * size_of(i.src_type) <=
                                                 i.operands[1].repeat_stride * kBlockBytes);
    if (keeps_pace) continue;  // gather_mask packs into its own source
    if (same) {
      if (i.operands[0].block_stride == 0) return "in place with a block stride of 0";
      const bool accumulates =
          k == 2 && i.operands[0].repeat_stride == 0 &&
          (i.op == Op::add || i.op == Op::sub || i.op == Op::mul || i.op == Op::vmax || i.op == Op::vmin) &&
          (i.dst_type == Element::f16 || i.dst_type == Element::f32 || i.dst_type == Element::i32);
      if (repeats > 1 && !accumulates && !repeats_stay_apart(machine, i, 0, repeats))
        return "a repeat reads what an earlier one wrote";
      continue;
    }
    std::vector<Span> dst, src;
    for (std::uint64_t r = 0; r < repeats; ++r) {
      for_each_span(machine, i, 0, r, [&](const Span& span) { dst.push_back(span); });
      for_each_span(machine, i, k, r, [&](const Span& span) { src.push_back(span); });
    }
    if (meet(dst, src)) return "dst and a source overlap in part";
  }
  return {};
}

/// Where the operands lie, once the mask says how many repeats there are.
Why refuse_places(const Machine& machine, const Instruction& i) {
  const Program& program = machine.program;
  const std::uint64_t repeats = repeats_of(machine, i);
  for (unsigned k = 0; k < row_of(i.op).operands.size(); ++k) {
    const Operand& operand = i.operands[k];
    if (operand.allocation >= program.allocations.size()) return "an operand without an allocation";
    const Allocation& home = program.allocations[operand.allocation];
    if (operand.offset > home.bytes) return "an operand starts past its allocation";
    std::uint64_t end = 0;  // of what the first and the last repeat touch
    const auto reach = [&](const Span& span) { end = std::max(end, span.to > span.from ? span.to : 0); };
    if (repeats > 0 || row_of(i.op).operands[k].walk == Walk::returned)
      for_each_span(machine, i, k, 0, reach);
    if (repeats > 1) for_each_span(machine, i, k, repeats - 1, reach);
    if (end > home.offset + home.bytes) return "an operand reaches past its allocation";
    if (lanecheck::start_of(program, operand) % alignment_of(i, k) != 0) return "an operand is not aligned";
  }
  if (Why why = refuse_offsets(machine, i, repeats)) return why;
  return refuse_overlap(machine, i, repeats);
}

}  // namespace

std::optional<std::string> refusal(const Program& program) {
  State state;  // of the mask alone
  Machine machine{program, state, default_readings(program.profile)};
  for (std::size_t n = 0; n < program.instructions.size(); ++n) {
    const Instruction& i = program.instructions[n];
    Why why = refuse_fields(program, i);
    if (!why) why = refuse_mask(program, state, i);
    if (!why) {
      take_operand(state, i);
      why = refuse_places(machine, i);
    }
    if (why) return "instruction " + std::to_string(n + 1) + ": " + *why;
    if (row_of(i.op).mask == MaskUse::is_mask_state) set_register(state, i);
    leave_register(state, machine.readings, i);
  }
  return {};
}

}  // namespace lanecheck::simulator
