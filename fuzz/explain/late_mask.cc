#include "fuzz/explain/late_mask.h"

#include <algorithm>

#include "fuzz/explain/locate.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr std::string_view kReaders[] = {"dup.i16 a+0 blk=1 rep=8, scalar=1, repeat=1\n",
                                         "dup.i16 b+0 blk=1 rep=8, scalar=1, repeat=1\n",
                                         "dup.i16 c+0 blk=1 rep=8, scalar=1, repeat=1\n"};
constexpr std::string_view kFirst = "set_mask high=0x2f8b6ce19d03574a low=0x94d1a76e50f83c2b\n";
constexpr std::string_view kSecond = "set_mask high=0xb5c6e8127af09b49 low=0x6d21f0c3a95e7b04\n";
constexpr std::string_view kReset = "reset_mask\n";

Program sequence(std::initializer_list<std::string_view> lines) {
  std::string text =
      "ub 768\nalloc a i16 0 256 = 0 x128\nalloc b i16 256 256 = 0 x128\n"
      "alloc c i16 512 256 = 0 x128\n";
  for (const std::string_view line : lines) text += line;
  return parse_program(text, "a sequence of masks");
}

/// The smallest one comes first.
std::vector<Program> sequences() {
  const auto& [a, b, c] = kReaders;
  return {sequence({kFirst, a, b}), sequence({kFirst, kSecond, a, b}), sequence({kFirst, kReset, a, b}),
          sequence({kFirst, a, kSecond, b, c})};
}

bool follows(LateUntil until, AskedBackend& asked, const Documented& documented) {
  const auto all = sequences();
  return std::ranges::all_of(all, [&](const Program& each) {
    const BackendAnswer answer = asked.ask(each);
    return answer.ran() &&
           agrees(with_late_masks(each, until), documented.semantics, answer.state, asked.shown());
  });
}

}  // namespace

std::optional<LateUntil> measure_late_mask(AskedBackend& asked, const Documented& documented) {
  if (!row_of(Op::set_mask).in(documented.profile).offered || !asked.backend().recorded.empty()) return {};
  if (!diverges(asked.ask(sequences()[0]), sequences()[0], documented, asked.shown())) return {};
  for (const LateUntil until : {LateUntil::after_next, LateUntil::after_next_gated})
    if (follows(until, asked, documented)) return until;
  return {};
}

Program with_late_masks(const Program& program, LateUntil until) {
  Program late = program;
  late.instructions.clear();
  std::optional<Instruction> waiting;
  for (const Instruction& insn : program.instructions) {
    const bool waits =
        insn.op == Op::set_mask || (insn.op == Op::reset_mask && until == LateUntil::after_next_gated);
    if (waits) {
      waiting = insn;
      continue;
    }
    late.instructions.push_back(insn);
    if (waiting) late.instructions.push_back(*waiting);
    waiting.reset();
  }
  return late;
}

Finding late_mask_finding(AskedBackend& asked, const Documented& documented) {
  Finding finding;
  finding.id = kLateMaskId;
  finding.matter = Matter::mask;
  finding.what =
      "set_mask takes effect one instruction late: the next instruction still runs under the mask before";
  finding.rules = {"VMC-2-low-word", "VMC-2-high-word"};
  finding.program = prefix(sequences()[0], 2);
  finding.program.allocations.resize(1);  // of the only reader that is left
  finding.program.ub.resize(finding.program.allocations[0].bytes);
  locate(finding, asked, documented);
  return finding;
}

}  // namespace lanecheck
