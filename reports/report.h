// What a run found, as data. Everything a report shows is here; the renderers (JSON, terminal) only read it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/backend_process.h"
#include "spec/program/program.h"
#include "spec/program/reading.h"
#include "spec/program/state.h"

namespace lanecheck {

/// Verdicts are a closed set. A backend that broke never conforms; nothing unknown is a pass.
enum class Verdict : std::uint8_t { conforms, diverges, undecided, skipped, errored };
inline constexpr std::string_view kVerdictNames[] = {"conforms", "diverges", "undecided", "skipped",
                                                     "errored"};

/// What a divergence speaks of. Mask rules are judged apart from arithmetic.
enum class Matter : std::uint8_t { mask, arithmetic, reading, refusal, failure, difference };
inline constexpr std::string_view kMatterNames[] = {"mask",    "arithmetic", "reading",
                                                    "refusal", "failure",    "difference"};

/// One element of dst of the diverging instruction.
struct LaneRow {
  unsigned repeat, block, lane;  ///< of the first write to this place
  bool active;   ///< the mask slot of the lane (a reduction: some lane of the result is active)
  bool written;  ///< the oracle writes it
  bool agrees;
  Element type;
  std::uint64_t old_bits, expected, actual;
};

/// One bucket: all cases with the same explanation, and the smallest program that shows it.
struct Finding {
  Verdict verdict = Verdict::diverges;
  Matter matter = Matter::mask;
  std::string id;                      ///< stable name: mutant, reading=option, or "unexplained-<op>"
  std::string other;                   ///< the backend that "expected" is of; empty: the documents
  std::string what;                    ///< one sentence: what the backend does
  std::vector<std::string> rules;      ///< ids of the broken rules, the one that names it first
  std::uint64_t cases = 0;             ///< how many cases fell into this bucket
  std::uint64_t first_case = 0;        ///< the lowest case index
  Program program;                     ///< minimized
  std::size_t instruction = 0;         ///< index in `program` after which the states first differ
  std::vector<LaneRow> lanes;          ///< of that instruction's dst, in walking order
  bool mask_differs = false;           ///< the backend's mask differs from the oracle's at the end
  Mask mask_before{};                  ///< the slots that gate the diverging instruction
  std::optional<std::uint64_t> total;  ///< counter mode: elements of the whole instruction
  State expected, actual;              ///< after the whole minimized program
  std::vector<std::pair<std::string, std::uint32_t>> outside;  ///< allocation ("" for guard bytes) and offset
                                                               ///< of bytes changed outside dst, at most 16
  unsigned tries = 0;                                          ///< programs that minimization ran
};

struct RuleCount {
  std::string id;
  std::uint64_t exercised = 0;  ///< instructions of the run that the rule applies to
  std::uint64_t broken = 0;     ///< findings that name it
  std::uint64_t left_out =
      0;  ///< instructions that it would apply to, in programs that the backend does not offer
};

/// One axis of the diversity measure: how many instructions fell on each value.
struct Axis {
  std::string name;
  std::vector<std::pair<std::string, std::uint64_t>> counts;
};

struct Report {
  std::string version;
  Profile profile = Profile::vmc;
  std::string backend;
  std::string about;  ///< version of an attached backend
  bool shows_mask = true;
  std::uint64_t seed = 0, first = 0;
  std::uint64_t planned = 0, done = 0;  ///< cases
  bool interrupted = false;
  Readings readings;
  std::vector<std::pair<std::string, std::string>> pinned;  ///< readings that the user pinned
  std::uint64_t conforms = 0, diverges = 0, undecided = 0, skipped = 0, errored = 0;  ///< cases
  std::uint64_t unlisted = 0;  ///< cases that no finding lists: with faults of their own, past the first few
  std::uint64_t boundary = 0, decisive = 0, wild = 0, border = 0;  ///< cases by kind
  bool judges_refusals = false;  ///< border cases are run: the backend reports refusals
  std::uint64_t element_checks = 0;
  std::uint64_t cells_reached = 0;
  std::vector<RuleCount> rules;
  std::vector<RuleCount> laws;  ///< legality rules: border cases, and findings that name them
  std::vector<Axis> axes;
  std::vector<Finding> findings;
  std::vector<std::string> skip_reasons;
  std::uint64_t instructions_left_out = 0;  ///< not on offer
  std::vector<std::string> not_offered;     ///< their mnemonics
  std::string given_up;                     ///< why the run ended early: the backend died too often
  std::vector<BackendProcess> processes;    ///< of an attached backend; not part of the canonical report
  double seconds = 0;                       ///< not part of the canonical report
};

/// 0 conforms, 1 diverges, 3 the backend failed or a claimed rule was never exercised.
int exit_code(const Report& report);

/// Rules that the run claims to cover and that no case exercised. A run of fewer cases than the boundary
/// tables hold claims nothing.
std::vector<std::string> never_exercised(const Report& report);

}  // namespace lanecheck
