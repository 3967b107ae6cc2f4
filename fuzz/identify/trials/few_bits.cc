#include <algorithm>
#include <cstring>

#include "fuzz/identify/probes/one_repeat.h"
#include "fuzz/identify/probes/shapes.h"
#include "fuzz/identify/trials/conditional_law.h"
#include "fuzz/identify/trials/single_repeats.h"
#include "spec/mask/footprint.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr std::uint32_t kMaxRepeatStride = 255;  // of the profiles that have a limit
constexpr unsigned kBitsOfBlock = 5;             // a data block has 32 bytes
constexpr unsigned kMostCutBlocks = 128;         // each takes an execution

/// The product of a repeat's number and the repeat stride is kept in a field of `bits` bits.
Distance in_few_bits(unsigned bits) {
  return [bits](const Instruction& insn, unsigned k, unsigned r) {
    return step_with(insn, k, (r * insn.operands[k].repeat_stride) & ((1U << bits) - 1));
  };
}

/// One instruction for each repeat; the distances of `operands` are kept in a field of `bits` bits.
std::vector<Instruction> with_few_bits(const Instruction& insn, const std::vector<unsigned>& operands,
                                       unsigned bits) {
  std::vector<Instruction> repeats = one_for_each_repeat(insn, operands[0], in_few_bits(bits));
  for (unsigned r = 0; r < repeats.size(); ++r)
    for (const unsigned k : operands)
      repeats[r].operands[k].offset = insn.operands[k].offset + in_few_bits(bits)(insn, k, r);
  return repeats;
}

/// The distance of each data block from the start of its operand, in data blocks.
std::uint32_t distance_of(const Operand& operand, unsigned r, unsigned block) {
  return r * operand.repeat_stride + block * operand.block_stride;
}

/// Can it be told where each data block lies? All operands then have eight a repeat, one for each of dst.
bool has_blocks_side_by_side(const Instruction& insn) {
  const Row& row = row_of(insn.op);
  return !row.reads_dst && std::ranges::all_of(row.operands, [&](const OperandColumn& each) {
    return each.walk == Walk::blocks && size_of(operand_type(insn, each)) == size_of(insn.dst_type);
  });
}

/// What repeat `r` alone leaves if each data block of its sources among `operands` is the one that lies where
/// only the bits in `kept` of the distance of `block` say: right in this block of dst.
std::optional<Bytes> left_with_block_at(const ShapeTrial& trial, const std::vector<unsigned>& operands,
                                        unsigned r, unsigned block, std::uint32_t kept) {
  const Instruction& insn = trial.placed();
  Instruction one = one_repeat(insn, r);
  for (const unsigned k : operands) {
    if (k == 0) continue;  // its results are computed where they belong
    one.operands[k].offset =
        insn.operands[k].offset + kBlockBytes * (distance_of(insn.operands[k], r, block) & kept);
    one.operands[k].block_stride = 0;
  }
  return left_by(trial, {one});
}

/// What is left if the whole distance of each data block of `operands` is kept in a field of `bits` bits.
/// Nothing, soon, if that is not what the backend leaves.
std::optional<Bytes> left_with_cut_blocks(const ShapeTrial& trial, const std::vector<unsigned>& operands,
                                          unsigned bits) {
  const Instruction& insn = trial.placed();
  const std::uint32_t kept = (1U << bits) - 1;
  const std::uint32_t dst = start_of(trial.program, insn.operands[0]);
  const bool moves_dst = std::ranges::find(operands, 0U) != operands.end();
  Bytes all = trial.program.ub;
  unsigned cut = 0;
  for (unsigned r = 0; r < repeats_of(insn); ++r)
    for (unsigned block = 0; block < kRepeatBlocks; ++block) {
      const std::uint32_t distance = distance_of(insn.operands[0], r, block);
      const bool is_cut = std::ranges::any_of(
          operands, [&](unsigned k) { return k > 0 && distance_of(insn.operands[k], r, block) > kept; });
      if (is_cut && ++cut > kMostCutBlocks) return {};
      std::optional<Bytes> left;
      if (is_cut) left = left_with_block_at(trial, operands, r, block, kept);
      if (is_cut && !left) return {};
      const std::byte* const results = &(is_cut ? *left : trial.documented)[dst + kBlockBytes * distance];
      const std::size_t at = dst + kBlockBytes * (moves_dst ? distance & kept : distance);
      if (!moves_dst && std::memcmp(&trial.actual[at], results, kBlockBytes) != 0) return {};
      std::memcpy(&all[at], results, kBlockBytes);
    }
  return all;
}

/// Repeat times and strides with which the last repeat begins just before the end of a field of `bits` bits,
/// and ends behind it.
std::pair<std::uint32_t, std::uint32_t> across_the_end(unsigned bits) {
  const std::uint32_t size = 1U << bits;
  for (std::uint32_t last = (size - 1) / kMaxRepeatStride + 1; last < size; ++last)
    if (const std::uint32_t stride = (size - 1) / last; size - last * stride < kRepeatBlocks - 1)
      return {last + 1, stride};
  return {2, size - 1};
}

/// Does a repeat begin before the end of a field of `bits` bits, and end behind it? Its blocks lie in a row.
bool is_across_the_end(std::uint32_t repeat, std::uint32_t stride, unsigned bits) {
  const std::uint32_t size = 1U << bits;
  for (std::uint32_t r = 0; r < repeat; ++r)
    if (r * stride % size + kRepeatBlocks > size) return true;
  return false;
}

/// Repeat times and strides whose product is greater than a field of `bits` bits holds.
std::vector<std::pair<std::uint32_t, std::uint32_t>> more_than_fits(unsigned bits) {
  const std::uint32_t size = 1U << bits;
  if (size - 3 <= kMaxRepeatStride)
    return {{9, size / 8 + 3}, {5, size / 2 - 1}, {4, size / 3 + 2},
            {3, size - 3},     {2, size + 1},     {2, size - 1}};
  return {{size / 255 + 2, 255}, {size / 200 + 3, 200}, {size / 131 + 2, 131}, across_the_end(bits)};
}

using Leaves = std::optional<Bytes> (*)(const ShapeTrial&, const std::vector<unsigned>& operands,
                                        unsigned bits);

std::optional<Bytes> left_with_few_bits(const ShapeTrial& trial, const std::vector<unsigned>& operands,
                                        unsigned bits) {
  return left_by(trial, with_few_bits(trial.placed(), operands, bits));
}

/// Does the backend leave what such a field gives, where the product is greater than it holds? `by_blocks`:
/// also where single data blocks of a repeat tell.
bool shows_few_bits(const Subject& subject, const std::vector<unsigned>& operands, unsigned bits,
                    Leaves leaves, bool by_blocks, const Ask& ask) {
  unsigned shown = 0, seed = 40;
  for (const auto& [repeat, stride] : more_than_fits(bits)) {
    if (!by_blocks && is_across_the_end(repeat, stride, bits)) continue;
    Subject fresh = subject;
    fresh.insn.repeat = repeat;
    for (const unsigned k : operands) fresh.insn.operands[k].repeat_stride = stride;
    const auto trial = run_trial(fresh, full_mask(fresh), ++seed, ask);
    if (!trial) continue;
    if (leaves(*trial, operands, bits) != trial->actual) return false;
    shown += trial->is_right() ? 0 : 1;
  }
  return shown >= 2;
}

Difference cut_distance(const Instruction& insn, const std::vector<unsigned>& operands, unsigned bits,
                        std::string text) {
  const bool one = operands.size() == 1;
  Difference law{
      one ? map_of_role(row_of(insn.op).operands[operands[0]].role) : MapKind::dst, std::move(text), {}};
  law.key = "strides: distances of " + std::to_string(bits) + " bits";  // the operands may share the code
  law.of_all_shapes = true;
  law.of_any_operand = one;
  return law;
}

}  // namespace

std::optional<Difference> distance_in_few_bits(const ShapeTrial& first, const Ask& ask) {
  const Instruction& insn = first.placed();
  if (!has_repeats_apart(insn)) return {};
  std::vector<std::vector<unsigned>> choices;  // each operand alone, then all
  std::vector<unsigned> all;
  for (unsigned k = 0; k < operands_of(insn); ++k) {
    if (!has_stride(insn, k, &Operand::repeat_stride)) continue;
    choices.push_back({k});
    all.push_back(k);
  }
  if (all.size() > 1) choices.push_back(all);
  for (const std::vector<unsigned>& operands : choices) {
    std::uint32_t farthest = 0;
    for (const unsigned k : operands)
      farthest = std::max(farthest, (repeats_of(insn) - 1) * insn.operands[k].repeat_stride);
    for (unsigned bits = 3; farthest >> bits != 0; ++bits) {
      const bool one = operands.size() == 1;
      const std::string uses = one ? role_of(insn, operands[0]) + " uses only the lowest "
                                   : "all operands of " + mnemonic(insn) + " use only the lowest ";
      const bool by_blocks = has_blocks_side_by_side(insn);
      const auto is_so = [&](Leaves leaves) {
        return leaves(first, operands, bits) == first.actual &&
               shows_few_bits(first.subject, operands, bits, leaves, by_blocks, ask);
      };
      const std::string bytes = std::to_string(bits + kBitsOfBlock) + " bits of the distance of each ",
                        from = " from its start, in bytes";
      if (is_so(left_with_few_bits))
        return cut_distance(insn, operands, bits,
                            uses + (by_blocks ? std::to_string(bits) + " bits of r * " +
                                                    (one ? "its repeat stride" : "their repeat strides") +
                                                    " in repeat r (counted from 0)"
                                              : bytes + "repeat" + from));
      if (by_blocks && is_so(left_with_cut_blocks))
        return cut_distance(insn, operands, bits, uses + bytes + "data block" + from);
    }
  }
  return {};
}

}  // namespace lanecheck
