// The headline of a finding: the broken rule or the open reading.
#include <algorithm>

#include "reports/format.h"
#include "reports/terminal_parts.h"
#include "spec/legality/legality_rule.h"
#include "spec/program/profile.h"
#include "spec/rules/rule.h"

namespace lanecheck {
namespace {

void print_reading_headline(std::ostream& out, const Finding& finding, Painter& paint) {
  const auto equals = finding.id.find('=');
  const Reading* reading = find_reading(finding.id.substr(0, equals));
  paint.bold("undecided: " + printable(finding.id));
  out << '\n';
  if (reading == nullptr) return;
  const unsigned chosen = reading->get(default_readings(finding.program.profile));
  out << "  the documents leave open: " << reading->question << '\n'
      << "  in these cases the backend follows '" << printable(finding.id.substr(equals + 1))
      << "': " << printable(finding.what) << '\n'
      << "  the default is '" << reading->options[chosen].name << "': " << reading->why << '\n'
      << "  This is not counted as a failure. To judge it, pin the reading with --reading " << reading->id
      << "=OPTION.\n";
}

/// The first of the broken rules, and every broken legality rule.
void print_rules(std::ostream& out, const Finding& finding, Painter& paint) {
  if (const Rule* rule = find_rule(finding.rules.front())) {
    paint.red(rule->id);
    out << "  " << rule->claim << "  (" << rule->source.document << " section " << rule->source.section
        << ", " << kStandingNames[static_cast<std::size_t>(rule->standing)] << ")\n";
  }
  for (const std::string& id : finding.rules)
    if (const LegalityRule* rule = find_legality_rule(id)) {
      paint.red(rule->id);
      out << "  " << rule->claim << "  (" << rule->source.document << ", " << rule->source.section << ")\n";
    }
}

/// The title of a finding that names no rule.
std::string kind_of(const Finding& finding) {
  if (only_mask_differs(finding) && finding.matter != Matter::failure && finding.matter != Matter::difference)
    return "mask: another mask or mode is left than the documents say";
  if (finding.repeats != Repeats::stable) {
    const auto at = static_cast<std::size_t>(finding.repeats);
    const std::string head(finding.repeats == Repeats::state_dependent ? "state" : kRepeatsNames[at]);
    return head + ": " + std::string(kRepeatsTitles[at]);
  }
  switch (finding.matter) {
    case Matter::failure:
      return "backend failure";
    case Matter::difference:
      return printable(finding.id) + " (against " + printable(finding.other) + ")";
    case Matter::mask:
      return "mask: it is wrong which elements take part, which ones are written, or what else the mask does";
    case Matter::arithmetic:
      return "arithmetic: wrong values, and the mask is not the cause";
    case Matter::address:
      return "address: elements are read or written at wrong places, in wrong order, or not all of them";
    case Matter::refusal:
      return "refusal: a program is refused or accepted wrongly";
    case Matter::unexplained:
      if (finding.mask_is_right)
        return "unexplained: it is not known whether an address or arithmetic is wrong";
      return "unexplained: it is not known whether the mask, an address or arithmetic is wrong";
    case Matter::reading:
      break;
  }
  return std::string(kMatterNames[static_cast<std::size_t>(finding.matter)]);
}

}  // namespace

bool only_mask_differs(const Finding& finding) {
  return finding.mask_differs && finding.outside.empty() && finding.matter != Matter::refusal &&
         std::ranges::all_of(finding.lanes, &LaneRow::agrees);
}

void print_headline(std::ostream& out, const Finding& finding, Painter& paint) {
  if (finding.matter == Matter::reading) return print_reading_headline(out, finding, paint);
  if (finding.rules.empty()) {
    paint.red(kind_of(finding));
    out << '\n';
  } else {
    print_rules(out, finding, paint);
  }
  out << (finding.other.empty() ? "  the backend: " : "  ") << printable(finding.what);
  const bool is_its_own_name = finding.matter == Matter::failure || finding.matter == Matter::refusal ||
                               finding.matter == Matter::difference;
  if (!is_its_own_name || finding.repeats != Repeats::stable) out << "  [" << printable(finding.id) << "]";
  out << '\n';
}

}  // namespace lanecheck
