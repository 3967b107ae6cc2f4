#include "fuzz/generate.h"

#include <algorithm>
#include <bit>

#include "fuzz/data.h"
#include "fuzz/words.h"
#include "spec/footprint.h"
#include "spec/number.h"

namespace lanecheck {
namespace {

constexpr std::uint64_t kOnes = ~std::uint64_t{0};

struct MaskWords {
  std::uint64_t high, low;
};
// None, all, first, last, one block of each width, a block left out, stripes, halves, the two words apart.
constexpr std::array kMaskTable = {
    MaskWords{0, 0},
    MaskWords{kOnes, kOnes},
    MaskWords{0, 1},
    MaskWords{std::uint64_t{1} << 63, 0},
    MaskWords{0, 0xff},
    MaskWords{0, 0xffff},
    MaskWords{kOnes, ~std::uint64_t{0xffff}},
    MaskWords{0, kOnes},
    MaskWords{kOnes, 0},
    MaskWords{0x5555555555555555, 0x5555555555555555},
    MaskWords{0xaaaaaaaaaaaaaaaa, 0xaaaaaaaaaaaaaaaa},
    MaskWords{0, std::uint64_t{1} << 63},
    MaskWords{kOnes, kOnes - 1},
    MaskWords{kOnes >> 1, kOnes},
    MaskWords{1, 0},
    MaskWords{0xcccccccccccccccc, 0x3333333333333333},
};

struct Strides {
  std::uint32_t dst_block, dst_repeat, src_block, src_repeat;  // repeat 0xff: contiguous
};
constexpr std::uint32_t kContiguous = 0xff;
constexpr std::array kStrideTable = {
    Strides{1, kContiguous, 1, kContiguous},
    Strides{1, kContiguous, 0, kContiguous},
    Strides{1, kContiguous, 1, 0},
    Strides{1, 0, 1, kContiguous},
    Strides{2, 16, 1, kContiguous},
    Strides{1, 9, 3, 1},
    Strides{0, 1, 1, 1},
};
constexpr std::array<std::uint32_t, 6> kRepeatTable = {1, 0, 2, 3, 254, 255};

class Builder {
 public:
  Builder(Words& words, Program& program) : words_(words), program_(program) {
    program_.allocations.clear();
    program_.instructions.clear();
    program_.ub.clear();
  }

  bool wild = false;

  void set_mask(MaskWords mask) {
    Instruction i;
    i.op = Op::set_mask;
    i.high = mask.high;
    i.low = mask.low;
    program_.instructions.push_back(i);
  }

  void reset_mask() { program_.instructions.push_back({}); }

  MaskWords draw_mask() {
    if (words_.one_in(2)) return words_.pick(kMaskTable);
    const std::uint64_t a = words_.word(), b = words_.word();
    switch (words_.below(4)) {
      case 0:
        return {a & b, a & ~b};
      case 1:
        return {a | b, a | ~b};
      case 2:
        return {kOnes >> (a & 63), kOnes >> (b & 63)};
      default:
        return {a, b};
    }
  }

  /// Adds an instruction of `row`; the strides and repeat times are draws, or given.
  void add(const Row& row, const TypePair& types, std::uint32_t repeat, const Strides& strides) {
    Instruction i;
    i.op = row.op;
    i.dst_type = types.dst;
    i.src_type = types.src;
    i.repeat = row.has_repeat ? repeat : 1;
    if (row.form == Form::compare || row.form == Form::compare_scalar)
      i.compare = static_cast<Compare>(words_.below(6));
    if (row.form == Form::cast) i.round = draw_round(types);
    for (unsigned q = 0; q < row.lengths; ++q)
      i.lengths[q] = words_.below(20) + (row.form == Form::merge4 ? 1 : 0);
    if (row.form == Form::merge4 && i.repeat > 8) i.repeat = 8;
    const bool indexes = row.form == Form::gather || row.form == Form::scatter;
    if ((row.form == Form::sort32 || indexes) && i.repeat > 16) i.repeat = 16;  // keep UB small
    if (takes_scalar(i)) i.scalar = draw_scalar(i);
    for (unsigned k = 0; k < row.operands.size(); ++k) set_strides(i, k, strides);
    for (unsigned k = 0; k < row.operands.size(); ++k) place(i, k);
    if (row.form == Form::gather) write_offsets(i, 1);
    if (row.form == Form::scatter) write_offsets(i, 0);
    program_.instructions.push_back(i);
  }

  void add_drawn(const Row& row) {
    const TypePair& types = row.types[words_.below(static_cast<unsigned>(row.types.size()))];
    const unsigned pick = words_.below(64);
    std::uint32_t repeat = pick < 14 ? 1 : pick < 28 ? 2 : pick < 31 ? 0 : 3 + words_.below(8);
    Strides strides = words_.one_in(2) ? kStrideTable[0] : draw_strides();
    if (words_.below(512) == 0) {  // the longest instructions stay in a small UB by walking on the spot
      repeat = 254 + words_.below(2);
      strides = {1, words_.below(2), 1, words_.below(2)};
    }
    add(row, types, repeat, strides);
  }

 private:
  Round draw_round(const TypePair& types) {
    for (;;)
      if (const unsigned mode = words_.below(7); types.rounds >> mode & 1) return static_cast<Round>(mode);
  }

  Strides draw_strides() {
    constexpr std::array<std::uint32_t, 8> block = {1, 1, 1, 1, 2, 3, 0, 4};
    constexpr std::array<std::uint32_t, 8> repeat = {kContiguous, kContiguous, kContiguous, 0, 1, 9, 16, 12};
    Strides strides = {words_.pick(block), words_.pick(repeat), words_.pick(block), words_.pick(repeat)};
    // Repeats of dst that meet are legal but hide each other's results: only now and then.
    if (strides.dst_block == 0 && !words_.one_in(4)) strides.dst_block = 1;
    if (strides.dst_repeat < 8 && !words_.one_in(4)) strides.dst_repeat = kContiguous;
    return strides;
  }

  void set_strides(Instruction& i, unsigned k, const Strides& strides) const {
    const OperandColumn& column = row_of(i.op).operands[k];
    const bool is_dst = k == 0;
    Operand& operand = i.operands[k];
    operand.block_stride = column.walk != Walk::blocks ? 1 : is_dst ? strides.dst_block : strides.src_block;
    operand.repeat_stride = is_dst ? strides.dst_repeat : strides.src_repeat;
    if (column.walk == Walk::results) {
      if (operand.repeat_stride > 3) operand.repeat_stride = operand.repeat_stride == kContiguous ? 1 : 3;
    } else if (column.walk != Walk::blocks && column.walk != Walk::rows) {
      operand.repeat_stride = 8;
    } else if (operand.repeat_stride == kContiguous) {
      const unsigned blocks = lanes_of(i) * size_of(operand_type(i, column)) / kBlockBytes;
      operand.repeat_stride = blocks * std::max(1u, operand.block_stride);
    }
    const Form form = row_of(i.op).form;
    if (is_dst && (form == Form::multiply_add || form == Form::axpy)) {  // dst is read: repeats stay apart
      operand.block_stride = std::max(1u, operand.block_stride);
      operand.repeat_stride = std::max(operand.repeat_stride, 8 * operand.block_stride);
    }
  }

  Scalar draw_scalar(const Instruction& i) {
    const Element type = scalar_type(i);
    const Row& row = row_of(i.op);
    if (!wild) return scalar_of(type, type == Element::u8 ? std::max(0, row.scalar) : row.scalar);
    if (is_float(type) && words_.one_in(2))
      return scalar_of(type, (static_cast<double>(words_.below(64)) - 32) / 10);
    std::uint64_t bits = 0;
    std::array<std::byte, kBlockBytes> data;
    fill(data, type, Fill::wild, words_.below(64));
    std::memcpy(&bits, data.data(), size_of(type));
    // A NaN scalar has no decimal form; its bits say it all.
    return scalar_from_bits(type, bits);
  }

  /// Finds a home for operand `k`: its own allocation, or an earlier place where that is decisive or wild.
  void place(Instruction& i, unsigned k) {
    const Row& row = row_of(i.op);
    const Walk walk = row.operands[k].walk;
    Operand& operand = i.operands[k];
    if (k > 0 && walk == Walk::blocks && may_share_dst(i, row, k)) {
      const std::uint32_t block = operand.block_stride, repeat = operand.repeat_stride;
      operand = i.operands[0];
      const bool same_walk = operand.block_stride == block && operand.repeat_stride == repeat;
      if (same_walk && operand.block_stride == 1 && operand.repeat_stride == kRepeatBlocks) {
        refill(operand, i.dst_type, source_fill(row, k));
        return;
      }
      operand = Operand{0, 0, block, repeat};
    }
    const auto bytes =
        static_cast<std::uint32_t>(walk == Walk::indexed ? indexed_bytes(i) : extent(i, k, lanes_of(i)));
    const bool reuse = wild && walk == Walk::blocks && !reusable_.empty() && words_.one_in(2);
    if (reuse && k > 0) {
      const std::uint16_t home = reusable_[words_.below(static_cast<unsigned>(reusable_.size()))];
      if (home != i.operands[0].allocation && program_.allocations[home].bytes >= bytes) {
        operand.allocation = home;
        return;
      }
    }
    allocate(i, k, bytes);
  }

  bool may_share_dst(const Instruction& i, const Row& row, unsigned k) {
    const bool elementwise = row.mask == MaskUse::gates_writeback && row.form != Form::multiply_add &&
                             row.form != Form::axpy && i.dst_type == i.src_type;
    return elementwise && k == 1 && (wild || row.in_place == InPlace::yes) && words_.one_in(8);
  }

  Fill source_fill(const Row& row, unsigned k) const {
    if (wild) return Fill::wild;
    switch (row.data) {
      case SourceData::negative:
        return Fill::negative;
      case SourceData::both:
        return k + 1 == row.operands.size() ? Fill::negative : Fill::positive;
      case SourceData::below:
        return Fill::below;
      case SourceData::above:
        return Fill::above;
      case SourceData::any_bits:
        return Fill::random;
      case SourceData::none:
      case SourceData::positive:
        break;
    }
    return Fill::positive;
  }

  void refill(const Operand& operand, Element type, Fill how) {
    const Allocation& home = program_.allocations[operand.allocation];
    fill({program_.ub.data() + home.offset, home.bytes}, type, how, words_.below(64));
  }

  void allocate(Instruction& i, unsigned k, std::uint32_t bytes) {
    const Row& row = row_of(i.op);
    const Walk walk = row.operands[k].walk;
    const Element type = operand_type(i, row.operands[k]);
    Operand& operand = i.operands[k];
    operand.offset = words_.one_in(8) && walk != Walk::elements ? kBlockBytes : 0;
    if (walk == Walk::results && words_.one_in(4))  // a result may start within a block
      operand.offset += static_cast<std::uint32_t>(repeat_bytes(i, k)) % kBlockBytes;
    Allocation home;
    home.name = "t";
    home.name += std::to_string(program_.allocations.size());
    home.type = type;
    home.offset = static_cast<std::uint32_t>(program_.ub.size());
    home.bytes = (operand.offset + bytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
    operand.allocation = static_cast<std::uint16_t>(program_.allocations.size());
    program_.ub.resize(program_.ub.size() + home.bytes + kBlockBytes);  // and a block of guard bytes
    program_.allocations.push_back(std::move(home));
    const bool is_dst = k == 0 && row.operands[0].role == "dst";
    const Form form = row.form;
    if (walk == Walk::records && !is_dst) return write_queues(i, k);
    const bool random = walk == Walk::bits || row.data == SourceData::any_bits;
    refill(operand, type,
           random                                           ? Fill::random
           : walk == Walk::elements && type == Element::u32 ? Fill::above
           : is_dst                                         ? Fill::old
                                                            : source_fill(row, k));
    const bool exact = row.tolerance == Tolerance::exact && walk == Walk::blocks;
    if (exact && (is_dst || form != Form::gather)) reusable_.push_back(operand.allocation);
  }

  static unsigned indexed_slots(const Instruction& i) {
    return std::bit_ceil(std::max(64u, i.repeat * lanes_of(i)));
  }
  static std::uint64_t indexed_bytes(const Instruction& i) {
    return std::uint64_t{indexed_slots(i)} * size_of(i.dst_type);
  }

  /// Offsets that visit places of the indexed operand in a shuffled order, each at most once.
  void write_offsets(const Instruction& i, unsigned indexed) {
    const std::uint32_t slots = indexed_slots(i);
    const std::uint32_t step = 2 * words_.below(slots < 65536 ? slots / 2 : 32768) + 1;
    std::uint32_t slot = words_.below(65536) % slots;
    const std::uint32_t room =
        program_.allocations[i.operands[indexed].allocation].bytes - i.operands[indexed].offset;
    std::byte* into = program_.ub.data() + start_of(program_, i.operands[2]);
    for (unsigned n = 0; n < i.repeat * lanes_of(i); ++n) {
      store<std::uint32_t>(into + 4 * n,
                           std::min<std::uint32_t>(slot * size_of(i.dst_type), room - size_of(i.dst_type)));
      slot = (slot + step) & (slots - 1);
    }
  }

  /// Descending queues with ties within and between them.
  void write_queues(const Instruction& i, unsigned k) {
    const bool four = row_of(i.op).form == Form::merge4;
    const unsigned length = four ? i.lengths[0] : i.lengths[k - 1];
    std::byte* into = program_.ub.data() + start_of(program_, i.operands[k]);
    for (unsigned queue = 0; queue < (four ? 4 * i.repeat : 1); ++queue) {
      int top = 40 + static_cast<int>(words_.below(20));
      for (unsigned n = 0; n < length; ++n, into += 8) {
        const std::uint64_t bits = nearest(i.src_type, top);
        std::memcpy(into, &bits, size_of(i.src_type));
        store<std::uint32_t>(into + 4, (k * 8 + queue) * 1000 + n);
        top -= static_cast<int>(words_.below(3));
      }
    }
  }

  Words& words_;
  Program& program_;
  std::vector<std::uint16_t> reusable_;  // allocations whose contents are exact, for wild programs
};

std::uint64_t type_pairs() {
  std::uint64_t pairs = 0;
  for (const Row& row : instruction_table()) pairs += row.types.size();
  return pairs;
}

void build_boundary(std::uint64_t index, Builder& builder) {
  const auto take = [&](const auto& table) {
    const std::size_t digit = index % table.size();
    index /= table.size();
    return table[digit];
  };
  const std::uint64_t count = type_pairs();
  std::uint64_t pair = index % count;
  index /= count;
  const MaskWords mask = take(kMaskTable);
  const std::uint32_t repeat = take(kRepeatTable);
  const Strides strides = take(kStrideTable);
  builder.set_mask(mask);
  for (const Row& row : instruction_table()) {
    if (pair < row.types.size()) {
      // Contiguous strides at 254 repeats would make sequences of 64 KiB; walk on the spot instead.
      builder.add(row, row.types[pair], repeat, repeat > 3 ? Strides{1, index & 1 ? 1u : 0u, 1, 1} : strides);
      return;
    }
    pair -= row.types.size();
  }
}

/// The instructions that compute, weighted: those that consume the mask count twice.
const std::vector<Op>& computing() {
  static const std::vector<Op> list = [] {
    std::vector<Op> ops;
    for (const Row& row : instruction_table()) {
      if (row.mask == MaskUse::is_mask_state) continue;
      ops.push_back(row.op);
      if (row.mask != MaskUse::ignores) ops.push_back(row.op);
    }
    return ops;
  }();
  return list;
}

void build_drawn(const Mix& mix, Words& words, Builder& builder) {
  const unsigned most = words.one_in(8) ? mix.most_instructions : std::min(8u, mix.most_instructions);
  const unsigned count = 1 + words.below(most);
  const auto& ops = computing();
  for (unsigned n = 0; n < count; ++n) {
    const unsigned pick = words.below(16);
    if (pick < 5 && n + 1 < count)
      builder.set_mask(builder.draw_mask());
    else if (pick == 5 && n + 1 < count)
      builder.reset_mask();
    else
      builder.add_drawn(row_of(ops[words.below(static_cast<unsigned>(ops.size()))]));
  }
}

}  // namespace

std::uint64_t boundary_cases() {
  return type_pairs() * kMaskTable.size() * kRepeatTable.size() * kStrideTable.size();
}

Kind generate(std::uint64_t seed, std::uint64_t index, const Mix& mix, Program& program) {
  Words words(seed, index);
  Builder builder(words, program);
  if (mix.boundaries_first && index < boundary_cases()) {
    build_boundary(index, builder);
    if (program.ub.empty()) program.ub.resize(kBlockBytes);
    return Kind::boundary;
  }
  builder.wild = words.below(16) < mix.wild_in_sixteen;
  build_drawn(mix, words, builder);
  if (program.ub.empty()) program.ub.resize(kBlockBytes);  // only mask instructions
  return builder.wild ? Kind::wild : Kind::decisive;
}

}  // namespace lanecheck
