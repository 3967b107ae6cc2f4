#include "fuzz/identify/trials/far_operands.h"

#include <algorithm>

#include "fuzz/identify/probes/one_repeat.h"
#include "fuzz/identify/probes/shapes.h"
#include "fuzz/identify/trials/trials.h"
#include "spec/legality/find_fault.h"
#include "spec/mask/footprint.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// Where addresses of 13, 15, 16 or 17 bits end. 13: of 8 bits that count data blocks.
constexpr std::uint32_t kBoundaries[] = {8192, 32768, 65536, 131072};
constexpr std::uint32_t kMargin = 8 * kBlockBytes;  // bytes around an operand

/// Which operands lie far behind: bit k stands for operand k.
using Far = unsigned;

/// The operands in a row, with small margins.
std::optional<Layout> packed(const Subject& subject) {
  auto layout = lay_out(subject);
  if (!layout) return {};
  layout->ub_bytes = 0;
  for (unsigned k = 0; k < row_of(subject.insn.op).operands.size(); ++k) {
    Region& region = layout->regions[k];
    region = {layout->ub_bytes, region.bytes - 2 * region.margin + 2 * kMargin, kMargin};
    layout->ub_bytes += region.bytes;
  }
  return layout;
}

/// One program with some operands `behind` bytes behind the place of the others, and what the backend leaves.
struct Placed {
  Program program;
  State actual;
  bool is_right = true;
};

class FarOperands {
 public:
  FarOperands(const Subject& subject, const Layout& near, const Ask& ask)
      : subject_(subject), near_(near), ask_(ask) {}

  unsigned operands() const { return static_cast<unsigned>(row_of(subject_.insn.op).operands.size()); }
  Far all() const { return (1U << operands()) - 1; }
  std::uint32_t bytes() const { return near_.ub_bytes; }

  /// Nothing if the program is not legal, or does not run.
  std::optional<Placed> place(Far far, std::uint32_t behind) const {
    if (behind + near_.ub_bytes > kMaxUbBytes) return {};
    Layout layout = near_;
    layout.ub_bytes += behind;
    for (unsigned k = 0; k < operands(); ++k) layout.regions[k].begin += is_far(far, k) ? behind : 0;
    auto program = probe_program(subject_, layout, full_mask(subject_));
    if (!program) return {};
    for (unsigned k = 0; k < operands(); ++k) {
      put_small_numbers(*program, near_.regions[k], k, 0);
      put_small_numbers(*program, layout.regions[k], k, is_far(far, k) ? 1 : 0);
    }
    if (find_fault(*program)) return {};
    Answers answers = ask_all(ask_, {&*program, 1});
    if (!answers.why_not.empty()) return {};
    Placed placed{std::move(*program), std::move(answers.states[0])};
    placed.is_right = is_allowed(placed.program, placed.actual);
    return placed;
  }

  /// Does the backend leave what the far operands give if they lie `less` bytes before their place?
  bool wraps(const Placed& placed, Far far, std::uint32_t less) const {
    Program nearer = placed.program;
    for (unsigned k = 0; k < operands(); ++k)
      if (is_far(far, k)) nearer.allocations[k].offset -= less;
    return is_allowed(nearer, placed.actual);
  }

 private:
  static bool is_far(Far far, unsigned k) { return (far >> k & 1) != 0; }

  const Subject& subject_;
  const Layout& near_;
  const Ask& ask_;
};

std::string roles_of(const Subject& subject, Far far) {
  std::string text;
  for (unsigned k = 0; k < row_of(subject.insn.op).operands.size(); ++k)
    if ((far >> k & 1) != 0)
      text += (text.empty() ? "" : " and ") + std::string(row_of(subject.insn.op).operands[k].role);
  return text;
}

/// `of`: the operands, if not all of them; other instructions may have others.
Difference said_of(const Subject& subject, const std::string& text, const std::string& of = {}) {
  Difference difference{MapKind::dst, mnemonic(subject.insn) + " " + text + of, {}};
  difference.general = text;
  difference.of_all_shapes = difference.of_all_families = true;
  return difference;
}

/// The operands that are wrong if they alone lie there.
Far wrong_ones(const FarOperands& trials, std::uint32_t boundary) {
  Far wrong = 0;
  for (unsigned k = 0; k < trials.operands(); ++k)
    if (const auto placed = trials.place(1U << k, boundary); placed && !placed->is_right) wrong |= 1U << k;
  return wrong;
}

/// At the boundary, and at other places behind it.
bool wraps_everywhere(const FarOperands& trials, Far wrong, std::uint32_t boundary) {
  return std::ranges::all_of(std::initializer_list<std::uint32_t>{0, 1024, 7 * kBlockBytes},
                             [&](std::uint32_t more) {
                               const auto placed = trials.place(wrong, boundary + more);
                               return !placed || trials.wraps(*placed, wrong, boundary);
                             });
}

/// So many repeats of the operand that the last ones start more than `boundary` bytes behind the first one.
std::optional<ShapeTrial> long_trial(const Subject& given, unsigned k, std::uint32_t boundary,
                                     const Ask& ask) {
  constexpr std::uint32_t kMostStride = 255;
  if (!has_stride(given.insn, k, &Operand::repeat_stride)) return {};
  Subject subject = in_a_row(given, 2);
  subject.insn.operands[k].repeat_stride = kMostStride;
  subject.insn.repeat = 3 + boundary / static_cast<std::uint32_t>(repeat_step(subject.insn, k));
  if (subject.insn.repeat > kMostStride) return {};  // of results
  return run_trial(subject, full_mask(subject), 1, ask);
}

/// The repeats, each of which starts its operand `k` at a distance modulo `boundary` from the first one.
std::vector<Instruction> with_near_repeats(const Instruction& placed, unsigned k, std::uint32_t boundary) {
  std::vector<Instruction> repeats;
  for (unsigned r = 0; r < placed.repeat; ++r) {
    repeats.push_back(one_repeat(placed, r));
    Operand& operand = repeats.back().operands[k];
    operand.offset = placed.operands[k].offset + (operand.offset - placed.operands[k].offset) % boundary;
  }
  return repeats;
}

}  // namespace

std::optional<Difference> far_operand_difference(const Subject& given, const Ask& ask) {
  if (given.in_place != 0) return {};
  const Subject subject = in_a_row(with_plain_scalar(given), 2);
  const auto near = packed(subject);
  if (!near) return {};
  const FarOperands trials(subject, *near, ask);
  if (const auto last = trials.place(trials.all(), kBoundaries[3]); last && last->is_right) return {};
  const auto first = trials.place(trials.all(), 0);
  if (!first || !first->is_right) return {};
  for (const std::uint32_t boundary : kBoundaries) {
    const auto placed = trials.place(trials.all(), boundary);
    if (!placed || placed->is_right) continue;
    if (boundary > trials.bytes()) {
      const auto before = trials.place(trials.all(), (boundary - trials.bytes()) / kBlockBytes * kBlockBytes);
      if (!before || !before->is_right) return {};
    }
    const Far wrong = wrong_ones(trials, boundary);
    if (wrong == 0) return {};
    const std::string of = wrong == trials.all() ? "" : " in " + roles_of(subject, wrong);
    const std::string byte = std::to_string(boundary);
    if (wraps_everywhere(trials, wrong, boundary))
      return said_of(subject, "takes byte " + byte + " + n of UB as byte n", of);
    return said_of(subject, "is wrong if " +
                                (of.empty() ? "its operands lie" : roles_of(subject, wrong) + " lies") +
                                " at byte " + byte + " of UB, and right before this byte");
  }
  return {};
}

std::optional<Difference> far_repeat_difference(const Subject& given, const Ask& ask) {
  const Row& row = row_of(given.insn.op);
  if (!row.has_repeat || indexed_operand(row) || given.in_place != 0) return {};
  for (const std::uint32_t boundary : {kBoundaries[0], kBoundaries[2]}) {
    Far wrong = 0, asked = 0;
    for (unsigned k = 0; k < row.operands.size(); ++k) {
      const auto trial = long_trial(given, k, boundary, ask);
      if (!trial) continue;
      asked |= 1U << k;
      if (trial->is_right()) continue;
      if (left_by(*trial, with_near_repeats(trial->placed(), k, boundary)) != trial->actual) return {};
      wrong |= 1U << k;
    }
    if (wrong == 0) continue;
    const std::string bytes = std::to_string(boundary);
    return said_of(given, "starts a repeat n bytes behind the first one where it should start " + bytes +
                              " + n bytes behind it" +
                              (wrong == asked ? "" : ", in " + roles_of(given, wrong)));
  }
  return {};
}

}  // namespace lanecheck
