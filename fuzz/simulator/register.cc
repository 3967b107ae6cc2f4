// The mask register: slots 0 to 127 seen as two words, and the mode that says what they mean (VMC 2, SVM).
#include "fuzz/simulator/machine.h"
#include "fuzz/simulator/packed_bits.h"

namespace lanecheck::simulator {
namespace {

/// Bit i of `low` is slot i, bit i of `high` slot 64 + i; slots 128 to 255 stay.
void put_words(State& state, std::uint64_t high, std::uint64_t low) {
  const std::array words = {low, high};
  const auto slots = unpack<128>(reinterpret_cast<const std::byte*>(words.data()));
  std::copy(slots.begin(), slots.end(), state.mask.begin());
}

/// The first `length` of 128 slots; a full repeat of the type switches all on (asc-devkit, mask encoding).
void put_length(State& state, std::uint64_t length, unsigned repeat_lanes) {
  const std::uint64_t on =
      length == repeat_lanes && length != 64 ? 128 : std::min<std::uint64_t>(length, 128);
  for (unsigned slot = 0; slot < 128; ++slot) state.mask[slot] = slot < on ? 1 : 0;
}

}  // namespace

void set_register(State& state, const Instruction& insn) {
  switch (insn.op) {
    case Op::set_mask:
    case Op::set_vector_mask:
      return put_words(state, insn.high, insn.low);
    case Op::set_vector_mask_len:
      return put_length(state, setting(insn, "len"), kRepeatBytes / size_of(insn.dst_type));
    case Op::set_vector_mask_total:
      return put_words(state, 0, setting(insn, "len"));
    case Op::set_mask_norm:
      state.mode = Mode::normal;
      return;
    case Op::set_mask_count:
      state.mode = Mode::counter;
      return;
    default:
      state.mask.fill(1);
  }
}

void take_operand(State& state, const Instruction& insn) {
  switch (insn.mask_from) {
    case MaskFrom::reg:
      return;
    case MaskFrom::contiguous:
      if (insn.op == Op::cast)
        return put_length(state, insn.low,
                          kRepeatBytes / std::min(size_of(insn.dst_type), size_of(insn.src_type)));
      return put_length(state, insn.low, lanes_of(insn));
    case MaskFrom::bitwise:
      return put_words(state, insn.high, insn.low);
    case MaskFrom::count:
      state.mode = Mode::counter;
      put_words(state, 0, insn.low);
  }
}

bool obeys_count(const Instruction& insn) {
  const Row& row = row_of(insn.op);
  const bool selects = row.form == Form::select || row.form == Form::gather;
  return row.has_repeat &&
         (selects || row.mask == MaskUse::gates_writeback || row.mask == MaskUse::neutral_source);
}

void leave_register(State& state, const Readings& readings, const Instruction& insn) {
  const Form form = row_of(insn.op).form;
  if (form == Form::gather_mask || form == Form::gather_mask_user) {
    state.mode = Mode::normal;
    put_words(state, 0, setting(insn, "mask"));
  }
  if ((form == Form::brcb || form == Form::gather_blocks) && readings.mask_after_brcb == MaskAfter::all_ones)
    state.mask.fill(1);
  if (insn.mask_from == MaskFrom::count) {
    state.mode = Mode::normal;
    state.mask.fill(1);
  }
}

std::uint32_t bytes_to_next_repeat(const Instruction& insn, unsigned k) {
  const Operand& operand = insn.operands[k];
  const OperandColumn& column = row_of(insn.op).operands[k];
  switch (column.walk) {
    case Walk::blocks:
    case Walk::rows:
      return operand.repeat_stride * kBlockBytes;
    case Walk::results:
      return operand.repeat_stride * result_bytes(insn);
    case Walk::bits:
      return lanes_of(insn) / 8;
    case Walk::elements:
      return lanes_of(insn) * size_of(operand_type(insn, column));
    default:
      return 0;
  }
}

std::uint32_t result_bytes(const Instruction& insn) {
  if (row_of(insn.op).form != Form::reduce_extreme) return results_per_repeat(insn) * size_of(insn.dst_type);
  constexpr std::array<std::uint32_t, 4> kHalfBytes = {4, 4, 2, 4}, kFloatBytes = {8, 8, 4, 4};  // by order
  const std::uint32_t order = setting(insn, "order") % 4;
  return insn.dst_type == Element::f16 ? kHalfBytes[order] : kFloatBytes[order];
}

}  // namespace lanecheck::simulator
