#include "fuzz/generate/edge.h"

#include <algorithm>
#include <stdexcept>

#include "fuzz/generate/draws.h"
#include "spec/legality/find_fault.h"
#include "spec/mask/footprint.h"
#include "spec/mask/mask_register.h"
#include "spec/program/profile.h"

namespace lanecheck {
namespace {

/// One instruction of a program, to be moved onto or over a border.
struct Subject {
  Program& program;
  Instruction& insn;
  Draws& words;
  bool outside;

  const Row& row() const { return row_of(insn.op); }
  /// What the subject walks over, where it stands in its program.
  ResolvedInstruction walked() const {
    const Readings readings = default_readings(program.profile);
    MaskBits mask;
    for (const Instruction& before : program.instructions) {
      mask.load(before, readings);
      if (&before == &insn) break;
      mask.leave(before, readings);
    }
    return resolve(insn, mask, readings);
  }
  bool has(Walk walk, unsigned k) const {
    return k < row().operands.size() && row().operands[k].walk == walk;
  }
  bool has_form(Form form) const { return row().form == form; }

  /// Operand `k` moves to an allocation of its own at the end of UB, with `more` bytes behind it.
  void make_room(unsigned k, std::uint32_t more) {
    const Allocation home = program.allocations[insn.operands[k].allocation];
    Allocation wider = home;
    wider.name = "w" + std::to_string(program.allocations.size());
    wider.offset = static_cast<std::uint32_t>(program.ub.size());
    wider.bytes = home.bytes + more;
    const std::vector<std::byte> data(program.ub.begin() + home.offset,
                                      program.ub.begin() + home.offset + home.bytes);
    program.ub.resize(program.ub.size() + wider.bytes + kBlockBytes);
    std::ranges::copy(data, program.ub.begin() + wider.offset);
    insn.operands[k].allocation = static_cast<std::uint16_t>(program.allocations.size());
    program.allocations.push_back(std::move(wider));
  }

  unsigned drawn_operand() { return words.below(static_cast<unsigned>(row().operands.size())); }
  std::uint32_t blocks_of(unsigned k) const {
    return lanes_of(insn) * size_of(operand_type(insn, row().operands[k])) / kBlockBytes;
  }
  void make_contiguous(unsigned k) {
    insn.operands[k].block_stride = 1;
    insn.operands[k].repeat_stride = blocks_of(k);
  }
};

/// Changes the subject; false when the rule does not speak of such an instruction.
using Step = bool (*)(Subject&);

bool mask_operand(Subject& s, MaskFrom from, unsigned lanes) {
  if (!has_form(mask_forms(s.row(), s.program.profile), from) || lanes_of(s.insn) != lanes) return false;
  s.insn.mask_from = from;
  s.insn.high = s.insn.low = 0;
  return true;
}

template <unsigned Lanes>
bool contiguous(Subject& s) {
  const std::uint32_t length = s.words.one_in(2) ? (s.outside ? 0 : 1) : (s.outside ? Lanes + 1 : Lanes);
  if (s.insn.op == Op::set_vector_mask_len && lanes_of(s.insn.dst_type) == Lanes) {
    s.insn.settings[0] = length;
    return true;
  }
  if (!mask_operand(s, MaskFrom::contiguous, Lanes)) return false;
  s.insn.low = length;
  return true;
}

template <unsigned Lanes>
bool bitwise(Subject& s) {
  const bool sets = s.insn.op == Op::set_vector_mask && lanes_of(s.insn.dst_type) == Lanes;
  if (!sets && !mask_operand(s, MaskFrom::bitwise, Lanes)) return false;
  const bool tik = s.program.profile == Profile::tik;
  const std::uint64_t most = Lanes == 32 ? 0xffffffff : ~std::uint64_t{0};
  s.insn.high = 0;
  s.insn.low = s.words.one_in(2) ? most : 1;
  if (!s.outside) return true;
  if (Lanes == 128 || (!tik && s.words.one_in(2)))
    s.insn.low = 0;
  else if (Lanes == 32 && s.words.one_in(2))
    s.insn.low = most + 1;
  else
    s.insn.high = std::uint64_t{1} << s.words.below(64);
  return true;
}

bool not_offered(Subject& s) {
  if (!s.outside) return true;
  for (const Row& other : instruction_table())
    if (other.form == s.row().form && !other.in(s.program.profile).offered) {
      s.insn.op = other.op;
      return true;
    }
  return false;
}

bool types(Subject& s) {
  const auto& pairs = s.row().in(s.program.profile).pairs;
  if (pairs.empty() || s.insn.op == Op::set_cmpmask || s.insn.op == Op::get_cmpmask) return false;
  if (!s.outside) return true;
  const Element type = kElements[s.words.below(kElements.size())];
  (compares(s.row().form) ? s.insn.src_type : s.insn.dst_type) = type;
  if (!compares(s.row().form)) s.insn.src_type = type;
  return types_of(s.insn, s.program.profile) == nullptr;
}

bool modes(Subject& s) {
  const TypePair* pair = types_of(s.insn, s.program.profile);
  if (pair == nullptr || pair->modes == 0) return false;
  const unsigned mode = s.words.below(compares(s.row().form) ? 6 : 7);
  if (((pair->modes >> mode & 1) == 0) != s.outside) return false;
  if (compares(s.row().form))
    s.insn.compare = static_cast<Compare>(mode);
  else
    s.insn.round = static_cast<Round>(mode);
  return true;
}

bool repeat_times(Subject& s) {
  if (!s.row().has_repeat || s.row().operands.empty() || s.insn.mask_from == MaskFrom::count) return false;
  for (unsigned k = 0; k < s.row().operands.size(); ++k)
    if (!s.has(Walk::blocks, k) && !s.has(Walk::results, k)) return false;
  for (Operand& operand : s.insn.operands) operand.repeat_stride = 0;
  s.insn.repeat = s.outside ? 256 : 255;
  return true;
}

bool stride(Subject& s) {
  if (s.row().operands.empty()) return false;
  const unsigned k = s.drawn_operand();
  if (!s.has(Walk::blocks, k) || s.insn.mask_from == MaskFrom::count) return false;
  s.insn.repeat = std::min(s.insn.repeat, 1u);
  const std::uint32_t most = most_strides(s.program.profile, s.row(), k).repeat;
  s.insn.operands[k].repeat_stride = s.outside ? most + 1 : most;
  return true;
}

bool zero_block_stride(Subject& s) {
  if (!s.has(Walk::blocks, 0) || s.row().operands[0].role != "dst") return false;
  if (s.insn.mask_from == MaskFrom::count) return false;
  if (s.outside) s.insn.operands[0].block_stride = 0;
  return true;
}

/// The operand moves to the end of its allocation, or a data block further.
bool end_of_allocation(Subject& s) {
  if (s.row().operands.empty()) return false;
  const unsigned k = s.drawn_operand();
  const Walk walk = s.row().operands[k].walk;
  if (walk == Walk::indexed || walk == Walk::packed || s.insn.repeat == 0) return false;
  const Allocation& home = s.program.allocations[s.insn.operands[k].allocation];
  const std::uint64_t reach = extent(s.walked(), k), end = s.insn.operands[k].offset + reach;
  if (end > home.bytes || reach == 0) return false;
  const auto blocks = static_cast<std::uint32_t>((home.bytes - end) / kBlockBytes);
  s.insn.operands[k].offset += kBlockBytes * (blocks + (s.outside ? 1 : 0));
  return true;
}

bool start(Subject& s) {
  if (s.row().operands.empty()) return false;
  const unsigned k = s.drawn_operand();
  if (s.has(Walk::indexed, k)) return false;
  s.make_room(k, 2 * kBlockBytes);
  s.insn.operands[k].offset += s.outside ? 1 + s.words.below(kBlockBytes - 1) : kBlockBytes;
  return true;
}

bool offsets(Subject& s) {
  const bool fetches = s.has_form(Form::gather) || s.has_form(Form::gather_blocks);
  if ((!fetches && !s.has_form(Form::scatter)) || s.insn.repeat == 0) return false;
  const Operand& target = s.insn.operands[fetches ? 1 : 0];
  const std::uint32_t room = s.program.allocations[target.allocation].bytes - target.offset;
  const std::uint32_t size = s.has_form(Form::gather_blocks) ? kBlockBytes : size_of(s.insn.dst_type);
  std::byte* into = s.program.ub.data() + start_of(s.program, s.insn.operands[2]);
  const std::uint32_t last = room / size * size - size;
  store<std::uint32_t>(into, !s.outside ? last : s.words.one_in(2) ? last + size : last - 1);
  return true;
}

bool is_simple(const Subject& s) {
  const Form form = s.row().form;
  return (form == Form::unary || form == Form::scalar || form == Form::shift || form == Form::cast ||
          form == Form::axpy) &&
         size_of(s.insn.dst_type) == size_of(s.insn.src_type) && s.insn.mask_from != MaskFrom::count;
}

/// dst and src in one allocation, in one repeat: the same place, or one data block apart.
bool partly_in_place(Subject& s) {
  if (!is_simple(s)) return false;
  s.make_contiguous(0);
  s.make_contiguous(1);
  s.insn.repeat = 1;
  s.make_room(0, kRepeatBytes);
  s.insn.operands[1] = s.insn.operands[0];
  if (s.outside) s.insn.operands[1].offset += kBlockBytes;
  return true;
}

/// In place over two repeats that lie side by side, or share a data block.
bool in_place_over_repeats(Subject& s) {
  if (!is_simple(s)) return false;
  s.make_contiguous(0);
  s.insn.repeat = 2;
  s.make_room(0, 2 * kRepeatBytes);
  if (s.outside) s.insn.operands[0].repeat_stride -= 1;
  s.insn.operands[1] = s.insn.operands[0];
  return true;
}

bool dst_read_back(Subject& s) {
  if (!s.has_form(Form::axpy) && !s.has_form(Form::multiply_add)) return false;
  if (s.insn.mask_from == MaskFrom::count) return false;
  s.insn.repeat = 2;
  for (unsigned k = 0; k < s.row().operands.size(); ++k) {
    s.make_contiguous(k);
    s.make_room(k, 2 * kRepeatBytes);
  }
  if (s.outside) s.insn.operands[0].repeat_stride -= 1;
  return true;
}

template <unsigned Column>
bool setting_at(Subject& s, std::uint32_t most) {
  s.insn.settings[Column] = s.outside ? most + 1 : most;
  return true;
}

bool counter_of_gather(Subject& s) {
  if (!s.has_form(Form::gather_mask) && !s.has_form(Form::gather_mask_user)) return false;
  const unsigned first = s.has_form(Form::gather_mask) ? 1 : 0;
  s.insn.settings[first] = 1;
  s.insn.settings[first + 1] = s.outside ? 0 : 1;
  return true;
}

bool tik_counter(Subject& s) {
  if (!has_form(mask_forms(s.row(), s.program.profile), MaskFrom::count)) return false;
  s.insn.mask_from = MaskFrom::count;
  s.insn.high = 0;
  s.insn.low = !s.outside ? 1 : s.words.one_in(2) ? 0 : std::uint64_t{1} << 32;
  return true;
}

bool immediate_zero(Subject& s) {
  if (s.insn.mask_from == MaskFrom::count) return false;
  s.insn.repeat = 0;
  s.insn.scalar_repeat = !s.outside;
  return true;
}

Step step_of(Law law) {
  switch (law) {
    case Law::offered:
      return not_offered;
    case Law::types:
    case Law::pad_types:
      return types;
    case Law::round_mode:
      return modes;
    case Law::repeat_range:
    case Law::tik_repeat_range:
      return repeat_times;
    case Law::stride_range:
    case Law::tik_stride_range:
      return stride;
    case Law::length_range:
      return [](Subject& s) {
        if (s.row().lengths == 0) return false;
        if (s.outside) s.insn.lengths[0] = 4096;
        return true;
      };
    case Law::dst_block_zero:
      return zero_block_stride;
    case Law::footprint:
      return end_of_allocation;
    case Law::alignment:
    case Law::gather_alignment:
    case Law::pad_alignment:
      return start;
    case Law::offsets:
      return offsets;
    case Law::overlap_partial:
    case Law::tik_overlap_one:
      return partly_in_place;
    case Law::overlap_repeats:
    case Law::tik_overlap_repeats:
      return in_place_over_repeats;
    case Law::overlap_dst:
      return dst_read_back;
    case Law::shift_range:
      return [](Subject& s) {
        return s.has_form(Form::shift) && setting_at<0>(s, 8 * size_of(s.insn.dst_type));
      };
    case Law::order_range:
      return [](Subject& s) { return s.has_form(Form::reduce_extreme) && setting_at<0>(s, 3); };
    case Law::pattern_range:
      return [](Subject& s) { return s.has_form(Form::gather_mask) && setting_at<0>(s, 7); };
    case Law::pad_mode:
      return [](Subject& s) { return s.has_form(Form::padding) && setting_at<0>(s, 2); };
    case Law::gather_total:
      return counter_of_gather;
    case Law::contiguous_16:
    case Law::tik_contiguous_16:
      return contiguous<128>;
    case Law::contiguous_32:
    case Law::tik_contiguous_32:
      return contiguous<64>;
    case Law::contiguous_64:
      return contiguous<32>;
    case Law::bitwise_16:
      return bitwise<128>;
    case Law::bitwise_32:
    case Law::tik_bitwise_32:
      return bitwise<64>;
    case Law::bitwise_64:
      return bitwise<32>;
    case Law::tik_counter_range:
      return tik_counter;
    case Law::tik_immediate_zero:
      return immediate_zero;
    default:
      return nullptr;
  }
}

std::vector<const LegalityRule*> tried_in(Profile profile) {
  std::vector<const LegalityRule*> list;
  for (const LegalityRule& rule : legality_rules())
    if (rule.tried && rule.holds_in(profile)) list.push_back(&rule);
  return list;
}

}  // namespace

EdgeCase generate_at_edge(std::uint64_t seed, std::uint64_t index, const Mix& mix, Program& program) {
  constexpr std::uint64_t kOwnDraws = 0xb0de;  // apart from those of generate()
  constexpr unsigned kMostAttempts = 4000;
  static const std::array<std::vector<const LegalityRule*>, kProfiles> lists = {
      tried_in(Profile::vmc), tried_in(Profile::a2), tried_in(Profile::p310), tried_in(Profile::tik)};
  const auto& list = lists[static_cast<std::size_t>(mix.profile)];
  Draws words(seed ^ kOwnDraws, index);
  const EdgeCase border = {list[words.below(static_cast<unsigned>(list.size()))], words.one_in(2)};
  const Step move = step_of(border.rule->law);
  Mix small = mix;
  small.boundaries_first = false;
  small.most_instructions = 4;
  for (unsigned attempt = 0; attempt < kMostAttempts; ++attempt) {
    generate(words.word(), index, small, program);
    for (std::size_t n = 0; n < program.instructions.size(); ++n) {
      const Program whole = program;
      Subject subject{program, program.instructions[n], words, border.outside};
      if (move(subject)) {
        const auto fault = find_fault(program);
        if (border.outside ? fault && fault->rule == border.rule : !fault) return border;
      }
      program = whole;
    }
  }
  throw std::logic_error("no program at the border of " + std::string(border.rule->id));
}

}  // namespace lanecheck
