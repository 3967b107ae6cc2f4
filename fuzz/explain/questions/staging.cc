#include "fuzz/explain/questions/staging.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "fuzz/generate/data.h"
#include "fuzz/identify/probes/probe.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

constexpr unsigned kFreshPhase = 29, kOtherPhase = 17;  // of the data

/// Is it an operand whose lanes hold elements of the instruction's types?
bool holds_lanes(const OperandColumn& column) {
  return column.walk == Walk::blocks && (column.type == TypeOf::dst || column.type == TypeOf::src);
}

/// The element of type `to` that stands for this one: an end of the type stays an end, a value stays a value
/// if `to` has it, and bits stay bits if the size is the same.
std::uint64_t carried(Element from, Element to, std::uint64_t bits) {
  if (from == to) return bits;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double end : {-kInfinity, kInfinity}) {
    const bool is_end = bits == nearest(from, end);
    if (is_end && is_float(from) == is_float(to)) return nearest(to, end);
  }
  const double value = value_of(from, bits);
  const std::uint64_t same = nearest(to, value);
  if (value_of(to, same) == value || size_of(from) != size_of(to)) return same;
  return bits;
}

/// Repeats of dst that overlap are moved apart, together with sources that share its place.
void move_apart(Instruction& insn) {
  const Row& row = row_of(insn.op);
  if (!row.writes_dst() || insn.repeat < 2) return;
  Operand& dst = insn.operands[0];
  const Operand before = dst;
  if (row.operands[0].walk == Walk::results) dst.repeat_stride = std::max(1u, dst.repeat_stride);
  if (row.operands[0].walk != Walk::blocks) return;
  const unsigned blocks = lanes_of(insn) / per_block(operand_type(insn, row.operands[0]));
  dst.repeat_stride = std::max(dst.repeat_stride, (blocks - 1) * dst.block_stride + 1);
  for (unsigned k = 1; k < row.operands.size(); ++k)
    if (insn.operands[k] == before) insn.operands[k] = dst;
}

void fill_sources(Variation& it, Fill kind, unsigned phase) {
  const Instruction& insn = it.insn();
  const Row& row = row_of(insn.op);
  for (unsigned k = row.reads_dst ? 0 : 1; k < row.operands.size(); ++k) {
    if (!holds_lanes(row.operands[k])) continue;
    const Allocation& home = it.program.allocations[insn.operands[k].allocation];
    fill({it.program.ub.data() + home.offset, home.bytes}, operand_type(insn, row.operands[k]), kind,
         (phase + 5 * k) % 64);
  }
}

void set_scalar(Instruction& insn, double of_float, std::uint64_t of_integer) {
  if (!takes_scalar(insn)) return;
  const Element type = scalar_type(insn);
  insn.scalar =
      is_float(type) ? scalar_of(type, of_float) : scalar_from_bits(type, of_integer & all_bits(type));
}

/// How many lanes the first wrong element is computed from. `per`: how many elements a repeat writes.
unsigned lanes_of_result(const Instruction& insn, unsigned per) {
  const unsigned lanes = lanes_of(insn);
  const Row& row = row_of(insn.op);
  if (row.results == ResultRule::indexed && row.mask == MaskUse::neutral_source) return lanes;
  return per == 0 || lanes % per != 0 ? lanes : lanes / per;
}

/// The element that begins at byte `at` of UB.
std::uint64_t bits_of(const Program& program, Element type, std::size_t at) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &program.ub[at], size_of(type));
  return bits;
}

/// Is it a minimum or maximum over lanes?
bool finds_extremes(const Instruction& insn) {
  const Neutral neutral = row_of(insn.op).neutral;
  return neutral == Neutral::lowest || neutral == Neutral::highest;
}

/// Of a minimum or maximum: the masked-off elements of the source are smaller, or greater, than all others;
/// those others that would be as far out become 1.
void put_extremes_off(Variation& it) {
  const Instruction& insn = it.insn();
  if (!finds_extremes(insn)) return;
  const Neutral neutral = row_of(insn.op).neutral;
  const Readings readings = default_readings(it.program.profile);
  MaskBits mask;
  for (std::size_t n = 0; n < it.index; ++n) mask.apply(it.program.instructions[n], readings);
  mask.load(insn, readings);
  if (mask.mode == Mode::counter) return;
  const double far_out = neutral == Neutral::lowest ? 30'000 : -30'000;
  const std::uint64_t winner = nearest(insn.src_type, far_out), one = nearest(insn.src_type, 1);
  const auto each_element = [&](bool on, auto do_with) {
    for (unsigned repeat = 0; repeat < repeats_of(insn); ++repeat)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane)
        if ((mask.words[lane / 64] >> lane % 64 & 1) == (on ? 1u : 0u))
          do_with(start_of(it.program, insn.operands[1]) + lane_offset(insn, 1, repeat, lane));
  };
  std::vector<bool> active(it.program.ub.size());
  each_element(true, [&](std::size_t at) {
    active[at] = true;
    const double value = value_of(insn.src_type, bits_of(it.program, insn.src_type, at));
    const bool loses = neutral == Neutral::lowest ? value < far_out : value > far_out;
    if (!loses) std::memcpy(it.program.ub.data() + at, &one, size_of(insn.src_type));
  });
  each_element(false, [&](std::size_t at) {
    if (!active[at]) std::memcpy(it.program.ub.data() + at, &winner, size_of(insn.src_type));
  });
}

bool has_other_source_strides(const Instruction& a, const Instruction& b) {
  for (unsigned k = 1; k < row_of(a.op).operands.size(); ++k)
    if (a.operands[k].block_stride != b.operands[k].block_stride ||
        a.operands[k].repeat_stride != b.operands[k].repeat_stride)
      return true;
  return false;
}

}  // namespace

Stagings::Stagings(const Finding& finding, Variation base, std::optional<unsigned> kind)
    : base_(std::move(base)), kind_(kind) {
  const Instruction& insn = base_.insn();
  counts_ = finding.total.has_value() || insn.mask_from == MaskFrom::contiguous;
  unsigned per = 0;
  for (const LaneRow& lane : finding.lanes) per = std::max(per, lane.lane + 1);
  group_ = std::max(1u, lanes_of_result(insn, per));
  const auto wrong = std::ranges::find(finding.lanes, false, &LaneRow::agrees);
  if (wrong == finding.lanes.end()) return;
  repeat_ = wrong->repeat;
  lane_ = wrong->lane * group_ < lanes_of(insn) ? wrong->lane * group_ : 0;
}

template <class From>
void Stagings::carry(Variation& it, From from_place) const {
  const Instruction& from = base_.insn();
  const Instruction& to = it.insn();
  const Row& row = row_of(to.op);
  for (unsigned k = row.reads_dst ? 0 : 1; k < row.operands.size(); ++k) {
    if (!holds_lanes(row.operands[k])) continue;
    const Element old_type = operand_type(from, row.operands[k]), type = operand_type(to, row.operands[k]);
    const Allocation& home = it.program.allocations[to.operands[k].allocation];
    const unsigned repeats = to.operands[k].repeat_stride == 0 ? 1 : kMaxRepeat + 1;
    for (unsigned repeat = repeats; repeat-- > 0;)  // where repeats meet, the first ones are whole
      for (unsigned lane = 0; lane < lanes_of(to); ++lane) {
        const std::uint64_t place = to.operands[k].offset + lane_offset(to, k, repeat, lane);
        const Place source = from_place(repeat, lane);
        const std::uint64_t at =
            start_of(base_.program, from.operands[k]) + lane_offset(from, k, source.repeat, source.lane);
        if (place + size_of(type) > home.bytes || at + size_of(old_type) > base_.program.ub.size()) continue;
        const std::uint64_t bits = carried(old_type, type, bits_of(base_.program, old_type, at));
        std::memcpy(&it.program.ub[home.offset + place], &bits, size_of(type));
      }
  }
  if (takes_scalar(to) && takes_scalar(from)) {
    const Element type = scalar_type(to);
    if (type != scalar_type(from))
      it.insn().scalar = scalar_from_bits(type, carried(scalar_type(from), type, from.scalar.bits));
  }
}

bool Stagings::tells(Staging staging, const Variation& it) const {
  if (staging == Staging::off_extremes) return finds_extremes(it.insn());
  if (staging == Staging::moved_data) return has_other_source_strides(base_.insn(), it.insn());
  if (staging != Staging::elsewhere) return true;
  Program with_room = it.program;
  make_room(with_room);
  return with_room.allocations != base_.program.allocations;
}

void Stagings::stage(Variation& it, Staging staging, bool keeps_mask, bool fresh) const {
  const unsigned lanes = lanes_of(base_.insn()), all = std::max(1u, lanes), now = lanes_of(it.insn());
  Instruction& holder = it.mask ? it.program.instructions[*it.mask] : it.insn();
  const bool is_odd = static_cast<unsigned>(staging) % 2 == 1;
  if (counts_ && lanes != 0 && lanes != now && is_odd)  // the count means the same part of a repeat
    holder.low = holder.low * now / lanes;
  if (staging >= Staging::carried_lane && staging != Staging::moved_data) move_apart(it.insn());
  if (!is_sure(staging) && it.mask && !keeps_mask && !counts_)
    set_words(it, is_odd ? kGappedMask : MaskWords{0xaaaaaaaaaaaaaaaa, 0x5555555555555555});
  make_room(it.program);
  switch (staging) {
    case Staging::kind_of_data:
      if (kind_) set_data(it, *kind_, fresh ? kFreshPhase : kDataPhase);
      return;
    case Staging::own_data:
      return;
    case Staging::carried_lane:  // the elements that the wrong repeat reads, in every repeat
      return carry(it, [&](unsigned, unsigned lane) { return Place{repeat_, lane % all}; });
    case Staging::carried_group:
      return carry(it, [&](unsigned, unsigned lane) { return Place{repeat_, lane_ + lane % group_}; });
    case Staging::moved_data:
      return carry(it, [&](unsigned repeat, unsigned lane) {
        return Place{repeat % std::max(1u, base_.insn().repeat), lane % all};
      });
    case Staging::other_data:
      return set_data(it, kind_ ? (*kind_ + 1) % kDataKinds : 1, kOtherPhase);
    case Staging::wild:
      set_scalar(it.insn(), -1.3, 0xa5a5a5a5a5a5a5a5);
      return fill_sources(it, Fill::wild, kDataPhase);
    case Staging::extremes:
      set_scalar(it.insn(), 3001, ~std::uint64_t{0} >> 1);
      return fill_sources(it, Fill::extremes_by_repeat, kFreshPhase);
    case Staging::finite:
      set_scalar(it.insn(), 0.3, 0x5a5a5a5a5a5a5a5a);
      return fill_sources(it, Fill::finite, kOtherPhase);
    case Staging::off_extremes:
      if (kind_) set_data(it, *kind_, kOtherPhase);
      return put_extremes_off(it);
    case Staging::elsewhere:
      if (kind_) set_data(it, *kind_, kDataPhase);
      return add_room_behind(it.program, std::byte{0x5a});
  }
}

}  // namespace lanecheck
