#include "fuzz/trace/judge_trace.h"

#include <utility>

#include "fuzz/recorded/judge_recording.h"
#include "fuzz/trace/replay_trace.h"
#include "spec/program/input_error.h"

namespace lanecheck {
namespace {

/// Replays all steps. The mask after a step is the one that the next line gives. Returns whether the user
/// stopped it.
bool replay(TraceReader& reader, TraceReplay& steps, const std::function<bool()>& stop) {
  TraceStep step, next;
  bool has_step = false;
  try {
    has_step = reader.next(step);
    if (has_step && step.mask && reader.start_mask() && step.mask->mask != reader.start_mask()->mask)
      steps.add_fault(reader.place(step.line) + ": the mask is another one than in the first line");
    while (has_step) {
      if (steps.is_full())
        throw InputError(reader.place(step.line), "the rest is not judged: too many steps before are wrong");
      if (stop && stop()) return true;
      const bool has_next = reader.next(next);
      steps.judge(step, has_next ? next.mask : reader.end_mask());
      std::swap(step, next);
      has_step = has_next;
    }
  } catch (const InputError& error) {
    steps.add_fault(error.what());
    if (has_step && !steps.is_full()) steps.judge(step, {});
  }
  return false;
}

}  // namespace

Report judge_trace(TraceReader& reader, RunOptions options, const RunHooks& hooks) {
  TraceReplay steps(reader, options.readings);
  const bool stopped = replay(reader, steps, hooks.stop);
  const Recording recording = steps.take();
  Report report = judge_recording(recording, std::move(options), hooks, &steps.tally());
  report.interrupted = report.interrupted || stopped;
  return report;
}

}  // namespace lanecheck
