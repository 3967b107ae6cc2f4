#include "fuzz/identify/places/measured_strides.h"

#include <algorithm>
#include <set>

#include "fuzz/identify/probes/place_map.h"

namespace lanecheck {
namespace {

struct Strides {
  std::int64_t block, repeat, start;  ///< in data blocks, in data blocks, in elements
};

/// The sentence says something of instructions in which the operand has the same strides.
PlaceLaw law_of(const Instruction& measured, unsigned k, const Strides& found) {
  return [k, given = measured.operands[k], found](const Instruction& other) -> std::optional<Instruction> {
    Instruction executed = other;
    Operand& operand = executed.operands[k];
    const auto size = static_cast<std::int64_t>(size_of(operand_type(other, row_of(other.op).operands[k])));
    const std::int64_t offset = std::int64_t{operand.offset} + found.start * size;
    const bool same =
        operand.block_stride == given.block_stride && operand.repeat_stride == given.repeat_stride;
    if (!same || offset < 0 || found.block < 0 || found.repeat < 0) return {};
    operand.offset = static_cast<std::uint32_t>(offset);
    operand.block_stride = static_cast<std::uint32_t>(found.block);
    operand.repeat_stride = static_cast<std::uint32_t>(found.repeat);
    return executed;
  };
}

std::optional<WrongStrides> show(const Instruction& insn, unsigned k, const Strides& found) {
  std::string text;
  const auto add = [&](const std::string& clause) { text += (text.empty() ? "" : " and ") + clause; };
  const auto stride = [&](const std::string& name, std::int64_t value, std::uint32_t Operand::*field) {
    if (value == insn.operands[k].*field) return;
    add("walks with " + name + " " + std::to_string(value) + " instead of " +
        std::to_string(insn.operands[k].*field));
  };
  stride("block stride", found.block, &Operand::block_stride);
  stride("repeat stride", found.repeat, &Operand::repeat_stride);
  if (found.start != 0)
    add(starts_elsewhere(found.start, per_block(operand_type(insn, row_of(insn.op).operands[k]))));
  if (text.empty()) return {};
  return WrongStrides{text, law_of(insn, k, found), found.block, found.repeat, found.start};
}

/// The step from lane 0 to the first lane of the next block, or from one repeat to the next, of what was
/// found.
template <class Index>
std::optional<std::int64_t> step_of(const std::vector<Found>& found, Index index, unsigned per) {
  for (const Found& a : found)
    for (const Found& b : found) {
      if (index(b) != index(a) + 1) continue;
      const bool same_rest = a.lane % per == b.lane % per && (a.lane == b.lane || a.repeat == b.repeat);
      if (same_rest && (b.element - a.element) % static_cast<std::int64_t>(per) == 0)
        return (b.element - a.element) / static_cast<std::int64_t>(per);
    }
  return {};
}

/// How many places the first `lanes` lanes of each repeat write, if they write no other ones than those
/// measured.
std::optional<std::size_t> places_if_inside(const Instruction& insn, unsigned lanes,
                                            const DestinationMap& measured) {
  std::vector<std::int32_t> places;
  for (unsigned r = 0; r < insn.repeat; ++r)
    for (unsigned lane = 0; lane < lanes; ++lane) {
      places.push_back(element_at(insn, 0, r, lane));
      if (!measured.writes(places.back())) return {};
    }
  std::ranges::sort(places);
  return std::unique(places.begin(), places.end()) - places.begin();
}

}  // namespace

std::string starts_elsewhere(std::int64_t elements, std::int64_t per) {
  const bool blocks = elements % per == 0;  // a number that does not depend on the type
  const std::int64_t distance = std::abs(blocks ? elements / per : elements);
  return "starts " + std::to_string(distance) + (blocks ? " data block" : " element") +
         (distance == 1 ? " " : "s ") + (elements > 0 ? "later" : "earlier");
}

std::optional<WrongStrides> measured_strides(const Instruction& insn, unsigned k,
                                             const std::vector<Found>& found) {
  if (found.empty()) return {};
  const unsigned per = per_block(operand_type(insn, row_of(insn.op).operands[k]));
  // One lane of each block is enough to find the steps.
  std::vector<Found> few;
  for (const Found& each : found)
    if (each.lane % per == found[0].lane % per && each.repeat < 8) few.push_back(each);
  const auto block = step_of(
      few, [&](const Found& each) { return std::int64_t{each.repeat} * 1000 + each.lane / per; }, per);
  const auto repeat = step_of(
      few, [&](const Found& each) { return std::int64_t{each.lane} * 1000 + each.repeat; }, per);
  Strides strides{block.value_or(insn.operands[k].block_stride),
                  repeat.value_or(insn.operands[k].repeat_stride), 0};
  const auto place = [&](const Found& each) {
    return per * (each.repeat * strides.repeat + each.lane / per * strides.block) + each.lane % per;
  };
  strides.start = found[0].element - place(found[0]);
  // If one data block of each repeat is known, and it is not the first one, its operand walks too far.
  const std::int64_t number = found[0].lane / per;
  const auto is_there = [&](const Found& each) { return each.lane / per == number; };
  if (number > 0 && strides.start % (number * per) == 0 && std::ranges::all_of(found, is_there)) {
    strides.block += strides.start / (number * per);
    strides.start = 0;
  }
  for (const Found& each : found)
    if (place(each) + strides.start != each.element) return {};
  // Any two repeats lie on a line.
  const bool is_line = strides.start != 0 && strides.repeat != insn.operands[k].repeat_stride;
  std::set<unsigned> repeats;
  for (const Found& each : found) repeats.insert(each.repeat);
  if (is_line && repeats.size() < 3) return {};
  return show(insn, k, strides);
}

std::optional<WrongStrides> written_strides(const Subject& subject, const DestinationMap& measured) {
  const Instruction& insn = subject.insn;
  const unsigned lanes = lanes_of(insn) - (is_count(subject.given) ? 0 : subject.missing);
  std::set<std::uint32_t> blocks = {0, 1, 2, 3, 4, 5, 6, 7, 8}, repeats;
  for (std::uint32_t n = 0; n <= 64; ++n) repeats.insert(n);
  for (unsigned k = 0; k < row_of(insn.op).operands.size(); ++k) {
    const auto [block, repeat] = std::pair(insn.operands[k].block_stride, insn.operands[k].repeat_stride);
    blocks.insert(block);
    repeats.insert({repeat, repeat * block});
    for (unsigned bits = 3; bits <= 8; ++bits) {  // the field is cut
      blocks.insert(block % (1U << bits));
      repeats.insert(repeat % (1U << bits));
    }
  }
  if (repeats_of(insn) < 2) repeats = {insn.operands[0].repeat_stride};  // it shows nothing of it
  const auto total = static_cast<std::size_t>(std::ranges::count(measured.written, true));
  for (const std::uint32_t block : blocks)
    for (const std::uint32_t repeat : repeats) {
      Instruction other = insn;
      other.operands[0].block_stride = block;
      other.operands[0].repeat_stride = repeat;
      if (places_if_inside(other, lanes, measured) == total) return show(insn, 0, {block, repeat, 0});
    }
  return {};
}

}  // namespace lanecheck
