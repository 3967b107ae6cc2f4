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

/// How many cases the finding has so far, and where the first one is.
void print_where(std::ostream& out, const Finding& finding) {
  out << "  " << counted(finding.cases, "case") << " so far, the first is ";
  if (finding.first_file.empty())
    out << "case " << finding.first_case << '\n';
  else
    out << printable(finding.first_file) << '\n';
}

}  // namespace

void print_finding(std::ostream& out, const Finding& finding, const Style& style) {
  Painter paint(out, style);
  print_headline(out, finding, paint);
  print_where(out, finding);
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
    paint.dim(
        "  elements of dst: # active, . masked off, X wrong in an active lane, ! wrong in a masked-off lane");
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
