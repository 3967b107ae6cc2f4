// The mask register: slots 0 to 127 seen as two words, and the mode that says what they mean (VMC 2, SVM).
#include "fuzz/simulator/instruction_list.h"
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

Choices choices_of(Profile profile) {
  Choices choices;
  if (profile == Profile::a2 || profile == Profile::p310) {
    choices.keeps_empty_pairs = true;
    choices.select_and_gather_obey_mask = true;
    choices.fills_mask_after_brcb = true;
  }
  choices.read_dst_may_meet = profile == Profile::vmc;
  choices.gathers_in_all = profile == Profile::p310;
  return choices;
}

void set_register(Machine& machine, const Instruction& insn) {
  State& state = machine.state;
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
    case Op::reset_mask:
      state.mask.fill(1);
      return;
    default:
      unknown(insn);
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
  const MaskRole role = known(insn.op).mask;
  return row_of(insn.op).has_repeat && role != MaskRole::sets && role != MaskRole::ignores;
}

void leave_register(Machine& machine, const Instruction& insn) {
  State& state = machine.state;
  if (insn.op == Op::gather_mask || insn.op == Op::gather_mask_user) {
    state.mode = Mode::normal;
    put_words(state, 0, setting(insn, "mask"));
  }
  if ((insn.op == Op::brcb || insn.op == Op::gatherb) && machine.choices.fills_mask_after_brcb)
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
    case Walk::indexed:
    case Walk::sixteen:
      return 0;  // the same place in every repeat
    case Walk::records:
    case Walk::pattern:
    case Walk::packed:
    case Walk::returned:
      break;  // the sorts and gather_mask take no count
  }
  return 0;
}

std::uint32_t result_bytes(const Instruction& insn) {
  const std::uint32_t size = size_of(insn.dst_type);
  if (insn.op == Op::cgadd || insn.op == Op::cgmax || insn.op == Op::cgmin) return kRepeatBlocks * size;
  if (insn.op == Op::cpadd) return kRepeatBytes / 2;
  if (insn.op != Op::cmax_index && insn.op != Op::cmin_index) return size;
  switch (setting(insn, "order") % 4) {
    case 0:
    case 1:
      return 2 * size;  // the value and its index, in either order
    case 2:
      return size;  // the value alone
    default:
      return sizeof(std::uint32_t);  // order 3: the index alone
  }
}

}  // namespace lanecheck::simulator
