#include "fuzz/explain/questions/variation.h"

#include <algorithm>
#include <cstring>
#include <random>

#include "fuzz/generate/data.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

/// Puts the allocations one after the other, each with a guard block behind it. Allocation n gets data[n].
void lay_out(Program& program, const std::vector<std::vector<std::byte>>& data) {
  program.ub.clear();
  for (std::size_t n = 0; n < program.allocations.size(); ++n) {
    Allocation& home = program.allocations[n];
    home.offset = static_cast<std::uint32_t>(program.ub.size());
    home.bytes = static_cast<std::uint32_t>(data[n].size());
    program.ub.insert(program.ub.end(), data[n].begin(), data[n].end());
    program.ub.resize(program.ub.size() + kBlockBytes);
  }
}

std::vector<std::vector<std::byte>> data_of(const Program& program) {
  std::vector<std::vector<std::byte>> data;
  for (const Allocation& home : program.allocations) {
    const auto from = program.ub.begin() + home.offset;
    data.emplace_back(from, from + static_cast<std::ptrdiff_t>(home.bytes));
  }
  return data;
}

/// To at least `bytes` bytes, by repeating its data. An empty one stays empty.
void grow(std::vector<std::byte>& data, std::size_t bytes) {
  const std::size_t old = data.size();
  if (old == 0 || old >= bytes) return;
  data.resize(bytes);
  for (std::size_t n = old; n < data.size(); ++n) data[n] = data[n - old];
}

std::vector<std::byte> converted(const std::vector<std::byte>& data, Element from, Element to) {
  const std::size_t count = data.size() / size_of(from);
  std::vector<std::byte> result(in_whole_blocks(count * size_of(to)));
  for (std::size_t n = 0; n < count; ++n) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &data[n * size_of(from)], size_of(from));
    bits = nearest(to, value_of(from, bits));
    std::memcpy(&result[n * size_of(to)], &bits, size_of(to));
  }
  return result;
}

bool uses_operands_elsewhere(const Variation& variation) {
  const auto& all = variation.program.instructions;
  for (std::size_t n = 0; n < all.size(); ++n)
    if (n != variation.index && !row_of(all[n].op).operands.empty()) return true;
  return false;
}

/// Changes the types, and what depends on them: the mode, the scalar and the repeat strides.
void change_types(Instruction& insn, const TypePair& types) {
  const Instruction before = insn;
  insn.dst_type = types.dst;
  insn.src_type = types.src;
  if (row_of(insn.op).rounds && (types.modes >> static_cast<unsigned>(insn.round) & 1) == 0)
    for (unsigned mode = 8; mode-- > 0;)
      if ((types.modes >> mode & 1) != 0) insn.round = static_cast<Round>(mode);
  if (takes_scalar(insn)) {
    const Element from = scalar_type(before), to = scalar_type(insn);
    // As the program gives it: its bits may be another number.
    insn.scalar = scalar_of(to, takes_scalar(before) ? value_of_scalar(from, before.scalar) : 1);
  }
  for (unsigned k = 0; k < row_of(insn.op).operands.size(); ++k)
    if (before.operands[k].repeat_stride == contiguous_stride(before, k))
      insn.operands[k].repeat_stride = contiguous_stride(insn, k);
}

}  // namespace

Variation variation_of(const Program& program, std::size_t index) {
  Variation variation{program, index, {}};
  if (variation.insn().mask_from == MaskFrom::bitwise) {
    variation.mask = index;
    return variation;
  }
  for (std::size_t n = 0; n <= index; ++n)
    if (row_of(program.instructions[n].op).has_words) variation.mask = n;
  return variation;
}

void add_mask_holder(Variation& variation) {
  const bool by_set_mask = row_of(variation.program.profile).sets_mask == Op::set_mask;
  if (variation.mask || !by_set_mask || row_of(variation.insn().op).mask == MaskUse::is_mask_state) return;
  auto& list = variation.program.instructions;
  list.insert(list.begin(), mask_setter(Op::set_mask, {kOnes, kOnes}));
  ++variation.index;
  variation.mask = 0;
}

MaskWords without(unsigned first, unsigned count) {
  MaskWords words{kOnes, kOnes};
  for (unsigned slot = first; slot < first + count && slot < 128; ++slot)
    (slot < 64 ? words.low : words.high) &= ~(std::uint64_t{1} << slot % 64);
  return words;
}

MaskWords legal_words(Profile profile, const Instruction& insn, MaskWords words) {
  const unsigned lanes = lanes_of(insn);
  if (lanes >= 128 || row_of(profile).all_slots_legal) return words;
  return {lanes <= 64 ? 0 : words.high & kOnes >> (128 - lanes),
          lanes >= 64 ? words.low : words.low & kOnes >> (64 - lanes)};
}

void set_words(Variation& variation, MaskWords words) {
  words = legal_words(variation.program.profile, variation.insn(), words);
  Instruction& holder = variation.program.instructions[*variation.mask];
  holder.high = words.high;
  holder.low = words.low;
}

std::uint32_t contiguous_stride(const Instruction& insn, unsigned k) {
  const OperandColumn& column = row_of(insn.op).operands[k];
  if (column.walk == Walk::results) return 1;
  return lanes_of(insn) * size_of(operand_type(insn, column)) / kBlockBytes;
}

void put_in_a_row(Instruction& insn) {
  const auto operands = row_of(insn.op).operands;
  for (unsigned k = 0; k < operands.size(); ++k) {
    if (operands[k].walk != Walk::blocks) continue;
    insn.operands[k].block_stride = 1;
    insn.operands[k].repeat_stride = contiguous_stride(insn, k);
  }
}

bool set_types(Variation& variation, const TypePair& types) {
  if (uses_operands_elsewhere(variation)) return false;
  Program& program = variation.program;
  Instruction& insn = variation.insn();
  const Instruction before = insn;
  change_types(insn, types);
  for (Instruction& each : program.instructions)
    if (row_of(each.op).operands.empty() && row_of(each.op).typed())
      each.dst_type = each.src_type = types.src;
  auto data = data_of(program);
  std::vector<std::optional<Element>> wanted(data.size());
  for (unsigned k = 0; k < row_of(insn.op).operands.size(); ++k) {
    const OperandColumn& column = row_of(insn.op).operands[k];
    const Element from = operand_type(before, column), to = operand_type(insn, column);
    const std::uint16_t n = insn.operands[k].allocation;
    if (wanted[n] && *wanted[n] != to) return false;
    // Results may start between two data blocks.
    const auto results = static_cast<std::uint32_t>(repeat_bytes(insn, k));
    const std::uint32_t unit = column.walk == Walk::results ? std::min(results, kBlockBytes) : kBlockBytes;
    insn.operands[k].offset = before.operands[k].offset / size_of(from) * size_of(to) / unit * unit;
    if (wanted[n].has_value() || from == to) continue;
    data[n] = converted(data[n], from, to);
    program.allocations[n].type = to;
    wanted[n] = to;
  }
  lay_out(program, data);
  make_room(program);
  return true;
}

bool works_in_place(const Instruction& insn) {
  const auto& operands = row_of(insn.op).operands;
  for (unsigned k = 1; k < operands.size(); ++k)
    if (insn.operands[k].allocation == insn.operands[0].allocation) return true;
  return false;
}

bool put_dst_apart(Variation& variation) {
  if (!works_in_place(variation.insn())) return false;
  put_apart(variation, 0);
  return true;
}

void put_apart(Variation& variation, unsigned k) {
  Program& program = variation.program;
  Instruction& insn = variation.insn();
  const std::uint16_t shared = insn.operands[k].allocation;
  auto data = data_of(program);
  data.push_back(data[shared]);
  Allocation apart = program.allocations[shared];
  apart.name += "_apart";
  insn.operands[k].allocation = static_cast<std::uint16_t>(program.allocations.size());
  program.allocations.push_back(std::move(apart));
  lay_out(program, data);
}

namespace {

/// Bits without a period: those of a lane are told from those of another one.
void fill_bits(std::span<std::byte> bytes, unsigned phase) {
  std::minstd_rand random(phase + 1);
  for (std::byte& each : bytes) each = static_cast<std::byte>(random() >> 8 & 0xff);
}

}  // namespace

void set_data(Variation& variation, unsigned kind, unsigned phase) {
  constexpr Fill kKinds[kDataKinds] = {Fill::positive, Fill::negative, Fill::below};
  const Instruction& insn = variation.insn();
  const Row& row = row_of(insn.op);
  for (unsigned k = static_cast<unsigned>(row.operands.size()); k-- > 0;) {
    const OperandColumn& column = row.operands[k];
    const Allocation& home = variation.program.allocations[insn.operands[k].allocation];
    if (k > 0 && column.walk == Walk::bits)
      fill_bits({variation.program.ub.data() + home.offset, home.bytes}, phase);
    if (column.type != TypeOf::dst && column.type != TypeOf::src) continue;
    const bool is_dst = k == 0 && column.role == "dst";
    fill({variation.program.ub.data() + home.offset, home.bytes}, operand_type(insn, column),
         is_dst ? Fill::old : kKinds[kind], (phase + 5 * k) % 64);
  }
}

void spread_out(Variation& variation, std::uint32_t bytes) {
  Instruction& insn = variation.insn();
  const auto operands = static_cast<unsigned>(row_of(insn.op).operands.size());
  for (unsigned k = 0; k < operands; ++k)
    for (unsigned j = 0; j < k; ++j)
      if (insn.operands[j].allocation == insn.operands[k].allocation) put_apart(variation, k);
  auto data = data_of(variation.program);
  for (unsigned k = 0; k < operands; ++k) grow(data[insn.operands[k].allocation], bytes);
  lay_out(variation.program, data);
}

void add_room_behind(Program& program, std::byte fill, std::uint32_t blocks) {
  auto data = data_of(program);
  for (std::vector<std::byte>& own : data) own.resize(own.size() + blocks * kBlockBytes, fill);
  lay_out(program, data);
}

Program with_room(Program program, std::uint32_t bytes) {
  auto data = data_of(program);
  const std::size_t fits = kMaxUbBytes / 2 / std::max<std::size_t>(1, data.size());
  for (std::vector<std::byte>& own : data) {
    if (own.empty()) own.resize(kBlockBytes);  // of an instruction without repeats
    grow(own, std::min<std::size_t>(bytes, fits / kBlockBytes * kBlockBytes));
  }
  lay_out(program, data);
  return program;
}

namespace {

/// Calls `visit(instruction as the mask before it resolves it, operand number)` for every operand.
template <class Visit>
void for_each_resolved(const Program& program, Visit visit) {
  const Readings readings = default_readings(program.profile);
  MaskBits mask;
  for (const Instruction& given : program.instructions) {
    mask.load(given, readings);
    const ResolvedInstruction resolved = resolve(given, mask, readings);
    mask.leave(given, readings);
    for (unsigned k = 0; k < row_of(given.op).operands.size(); ++k) visit(resolved, k);
  }
}

}  // namespace

void make_room(Program& program) {
  auto data = data_of(program);
  bool grows = false;
  for_each_resolved(program, [&](const ResolvedInstruction& resolved, unsigned k) {
    const Operand& operand = resolved.insn.operands[k];
    const std::uint64_t end = operand.offset + extent(resolved, k);
    std::vector<std::byte>& own = data[operand.allocation];
    if (end <= own.size() || own.empty() || end > kMaxUbBytes) return;
    grows = true;
    grow(own, in_whole_blocks(end));
  });
  if (grows) lay_out(program, data);
}

void make_room_for_whole_repeats(Program& program) {
  make_room(program);
  for_each_resolved(program, [&](const ResolvedInstruction& resolved, unsigned k) {
    const Instruction& insn = resolved.insn;
    const std::uint64_t end = start_of(program, insn.operands[k]) + extent(insn, k, lanes_of(insn));
    if (end > program.ub.size() && end <= kMaxUbBytes) program.ub.resize(in_whole_blocks(end));
  });
}

}  // namespace lanecheck
