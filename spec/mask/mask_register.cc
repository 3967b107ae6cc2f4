#include "spec/mask/mask_register.h"

#include <stdexcept>
#include <string>

namespace lanecheck {

MaskWords contiguous_words(std::uint64_t length, unsigned lanes, FullLength full) {
  if (length == 64) return {0, kOnes};
  const bool is_full = length == lanes && full != FullLength::its_lanes;
  if (is_full || length >= 128) return {kOnes, kOnes};
  if (length > 64) return {(std::uint64_t{1} << (length - 64)) - 1, kOnes};
  return {0, (std::uint64_t{1} << length) - 1};
}

MaskWords operand_words(const Instruction& insn, const Readings& readings) {
  switch (insn.mask_from) {
    case MaskFrom::contiguous: {  // a cast encodes for the narrower of its types (asc-devkit, mask encoding)
      const bool by_narrower =
          row_of(insn.op).rounds && readings.full_length != FullLength::whole_register_of_casts;
      return contiguous_words(
          insn.low, by_narrower ? std::max(lanes_of(insn.dst_type), lanes_of(insn.src_type)) : lanes_of(insn),
          readings.full_length);
    }
    case MaskFrom::count:
      if (readings.tik_counter == TikCounter::as_normal)
        return contiguous_words(insn.low, lanes_of(insn), readings.full_length);
      return {0, insn.low};
    case MaskFrom::reg:
    case MaskFrom::bitwise:
      break;
  }
  return {insn.high, insn.low};
}

Instruction mask_setter(Op op, MaskWords words, Element type) {
  Instruction insn;
  insn.op = op;
  if (row_of(op).typed()) insn.dst_type = insn.src_type = type;
  insn.high = words.high;
  insn.low = words.low;
  return insn;
}

void throw_sets_no_mask(const Instruction& insn) {
  throw std::logic_error("set_by does not say what " + std::string(row_of(insn.op).name) +
                         " does to the mask register");
}

MaskBits bits_of(const Mask& mask, Mode mode, MaskOrigin origin) {
  MaskBits bits;
  for (unsigned w = 0; w < 4; ++w) bits.words[w] = mask_word(mask, w);
  bits.mode = mode;
  bits.origin = origin;
  return bits;
}

ResolvedInstruction resolve(const Instruction& insn, const MaskBits& mask, const Readings& readings) {
  return resolve(insn, mask.mode, mask.total(), readings);
}

ResolvedInstruction resolve(const Instruction& insn, Mode mode, std::uint32_t total,
                            const Readings& readings) {
  ResolvedInstruction here{insn};
  const Row& row = row_of(insn.op);
  if (row.compacts && setting(insn, "counter") != 0 && readings.gather_counter == GatherCounter::total) {
    // GM: 256 bytes for each repeat, as in normal mode, until `mask` elements are done.
    here.total = setting(insn, "mask");
    here.insn.settings[*setting_index(row, "counter")] = 0;
    here.insn.repeat =
        static_cast<std::uint32_t>((here.total + lanes_of(here.insn) - 1) / lanes_of(here.insn));
  } else if (mode == Mode::counter && takes_mask(row) && row.has_repeat) {
    here.total = total;
    here.insn.repeat = static_cast<std::uint32_t>((here.total + lanes_of(insn) - 1) / lanes_of(insn));
  }
  return here;
}

}  // namespace lanecheck
