#include "fuzz/explain/minimize.h"

#include <rapidcheck/Seq.h>
#include <rapidcheck/Shrinkable.h>
#include <rapidcheck/seq/Create.h>
#include <rapidcheck/seq/Transform.h>
#include <rapidcheck/shrinkable/Create.h>

#include <algorithm>
#include <bit>

#include "spec/legality/find_fault.h"
#include "spec/mask/footprint.h"
#include "spec/mask/mask_register.h"
#include "spec/program/profile.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// One step towards a smaller program. Every step strictly lowers a measure, so no chain of steps is endless.
using Move = std::function<void(Program&)>;

unsigned slots_off(const Instruction& insn) {
  return static_cast<unsigned>(128 - std::popcount(insn.high) - std::popcount(insn.low));
}

void drop_moves(const Program& program, std::vector<Move>& moves) {
  const std::size_t count = program.instructions.size();
  for (std::size_t length = count / 2; length >= 1; length /= 2)
    for (std::size_t from = 0; from < count; from += length)
      moves.push_back([=](Program& p) {
        const auto first = p.instructions.begin() + static_cast<std::ptrdiff_t>(from);
        p.instructions.erase(first, first + static_cast<std::ptrdiff_t>(std::min(length, count - from)));
      });
}

void mask_moves(const Instruction& insn, std::size_t n, std::vector<Move>& moves) {
  const unsigned off = slots_off(insn);
  const auto offer = [&](std::uint64_t high, std::uint64_t low) {
    Instruction smaller = insn;
    smaller.high = high;
    smaller.low = low;
    if (slots_off(smaller) < off) moves.push_back([=](Program& p) { p.instructions[n] = smaller; });
  };
  constexpr std::uint64_t ones = ~std::uint64_t{0};
  offer(ones, ones);
  for (unsigned bit = 0; bit < 64; ++bit)
    if ((insn.low >> bit & 1) == 0) offer(ones, ones ^ std::uint64_t{1} << bit);
  for (unsigned bit = 0; bit < 64; ++bit)
    if ((insn.high >> bit & 1) == 0) offer(ones ^ std::uint64_t{1} << bit, ones);
  for (unsigned width = 64; width >= 1; width /= 2)
    for (unsigned from = 0; from < 64; from += width) {
      const std::uint64_t piece = (width == 64 ? ones : (std::uint64_t{1} << width) - 1) << from;
      offer(insn.high, insn.low | piece);
      offer(insn.high | piece, insn.low);
    }
}

void shape_moves(const Instruction& insn, std::size_t n, std::vector<Move>& moves) {
  const Row& row = row_of(insn.op);
  const auto offer = [&](auto change) { moves.push_back([=](Program& p) { change(p.instructions[n]); }); };
  if (row.has_repeat && insn.repeat > 1) {
    offer([](Instruction& x) { x.repeat = 1; });
    if (insn.repeat > 2) offer([](Instruction& x) { x.repeat = 2; });
    offer([](Instruction& x) { x.repeat /= 2; });
    offer([](Instruction& x) { x.repeat -= 1; });
  }
  for (unsigned q = 0; q < row.lengths; ++q)
    if (insn.lengths[q] > 1) {
      offer([q](Instruction& x) { x.lengths[q] = 1; });
      offer([q](Instruction& x) { x.lengths[q] /= 2; });
      offer([q](Instruction& x) { x.lengths[q] -= 1; });
    }
  for (unsigned q = 0; q < row.settings.size(); ++q)
    if (const std::uint32_t least = std::max(1u, row.settings[q].least); insn.settings[q] > least) {
      offer([q, least](Instruction& x) { x.settings[q] = least; });
      offer([q](Instruction& x) { x.settings[q] /= 2; });
      offer([q](Instruction& x) { x.settings[q] -= 1; });
    }
  if (insn.mask_from == MaskFrom::contiguous || insn.mask_from == MaskFrom::count) {
    if (insn.mask_from == MaskFrom::count && insn.repeat != 1) offer([](Instruction& x) { x.repeat = 1; });
    const std::uint64_t lanes = lanes_of(insn);
    const auto to = [&](std::uint64_t low) { offer([low](Instruction& x) { x.low = low; }); };
    if (insn.low > lanes) {  // fewer repeats, the same tail
      to(lanes);
      to((insn.low - 1) % lanes + 1);
      to(insn.low - lanes);
      const std::uint64_t off = (lanes - insn.low % lanes) % lanes;  // lanes of the last repeat that are off
      if (off > 1) to(insn.low + off - 1);
      if (off > 1) to(insn.low + off / 2);
      if (off > 1) to(insn.low + 1);
    } else if (insn.low < lanes) {  // fewer lanes off
      to(lanes);
      if (insn.low < lanes - 1) to(lanes - 1);
      to((insn.low + lanes + 1) / 2);
      to(insn.low + 1);
    }
  }
  if (insn.scalar_repeat) offer([](Instruction& x) { x.scalar_repeat = false; });
  if (takes_scalar(insn)) {
    const Element type = scalar_type(insn);
    const double size = std::abs(is_float(type) ? insn.scalar.value : value_of(type, insn.scalar.bits));
    if (size != 1 && size != 2 && size != 3) offer([type](Instruction& x) { x.scalar = scalar_of(type, 1); });
  }
  for (unsigned k = 0; k < row.operands.size(); ++k) {
    const Walk walk = row.operands[k].walk;
    const Operand& operand = insn.operands[k];
    const unsigned blocks = lanes_of(insn) * size_of(operand_type(insn, row.operands[k])) / kBlockBytes;
    const unsigned contiguous = walk == Walk::results ? 1 : blocks;
    if (walk == Walk::blocks && operand.block_stride != 1)
      offer([k](Instruction& x) { x.operands[k].block_stride = 1; });
    if (shows_repeat_stride(walk) && operand.repeat_stride != contiguous)
      offer([k, contiguous](Instruction& x) { x.operands[k].repeat_stride = contiguous; });
    if (operand.offset != 0) offer([k](Instruction& x) { x.operands[k].offset = 0; });
  }
}

std::vector<std::string> runs_of(const Program& program, std::size_t n) {
  const Allocation& home = program.allocations[n];
  return print_runs(home.type, program.ub.data() + home.offset, home.bytes);
}

void set_runs(Program& program, std::size_t n, const std::vector<std::string>& runs) {
  const Allocation& home = program.allocations[n];
  std::byte* data = program.ub.data() + home.offset;
  std::fill_n(data, home.bytes, std::byte{0});
  parse_runs(home, runs, data);
}

std::uint64_t length_of(std::string_view run) {
  const auto x = run.find(" x");
  return x == std::string_view::npos ? 1 : *parse_unsigned(run.substr(x + 2));
}

/// Runs `from` to `from + count` take the value of the first of them.
void merge_runs(Program& program, std::size_t n, std::size_t from, std::size_t count) {
  auto runs = runs_of(program, n);
  const std::size_t to = std::min(runs.size(), from + count + 1);
  std::uint64_t length = 0;
  for (std::size_t r = from; r < to; ++r) length += length_of(runs[r]);
  runs[from] = runs[from].substr(0, runs[from].find(' ')) + " x" + std::to_string(length);
  runs.erase(runs.begin() + static_cast<std::ptrdiff_t>(from) + 1,
             runs.begin() + static_cast<std::ptrdiff_t>(to));
  set_runs(program, n, runs);
}

/// Data of one allocation becomes simpler: fewer runs of equal elements.
void data_moves(const Program& program, std::size_t n, std::vector<Move>& moves) {
  const auto runs = runs_of(program, n);
  if (runs.empty()) return;
  const std::uint32_t count = program.allocations[n].bytes / size_of(program.allocations[n].type);
  moves.push_back([=](Program& p) { set_runs(p, n, {}); });
  for (const char* value : {"1", "2", "7"}) {
    const std::string uniform = value + std::string(" x") + std::to_string(count);
    if (runs.size() > 1 || uniform < runs.front())
      moves.push_back([=](Program& p) { set_runs(p, n, {uniform}); });
  }
  const std::size_t finest = std::max<std::size_t>(1, runs.size() / 128);
  for (std::size_t half = runs.size() / 2; half >= finest; half /= 2)
    for (std::size_t from = 0; from + 1 < runs.size(); from += half)
      moves.push_back([=](Program& p) { merge_runs(p, n, from, half); });
}

/// Drops unused allocations, trims the rest to what is addressed, and closes the gaps but for one guard
/// block.
Program tidied(const Program& program) {
  std::vector<std::uint64_t> needed(program.allocations.size(), 0), room = needed;  // of whole repeats
  std::vector<bool> used(program.allocations.size(), false);
  const Readings readings = default_readings(program.profile);
  MaskBits mask;
  for (const Instruction& given : program.instructions) {
    mask.load(given, readings);
    const ResolvedInstruction here = resolve(given, mask, readings);
    const Instruction& insn = here.insn;
    mask.leave(given, readings);
    for (unsigned k = 0; k < row_of(insn.op).operands.size(); ++k) {
      const Operand& operand = insn.operands[k];
      if (operand.allocation >= needed.size()) continue;
      const bool indexed = row_of(insn.op).operands[k].walk == Walk::indexed;
      const std::uint64_t end =
          indexed ? program.allocations[operand.allocation].bytes : operand.offset + extent(here, k);
      room[operand.allocation] =
          std::max(room[operand.allocation], operand.offset + extent(insn, k, lanes_of(insn)));
      needed[operand.allocation] = std::max(needed[operand.allocation], end);
      needed[operand.allocation] =
          std::min<std::uint64_t>(needed[operand.allocation], program.allocations[operand.allocation].bytes);
      used[operand.allocation] = true;
    }
  }
  Program tidy;
  tidy.profile = program.profile;
  tidy.instructions = program.instructions;
  std::vector<std::uint16_t> moved(program.allocations.size(), 0);
  for (std::size_t n = 0; n < program.allocations.size(); ++n) {
    if (!used[n]) continue;
    Allocation home = program.allocations[n];
    moved[n] = static_cast<std::uint16_t>(tidy.allocations.size());
    home.bytes = static_cast<std::uint32_t>((needed[n] + kBlockBytes - 1) / kBlockBytes * kBlockBytes);
    home.offset = static_cast<std::uint32_t>(tidy.ub.size());
    const std::uint64_t whole = (room[n] + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
    tidy.ub.resize(tidy.ub.size() + std::max<std::uint64_t>(home.bytes, whole) + kBlockBytes);
    std::copy_n(program.ub.begin() + program.allocations[n].offset, home.bytes,
                tidy.ub.begin() + home.offset);
    tidy.allocations.push_back(std::move(home));
  }
  if (tidy.ub.empty()) tidy.ub.resize(kBlockBytes);
  for (Instruction& insn : tidy.instructions)
    for (unsigned k = 0; k < row_of(insn.op).operands.size(); ++k)
      if (insn.operands[k].allocation < moved.size())
        insn.operands[k].allocation = moved[insn.operands[k].allocation];
  return tidy;
}

std::vector<Move> moves_of(const Program& program) {
  std::vector<Move> moves;
  drop_moves(program, moves);
  if (const Program tidy = tidied(program); tidy.ub.size() < program.ub.size())
    moves.push_back([tidy](Program& p) { p = tidy; });
  for (std::size_t n = 0; n < program.instructions.size(); ++n)
    shape_moves(program.instructions[n], n, moves);
  for (std::size_t n = 0; n < program.instructions.size(); ++n)
    if (row_of(program.instructions[n].op).form == Form::set_mask ||
        program.instructions[n].mask_from == MaskFrom::bitwise)
      mask_moves(program.instructions[n], n, moves);
  for (std::size_t n = 0; n < program.allocations.size(); ++n) data_moves(program, n, moves);
  return moves;
}

rc::Shrinkable<Program> tree_of(const Program& program, const ProgramTest& allowed) {
  return rc::shrinkable::shrinkRecur(program, [allowed](const Program& from) {
    auto candidates = rc::seq::map(rc::seq::fromContainer(moves_of(from)), [from](const Move& move) {
      Program smaller = from;
      move(smaller);
      return smaller;
    });
    return rc::seq::filter(std::move(candidates), allowed);
  });
}

}  // namespace

ProgramTest legal_under(const Readings& readings) {
  return [readings](const Program& program) { return !find_fault(program, readings).has_value(); };
}

Minimized minimize(const Program& program, const ProgramTest& allowed, const ProgramTest& still,
                   unsigned most_tries) {
  Minimized result{program};
  auto tree = tree_of(program, allowed);
  for (bool smaller = true; smaller;) {
    smaller = false;
    auto shrinks = tree.shrinks();
    while (auto candidate = shrinks.next()) {
      if (result.tries >= most_tries) {
        result.program = tree.value();
        return result;
      }
      ++result.tries;
      if (!still(candidate->value())) continue;
      tree = *candidate;
      smaller = true;
      break;
    }
  }
  result.program = tree.value();
  result.complete = true;
  return result;
}

}  // namespace lanecheck
