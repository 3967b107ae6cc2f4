#include "fuzz/identify/values/written_by_value.h"

#include <algorithm>

#include "fuzz/identify/probes/gate_map.h"
#include "fuzz/identify/values/answered.h"
#include "fuzz/identify/values/value_differences.h"
#include "oracle/execute/execute.h"
#include "spec/mask/footprint.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// The results that show whether they were written: `is_wrong` if that is not as it should be. Nothing if
/// something else than their writing deviates. `computed`: what is written into the lanes.
std::optional<std::vector<JudgedResult>> seen(const std::vector<JudgedResult>& results,
                                              const std::vector<JudgedResult>& computed,
                                              const std::function<bool(const JudgedResult&)>& counts) {
  std::vector<JudgedResult> list;
  for (std::size_t n = 0; n < results.size(); ++n) {
    const JudgedResult& each = results[n];
    if (!counts(each)) {
      if (each.is_wrong) return {};
      continue;
    }
    const std::uint64_t old = source_bits(*each.program, 0, each.number), written = computed[n].expected;
    if (old == written) continue;
    if (each.is_wrong && each.actual != old && each.actual != written) return {};
    list.push_back(each);
    list.back().expected = written;  // which conditions may speak of
  }
  return list;
}

/// ", in all results for which src is positive" tells all results that are treated wrongly.
std::optional<std::string> condition_of(const std::vector<JudgedResult>& results,
                                        const std::vector<JudgedResult>& fresh) {
  if (std::ranges::none_of(results, &JudgedResult::is_wrong)) return {};
  const auto telling = telling_data(results, fresh);
  return telling && telling->is_exact ? std::optional(telling->condition) : std::nullopt;
}

/// The results of lanes that are on under a full mask, or off under one with gaps. Nothing if something else
/// than their writing deviates.
struct Asked {
  Answered answered;
  std::optional<std::vector<JudgedResult>> results;

  bool all_wrong() const { return std::ranges::all_of(*results, &JudgedResult::is_wrong); }
};

Asked ask_for(const Subject& subject, bool on, unsigned draw, const Ask& ask,
              std::size_t most = kEveryProgram) {
  const MaskWords mask = on ? full_mask(subject) : gapped_mask(subject);
  Asked asked{ask_values(subject, ask, draw, mask, most), {}};
  const Answered full = ask_values(subject, ask_oracle(), draw, full_mask(subject), most);
  if (asked.answered.programs.empty() || full.programs.size() != asked.answered.programs.size()) return asked;
  const unsigned lanes = lanes_of(subject.insn);
  asked.results = seen(judge_results(asked.answered), judge_results(full), [&](const JudgedResult& each) {
    const unsigned lane = each.number % lanes;
    return (lane >= settable_slots(subject) || has_slot(mask, lane)) == on;
  });
  return asked;
}

}  // namespace

std::optional<Difference> written_by_value(const Subject& subject, bool on, const Ask& ask) {
  constexpr std::size_t kFirstPrograms = 2;  // that tell whether it is worth it to ask all
  const Row& row = row_of(subject.insn.op);
  if (row.mask != MaskUse::gates_writeback || row.compares || !has_result_of_each_lane(subject.insn) ||
      !has_value_probes(row))
    return {};
  const Asked few = ask_for(subject, on, 0, ask, kFirstPrograms);
  if (!few.results || few.all_wrong()) return {};  // whatever the values are
  const Asked first = ask_for(subject, on, 0, ask);
  if (!first.results || first.all_wrong()) return {};
  const Asked fresh = ask_for(subject, on, 1, ask);
  if (!fresh.results) return {};
  const auto condition = condition_of(*first.results, *fresh.results);
  if (!condition) return {};
  const std::string text =
      std::string(on ? " does not write results" : " writes masked-off lanes") + " for which " + *condition;
  Difference difference{on ? MapKind::dst : MapKind::gate, mnemonic(subject.insn) + text, {}};
  difference.key = "gate:" + text;
  difference.matter = Matter::mask;
  return difference;
}

}  // namespace lanecheck
