#include "fuzz/identify/places/partial_strides.h"

#include <algorithm>
#include <map>

#include "fuzz/identify/probes/index_formula.h"
#include "fuzz/identify/probes/intervals.h"
#include "spec/mask/footprint.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// A stride of the operand: between data blocks of a repeat, or between repeats.
struct Step {
  std::string_view name;
  std::int64_t own;  ///< the documented one, in elements
  std::int64_t per;  ///< elements of a data block
  /// Strides that an operand may have by mistake, in data blocks: in one repeat alone, another start is taken
  /// for one of them.
  std::vector<std::int64_t> others{};
};

/// Where the data blocks of one repeat, or the repeats, start: in elements, by number.
using Starts = std::map<unsigned, std::int64_t>;

/// All `starts` lie at stride * number + start.
struct Line {
  std::int64_t stride, start;
};

std::optional<Line> line_of(const Starts& starts, std::int64_t own) {
  const auto first = *starts.begin(), last = *starts.rbegin();
  Line line{own, first.second - own * first.first};
  if (first.first != last.first) {
    const std::int64_t apart = last.first - first.first, distance = last.second - first.second;
    if (distance % apart != 0) return {};
    line.stride = distance / apart;
    line.start = first.second - line.stride * first.first;
  }
  for (const auto& [number, start] : starts)
    if (line.stride * number + line.start != start) return {};
  return line;
}

/// What is said of the starts that are wrong.
struct Piece {
  std::vector<unsigned> numbers;  ///< of data blocks or repeats
  bool goes_on = false;           ///< the first of `numbers` is right, and the steps from it on are wrong
  bool up_to = false;  ///< the steps up to the last of `numbers` are wrong, and those behind it are right
  std::string text;    ///< "walks with block stride 1 instead of 2"
};

std::string walks_with(const Step& step, std::int64_t stride) {
  return "walks with " + std::string(step.name) + " " + std::to_string(stride / step.per) + " instead of " +
         std::to_string(step.own / step.per);
}

std::vector<unsigned> numbers_of(const Starts& starts) {
  std::vector<unsigned> numbers;
  for (const auto& [number, start] : starts) numbers.push_back(number);
  return numbers;
}

/// The wrong starts are those behind number `c` of all, and lie as if the stride were another one from there
/// on.
bool goes_on_from(const Line& line, const Starts& all, const Starts& wrong, const Step& step) {
  const unsigned first = wrong.begin()->first;
  const bool to_the_end = wrong.size() == static_cast<std::size_t>(std::distance(all.find(first), all.end()));
  return first > 0 && to_the_end && wrong.size() > 1 &&
         line.start == static_cast<std::int64_t>(first - 1) * (step.own - line.stride);
}

/// The steps up to some start are wrong, and the ones behind it are right.
std::optional<Piece> wrong_at_first(const Starts& all, const Step& step) {
  const auto first = all.find(1);
  if (!all.contains(0) || all.at(0) != 0 || first == all.end() || first->second == step.own) return {};
  const std::int64_t stride = first->second;
  if (stride < 0 || stride % step.per != 0) return {};
  for (unsigned to = 2; to < all.rbegin()->first; ++to)
    if (std::ranges::all_of(all, [&](const auto& each) {
          const std::int64_t wrong = std::min(each.first, to), right = each.first - wrong;
          return each.second == wrong * stride + right * step.own;
        }))
      return Piece{{to}, false, true, walks_with(step, stride)};
  return {};
}

/// Where data blocks start from number `first` on, if the steps between them are right: as a product with the
/// block stride if it is one, else with the stride for which it holds.
std::string blocks_start(std::int64_t elements, unsigned first, const Step& step) {
  const std::int64_t stride = step.own / step.per, earlier = -elements / step.per;
  const std::string text = starts_elsewhere(elements, step.per);
  if (step.name != "block stride" || stride < 2) return text;
  const std::string number = "starts " + std::to_string(first) + " * ";
  if (earlier == first * stride) return number + "block stride data blocks earlier";
  if (earlier == first * (stride - 1)) return number + "(block stride - 1) data blocks earlier";
  return text + " where its block stride is " + std::to_string(stride);
}

/// `all`: of data blocks without the repeat's start, or of repeats without the operand's start.
std::optional<Piece> piece_of(const Starts& all, const Step& step) {
  Starts wrong;
  std::ranges::copy_if(all, std::inserter(wrong, wrong.end()),
                       [&](const auto& each) { return each.second != step.own * each.first; });
  if (wrong.empty()) return {};
  const auto line = line_of(wrong, step.own);
  if (!line) return wrong_at_first(all, step);
  Piece piece;
  piece.numbers = numbers_of(wrong);
  if (wrong.size() == 1)
    for (const std::int64_t other : step.others)
      if (wrong.begin()->second == other * step.per * wrong.begin()->first) {
        piece.text = walks_with(step, other * step.per);
        return piece;
      }
  if (line->stride == step.own) {
    piece.text = blocks_start(line->start, piece.numbers.front(), step);
    return piece;
  }
  if (line->stride < 0 || line->stride % step.per != 0) return {};
  piece.text = walks_with(step, line->stride);
  if (line->start == 0) {
    const auto zero = all.find(0);
    if (wrong.begin()->first == 1 && zero != all.end()) piece.numbers.insert(piece.numbers.begin(), 0);
    return piece;
  }
  if (goes_on_from(*line, all, wrong, step)) {
    piece.goes_on = true;
    piece.numbers.insert(piece.numbers.begin(), wrong.begin()->first - 1);
    return piece;
  }
  if (wrong.size() < 3) return {};  // any two starts lie on a line
  piece.text += " and " + starts_elsewhere(line->start, step.per);
  return piece;
}

std::string blocks_text(const Piece& piece) {
  if (piece.goes_on) return "from data block " + std::to_string(piece.numbers.front()) + " on, ";
  if (piece.up_to) return "up to data block " + std::to_string(piece.numbers.front()) + ", ";
  return "in " + counted_noun("data block", piece.numbers) + " of each repeat, ";
}

/// The data blocks that were found, by repeat.
struct Blocks {
  std::map<unsigned, Starts> of;

  /// The data blocks of all `repeats` lie in the same way behind the start of their repeat.
  std::optional<Starts> common(const std::vector<unsigned>& repeats, std::int64_t own_repeat) const {
    Starts all;
    for (const unsigned repeat : repeats)
      for (const auto& [block, start] : of.at(repeat)) {
        const std::int64_t inside = start - own_repeat * repeat;
        if (all.emplace(block, inside).first->second != inside) return {};
      }
    return all;
  }
};

std::optional<Blocks> blocks_of(const std::vector<Found>& found, unsigned per) {
  Blocks blocks;
  for (const Found& each : found) {
    const std::int64_t start = std::int64_t{each.element} - each.lane % per;
    if (blocks.of[each.repeat].emplace(each.lane / per, start).first->second != start) return {};
  }
  return blocks;
}

/// The repeat stride of a row of data blocks, none, and those of the other operands.
std::vector<std::int64_t> likely_repeat_strides(const Instruction& insn, unsigned k) {
  std::vector<std::int64_t> strides = {kRepeatBlocks, 0};
  for (unsigned other = 0; other < row_of(insn.op).operands.size(); ++other)
    if (other != k && row_of(insn.op).operands[other].walk == Walk::blocks)
      strides.push_back(insn.operands[other].repeat_stride);
  return strides;
}

/// Where the repeats start, if the data blocks of all `repeats` walk with the documented block stride.
std::optional<Starts> repeats_of_blocks(const Blocks& blocks, const std::vector<unsigned>& repeats,
                                        std::int64_t own_block) {
  Starts starts;
  for (const unsigned repeat : repeats)
    for (const auto& [block, start] : blocks.of.at(repeat)) {
      const std::int64_t begin = start - own_block * block;
      if (starts.emplace(repeat, begin).first->second != begin) return {};
    }
  return starts;
}

}  // namespace

std::optional<Difference> partial_strides(const Instruction& insn, unsigned k,
                                          const std::vector<Found>& found) {
  const OperandColumn& column = row_of(insn.op).operands[k];
  const unsigned per = per_block(operand_type(insn, column));
  const auto size = static_cast<std::int64_t>(size_of(operand_type(insn, column)));
  const std::int64_t own_block = column.walk == Walk::rows ? 1 : std::int64_t{insn.operands[k].block_stride};
  const Step block{"block stride", own_block * per, per},
      repeat{"repeat stride", static_cast<std::int64_t>(repeat_step(insn, k)) / size, per,
             column.walk == Walk::blocks ? likely_repeat_strides(insn, k) : std::vector<std::int64_t>()};
  const auto blocks = blocks_of(found, per);
  if (!blocks || found.empty()) return {};
  std::vector<unsigned> all, wrong;
  for (const auto& of_repeat : blocks->of) {
    const unsigned number = of_repeat.first;
    all.push_back(number);
    if (std::ranges::any_of(of_repeat.second, [&](const auto& each) {
          return each.second != repeat.own * number + block.own * each.first;
        }))
      wrong.push_back(number);
  }
  if (wrong.empty()) return {};
  const std::string role(column.role), subject = role + " of " + mnemonic(insn) + " ";
  const bool has_strides = column.walk == Walk::blocks || column.walk == Walk::rows;
  if (const auto starts = repeats_of_blocks(*blocks, all, block.own)) {
    const auto piece = piece_of(*starts, repeat);
    if (!piece || (!has_strides && !piece->text.starts_with("starts"))) return {};
    const std::string first = std::to_string(piece->numbers.front()) + " (counted from 0), ";
    if (piece->up_to)
      return Difference{map_of_role(role), "up to repeat " + first + subject + piece->text, {}};
    if (piece->goes_on)
      return Difference{map_of_role(role), "after repeat " + first + subject + piece->text, {}};
    return Difference{map_of_role(role), subject + piece->text, in_repeats(piece->numbers, repeats_of(insn))};
  }
  const auto starts = blocks->common(wrong, repeat.own);
  const auto piece = starts ? piece_of(*starts, block) : std::nullopt;
  if (!piece) return {};
  const bool in_all_blocks = starts->size() > 1 && piece->numbers.size() == starts->size() && !piece->up_to;
  return Difference{map_of_role(role), (in_all_blocks ? "" : blocks_text(*piece)) + subject + piece->text,
                    in_repeats(wrong, repeats_of(insn))};
}

}  // namespace lanecheck
