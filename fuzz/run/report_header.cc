#include "fuzz/run/report_header.h"

#include "version.h"

namespace lanecheck {

Report report_header(const RunOptions& options, const Backend& backend) {
  Report report;
  report.version = LANECHECK_VERSION;
  report.profile = options.mix.profile;
  report.backend = backend.name;
  report.about = backend.about;
  report.shows_mask = backend.shows_mask;
  report.seed = options.seed;
  report.first = options.first;
  report.planned = options.cases;
  report.readings = options.readings;
  for (const std::string& id : options.pinned)
    if (const Reading* reading = find_reading(id))
      report.pinned.emplace_back(id, reading->options[reading->get(options.readings)].name);
  return report;
}

}  // namespace lanecheck
