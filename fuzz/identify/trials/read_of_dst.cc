#include "fuzz/identify/trials/read_of_dst.h"

#include "fuzz/identify/probes/one_repeat.h"
#include "fuzz/identify/probes/place_map.h"
#include "fuzz/identify/trials/trials.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// With which strides the old dst is read in place of those of dst.
struct ReadWith {
  std::string text;  ///< "read with repeat stride 8 instead of the repeat stride of dst"
  std::function<void(const Instruction&, Operand& dst)> change;
  bool of_repeat_before = false;  ///< repeat r reads where repeat r - 1 writes
  std::string key{};              ///< of the Difference; empty: its sentence
  bool is_once = false;           ///< before the first repeat writes, and what a later read gives is refuted
};

/// The first source is src0, or src beside a scalar: that is one mistake.
std::string key_of(unsigned k, const std::string& what) {
  return k == 1 ? "dst: the old dst is read with the " + what + " of the first source" : "";
}

std::vector<ReadWith> possible_reads(const Instruction& insn) {
  constexpr std::uint32_t kMostStride = 16;
  std::vector<ReadWith> all;
  all.push_back({.text = "that of repeat 0 in every repeat, as it was before the instruction",
                 .change = [](const Instruction&, Operand& dst) { dst.repeat_stride = 0; },
                 .is_once = true});
  for (const auto field : kStrides) {
    const std::string name = stride_name(field);
    const std::string instead = " instead of the " + name + " of dst";
    for (unsigned k = 1; k < row_of(insn.op).operands.size(); ++k)
      all.push_back(
          {"read with the " + name + " of " + std::string(row_of(insn.op).operands[k].role) + instead,
           [k, field](const Instruction& given, Operand& dst) { dst.*field = given.operands[k].*field; },
           false, key_of(k, name)});
    for (std::uint32_t stride = 0; stride <= kMostStride; ++stride)
      all.push_back({"read with " + name + " " + std::to_string(stride) + instead,
                     [stride, field](const Instruction&, Operand& dst) { dst.*field = stride; }});
  }
  for (unsigned k = 1; k < row_of(insn.op).operands.size(); ++k)
    all.push_back({"read with the strides of " + std::string(row_of(insn.op).operands[k].role) +
                       " instead of those of dst",
                   [k](const Instruction& given, Operand& dst) {
                     for (const auto field : kStrides) dst.*field = given.operands[k].*field;
                   },
                   false, key_of(k, "strides")});
  all.push_back({"read from the places of the repeat before it in every repeat but the first",
                 [](const Instruction&, Operand&) {}, true});
  return all;
}

/// Small whole numbers; those of dst do not repeat themselves soon.
void put_numbers(ShapeTrial& trial, unsigned seed) {
  const Instruction& insn = trial.insn();
  for (unsigned k = 0; k < row_of(insn.op).operands.size(); ++k) {
    const Region& region = trial.layout.regions[k];
    const Element type = operand_type(insn, row_of(insn.op).operands[k]);
    for (unsigned n = 0; n < region.bytes / size_of(type); ++n)
      put_element(trial.program, region, type, n,
                  nearest(type, k == 0 ? 20 + n * (7 + seed) % 101 : 1 + (n + seed) % 3));
  }
}

std::optional<ShapeTrial> trial_of(const Subject& subject, unsigned seed, const Ask& ask) {
  return run_trial_with(
      subject, full_mask(subject), [seed](ShapeTrial& trial) { put_numbers(trial, seed); }, ask);
}

/// Puts what stands where `read` finds the old dst of a repeat to where the repeat writes. False if that is
/// outside what is known of dst.
bool move_old_dst(const ReadWith& read, const ShapeTrial& trial, unsigned repeat, const Bytes& from,
                  Program& to) {
  const Region& dst = trial.layout.regions[0];
  const Element type = trial.insn().dst_type;
  const auto margin = static_cast<std::int32_t>(dst.margin / size_of(type));
  Instruction reading = trial.insn();
  read.change(trial.insn(), reading.operands[0]);
  const unsigned read_repeat = read.of_repeat_before && repeat > 0 ? repeat - 1 : repeat;
  for (unsigned lane = 0; lane < lanes_of(reading); ++lane) {
    const auto is = static_cast<std::uint32_t>(margin + element_at(reading, 0, read_repeat, lane));
    const auto should = static_cast<std::uint32_t>(margin + element_at(trial.insn(), 0, repeat, lane));
    if ((is + 1) * size_of(type) > dst.bytes) return false;
    put_element(to, dst, type, should, get_element(from, dst, type, is));
  }
  return true;
}

/// What the documents leave if the old dst stands where `read` finds it. `before_all`: it is read before the
/// first repeat writes; else a repeat reads what those before it wrote.
std::optional<Bytes> left_with(const ReadWith& read, const ShapeTrial& trial, bool before_all) {
  ShapeTrial moved = trial;
  for (unsigned repeat = 0; repeat < repeats_of(trial.insn()); ++repeat) {
    const Bytes before = before_all ? trial.program.ub : moved.program.ub;
    if (!move_old_dst(read, trial, repeat, before, moved.program)) return {};
    auto after = left_by(moved, {one_repeat(trial.placed(), repeat)});
    if (!after) return {};
    moved.program.ub = std::move(*after);
  }
  return std::move(moved.program.ub);
}

/// Does the backend leave that? Nothing if the old dst is read where nothing is known of it.
std::optional<bool> gives(const ReadWith& read, const ShapeTrial& trial) {
  if (read.is_once) {
    const auto once = left_with(read, trial, true), again = left_with(read, trial, false);
    return once == trial.actual && again != trial.actual;
  }
  bool known = false;
  for (const bool before_all : {false, true})
    if (const auto left = left_with(read, trial, before_all)) {
      if (*left == trial.actual) return true;
      known = true;
    }
  return known ? std::optional(false) : std::nullopt;
}

/// Fresh strides: the same law must give all of them, and some of them must deviate.
bool holds_elsewhere(const ReadWith& read, const Subject& given, const Ask& ask) {
  constexpr std::array<std::array<std::uint32_t, 3>, 4> kBlocks = {
      {{4, 3, 2}, {4, 1, 2}, {3, 2, 1}, {1, 1, 1}}};
  constexpr unsigned kRepeats = 3;  // of two, the first and the one before the last are the same
  unsigned seed = 10, deviates = 0;
  for (const auto& blocks : kBlocks) {
    Subject fresh = given;
    fresh.insn.repeat = row_of(given.insn.op).has_repeat ? kRepeats : 1;
    const bool fixed = row_of(given.profile).block_stride_fixed;
    for (unsigned k = 0; k < row_of(given.insn.op).operands.size(); ++k) {
      if (!fixed) fresh.insn.operands[k].block_stride = blocks[k];
      fresh.insn.operands[k].repeat_stride = 8 * blocks[k] + 3 * k + 1;
    }
    const auto trial = trial_of(fresh, ++seed, ask);
    if (!trial) continue;
    const auto given_by_read = gives(read, *trial);
    if (given_by_read == false) return false;
    if (!given_by_read) continue;
    deviates += trial->is_right() ? 0 : 1;
  }
  return deviates >= 2;
}

}  // namespace

std::optional<Difference> read_of_dst_difference(const std::vector<Shape>& shapes, const Ask& ask) {
  const Instruction& insn = shapes[0].subject.insn;
  if (!row_of(insn.op).reads_dst || !has_place_probes(row_of(insn.op))) return {};
  for (const Shape& shape : shapes) {
    if (shape.name == "long" || shape.name == "longest" || shares_places(shape.subject.insn)) continue;
    const auto trial = trial_of(shape.subject, 1, ask);
    if (!trial || trial->is_right()) continue;
    for (const ReadWith& read : possible_reads(shape.subject.insn)) {
      if (gives(read, *trial) != true || !holds_elsewhere(read, shape.subject, ask)) continue;
      Difference difference{MapKind::dst, "the old dst of " + mnemonic(insn) + " is " + read.text, {}};
      difference.of_all_shapes = true;
      difference.key = read.key;
      return difference;
    }
  }
  return {};
}

}  // namespace lanecheck
