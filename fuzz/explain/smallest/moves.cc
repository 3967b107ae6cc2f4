#include "fuzz/explain/smallest/moves.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "fuzz/explain/smallest/room_behind.h"
#include "spec/mask/footprint.h"
#include "spec/mask/mask_register.h"
#include "spec/program/profile.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

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

/// Collects the moves that change one instruction.
class InstructionMoves {
 public:
  InstructionMoves(const Instruction& insn, std::size_t n, std::vector<Move>& moves)
      : insn_(insn), row_(row_of(insn.op)), n_(n), moves_(moves) {}

  void add_all() {
    repeat_times();
    lengths();
    settings();
    mask_operand();
    scalar();
    operands();
  }

 private:
  template <class Change>
  void offer(Change change) {
    moves_.push_back([n = n_, change](Program& p) { change(p.instructions[n]); });
  }

  void repeat_times() {
    if (!row_.has_repeat || insn_.repeat <= 1) return;
    offer([](Instruction& x) { x.repeat = 1; });
    if (insn_.repeat > 2) offer([](Instruction& x) { x.repeat = 2; });
    offer([](Instruction& x) { x.repeat /= 2; });
    offer([](Instruction& x) { x.repeat -= 1; });
  }

  void lengths() {
    for (unsigned q = 0; q < row_.lengths; ++q) {
      if (insn_.lengths[q] <= 1) continue;
      offer([q](Instruction& x) { x.lengths[q] = 1; });
      offer([q](Instruction& x) { x.lengths[q] /= 2; });
      offer([q](Instruction& x) { x.lengths[q] -= 1; });
    }
  }

  void settings() {
    for (unsigned q = 0; q < row_.settings.size(); ++q) {
      const std::uint32_t least = std::max(1u, row_.settings[q].least);
      if (insn_.settings[q] <= least) continue;
      offer([q, least](Instruction& x) { x.settings[q] = least; });
      offer([q](Instruction& x) { x.settings[q] /= 2; });
      offer([q](Instruction& x) { x.settings[q] -= 1; });
    }
  }

  /// A mask operand that is a number: contiguous lanes, or the count of counter mode.
  void mask_operand() {
    if (insn_.mask_from != MaskFrom::contiguous && insn_.mask_from != MaskFrom::count) return;
    if (insn_.mask_from == MaskFrom::count && insn_.repeat != 1) offer([](Instruction& x) { x.repeat = 1; });
    const std::uint64_t lanes = lanes_of(insn_);
    if (insn_.low > lanes) fewer_repeats(lanes);
    if (insn_.low < lanes) fewer_lanes_off(lanes);
  }

  void offer_low(std::uint64_t low) {
    offer([low](Instruction& x) { x.low = low; });
  }

  /// First fewer repeats with the same tail, then fewer lanes off in the last repeat.
  void fewer_repeats(std::uint64_t lanes) {
    offer_low(lanes);
    offer_low((insn_.low - 1) % lanes + 1);
    offer_low(insn_.low - lanes);
    const std::uint64_t off = (lanes - insn_.low % lanes) % lanes;
    if (off <= 1) return;
    offer_low(insn_.low + off - 1);
    offer_low(insn_.low + off / 2);
    offer_low(insn_.low + 1);
  }

  void fewer_lanes_off(std::uint64_t lanes) {
    offer_low(lanes);
    if (insn_.low < lanes - 1) offer_low(lanes - 1);
    offer_low((insn_.low + lanes + 1) / 2);
    offer_low(insn_.low + 1);
  }

  void scalar() {
    if (insn_.scalar_repeat) offer([](Instruction& x) { x.scalar_repeat = false; });
    if (!takes_scalar(insn_)) return;
    const Element type = scalar_type(insn_);
    const double size = std::abs(is_float(type) ? insn_.scalar.value : value_of(type, insn_.scalar.bits));
    if (size != 1 && size != 2 && size != 3) offer([type](Instruction& x) { x.scalar = scalar_of(type, 1); });
  }

  void operands() {
    for (unsigned k = 0; k < row_.operands.size(); ++k) {
      const Walk walk = row_.operands[k].walk;
      const Operand& operand = insn_.operands[k];
      const unsigned blocks = lanes_of(insn_) * size_of(operand_type(insn_, row_.operands[k])) / kBlockBytes;
      const unsigned contiguous = walk == Walk::results ? 1 : blocks;
      if (walk == Walk::blocks && operand.block_stride != 1)
        offer([k](Instruction& x) { x.operands[k].block_stride = 1; });
      if (shows_repeat_stride(walk) && operand.repeat_stride != contiguous)
        offer([k, contiguous](Instruction& x) { x.operands[k].repeat_stride = contiguous; });
      if (operand.offset != 0) offer([k](Instruction& x) { x.operands[k].offset = 0; });
    }
  }

  const Instruction& insn_;
  const Row& row_;
  std::size_t n_;  ///< index of the instruction in its program
  std::vector<Move>& moves_;
};

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

/// What the instructions of a program need of one allocation, in bytes.
struct Need {
  bool used = false;
  std::uint64_t addressed = 0;  ///< up to the last byte that an instruction reads or writes
  std::uint64_t whole = 0;      ///< the same if every repeat were complete; at most all of UB
};

std::vector<Need> needs_of(const Program& program) {
  std::vector<Need> needs(program.allocations.size());
  const Readings readings = default_readings(program.profile);
  MaskBits mask;
  for (const Instruction& given : program.instructions) {
    mask.load(given, readings);
    const ResolvedInstruction resolved = resolve(given, mask, readings);
    const Instruction& insn = resolved.insn;
    mask.leave(given, readings);
    for (unsigned k = 0; k < row_of(insn.op).operands.size(); ++k) {
      const Operand& operand = insn.operands[k];
      if (operand.allocation >= needs.size()) continue;
      Need& need = needs[operand.allocation];
      const std::uint64_t bytes = program.allocations[operand.allocation].bytes;
      const bool indexed = row_of(insn.op).operands[k].walk == Walk::indexed;
      const std::uint64_t end = indexed ? bytes : operand.offset + extent(resolved, k);
      need.used = true;
      need.addressed = std::min(std::max(need.addressed, end), bytes);
      // A count of an illegal program may have 64 bits.
      const std::uint64_t whole = operand.offset + extent(insn, k, lanes_of(insn));
      need.whole = std::max(need.whole, std::min<std::uint64_t>(whole, kMaxUbBytes));
    }
  }
  return needs;
}

/// The numbers of the allocations that are used; one that ends where UB ends comes last.
std::vector<std::size_t> used_in_order(const Program& program, const std::vector<Need>& needs) {
  std::vector<std::size_t> numbers;
  for (std::size_t n = 0; n < needs.size(); ++n)
    if (needs[n].used) numbers.push_back(n);
  std::stable_partition(numbers.begin(), numbers.end(),
                        [&](std::size_t n) { return !ends_with_ub(program, program.allocations[n]); });
  return numbers;
}

/// Drops unused allocations and closes the gaps, except for one guard block after each allocation that does
/// not end where UB ends. `trims`: the others become as short as what is addressed.
Program tidied(const Program& program, bool trims) {
  const std::vector<Need> needs = needs_of(program);
  Program tidy;
  tidy.profile = program.profile;
  tidy.instructions = program.instructions;
  std::vector<std::uint16_t> moved(program.allocations.size(), 0);
  for (const std::size_t n : used_in_order(program, needs)) {
    Allocation home = program.allocations[n];
    moved[n] = static_cast<std::uint16_t>(tidy.allocations.size());
    if (trims) home.bytes = static_cast<std::uint32_t>(in_whole_blocks(needs[n].addressed));
    home.offset = static_cast<std::uint32_t>(tidy.ub.size());
    const std::uint64_t room = std::max<std::uint64_t>(home.bytes, in_whole_blocks(needs[n].whole));
    const bool at_end = ends_with_ub(program, program.allocations[n]);
    tidy.ub.resize(tidy.ub.size() + room + (at_end ? 0 : kBlockBytes));
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

}  // namespace

std::vector<Move> moves_of(const Program& program) {
  std::vector<Move> moves;
  drop_moves(program, moves);
  for (const bool trims : {true, false})  // a backend may execute a repeat that there should not be
    if (const Program tidy = tidied(program, trims); tidy.ub.size() < program.ub.size())
      moves.push_back([tidy](Program& p) { p = tidy; });
  for (std::size_t n = 0; n < program.instructions.size(); ++n)
    InstructionMoves(program.instructions[n], n, moves).add_all();
  for (std::size_t n = 0; n < program.instructions.size(); ++n)
    if (row_of(program.instructions[n].op).has_words ||
        program.instructions[n].mask_from == MaskFrom::bitwise)
      mask_moves(program.instructions[n], n, moves);
  for (std::size_t n = 0; n < program.allocations.size(); ++n) data_moves(program, n, moves);
  return moves;
}

}  // namespace lanecheck
