#include "reports/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "reports/format.h"
#include "reports/terminal_parts.h"
#include "spec/text/program_text.h"

namespace lanecheck {

Style style_of(int descriptor) {
  Style style;
  if (isatty(descriptor) == 0) return style;
  style.colour = std::getenv("NO_COLOR") == nullptr;
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40) style.width = size.ws_col;
  return style;
}

std::string progress_line(std::uint64_t done, std::uint64_t planned, double seconds, std::size_t findings) {
  const double rate = seconds > 0 ? static_cast<double>(done) / seconds : 0;
  std::string line = std::to_string(planned > 0 ? done * 100 / planned : 0) + "% | " + counted(done, "case") +
                     " | " + grouped(static_cast<std::uint64_t>(rate)) + " cases/s | " +
                     counted(findings, "finding");
  if (rate > 0) line += " | " + fixed(static_cast<double>(planned - done) / rate, 0) + " s left";
  return line;
}

namespace {

/// The first case of the finding. A run prints this as soon as it has the finding; its summary counts the
/// cases.
void print_where(std::ostream& out, const Finding& finding) {
  if (finding.cases == 1)
    out << "  first seen in ";
  else
    out << "  " << cases_text(finding.cases) << ", the first is ";
  if (finding.first_file.empty())
    out << "case " << finding.first_case << '\n';
  else
    out << printable(finding.first_file) << '\n';
}

/// The programs to run before the program of the finding, the first and the last of them.
void print_before(std::ostream& out, const Finding& finding) {
  constexpr std::size_t kMost = 3;
  const std::size_t count = finding.before.size();
  for (std::size_t at = 0; at < count; ++at) {
    if (count > kMost && at > 0 && at + 1 < count) {
      if (at == 1) out << "  ... " << counted(count - 2, "program") << " more ...\n";
      continue;
    }
    const Program& program = finding.before[at];
    out << "  the program before" << (count > 1 ? ", number " + std::to_string(at + 1) : "") << ":"
        << (program.instructions.empty() ? " no instruction\n" : "\n");
    for (const Instruction& insn : program.instructions)
      out << "     " << print_instruction(program, insn) << '\n';
  }
  if (count > 0) out << "  then this program:\n";
}

}  // namespace

void print_finding(std::ostream& out, const Finding& finding, const Style& style) {
  Painter paint(out, style);
  print_headline(out, finding, paint);
  print_where(out, finding);
  print_before(out, finding);
  for (std::size_t n = 0; n < finding.program.instructions.size(); ++n) {
    out << "  " << n + 1 << "  " << print_instruction(finding.program, finding.program.instructions[n]);
    if (n == finding.instruction) paint.red("   <- differs after this");
    out << '\n';
  }
  print_data(out, finding.program);
  print_active_lanes(out, finding);
  // A map of one element says no more than the line that print_differences() writes for it.
  if (finding.lanes.size() > 1 &&
      std::ranges::any_of(finding.lanes, [](const LaneRow& lane) { return !lane.agrees; })) {
    const auto& all = finding.program.instructions;
    const bool is_known =
        finding.instruction < all.size() && row_of(all[finding.instruction].op).writes_dst();
    const bool of_bits = is_known && row_of(all[finding.instruction].op).operands[0].walk == Walk::bits;
    paint.dim(std::string(of_bits ? "  bytes of dst, 8 lanes each" : "  elements of dst") +
              ": # active, . masked off, X wrong in an active lane, ! wrong in a masked-off lane");
    out << '\n';
    print_lane_map(out, finding.lanes, style);
  }
  if (!finding.passes.empty()) out << "  passes: " << printable(finding.passes) << '\n';
  if (!finding.predicate.empty()) out << "  " << printable(finding.predicate) << '\n';
  print_differences(out, finding);
  if (finding.rules.size() > 1) {
    out << "  also broken:";
    for (std::size_t n = 1; n < finding.rules.size(); ++n) out << ' ' << finding.rules[n];
    out << '\n';
  }
}

}  // namespace lanecheck
