// A conformance run: generate, ask the oracle, ask the backend, compare; explain and minimize what differs.
#pragma once

#include <functional>
#include <optional>

#include "fuzz/backend/backend.h"
#include "fuzz/generate/generate.h"
#include "reports/report.h"

namespace lanecheck {

struct RunOptions {
  std::uint64_t seed = 1;
  std::uint64_t first = 0;  ///< index of the first case
  std::uint64_t cases = 200'000;
  unsigned illegal_in_32 =
      1;               ///< share of border cases (fuzz/generate/edge.h), for backends that report refusals
  double seconds = 0;  ///< 0: no limit; else stop at a case boundary after this time
  Mix mix;
  Readings readings;
  std::vector<std::string> pinned;  ///< ids of the readings that the user pinned
  std::size_t most_findings = 20;   ///< stop looking for new buckets after this many
  bool minimize = true;
};

struct RunHooks {
  std::function<void(const Finding&)> on_finding;  ///< as soon as a bucket is minimized
  std::function<void(std::uint64_t done, double seconds, std::size_t findings)>
      on_progress;             ///< now and then
  std::function<bool()> stop;  ///< asked between cases, and while minimizing
  std::function<void(std::uint64_t first, std::uint64_t count)> before_batch;  ///< these cases are run next
};

Report run(const RunOptions& options, const Backend& backend, const RunHooks& hooks = {});

/// Judges one program, minimized or not: the finding, or nothing when the backend conforms or skips it.
std::optional<Finding> judge(const Program& program, const RunOptions& options, const Backend& backend);
/// Why the backend skips a program: what it does not offer, or what it says; nothing when it runs it.
std::optional<std::string> skips(const Program& program, const Backend& backend);

}  // namespace lanecheck
