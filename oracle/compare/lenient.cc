// Which elements may differ from the oracle's, and how far: one function for each family of instructions. The
// oracle runs beside, so that each function sees the state before and after its instruction.
#include <array>
#include <cmath>
#include <cstring>

#include "oracle/compare/accept.h"
#include "oracle/compare/reduced.h"
#include "oracle/compare/slice.h"
#include "oracle/compare/tolerance.h"
#include "oracle/execute/execute.h"
#include "oracle/execute/machine.h"
#include "spec/mask/footprint.h"
#include "spec/program/profile.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

using Kind = Accept::Kind;

/// One run of accept_sets: the map of a slice of the program, and the state that the oracle has reached.
class Tracker {
 public:
  /// `may_be_illegal`: then an instruction may write anywhere, and the slice must be the whole program.
  Tracker(const Program& program, const Semantics& semantics, Slice slice, bool may_be_illegal)
      : program_(program),
        semantics_(semantics),
        slice_(std::move(slice)),
        may_be_illegal_(may_be_illegal),
        map_(program.ub.size()) {
    after_.ub = program.ub;
    after_.mask = semantics.initial_mask;
    before_.ub = program.ub;
    // What follows the last instruction of the slice decides nothing in it.
    std::size_t end = program.instructions.size();
    while (end > 0 && slice_.instructions[end - 1] == 0) --end;
    for (std::size_t n = 0; n < end; ++n) step(n);
  }

  State& state() { return after_; }
  AcceptMap& map() { return map_; }

 private:
  void step(std::size_t n) {
    const Instruction& given = program_.instructions[n];
    if (slice_.instructions[n] == 0) {
      follow_cmpmask(given, false);
      return pass_over(program_, given, semantics_, after_);
    }
    before_.mask = after_.mask;
    before_.mode = after_.mode;
    before_.cmpmask = after_.cmpmask;
    execute_one(program_, given, semantics_, after_);
    Machine machine(program_, semantics_, before_);
    machine_ = &machine;
    const Instruction insn = begin(machine, given);
    walks_.clear();
    for (unsigned k = 0; k < row_of(insn.op).operands.size(); ++k) walks_.emplace_back(insn, k);
    if (!row_of(insn.op).operands.empty()) {
      bool tainted = sources_are_lenient(insn);
      if (insn.op == Op::select_cmpmask) tainted |= cmpmask_lenient_;
      follow_cmpmask(insn, tainted);
      follow_dst(insn, tainted);
    }
    copy_written(insn);
  }

  /// Brings the UB of before_ to what `insn` left in that of after_.
  void copy_written(const Instruction& insn) {
    if (may_be_illegal_) {
      before_.ub = after_.ub;
      return;
    }
    for (unsigned k = 0; k < row_of(insn.op).operands.size(); ++k) {
      if (!is_written(row_of(insn.op).operands[k])) continue;
      const Allocation& home = program_.allocations[insn.operands[k].allocation];
      std::memcpy(&before_.ub[home.offset], &after_.ub[home.offset], home.bytes);
    }
  }

  /// What may differ in dst. `tainted`: a source is lenient.
  void follow_dst(const Instruction& insn, bool tainted) {
    const Row& row = row_of(insn.op);
    if (!row.writes_dst()) return;
    switch (row.operands[0].walk) {
      case Walk::blocks:
        return row.moves_blocks ? results(insn, tainted) : lanes(insn, tainted);
      case Walk::rows:
        return lanes(insn, tainted);
      case Walk::results:
        return row.results == ResultRule::indexed ? extremes(insn, tainted) : results(insn, tainted);
      case Walk::records:
        return records(insn, tainted);
      case Walk::packed:
        return gathered(insn, tainted);
      case Walk::bits:
      case Walk::indexed:
        return written_bytes(insn, tainted);
      case Walk::elements:
        return compare_mask(insn);
      case Walk::sixteen:
      case Walk::pattern:
      case Walk::returned:
        return;  // never a dst
    }
  }

  /// Does the slice have the element at byte `at`?
  bool matters(std::size_t at) const { return at >= after_.ub.size() || slice_.has_word_of(at); }

  std::size_t start(const Instruction& insn, unsigned k) const {
    return start_of(program_, insn.operands[k]);
  }

  std::size_t lane_at(const Instruction& insn, unsigned k, unsigned repeat, unsigned lane) const {
    return start(insn, k) + walks_[k].offset(repeat, lane);
  }

  double source(const Instruction& insn, unsigned k, unsigned repeat, unsigned lane) const {
    return value_of(insn.src_type, bits_at(before_, lane_at(insn, k, repeat, lane), insn.src_type));
  }

  bool sources_are_lenient(const Instruction& insn) const {
    if (map_.empty()) return false;
    bool lenient = false;
    const Row& row = row_of(insn.op);
    const bool from_first = row.reads_dst || !row.writes_dst();
    for (unsigned k = from_first ? 0 : 1; k < row.operands.size(); ++k) {
      if (row.operands[k].walk == Walk::indexed) {
        const Allocation& home = program_.allocations[insn.operands[k].allocation];
        lenient |= map_.any_between(home.offset, home.offset + home.bytes);
      }
      for_each_piece(insn, k, [&](std::uint64_t offset, std::uint64_t bytes) {
        lenient |= map_.any_between(start(insn, k) + offset, start(insn, k) + offset + bytes);
      });
    }
    return lenient;
  }

  /// Elementwise forms, select, gather and brcb: one dst element for each lane that may be written.
  void lanes(const Instruction& insn, bool tainted) {
    const Element type = insn.dst_type;
    if (!tainted && map_.empty() && is_exact(insn)) return;
    const unsigned count = row_of(insn.op).rounds ? semantics_.seams.cast_lanes(insn) : lanes_of(insn);
    Machine& machine = *machine_;
    const std::size_t dst = start(insn, 0);
    for (unsigned n = 0; n < insn.repeat; ++n) {
      const unsigned repeat = machine.nth_repeat(insn, n);
      const std::uint8_t* gate = machine.write_gate(insn, repeat);
      for (unsigned lane = 0; lane < count; ++lane) {
        const std::size_t at = dst + walks_[0].offset(repeat, lane);
        if (!matters(at)) {  // nor do the other lanes of the word, or of the data block
          lane |= (slice_.has_block_of(at) ? Slice::kWordBytes : kBlockBytes) / size_of(type) - 1;
          continue;
        }
        if (gate[lane] == 0 || at + size_of(type) > after_.ub.size()) continue;
        const bool accumulated = accumulates(insn) && src1_is_lenient(insn, repeat, lane);
        map_.forget(at, size_of(type));
        if (tainted || accumulated)
          map_.put(at, unspecified(type));
        else
          lane_result(insn, repeat, lane, at);
      }
    }
  }

  /// Where repeats accumulate, src1 of a lane is what an earlier repeat left.
  bool src1_is_lenient(const Instruction& insn, unsigned repeat, unsigned lane) const {
    const std::size_t at = lane_at(insn, 2, repeat, lane), end = at + size_of(insn.src_type);
    return end <= after_.ub.size() && map_.any_between(at, end);
  }

  /// Every lane of `insn` is its oracle's, whatever the sources hold.
  static bool is_exact(const Instruction& insn) {
    const Row& row = row_of(insn.op);
    return row.moves_bits || (!is_float(insn.dst_type) && (!row.rounds || insn.dst_type != Element::u8));
  }

  void lane_result(const Instruction& insn, unsigned repeat, unsigned lane, std::size_t at) {
    const Row& row = row_of(insn.op);
    const Element type = insn.dst_type;
    if (is_exact(insn)) return;
    if (insn.op == Op::cast && type == Element::u8 && source(insn, 1, repeat, lane) < 0)
      return map_.put(at, unspecified(type));  // asc-devkit, precision conversion: abnormal
    if (!is_float(type)) return;
    if (row.tolerance == Tolerance::one_ulp || row.tolerance == Tolerance::estimate)
      return map_.put(at, approximate(insn, source(insn, 1, repeat, lane), bits_at(after_, at, type),
                                      semantics_.readings));
    if (chooses(insn.op)) return chosen(insn, repeat, lane, at);
    if (insn.op == Op::lrelu && meets_nan(insn, repeat, lane)) return map_.put(at, unspecified(type));
    if (insn.op == Op::div && source(insn, 2, repeat, lane) == 0)
      return map_.put(at, outside_domain(type, bits_at(after_, at, type), semantics_.readings));
    if (is_nan(type, bits_at(after_, at, type))) map_.put(at, any_nan(type));
  }

  /// Instructions whose result is one of their sources.
  static bool chooses(Op op) {
    return op == Op::vmax || op == Op::vmin || op == Op::vmaxs || op == Op::vmins || op == Op::relu;
  }

  /// The value that the first source of `insn` is compared with.
  double other_source(const Instruction& insn, unsigned repeat, unsigned lane) const {
    if (insn.op == Op::relu) return 0;
    if (row_of(insn.op).has_scalar) return value_of(insn.src_type, insn.scalar.bits);
    return source(insn, 2, repeat, lane);
  }

  bool meets_nan(const Instruction& insn, unsigned repeat, unsigned lane) const {
    return std::isnan(source(insn, 1, repeat, lane)) || std::isnan(other_source(insn, repeat, lane));
  }

  /// NaN and the sign of zero are undocumented where an instruction chooses.
  void chosen(const Instruction& insn, unsigned repeat, unsigned lane, std::size_t at) {
    const Element type = insn.dst_type;
    const std::uint64_t bits = bits_at(after_, at, type);
    const double result = value_of(type, bits);
    if (meets_nan(insn, repeat, lane)) return map_.put(at, unspecified(type));
    if (std::isnan(result)) return map_.put(at, any_nan(type));
    if (result == 0) map_.put(at, within(type, bits, 0));
  }

  void results(const Instruction& insn, bool tainted) {
    const Element type = insn.dst_type;
    const unsigned per_repeat = results_per_repeat(insn), group = lanes_of(insn) / per_repeat;
    Machine& machine = *machine_;
    for (unsigned n = 0; n < insn.repeat; ++n) {
      const unsigned repeat = machine.nth_repeat(insn, n);
      const bool neutralises = machine.use_of(insn) == MaskUse::neutral_source;
      const std::uint8_t* slots = neutralises ? machine.slots(insn, repeat) : kNoGate.data();
      const std::uint8_t* gate = machine.write_gate(insn, repeat);
      for (unsigned k = 0; k < per_repeat; ++k) {
        const std::size_t at = start(insn, 0) + repeat * repeat_step(insn, 0) + k * size_of(type);
        if (!matters(at)) continue;
        const auto* from = slots + k * group;
        const bool any = std::any_of(from, from + group, [](auto slot) { return slot != 0; });
        if (gate[k] == 0 ||
            (!any && semantics_.empty[static_cast<std::size_t>(insn.op)] == EmptyResult::keeps_dst))
          continue;
        map_.forget(at, size_of(type));
        if (tainted)
          map_.put(at, unspecified(type));
        else if (is_float(type))
          float_result(insn, repeat, k * group, group, slots, at);
      }
    }
  }

  void float_result(const Instruction& insn, unsigned repeat, unsigned first, unsigned group,
                    const std::uint8_t* slots, std::size_t at) {
    std::array<double, kMaskSlots> values;
    for (unsigned n = 0; n < group; ++n)
      values[n] = slots[first + n] != 0 ? source(insn, 1, repeat, first + n) : 0;
    if (const auto accept = reduced(insn, std::span(values).first(group), bits_at(after_, at, insn.dst_type),
                                    semantics_.readings.sum_order))
      map_.put(at, *accept);
  }

  /// What the compare mask holds is not documented at the start, nor after a select with another control.
  void follow_cmpmask(const Instruction& insn, bool tainted) {
    const Op op = insn.op;
    const bool brings_bits = op == Op::select_bits && loads_compare_mask(insn, semantics_.readings);
    if (op == Op::set_cmpmask || brings_bits) cmpmask_lenient_ = tainted;
    if (op == Op::compare_cmpmask) cmpmask_lenient_ |= tainted;
    if (op == Op::select_scalar || (op == Op::select && row_of(program_.profile).has_compare_mask))
      cmpmask_lenient_ = true;
  }

  /// GetCmpMask asks for 128 bytes of room and says nothing of those after the first 16.
  void compare_mask(const Instruction& insn) {
    const std::size_t at = start(insn, 0);
    for (unsigned byte = 0; byte < repeat_bytes(insn, 0); ++byte) {
      map_.forget(at + byte, 1);
      if (cmpmask_lenient_ || byte >= before_.cmpmask.size()) map_.put(at + byte, unspecified(Element::u8));
    }
  }

  void gathered(const Instruction& insn, bool tainted) {
    const unsigned last = static_cast<unsigned>(row_of(insn.op).operands.size()) - 1;
    const std::uint64_t kept = bits_at(after_, start(insn, last), Element::u64);
    const unsigned size = size_of(insn.dst_type);
    const std::uint64_t room = extent(insn, 0, lanes_of(insn)) / size;
    for (std::uint64_t n = 0; n < std::max(room, kept); ++n) {
      const std::size_t at = start(insn, 0) + n * size;
      if (at + size > after_.ub.size()) break;
      const bool past = n >= kept;
      if (past && semantics_.readings.gather_past_count == GatherPastCount::kept) break;
      map_.forget(at, size);
      if (tainted || past) map_.put(at, unspecified(insn.dst_type));
    }
    map_.forget(start(insn, last), 8);
    if (tainted) map_.put(start(insn, last), unspecified(Element::u64));
  }

  /// Undocumented: NaN, the sign of zero, and which lane is named when no active one beats the sentinel and
  /// lane 0, which is off, acts like it.
  void extremes(const Instruction& insn, bool tainted) {
    const Element type = insn.dst_type;
    const unsigned order = setting(insn, "order"), size = size_of(type), lanes = lanes_of(insn);
    for (unsigned n = 0; n < insn.repeat; ++n) {
      const unsigned repeat = machine_->nth_repeat(insn, n);
      const std::uint8_t* slots = machine_->slots(insn, repeat);
      bool nan = false, any = false, signs[2] = {false, false};
      double extreme = 0;
      for (unsigned lane = 0; lane < lanes; ++lane) {
        if (slots[lane] == 0) continue;
        const double x = source(insn, 1, repeat, lane);
        nan |= std::isnan(x);
        const bool beats = row_of(insn.op).neutral == Neutral::lowest ? x > extreme : x < extreme;
        if (!any || beats) extreme = x;
        any = true;
        if (x == 0) signs[std::signbit(x)] = true;
      }
      if (!any && semantics_.empty[static_cast<std::size_t>(insn.op)] == EmptyResult::keeps_dst) continue;
      const std::size_t at = start(insn, 0) + repeat * repeat_step(insn, 0);
      map_.forget(at, static_cast<unsigned>(repeat_bytes(insn, 0)));
      const bool both_zeros = extreme == 0 && signs[0] && signs[1];
      const bool is_sentinel =
          std::isinf(extreme) && std::signbit(extreme) == (row_of(insn.op).neutral == Neutral::lowest);
      const bool any_index = tainted || nan || both_zeros || (is_sentinel && slots[0] == 0);
      const auto value_at = at + (order == 1 ? size : 0);
      const auto index_at = order == 3 ? at : at + (order == 0 ? size : 0);
      if (order != 3 && (tainted || nan)) map_.put(value_at, unspecified(type));
      if (order != 3 && !tainted && !nan && extreme == 0)
        map_.put(value_at, within(type, bits_at(after_, value_at, type), 0));
      const Element index_type = order == 3 || size == 4 ? Element::u32 : Element::u16;
      if (order != 2 && any_index) map_.put(index_at, unspecified(index_type));
    }
  }

  void records(const Instruction& insn, bool tainted) {
    const bool sorts = row_of(insn.op).sorts;
    const std::uint64_t bytes = extent(insn, 0, lanes_of(insn));
    map_.forget(start(insn, 0), static_cast<unsigned>(bytes));
    const bool nan = has_nan_score(insn);
    for (std::uint64_t n = 0; n < bytes / 8; ++n) {
      const std::size_t at = start(insn, 0) + n * 8;
      if (tainted || nan)
        map_.put(at, unspecified(Element::u64));
      else if (sorts && insn.dst_type == Element::f16)
        map_.put(at + 2, unspecified(Element::u16));  // reserved bytes of the record
    }
  }

  bool has_nan_score(const Instruction& insn) const {
    bool nan = false;
    const unsigned step = row_of(insn.op).sorts ? size_of(insn.src_type) : 8;
    for (unsigned k = 1; k < (row_of(insn.op).lengths == 2 ? 3u : 2u); ++k)
      for (std::uint64_t at = 0; at < extent(insn, k, lanes_of(insn)); at += step)
        nan |= std::isnan(value_of(insn.src_type, bits_at(before_, start(insn, k) + at, insn.src_type)));
    return nan;
  }

  /// Compare and scatter yield bits exactly; where a source is lenient, all that they write is.
  void written_bytes(const Instruction& insn, bool tainted) {
    const auto written = [&](std::size_t from, std::size_t bytes) {
      for (std::size_t at = from; at < from + bytes; ++at) {
        map_.forget(at, 1);
        if (tainted) map_.put(at, unspecified(Element::u8));
      }
    };
    for_each_piece(
        insn, 0, [&](std::uint64_t offset, std::uint64_t bytes) { written(start(insn, 0) + offset, bytes); });
    if (row_of(insn.op).operands[0].walk != Walk::indexed) return;
    for_each_piece(insn, 2, [&](std::uint64_t offset, std::uint64_t bytes) {
      for (std::uint64_t n = 0; n < bytes; n += size_of(Element::u32))
        written(start(insn, 0) + bits_at(before_, start(insn, 2) + offset + n, Element::u32),
                size_of(insn.src_type));
    });
  }

  const Program& program_;
  const Semantics& semantics_;
  const Slice slice_;
  const bool may_be_illegal_;
  State before_, after_;
  Machine* machine_ = nullptr;   ///< of the instruction at hand, on before_
  std::vector<LaneWalk> walks_;  ///< of its operands
  bool cmpmask_lenient_ = true;
  AcceptMap map_;
};

}  // namespace

AcceptMap accept_sets(const Program& program, const Semantics& semantics, State& result) {
  Tracker tracker(program, semantics, whole_slice(program), true);
  result = std::move(tracker.state());
  return std::move(tracker.map());
}

AcceptMap accept_sets_at(std::span<const std::uint32_t> bytes, const Program& program,
                         const Semantics& semantics) {
  const bool may_be_illegal = semantics.seams.clips_repeats;
  Tracker tracker(program, semantics, may_be_illegal ? whole_slice(program) : slice_behind(program, bytes),
                  may_be_illegal);
  return std::move(tracker.map());
}

}  // namespace lanecheck
