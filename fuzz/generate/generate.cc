#include "fuzz/generate/generate.h"

#include <algorithm>
#include <bit>

#include "fuzz/generate/data.h"
#include "fuzz/generate/draws.h"
#include "fuzz/generate/placement.h"
#include "spec/legality/find_fault.h"
#include "spec/mask/footprint.h"
#include "spec/mask/mask_register.h"
#include "spec/program/profile.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

constexpr std::uint64_t kOnes = ~std::uint64_t{0};

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
  Builder(Draws& words, Program& program, Profile profile)
      : words_(words), program_(program), readings_(default_readings(profile)), homes_(words, program) {
    program_.profile = profile;
    program_.allocations.clear();
    program_.instructions.clear();
    program_.ub.clear();
  }

  void make_wild(bool wild) { homes_.wild = wild; }

  void set_mask(MaskWords mask) {
    Instruction insn;
    insn.op = Op::set_mask;
    insn.high = mask.high;
    insn.low = mask.low;
    push(insn);
  }

  void push_bare(Op op) {
    Instruction insn;
    insn.op = op;
    push(insn);
  }

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

  /// Adds an instruction of `row`; the strides and repeat times are draws, or given. `choice`: which mask it
  /// meets, 0..15; vmc instructions take what set_mask left.
  void add(const Row& row, const TypePair& types, std::uint32_t repeat, const Strides& strides,
           unsigned choice) {
    if (row.op == Op::get_cmpmask || row.op == Op::select_cmpmask || row.op == Op::compare_cmpmask)
      if (!words_.one_in(4))
        add(row_of(Op::set_cmpmask), row_of(Op::set_cmpmask).in(program_.profile).pairs[0], 1, strides, 0);
    Instruction insn;
    insn.op = row.op;
    insn.dst_type = types.dst;
    insn.src_type = types.src;
    insn.repeat = row.has_repeat ? repeat : 1;
    if (compares(row.form)) do
        insn.compare = static_cast<Compare>(words_.below(6));
      while (types.modes != 0 && (types.modes >> static_cast<unsigned>(insn.compare) & 1) == 0);
    if (row.form == Form::cast) insn.round = draw_round(types);
    for (unsigned q = 0; q < row.lengths; ++q)
      insn.lengths[q] = words_.below(20) + (row.form == Form::merge4 ? 1 : 0);
    if (row.form == Form::merge4 && insn.repeat > 8) insn.repeat = 8;
    const bool indexes =
        row.form == Form::gather || row.form == Form::scatter || row.form == Form::gather_blocks;
    const bool compacts = row.form == Form::gather_mask || row.form == Form::gather_mask_user;
    if ((row.form == Form::sort32 || indexes || compacts) && insn.repeat > 16)
      insn.repeat = 16;  // keep UB small
    draw_settings(insn, row);
    if (program_.profile != Profile::vmc) choose_mask(insn, row, choice);
    if (takes_scalar(insn)) insn.scalar = draw_scalar(insn);
    mask_.load(insn, readings_);
    ResolvedInstruction here = resolve(insn, mask_, readings_);
    Instruction& walked = here.insn;
    const Strides fitting =
        walked.repeat > 40 ? Strides{1, strides.dst_repeat & 1, 1, strides.src_repeat & 1} : strides;
    for (unsigned k = 0; k < row.operands.size(); ++k) set_strides(walked, k, fitting);
    for (unsigned k = 0; k < row.operands.size(); ++k) homes_.place(here, k);
    if (row.form == Form::gather || row.form == Form::gather_blocks) homes_.write_offsets(walked, 1);
    if (row.form == Form::scatter) homes_.write_offsets(walked, 0);
    insn.operands = walked.operands;
    push(insn);
  }

  void add_drawn(const Row& row) {
    const auto& pairs = row.in(program_.profile).pairs;
    const TypePair& types = pairs[words_.below(static_cast<unsigned>(pairs.size()))];
    const unsigned pick = words_.below(64);
    std::uint32_t repeat = pick < 14 ? 1 : pick < 28 ? 2 : pick < 31 ? 0 : 3 + words_.below(8);
    Strides strides = words_.one_in(2) ? kStrideTable[0] : draw_strides();
    constexpr std::size_t kRoomForLong = 48 * 1024, kNearlyFull = 112 * 1024;  // of 192 KiB
    if (words_.below(512) == 0 &&
        program_.ub.size() <
            kRoomForLong) {  // the longest instructions stay in a small UB by walking on the spot
      repeat = 254 + words_.below(2);
      strides = {1, words_.below(2), 1, words_.below(2)};
    }
    if (program_.ub.size() > kNearlyFull) {
      repeat = std::min(repeat, 1u);
      strides = kStrideTable[0];
    }
    add(row, types, repeat, strides, words_.below(16));
  }

  /// SetVectorMask in its three calls, SetMaskNorm, SetMaskCount or ResetMask.
  void add_mask_state() {
    switch (words_.below(8)) {
      case 0:
        return push_bare(Op::set_mask_norm);
      case 1:
        push_bare(Op::set_mask_count);
        return words_.one_in(4) ? void() : set_total(draw_total(64));
      case 2:
        return push_bare(Op::reset_mask);
      case 3:
        return set_total(draw_total(64));
      default:
        return set_vector_mask(words_.below(16));
    }
  }

 private:
  void push(const Instruction& insn) {
    mask_.apply(insn, readings_);
    program_.instructions.push_back(insn);
  }

  void set_total(std::uint64_t total) {
    Instruction insn;
    insn.op = Op::set_vector_mask_total;
    insn.settings[0] = static_cast<std::uint32_t>(total);
    push(insn);
  }

  /// SetVectorMask for operands of a drawn width: a length, or words.
  void set_vector_mask(unsigned choice) {
    constexpr std::array widths = {Element::f16, Element::f32, Element::i64};
    Instruction insn;
    insn.dst_type = insn.src_type = words_.pick(widths);
    const unsigned lanes = lanes_of(insn.dst_type);
    if (mask_.mode == Mode::counter && choice % 2 == 0) {
      insn.op = Op::set_vector_mask;
      insn.low = draw_total(lanes);
    } else if (choice % 2 == 0) {
      insn.op = Op::set_vector_mask_len;
      insn.settings[0] = draw_length(lanes, choice / 2);
    } else {
      if (mask_.mode == Mode::counter) push_bare(Op::set_mask_norm);
      insn.op = Op::set_vector_mask;
      const MaskWords words = draw_words(lanes, choice);
      insn.high = words.high;
      insn.low = words.low;
    }
    push(insn);
  }

  std::uint32_t draw_length(unsigned lanes, unsigned choice) {
    const std::array<std::uint32_t, 6> edges = {1, lanes / 2, lanes - 1, lanes, lanes / 8, lanes / 2 + 1};
    return choice < edges.size() ? edges[choice] : 1 + words_.below(lanes);
  }

  /// Words that are legal for `lanes` lanes.
  MaskWords draw_words(unsigned lanes, unsigned choice) {
    MaskWords words = choice % 4 == 0 ? kMaskTable[choice] : draw_mask();
    if (lanes <= 64) words.high = 0;
    if (lanes <= 32) words.low &= 0xffffffff;
    if (words.high == 0 && words.low == 0) words.low = 1;
    return words;
  }

  /// Elements of a whole computation: a few repeats of `lanes` and their edges.
  std::uint64_t draw_total(unsigned lanes) {
    const std::array<std::uint32_t, 10> edges = {
        1, lanes - 1, lanes, lanes + 1, 2 * lanes, 2 * lanes + 1, 3 * lanes - 1, lanes / 2, 5, 4 * lanes};
    return words_.one_in(2) ? words_.pick(edges) : 1 + words_.below(6 * lanes);
  }

  void draw_settings(Instruction& insn, const Row& row) {
    const auto put = [&](std::string_view name, std::uint32_t value) {
      for (unsigned n = 0; n < row.settings.size(); ++n)
        if (row.settings[n].name == name) insn.settings[n] = value;
    };
    if (row.form == Form::shift) {
      const unsigned width = 8 * size_of(insn.dst_type);
      const std::array<std::uint32_t, 4> edges = {1, 0, width - 1, width};
      const bool decisive = !homes_.wild;
      put("by", decisive ? 1 : words_.one_in(2) ? words_.pick(edges) : words_.below(width + 1));
    }
    if (row.form == Form::reduce_extreme) put("order", words_.below(4));
    if (row.form == Form::padding) {
      put("mode", words_.below(3));
      put("side", words_.below(2));
    }
    if (row.form != Form::gather_mask && row.form != Form::gather_mask_user) return;
    const unsigned lanes = lanes_of(insn.src_type);
    const bool counter = words_.one_in(2);
    put("pattern", 1 + words_.below(7));
    put("counter", counter ? 1 : 0);
    put("mask", counter ? static_cast<std::uint32_t>(draw_total(lanes) / (words_.one_in(2) ? 1 : 3) + 1)
                : words_.one_in(2) ? 0
                                   : words_.below(256));
    if (counter) insn.repeat = std::min(insn.repeat, 4u);
  }

  /// Gives `insn` a mask operand that its profile takes, or brings the register into a state that it can use.
  void choose_mask(Instruction& insn, const Row& row, unsigned choice) {
    const std::uint8_t forms = mask_forms(row, program_.profile);
    const unsigned lanes = lanes_of(insn);
    const bool tik = program_.profile == Profile::tik;
    const bool counts = has_form(forms, MaskFrom::count) && choice % 4 == 3;
    if (tik) insn.scalar_repeat = insn.repeat == 0 || words_.one_in(8);
    if (counts) {
      insn.mask_from = MaskFrom::count;
      insn.low = draw_total(lanes);
      insn.repeat = std::max(1u, words_.below(8));  // ignored
      return;
    }
    const bool open = compares(row.form) || (row.mask_operand == MaskOperand::own);
    if (mask_.mode == Mode::counter && open) push_bare(Op::set_mask_norm);
    const bool counter = mask_.mode == Mode::counter;
    if (has_form(forms, MaskFrom::reg) && (choice % 4 == 0 || forms == 1)) {
      if (counter && takes_mask(row) && (mask_.words[0] > 8 * lanes || mask_.words[1] != 0))
        set_total(draw_total(lanes));
      else if (takes_mask(row) && (words_.one_in(2) || needs_lanes(lanes)))
        set_vector_mask_for(lanes, choice);
      return;
    }
    if (counter) {
      insn.mask_from = MaskFrom::bitwise;
      insn.low = draw_total(lanes);
      return;
    }
    if (choice % 4 == 1) {
      insn.mask_from = MaskFrom::contiguous;
      insn.low = draw_length(lanes, choice / 4 + words_.below(3));
      return;
    }
    insn.mask_from = MaskFrom::bitwise;
    const MaskWords words = draw_words(lanes, words_.below(16));
    insn.high = words.high;
    insn.low = words.low;
  }

  bool needs_lanes(unsigned lanes) const {
    return !may_meet_empty_register(program_.profile) && !mask_.any_of(lanes);
  }

  /// Puts into the register what an instruction of `lanes` lanes can use, in the mode that is on.
  void set_vector_mask_for(unsigned lanes, unsigned choice) {
    if (mask_.mode == Mode::counter) return set_total(draw_total(lanes));
    Instruction insn;
    insn.op = words_.one_in(2) ? Op::set_vector_mask_len : Op::set_vector_mask;
    insn.dst_type = insn.src_type = lanes >= 128 ? Element::f16 : lanes == 64 ? Element::f32 : Element::i64;
    if (insn.op == Op::set_vector_mask_len) {
      insn.settings[0] = draw_length(lanes, choice / 4 + words_.below(3));
    } else {
      const MaskWords words = draw_words(lanes, words_.below(16));
      insn.high = words.high;
      insn.low = words.low;
    }
    push(insn);
  }

  Round draw_round(const TypePair& types) {
    for (;;)
      if (const unsigned mode = words_.below(7); types.modes >> mode & 1) return static_cast<Round>(mode);
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

  void set_strides(Instruction& insn, unsigned k, const Strides& strides) const {
    const OperandColumn& column = row_of(insn.op).operands[k];
    const bool is_dst = k == 0;
    Operand& operand = insn.operands[k];
    operand.block_stride = column.walk != Walk::blocks ? 1 : is_dst ? strides.dst_block : strides.src_block;
    operand.repeat_stride = is_dst ? strides.dst_repeat : strides.src_repeat;
    if (program_.profile == Profile::tik) operand.block_stride = 1;
    if (program_.profile != Profile::vmc && is_dst) operand.block_stride = std::max(1u, operand.block_stride);
    if (insn.mask_from == MaskFrom::count && program_.profile != Profile::tik) {
      operand.block_stride = 1;
      operand.repeat_stride = kContiguous;
    }
    if (column.walk == Walk::pattern) {
      operand.repeat_stride = strides.src_repeat % 3;
    } else if (column.walk == Walk::results) {
      if (operand.repeat_stride > 3) operand.repeat_stride = operand.repeat_stride == kContiguous ? 1 : 3;
    } else if (column.walk != Walk::blocks && column.walk != Walk::rows) {
      operand.repeat_stride = 8;
    } else if (operand.repeat_stride == kContiguous) {
      const unsigned blocks = lanes_of(insn) * size_of(operand_type(insn, column)) / kBlockBytes;
      operand.repeat_stride = blocks * std::max(1u, operand.block_stride);
    }
    const Form form = row_of(insn.op).form;
    if (is_dst && (form == Form::multiply_add || form == Form::axpy)) {  // dst is read: repeats stay apart
      operand.block_stride = std::max(1u, operand.block_stride);
      operand.repeat_stride = std::max(operand.repeat_stride, 8 * operand.block_stride);
    }
  }

  Scalar draw_scalar(const Instruction& insn) {
    const Element type = scalar_type(insn);
    const Row& row = row_of(insn.op);
    if (!homes_.wild) return scalar_of(type, type == Element::u8 ? std::max(0, row.scalar) : row.scalar);
    if (is_float(type) && words_.one_in(2))
      return scalar_of(type, (static_cast<double>(words_.below(64)) - 32) / 10);
    std::uint64_t bits = 0;
    std::array<std::byte, kBlockBytes> data;
    fill(data, type, Fill::wild, words_.below(64));
    std::memcpy(&bits, data.data(), size_of(type));
    // A NaN scalar has no decimal form; its bits say it all.
    return scalar_from_bits(type, bits);
  }

  Draws& words_;
  Program& program_;
  Readings readings_;
  MaskBits mask_;
  OperandPlacement homes_;
};

/// Does a program of `profile` draw `row` as something that computes?
bool computes(const Row& row, Profile profile) {
  return row.in(profile).offered && row.mask != MaskUse::is_mask_state;
}

std::uint64_t type_pairs(Profile profile) {
  std::uint64_t pairs = 0;
  for (const Row& row : instruction_table())
    if (computes(row, profile)) pairs += row.in(profile).pairs.size();
  return pairs;
}

void build_boundary(Profile profile, std::uint64_t index, Builder& builder) {
  const auto take = [&](const auto& table) {
    const std::size_t digit = index % table.size();
    index /= table.size();
    return digit;
  };
  const std::uint64_t count = type_pairs(profile);
  std::uint64_t pair = index % count;
  index /= count;
  const auto choice = static_cast<unsigned>(take(kMaskTable));
  const std::uint32_t repeat = kRepeatTable[take(kRepeatTable)];
  const Strides strides = kStrideTable[take(kStrideTable)];
  if (profile == Profile::vmc) builder.set_mask(kMaskTable[choice]);
  for (const Row& row : instruction_table()) {
    if (!computes(row, profile)) continue;
    const auto& pairs = row.in(profile).pairs;
    if (pair < pairs.size()) {
      // Contiguous strides at 254 repeats would make sequences of 64 KiB; walk on the spot instead.
      builder.add(row, pairs[pair], repeat, repeat > 3 ? Strides{1, index & 1 ? 1u : 0u, 1, 1} : strides,
                  choice);
      return;
    }
    pair -= pairs.size();
  }
}

/// The instructions that compute, weighted: those that consume the mask count twice, those that a document is
/// about six times.
const std::vector<Op>& computing(Profile profile, Family family) {
  using Lists = std::array<std::array<std::vector<Op>, kFamilies>, kProfiles>;
  static const Lists lists = [] {
    Lists all;
    for (std::size_t n = 0; n < kProfiles; ++n)
      for (const Row& row : instruction_table()) {
        if (!computes(row, static_cast<Profile>(n))) continue;
        const Family own = family_of(row);
        const bool subject = own == Family::gather_mask || own == Family::padding;
        for (const Family each : {Family::any, own}) {
          auto& list = all[n][static_cast<std::size_t>(each)];
          list.insert(list.end(), subject ? 6u : row.mask != MaskUse::ignores ? 2u : 1u, row.op);
        }
      }
    return all;
  }();
  return lists[static_cast<std::size_t>(profile)][static_cast<std::size_t>(family)];
}

void build_drawn(const Mix& mix, Draws& words, Builder& builder) {
  const unsigned most = words.one_in(8) ? mix.most_instructions : std::min(8u, mix.most_instructions);
  const unsigned count = 1 + words.below(most);
  const auto& ops = computing(mix.profile, mix.family);
  for (unsigned n = 0; n < count; ++n) {
    const unsigned pick = words.below(16);
    if (mix.profile == Profile::vmc && pick < 5 && n + 1 < count)
      builder.set_mask(builder.draw_mask());
    else if (mix.profile == Profile::vmc && pick == 5 && n + 1 < count)
      builder.push_bare(Op::reset_mask);
    else if (row_of(Op::set_mask_norm).in(mix.profile).offered && pick < 4 && n + 1 < count)
      builder.add_mask_state();
    else
      builder.add_drawn(row_of(ops[words.below(static_cast<unsigned>(ops.size()))]));
  }
}

}  // namespace

Family family_of(const Row& row) {
  switch (row.form) {
    case Form::gather_mask:
    case Form::gather_mask_user:
      return Family::gather_mask;
    case Form::padding:
      return Family::padding;
    case Form::select:
    case Form::select_bits:
    case Form::select_scalar:
    case Form::select_cmpmask:
    case Form::compare:
    case Form::compare_scalar:
    case Form::compare_cmpmask:
    case Form::set_cmpmask:
    case Form::get_cmpmask:
      return Family::comparisons;
    default:
      return row.mask == MaskUse::neutral_source    ? Family::reductions
             : row.mask == MaskUse::gates_writeback ? Family::elementwise
                                                    : Family::moves;
  }
}

std::uint64_t boundary_cases(Profile profile) {
  return type_pairs(profile) * kMaskTable.size() * kRepeatTable.size() * kStrideTable.size();
}

Kind generate(std::uint64_t seed, std::uint64_t index, const Mix& mix, Program& program) {
  Draws words(seed, index);
  Builder builder(words, program, mix.profile);
  if (mix.boundaries_first && index < boundary_cases(mix.profile)) {
    build_boundary(mix.profile, index, builder);
    if (program.ub.empty()) program.ub.resize(kBlockBytes);
    return Kind::boundary;
  }
  const bool wild = words.below(16) < mix.wild_in_sixteen;
  builder.make_wild(wild);
  build_drawn(mix, words, builder);
  if (program.ub.empty()) program.ub.resize(kBlockBytes);  // only mask instructions
  return wild ? Kind::wild : Kind::decisive;
}

}  // namespace lanecheck
