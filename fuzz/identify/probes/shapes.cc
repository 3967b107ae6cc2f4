#include "fuzz/identify/probes/shapes.h"

#include <algorithm>
#include <span>

#include "fuzz/identify/probes/move_map.h"
#include "fuzz/identify/probes/place_map.h"
#include "spec/mask/footprint.h"
#include "spec/program/profile.h"
#include "spec/text/number.h"

namespace lanecheck {

bool shares_places(const Instruction& insn) {
  const Walk walk = row_of(insn.op).operands[0].walk;
  if (walk == Walk::rows) return repeats_of(insn) > 1 && repeat_step(insn, 0) < repeat_bytes(insn, 0);
  if (walk != Walk::blocks) return false;
  std::vector<std::int32_t> places;
  for (unsigned r = 0; r < repeats_of(insn); ++r)
    for (unsigned lane = 0; lane < lanes_of(insn); ++lane) places.push_back(element_at(insn, 0, r, lane));
  std::ranges::sort(places);
  return std::adjacent_find(places.begin(), places.end()) != places.end();
}

Subject in_a_row(Subject subject, std::uint32_t repeat) {
  Instruction& insn = subject.insn;
  const Row& row = row_of(insn.op);
  insn.repeat = row.has_repeat ? repeat : 1;
  for (unsigned k = 0; k < row.operands.size(); ++k) {
    const unsigned bytes = lanes_of(insn) * size_of(operand_type(insn, row.operands[k]));
    insn.operands[k].block_stride = 1;
    insn.operands[k].repeat_stride =
        row.operands[k].walk == Walk::results ? 1 : std::max(1u, bytes / kBlockBytes);
  }
  return subject;
}

Subject with_dst_in_a_row(const Subject& given) {
  Subject apart = given;
  const Subject dense = in_a_row(given, 1);
  apart.insn.operands[0].block_stride = dense.insn.operands[0].block_stride;
  apart.insn.operands[0].repeat_stride = dense.insn.operands[0].repeat_stride;
  return apart;
}

Subject of_255_repeats(const Subject& subject) {
  constexpr unsigned kRepeatsWithOffsets =
      180;  // offsets take as much room as the elements, or twice as much
  const bool indexed = indexed_operand(row_of(subject.insn.op)).has_value();
  Subject longest = in_a_row(subject, indexed ? kRepeatsWithOffsets : kMaxRepeat);
  if (row_of(subject.insn.op).operands.size() > 2) longest.insn.operands[2].repeat_stride = 0;
  return longest;
}

namespace {

struct BlockStrides {
  std::uint32_t block, repeat;
};

Subject with_strides(Subject subject, const std::array<BlockStrides, 3>& strides, bool block_stride_fixed) {
  const Row& row = row_of(subject.insn.op);
  for (unsigned k = 0; k < row.operands.size() && k < strides.size(); ++k) {
    const Walk walk = row.operands[k].walk;
    if (walk != Walk::blocks && walk != Walk::rows) continue;
    if (walk == Walk::blocks)
      subject.insn.operands[k].block_stride = block_stride_fixed ? 1 : strides[k].block;
    subject.insn.operands[k].repeat_stride = strides[k].repeat;
  }
  return subject;
}

/// The subject with dst in a row, if several of its lanes write one place: only the last of them is seen
/// there.
std::optional<Shape> with_places_apart(const Subject& given) {
  const Row& row = row_of(given.insn.op);
  const bool moves = has_move_probes(row) && row.operands[0].walk == Walk::blocks;
  if ((!has_place_probes(row) && !moves) || !shares_places(given.insn)) return {};
  return Shape{"apart", "the strides of the sources of this case", with_dst_in_a_row(given)};
}

}  // namespace

Subject default_subject(Profile profile, const Row& row, const TypePair& types) {
  Subject subject{profile, {}};
  Instruction& insn = subject.insn;
  insn.op = row.op;
  insn.dst_type = types.dst;
  insn.src_type = types.src;
  if (row.rounds)
    while ((types.modes >> static_cast<unsigned>(insn.round) & 1) == 0)
      insn.round = static_cast<Round>(static_cast<unsigned>(insn.round) + 1);
  for (unsigned n = 0; n < row.settings.size(); ++n)
    insn.settings[n] = std::max(row.settings[n].least, row.settings[n].usual);
  const Element type = scalar_type(insn);
  if (takes_scalar(insn))
    insn.scalar = scalar_of(type, type == Element::u8 ? std::max(0, row.scalar) : row.scalar);
  return subject;
}

Subject with_plain_scalar(Subject subject) {
  const Row& row = row_of(subject.insn.op);
  const TypePair* types = types_of(subject.insn, subject.profile);
  if (types != nullptr && row.operands.size() > 1 && takes_scalar(subject.insn))
    subject.insn.scalar = default_subject(subject.profile, row, *types).insn.scalar;
  return subject;
}

std::vector<Subject> with_128_lanes(const Subject& subject) {
  constexpr unsigned kLanes = 128;
  std::vector<Subject> twins;
  if (lanes_of(subject.insn) == kLanes) return twins;
  for (const Op op : {subject.insn.op, Op::add}) {  // a backend may not offer the first ones
    const Row& row = row_of(op);
    for (const TypePair& types : row.in(subject.profile).pairs) {
      Subject twin = subject;
      twin.insn = default_subject(subject.profile, row, types).insn;
      twin.insn.mask_from = subject.insn.mask_from;
      if (lanes_of(twin.insn) == kLanes) twins.push_back(std::move(twin));
    }
  }
  return twins;
}

std::vector<Shape> shapes_of(const Subject& subject) {
  const bool fixed = row_of(subject.profile).block_stride_fixed;
  Subject plain = in_a_row(subject, 3);
  plain.insn.operands[0].repeat_stride += 1;  // more lanes than documented then differ from more repeats
  std::vector<Shape> shapes = {{"plain", "repeat 3, a data block between the repeats of dst", plain}};
  if (row_of(subject.insn.op).has_repeat) {
    const Subject longest = of_255_repeats(subject);
    shapes.push_back(
        {"long", "repeat " + std::to_string(longest.insn.repeat) + ", operands in a row", longest});
  }
  shapes.push_back({"strided", "repeat 3, each operand with strides of its own",
                    with_strides(plain, {{{2, 19}, {3, 25}, {1, 11}}}, fixed)});
  shapes.push_back({"spot", "repeat 3, sources with strides of 0",
                    with_strides(plain, {{{1, 9}, {0, 10}, {1, 0}}}, fixed)});
  shapes.push_back({"wide", "repeat 2, strides above 255",
                    with_strides(in_a_row(subject, 2), {{{1, 300}, {257, 1}, {2, 270}}}, fixed)});
  return shapes;
}

Shape shape_of_one_repeat(const Subject& subject) {
  const bool fixed = row_of(subject.profile).block_stride_fixed;
  return {"one", "one repeat, each operand with a block stride of its own",
          with_strides(in_a_row(subject, 1), {{{2, 16}, {3, 24}, {4, 32}}}, fixed)};
}

std::vector<Shape> shapes_of_case(const Subject& given) {
  constexpr unsigned kManyRepeats = 32;  // a difference may be one of many repeats: the longest comes first
  const bool many = repeats_of(given.insn) > kManyRepeats;
  const bool in_row = in_a_row(given, repeats_of(given.insn)).insn == given.insn;
  const std::string times = "repeat " + std::to_string(repeats_of(given.insn)) + ", operands in a row";
  const Shape own{"given", in_row ? times : "the strides of this case", given};
  std::vector<Shape> shapes, longest;
  for (Shape& each : shapes_of(given)) {
    if (each.name == "plain" || each.name == "strided")
      shapes.push_back(std::move(each));
    else if (each.name == "long")
      longest.push_back(std::move(each));
  }
  if (many && !longest.empty()) longest[0].name = "longest";
  if (auto apart = with_places_apart(given)) shapes.push_back(std::move(*apart));
  if (shares_places(given.insn))
    shapes.push_back({"own repeats", times, in_a_row(given, repeats_of(given.insn))});
  // Of two repeats the last one is the second one, too, and the one before it is the first one.
  constexpr unsigned kMoreRepeats = 4;
  const auto stays = [](const Operand& each) { return each.repeat_stride == 0; };
  const std::span operands(given.insn.operands.data(), row_of(given.insn.op).operands.size());
  if (row_of(given.insn.op).has_repeat && given.insn.repeat == 2 && std::ranges::any_of(operands, stays)) {
    shapes.push_back({"more repeats", "the strides of this case", given});
    shapes.back().subject.insn.repeat = kMoreRepeats;
  }
  if (!many) shapes.push_back(own);
  // In the longest one a second source stays where it is: this one tells in which repeats it is wrong.
  constexpr unsigned kSomeRepeats = 9;
  if (row_of(given.insn.op).operands.size() > 2 && !longest.empty())
    shapes.push_back({"long", "repeat 9, operands in a row", in_a_row(given, kSomeRepeats)});
  shapes.insert(shapes.end(), longest.begin(), longest.end());
  if (many) shapes.push_back(own);
  return shapes;
}

}  // namespace lanecheck
