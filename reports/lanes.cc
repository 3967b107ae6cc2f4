// The lanes of a finding: which are active, and where the values differ.
#include <algorithm>
#include <functional>
#include <iterator>
#include <vector>

#include "reports/format.h"
#include "reports/terminal_parts.h"
#include "spec/program/profile.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr std::size_t kMostRuns = 6;

std::string element(Element type, std::uint64_t bits) {
  const std::string value = show_element(type, bits);
  return value.starts_with("0x") ? value : value + " (" + show_hex(bits) + ")";
}

/// The instruction that is wrong; null if it is not known.
const Instruction* wrong_instruction(const Finding& finding) {
  const auto& all = finding.program.instructions;
  return finding.instruction < all.size() ? &all[finding.instruction] : nullptr;
}

/// "3" or "3..5"
std::string range(unsigned first, unsigned last) {
  return std::to_string(first) + (last > first ? ".." + std::to_string(last) : "");
}

/// Prints " 0..63 65 66": each number, or three and more in a row as one range.
void print_numbers(std::ostream& out, const std::vector<unsigned>& numbers) {
  std::size_t n = 0;
  for (unsigned shown = 0; n < numbers.size() && shown < kMostLanes; ++shown) {
    std::size_t last = n;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    if (last - n < 2) last = n;
    out << ' ' << range(numbers[n], numbers[last]);
    n = last + 1;
  }
  if (n < numbers.size()) out << " and " << numbers.size() - n << " more";
}

/// Where the elements from `first` to `last` stand, which have neighbouring lanes: "repeat 0 block 3 lane 25,
/// mask 1", "repeat 0 lanes 0..7, mask 1", "repeat 0, lanes 8..15" of packed bits, "result 2 of repeat 0",
/// "element 12" of gather_mask
std::string place_of(const LaneRow& first, const LaneRow& last, const Finding& finding) {
  const bool several = last.lane > first.lane;
  const std::string repeat = "repeat " + std::to_string(first.repeat);
  const std::string lanes = (several ? " lanes " : " block " + std::to_string(first.block) + " lane ") +
                            range(first.lane, last.lane);
  const Instruction* const insn = wrong_instruction(finding);
  if (insn == nullptr) return repeat + lanes;
  const Row& row = row_of(insn->op);
  if (row.compacts) return (several ? "elements " : "element ") + range(first.lane, last.lane);
  const bool obeys = obeys_mask(finding.program.profile, insn->op);
  if (!row.operands.empty() && row.operands[0].walk == Walk::results)
    return (several ? "results " : "result ") + range(first.lane, last.lane) + " of " + repeat +
           (first.active ? "" : ", of no active lane");
  const std::string mask = obeys ? std::string(", mask ") + (first.active ? '1' : '0') : "";
  if (!row.operands.empty() && row.operands[0].walk == Walk::bits)
    return repeat + ", lanes " + range(8 * first.lane, 8 * last.lane + 7) + mask;
  return repeat + lanes + mask;
}

/// Do both rows show the same, one beside the other?
bool continues(const LaneRow& row, const LaneRow& next) {
  return next.repeat == row.repeat && next.lane == row.lane + 1 && next.active == row.active &&
         next.written == row.written && next.type == row.type && next.old_bits == row.old_bits &&
         next.expected == row.expected && next.actual == row.actual;
}

/// Which operand of the instruction has this allocation: "dst"; empty if none has, or if it is not known
/// which instruction is wrong. The program may be illegal.
std::string operand_in(const Finding& finding, const std::string& allocation) {
  const Program& program = finding.program;
  const Instruction* const insn = wrong_instruction(finding);
  if (insn == nullptr) return {};
  const auto columns = row_of(insn->op).operands;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const std::size_t home = insn->operands[k].allocation;
    if (home < program.allocations.size() && program.allocations[home].name == allocation)
      return std::string(columns[k].role);
  }
  return {};
}

/// A line for each wrong element, or for several with neighbouring lanes that show the same.
void print_elements(std::ostream& out, const Finding& finding) {
  const std::string expected = finding.other.empty() ? "expected" : printable(finding.other);
  std::vector<LaneRow> wrong;
  std::ranges::copy_if(finding.lanes, std::back_inserter(wrong), std::logical_not{}, &LaneRow::agrees);
  std::size_t n = 0;
  for (unsigned lines = 0; n < wrong.size() && lines < kMostLanes; ++lines) {
    const LaneRow& lane = wrong[n++];
    while (n < wrong.size() && continues(wrong[n - 1], wrong[n])) ++n;
    out << "  " << place_of(lane, wrong[n - 1], finding) << ": old " << element(lane.type, lane.old_bits)
        << "  " << expected << " " << element(lane.type, lane.expected)
        << (lane.written || lane.active ? "" : " (kept)") << "  actual " << element(lane.type, lane.actual)
        << '\n';
  }
  if (n < wrong.size()) out << "  and " << wrong.size() - n << " more\n";
}

void print_outside(std::ostream& out, const Finding& finding) {
  constexpr std::size_t kMostBytes = 4;
  for (std::size_t n = 0; n < finding.outside.size() && n < kMostBytes; ++n) {
    const OutsideByte& byte = finding.outside[n];
    const std::string role = operand_in(finding, byte.allocation);
    out << "  byte " << byte.offset << " of UB ("
        << (byte.allocation.empty() ? "a guard byte" : printable(byte.allocation))
        << (role.empty() ? "" : ", of " + role) << "): expected " << std::to_integer<int>(byte.expected)
        << "  actual " << std::to_integer<int>(byte.actual) << '\n';
  }
  if (finding.outside.size() > kMostBytes)
    out << "  and at least " << finding.outside.size() - kMostBytes
        << " more bytes that are no elements of the map\n";
}

/// Prints the slots that should be `expected` after the program and are not.
void print_slots(std::ostream& out, const Finding& finding, unsigned expected) {
  std::vector<unsigned> slots;
  for (unsigned slot = 0; slot < kMaskSlots; ++slot)
    if (finding.expected.mask[slot] == expected && finding.actual.mask[slot] != expected)
      slots.push_back(slot);
  if (slots.empty()) return;
  out << "  the mask afterwards is not " << expected << (slots.size() == 1 ? " in slot" : " in slots");
  print_numbers(out, slots);
  out << '\n';
}

void print_mask_difference(std::ostream& out, const Finding& finding) {
  if (finding.expected.mode != finding.actual.mode)
    out << "  the mode afterwards differs: expected "
        << kModeNames[static_cast<std::size_t>(finding.expected.mode)] << ", actual "
        << kModeNames[static_cast<std::size_t>(finding.actual.mode)] << '\n';
  for (const unsigned expected : {0u, 1u}) print_slots(out, finding, expected);
}

}  // namespace

void print_active_lanes(std::ostream& out, const Finding& finding) {
  if (finding.instruction >= finding.program.instructions.size()) return;
  const Instruction& insn = finding.program.instructions[finding.instruction];
  const Row& row = row_of(insn.op);
  if (row.operands.empty() || row.sorts || row.lengths > 0) return;  // records are no lanes
  if (finding.total) {
    out << "  counter mode: the first "
        << (*finding.total == 1 ? "element takes part"
                                : std::to_string(*finding.total) + " elements take part")
        << '\n';
    return;
  }
  const unsigned lanes = std::min(lanes_of(insn), kMaskSlots);
  std::vector<unsigned> on, off;
  for (unsigned lane = 0; lane < lanes; ++lane) (finding.mask_before[lane] != 0 ? on : off).push_back(lane);
  out << "  mask: " << on.size() << " of " << lanes << " lanes active";
  const bool shows_off = on.size() * 2 > lanes;
  const std::vector<unsigned>& rare = shows_off ? off : on;
  if (!rare.empty()) out << (shows_off ? ", off:" : ", on:");
  print_numbers(out, rare);
  out << '\n';
}

void print_data(std::ostream& out, const Program& program) {
  for (const Allocation& each : program.allocations) {
    const auto runs = print_runs(each.type, program.ub.data() + each.offset, each.bytes);
    out << "  " << each.name << " " << name_of(each.type) << "[" << each.bytes / size_of(each.type) << "] = ";
    if (runs.empty()) out << "0 everywhere";
    for (std::size_t n = 0; n < runs.size() && n < kMostRuns; ++n) out << (n > 0 ? ", " : "") << runs[n];
    if (runs.size() > kMostRuns) out << ", ... " << runs.size() - kMostRuns << " more runs";
    out << '\n';
  }
}

void print_differences(std::ostream& out, const Finding& finding) {
  print_elements(out, finding);
  print_outside(out, finding);
  if (finding.mask_differs) print_mask_difference(out, finding);
}

}  // namespace lanecheck
