#include "reports/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ostream>

#include "reports/format.h"
#include "spec/legality/legality_rule.h"
#include "spec/program/profile.h"
#include "spec/rules/rule.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr unsigned kMostLanes = 12;
constexpr std::size_t kMostRuns = 6;

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.resize(width, ' ');
  return text;
}

class Painter {
 public:
  Painter(std::ostream& out, const Style& style) : out_(out), style_(style) {}
  void bold(std::string_view text) { paint("\033[1m", text); }
  void red(std::string_view text) { paint("\033[1;31m", text); }
  void dim(std::string_view text) { paint("\033[2m", text); }

 private:
  void paint(const char* code, std::string_view text) {
    if (style_.colour) out_ << code;
    out_ << text;
    if (style_.colour) out_ << "\033[0m";
  }
  std::ostream& out_;
  const Style& style_;
};

void print_headline(std::ostream& out, const Finding& finding, Painter& paint) {
  if (finding.matter == Matter::reading) {
    const auto equals = finding.id.find('=');
    const Reading* reading = find_reading(finding.id.substr(0, equals));
    paint.bold("undecided: " + finding.id);
    out << '\n';
    if (reading == nullptr) return;
    out << "  the documents leave open: " << reading->question << '\n'
        << "  the backend follows '" << finding.id.substr(equals + 1) << "': " << finding.what << '\n'
        << "  the default is '"
        << reading->options[reading->get(default_readings(finding.program.profile))].name
        << "': " << reading->why << '\n'
        << "  not counted as a failure; pin it with --reading " << reading->id << "=OPTION to judge it\n";
    return;
  }
  for (std::size_t n = 0; n < finding.rules.size() && n < 1; ++n)
    if (const Rule* rule = find_rule(finding.rules[n])) {
      paint.red(rule->id);
      out << "  " << rule->claim << "  (" << rule->source.document << " section " << rule->source.section
          << ", " << kStandingNames[static_cast<std::size_t>(rule->standing)] << ")\n";
    }
  for (const std::string& id : finding.rules)
    if (const LegalityRule* law = find_legality_rule(id)) {
      paint.red(law->id);
      out << "  " << law->claim << "  (" << law->source.document << ", " << law->source.section << ")\n";
    }
  if (finding.rules.empty()) {
    paint.red(finding.matter == Matter::failure ? "backend failure"
              : finding.matter == Matter::difference
                  ? finding.id + " (against " + printable(finding.other) + ")"
                  : kMatterNames[static_cast<std::size_t>(finding.matter)]);
    out << '\n';
  }
  out << (finding.other.empty() ? "  the backend: " : "  ") << printable(finding.what);
  if (finding.matter == Matter::mask) out << "  [" << printable(finding.id) << "]";
  out << '\n';
}

/// Which lanes the diverging instruction sees on or off, whichever are fewer.
void print_mask(std::ostream& out, const Finding& finding) {
  if (finding.instruction >= finding.program.instructions.size()) return;
  const Instruction& insn = finding.program.instructions[finding.instruction];
  if (row_of(insn.op).operands.empty()) return;
  if (finding.total) {
    out << "  counter mode: the first " << *finding.total << " elements take part\n";
    return;
  }
  const unsigned lanes = std::min(lanes_of(insn), kMaskSlots);
  const auto active = static_cast<unsigned>(
      std::count(finding.mask_before.begin(), finding.mask_before.begin() + lanes, std::uint8_t{1}));
  out << "  mask: " << active << " of " << lanes << " lanes active";
  const std::uint8_t rare = active * 2 > lanes ? 0 : 1;
  const unsigned count = rare == 0 ? lanes - active : active;
  if (count > 0) out << (rare == 0 ? ", off:" : ", on:");
  unsigned shown = 0;
  for (unsigned lane = 0; lane < lanes && shown < kMostLanes; ++lane)
    if (finding.mask_before[lane] == rare) {
      out << ' ' << lane;
      ++shown;
    }
  if (count > shown) out << " and " << count - shown << " more";
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

std::string element(Element type, std::uint64_t bits) {
  const std::string value = show_element(type, bits);
  return value.starts_with("0x") ? value : value + " (" + show_hex(bits) + ")";
}

void print_lanes(std::ostream& out, const Finding& finding) {
  unsigned listed = 0, wrong = 0;
  for (const LaneRow& lane : finding.lanes) {
    if (lane.agrees) continue;
    if (++wrong; listed == kMostLanes) continue;
    ++listed;
    const std::string expected = finding.other.empty() ? "expected" : printable(finding.other);
    out << "  repeat " << lane.repeat << " block " << lane.block << " lane " << lane.lane << ", mask "
        << (lane.active ? '1' : '0') << ": old " << element(lane.type, lane.old_bits) << "  " << expected
        << " " << element(lane.type, lane.expected) << (lane.written || lane.active ? "" : " (kept)")
        << "  actual " << element(lane.type, lane.actual) << '\n';
  }
  if (wrong > listed) out << "  and " << wrong - listed << " more\n";
  for (std::size_t n = 0; n < finding.outside.size(); ++n) {
    const auto& [home, at] = finding.outside[n];
    if (n == 4) {
      out << "  and at least " << finding.outside.size() - n << " more bytes outside dst\n";
      break;
    }
    out << "  outside dst: byte " << at << " of UB (" << (home.empty() ? "a guard byte" : printable(home))
        << "): expected " << std::to_integer<int>(finding.expected.ub[at]) << "  actual "
        << std::to_integer<int>(finding.actual.ub[at]) << '\n';
  }
  if (finding.mask_differs) {
    if (finding.expected.mode != finding.actual.mode)
      out << "  the mode afterwards differs: expected "
          << kModeNames[static_cast<std::size_t>(finding.expected.mode)] << ", actual "
          << kModeNames[static_cast<std::size_t>(finding.actual.mode)] << '\n';
    if (finding.expected.mask == finding.actual.mask) return;
    for (const unsigned expected : {0u, 1u}) {
      unsigned slots = 0;
      for (unsigned slot = 0; slot < kMaskSlots; ++slot) {
        if (finding.expected.mask[slot] != expected || finding.actual.mask[slot] == expected) continue;
        if (++slots == 1) out << "  the mask afterwards is not " << expected << " in slots";
        if (slots <= kMostLanes) out << ' ' << slot;
      }
      if (slots > kMostLanes) out << " and " << slots - kMostLanes << " more";
      if (slots > 0) out << '\n';
    }
  }
}

void print_list(std::ostream& out, const std::vector<std::string>& list, std::size_t most) {
  for (std::size_t n = 0; n < list.size() && n < most; ++n) out << (n > 0 ? ", " : "") << printable(list[n]);
  if (list.size() > most) out << " and " << list.size() - most << " more";
  out << '\n';
}

void print_left_out(std::ostream& out, const Report& report) {
  if (!report.not_offered.empty()) {
    out << "not on offer, left out " << grouped(report.instructions_left_out) << " times: ";
    print_list(out, report.not_offered, 12);
  }
  if (!report.skip_reasons.empty()) {
    out << "skipped because: ";
    print_list(out, report.skip_reasons, 4);
  }
  std::vector<std::string> rules;
  for (const RuleCount& rule : report.rules)
    if (rule.exercised == 0 && rule.left_out > 0) rules.push_back(rule.id);
  if (rules.empty()) return;
  out << "rules that could not be judged for that: ";
  print_list(out, rules, 12);
}

/// One line of the table of rules; 1 when it is broken.
unsigned print_count(std::ostream& out, const RuleCount& count, Painter& paint) {
  std::string exercised = grouped(count.exercised);
  exercised.insert(0, exercised.size() < 13 ? 13 - exercised.size() : 0, ' ');
  out << padded(count.id, 26) << exercised << "  ";
  if (count.broken > 0) paint.red(std::to_string(count.broken) + " finding" + (count.broken > 1 ? "s" : ""));
  out << '\n';
  return count.broken > 0 ? 1 : 0;
}

/// The last lines of the first lives that failed, and how they ended.
void print_lives(std::ostream& out, const Report& report) {
  constexpr unsigned kShown = 3, kLines = 6;
  unsigned failed = 0;
  for (const BackendProcess& process : report.processes) {
    if (!process.failed || ++failed > kShown) continue;
    out << "life " << (&process - report.processes.data()) + 1
        << " of the backend: " << printable(process.end) << " after " << grouped(process.programs)
        << " programs\n";
    std::string_view text = process.output;
    while (text.ends_with('\n')) text.remove_suffix(1);
    std::size_t from = text.size();
    for (unsigned line = 0; line < kLines && from != std::string_view::npos && from > 0; ++line)
      from = text.rfind('\n', from - 1);
    if (from != std::string_view::npos && from > 0) out << "  | ...\n";
    text.remove_prefix(from == std::string_view::npos || from == 0 ? 0 : from + 1);
    while (!text.empty()) {
      const auto end = std::min(text.find('\n'), text.size());
      out << "  | " << printable(text.substr(0, end)) << '\n';
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }
  if (failed > kShown) out << "and " << failed - kShown << " more lives that failed (--json has them)\n";
}

}  // namespace

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
  std::string line = std::to_string(planned > 0 ? done * 100 / planned : 0) + "% | " + grouped(done) +
                     " cases | " + grouped(static_cast<std::uint64_t>(rate)) + " cases/s | " +
                     std::to_string(findings) + " findings";
  if (rate > 0) line += " | " + fixed(static_cast<double>(planned - done) / rate, 0) + " s left";
  return line;
}

void print_finding(std::ostream& out, const Finding& finding, const Style& style) {
  Painter paint(out, style);
  print_headline(out, finding, paint);
  for (std::size_t n = 0; n < finding.program.instructions.size(); ++n) {
    out << "  " << n + 1 << "  " << print_instruction(finding.program, finding.program.instructions[n]);
    if (n == finding.instruction) paint.red("   <- differs after this");
    out << '\n';
  }
  print_data(out, finding.program);
  print_mask(out, finding);
  if (std::any_of(finding.lanes.begin(), finding.lanes.end(),
                  [](const LaneRow& lane) { return !lane.agrees; })) {
    paint.dim(
        "  elements of dst: # active, . masked off, X wrong in an active lane, ! wrong in a masked-off lane");
    out << '\n';
    print_lane_map(out, finding.lanes, style);
  }
  print_lanes(out, finding);
  if (finding.rules.size() > 1) {
    out << "  also broken:";
    for (std::size_t n = 1; n < finding.rules.size(); ++n) out << ' ' << finding.rules[n];
    out << '\n';
  }
}

namespace {

std::string counted(std::size_t n, const char* noun) {
  return std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
}

}  // namespace

void print_summary(std::ostream& out, const Report& report, const Style& style) {
  Painter paint(out, style);
  unsigned broken = 0;
  if (report.border < report.done || report.done == 0) {
    paint.bold("rule                          exercised  broken by");
    out << '\n';
    for (const RuleCount& count : report.rules) broken += print_count(out, count, paint);
  }
  if (!report.laws.empty()) {
    paint.bold("rule of legality              exercised  broken by");
    out << '\n';
  }
  for (const RuleCount& count : report.laws) broken += print_count(out, count, paint);
  for (const Axis& axis : report.axes) {
    out << axis.name << ": ";
    for (std::size_t n = 0; n < axis.counts.size() && n < 12; ++n)
      out << (n > 0 ? ", " : "") << axis.counts[n].first << " " << grouped(axis.counts[n].second);
    if (axis.counts.size() > 12) out << ", and " << axis.counts.size() - 12 << " more";
    out << '\n';
  }
  const double seconds = std::max(report.seconds, 1e-9);
  if (report.border > 0)
    out << "at the border of legality: " << grouped(report.border) << " cases\n";
  else if (!report.judges_refusals)
    out << "refusals of illegal programs were not judged\n";
  out << "backend " << printable(report.backend) << ", profile " << row_of(report.profile).name << ", seed "
      << report.seed << ": " << grouped(report.done) << " of " << grouped(report.planned) << " cases"
      << (report.interrupted ? " (interrupted)" : "") << " in " << fixed(report.seconds, 1) << " s, "
      << grouped(static_cast<std::uint64_t>(static_cast<double>(report.done) / seconds)) << " cases/s, "
      << fixed(static_cast<double>(report.element_checks) / seconds / 1e6, 1)
      << " million element checks/s\n";
  out << "conforms " << grouped(report.conforms) << ", diverges " << grouped(report.diverges)
      << ", undecided " << grouped(report.undecided) << ", skipped " << grouped(report.skipped)
      << ", errored " << grouped(report.errored) << "; " << grouped(report.cells_reached)
      << " cells of the diversity measure reached\n";
  if (report.unlisted > 0)
    out << grouped(report.unlisted) << " more cases differ in ways of their own; no finding lists them\n";
  print_left_out(out, report);
  print_lives(out, report);
  const auto never = never_exercised(report);
  for (const std::string& id : never) out << "never exercised: " << id << '\n';
  if (!report.given_up.empty())
    paint.red("backend failure: " + printable(report.given_up) + "; what was found so far stands");
  else if (report.errored > 0)
    paint.red("the backend failed; it does not conform");
  else if (report.diverges > 0)
    paint.red("diverges: " + counted(broken, "rule") + " broken, " +
              counted(report.findings.size(), "finding"));
  else if (!never.empty())
    paint.red("not conforming: " + std::to_string(never.size()) + " rules were never exercised");
  else
    paint.bold(report.interrupted                        ? "interrupted: nothing wrong so far"
               : report.conforms + report.undecided == 0 ? "nothing was judged"
               : report.not_offered.empty()              ? "conforms"
                                                         : "conforms, as far as it offers");
  out << '\n';
}

}  // namespace lanecheck
