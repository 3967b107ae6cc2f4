#include "fuzz/run/differing_places.h"

#include <algorithm>
#include <span>

#include "fuzz/explain/questions/lane_rows.h"
#include "oracle/execute/execute.h"
#include "spec/mask/footprint.h"
#include "spec/mask/mask_register.h"

namespace lanecheck {
namespace {

constexpr std::uint64_t kMostCounted = 2'000;
constexpr std::uint64_t kEveryLater = 16;

/// What is known of a byte of UB.
enum class Byte : std::uint8_t { right, wrong, counted_right, counted_wrong };

/// Does `insn` say by itself where it writes?
bool has_places(const Instruction& insn) {
  const Row& row = row_of(insn.op);
  return row.writes_dst() && row.operands[0].walk != Walk::indexed;
}

/// The instructions with places, with the repeat times that the documented mask gives them.
std::vector<Instruction> resolved_instructions(const Program& program, const Readings& readings) {
  std::vector<Instruction> list;
  MaskBits mask;
  for (const Instruction& insn : program.instructions) {
    mask.load(insn, readings);
    if (has_places(insn)) list.push_back(resolve(insn, mask, readings).insn);
    mask.leave(insn, readings);
  }
  return list;
}

class Places {
 public:
  Places(const Program& program, const std::vector<std::uint32_t>& wrong)
      : program_(program), bytes_(program.ub.size()) {
    for (const std::uint32_t at : wrong) bytes_[at] = Byte::wrong;
  }

  /// Is there such a byte in dst of `insn`?
  bool has(const Instruction& insn, Byte byte) {
    bool any = false;
    for_each_piece(insn, 0, [&](std::uint64_t offset, std::uint64_t bytes) {
      any = any || std::ranges::count(piece(insn, offset, bytes), byte) > 0;
    });
    return any;
  }

  /// Counts the elements of dst of `insn`, each where it is addressed first.
  CasePlaces count(const Instruction& insn) {
    CasePlaces places;
    const Element type = operand_type(insn, row_of(insn.op).operands[0]);
    const unsigned size = size_of(type), per_repeat = written_per_repeat(insn);
    unsigned n = 0;
    for_each_piece(insn, 0, [&](std::uint64_t offset, std::uint64_t bytes) {
      for (std::uint64_t byte = 0; byte < bytes; byte += size, ++n) {
        const std::span<Byte> element = piece(insn, offset + byte, size);
        if (element.empty() || element.front() >= Byte::counted_right) continue;
        const bool differs = std::ranges::count(element, Byte::wrong) > 0;
        std::ranges::fill(element, differs ? Byte::counted_wrong : Byte::counted_right);
        const unsigned lane = n % per_repeat;
        places.add({n / per_repeat, repeats_of(insn), lane, lane % per_block(type)}, differs);
      }
    });
    return places;
  }

 private:
  /// Bytes of dst of `insn`, as far as they lie in UB.
  std::span<Byte> piece(const Instruction& insn, std::uint64_t offset, std::uint64_t bytes) {
    const std::uint64_t from = std::min(start_of(program_, insn.operands[0]) + offset, bytes_.size());
    return std::span(bytes_).subspan(from, std::min(bytes, bytes_.size() - from));
  }

  const Program& program_;
  std::vector<Byte> bytes_;  ///< of UB
};

}  // namespace

void count_places(HeatMap& heat, const Program& program, const Readings& readings, const State& expected,
                  const State& actual, const std::vector<std::uint32_t>& wrong, Shown shown) {
  if (shown.mask) heat.count_mask(expected.mask, actual.mask);
  if (wrong.empty()) return;
  Places places(program, wrong);
  const std::vector<Instruction> list = resolved_instructions(program, readings);
  const auto first =
      std::ranges::find_if(list, [&](const Instruction& insn) { return places.has(insn, Byte::wrong); });
  if (first == list.end()) return;
  const CasePlaces found = places.count(*first);
  const bool is_written_again = std::any_of(
      first + 1, list.end(), [&](const Instruction& insn) { return places.has(insn, Byte::counted_wrong); });
  if (!is_written_again) heat.count(found);
}

bool counts_next_places(const Finding& finding) {
  return finding.cases < kMostCounted || finding.cases % kEveryLater == 0;
}

void count_places(Finding& finding, const FailedCase& failed, const Documented& documented, Shown shown) {
  const BackendAnswer& answer = failed.answers.front();
  if (!counts_next_places(finding) || failed.apart || failed.accepted || !answer.ran()) return;
  State expected;
  execute(failed.program, documented.semantics, expected);
  const auto wrong = compare(failed.program, documented.semantics, expected, answer.state, shown).bytes;
  count_places(finding.heat, failed.program, documented.readings(), expected, answer.state, wrong, shown);
}

std::vector<std::uint32_t> differing_bytes(const State& one, const State& other) {
  std::vector<std::uint32_t> bytes;
  for (std::uint32_t at = 0; at < std::min(one.ub.size(), other.ub.size()); ++at)
    if (one.ub[at] != other.ub[at]) bytes.push_back(at);
  return bytes;
}

}  // namespace lanecheck
