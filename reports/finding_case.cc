#include "reports/finding_case.h"

#include "spec/legality/legality_rule.h"

namespace lanecheck {

Case case_of(const Finding& finding, const Readings& readings) {
  Case c;
  c.rule = finding.rules.empty() ? finding.id : finding.rules.front();
  c.about = finding.what;
  c.source = "minimized by lanecheck; the expected outcome is the oracle's";
  c.readings = readings;
  c.program = finding.program;
  if (find_legality_rule(c.rule) != nullptr && finding.matter == Matter::refusal)
    c.refused = c.rule;
  else
    c.expect = finding.expected;
  return c;
}

}  // namespace lanecheck
