// What a run found, as data. Everything a report shows is here; the renderers (JSON, terminal) only read it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/backend_process.h"
#include "reports/heat_map.h"
#include "reports/matter.h"
#include "spec/program/program.h"
#include "spec/program/reading.h"
#include "spec/program/state.h"

namespace lanecheck {

/// Verdicts are a closed set. A backend that broke never conforms; nothing unknown is a pass.
enum class Verdict : std::uint8_t { conforms, diverges, undecided, skipped, errored };
inline constexpr std::string_view kVerdictNames[] = {"conforms", "diverges", "undecided", "skipped",
                                                     "errored"};

/// What the backend does if it is asked about the program of a finding again and again.
enum class Repeats : std::uint8_t {
  stable,           ///< the same each time, as far as it was asked again
  state_dependent,  ///< it is wrong after certain programs and right without them
  random,           ///< it is wrong now and then
  unknown           ///< it was wrong in the run, and it is not known when it is
};
inline constexpr std::string_view kRepeatsNames[] = {"stable", "state-dependent", "random", "unknown"};
/// What each of them says of the backend.
inline constexpr std::string_view kRepeatsTitles[] = {
    "the backend does the same each time", "what the backend does depends on what its process ran before",
    "the backend does not always do the same",
    "the backend was wrong in the run, and it is not known when it is"};

/// One element of dst of the diverging instruction.
struct LaneRow {
  /// Where the instruction addresses the element; if several repeats do, the one whose result stays. Of
  /// packed bits, each byte is one lane; what gather_mask keeps is one row.
  unsigned repeat, block, lane;
  /// The mask slot of the lane (a reduction, or a byte of bits: some lane is active). True if no mask is
  /// obeyed.
  bool active;
  bool written;  ///< the oracle writes the element
  bool agrees;
  Element type;
  std::uint64_t old_bits, expected, actual;
};

/// A byte of UB outside the elements of dst, just after the instruction that diverges.
struct OutsideByte {
  std::string allocation;  ///< its name; "" for guard bytes
  std::uint32_t offset;    ///< in UB
  std::byte expected, actual;

  bool operator==(const OutsideByte&) const = default;
};

/// One bucket: all cases with the same explanation, and the smallest program that shows it.
/// The id of a finding that nothing explains because the backend did not do the same again.
inline constexpr std::string_view kNotRepeatable = "not-repeatable";

struct Finding {
  Verdict verdict = Verdict::diverges;
  Matter matter = Matter::mask;
  /// A stable name: a mutant, reading=option, "measured-<map>-<hash>", or "unexplained-<op or family>" with
  /// what the lanes show.
  std::string id;
  std::vector<std::string> united;  ///< ids under which parts of it were printed, before they became one
  std::string other;                ///< the backend that left "expected"; empty: the documents expect it
  std::string what;                 ///< one sentence: what the backend does
  std::vector<std::string> rules;   ///< ids of the broken rules, the one that names it first
  std::string reading;              ///< measured: one that says the same of some programs; else empty
  bool of_earlier = false;          ///< an earlier instruction has a say in it
  bool is_example = false;  ///< a cause was measured, but no law: the sentence says what some lanes show
  bool writes_masked_off = false;  ///< masked-off lanes are written, with what stood there
  std::string cause;               ///< measured: what other instructions with this fault share; else empty
  std::string measured;            ///< measured: the maps of the instruction, as JSON; else empty
  std::vector<std::string> instructions;  ///< in which the cause was seen, with types; the first case's first
  std::vector<std::string> operands;      ///< measured law of strides: the operands in which it was seen
  std::uint64_t cases = 0;                ///< how many cases fell into this bucket
  std::uint64_t first_case = 0;           ///< the lowest case index
  std::string first_file;                 ///< replay: the first case file of the bucket; else empty
  Program program;                        ///< the minimized program
  std::size_t instruction = 0;            ///< index in `program` after which the states first differ
  std::vector<LaneRow>
      lanes;  ///< the elements of that instruction's dst, in the order in which it walks over them
  bool mask_is_right = false;          ///< it was shown that the mask is not the cause
  bool mask_differs = false;           ///< the backend's mask differs from the oracle's at the end
  Mask mask_before{};                  ///< the slots that gate the diverging instruction
  std::optional<std::uint64_t> total;  ///< counter mode: elements of the whole instruction
  State expected, actual;              ///< after the whole minimized program
  std::vector<OutsideByte> outside;    ///< changed by that instruction outside its dst, at most 16
  std::string passes;     ///< the change after which the minimized program passes; empty if none was found
  std::string predicate;  ///< when it happens, and when not: what was tried and seen; else empty
  unsigned tries = 0;     ///< how many programs minimization ran
  HeatMap heat;           ///< over the cases of the bucket
  Repeats repeats = Repeats::stable;
  unsigned asked = 0, wrong = 0;  ///< random, unknown: how often it was asked in a row, and was wrong
  std::vector<Program> before;    ///< state-dependent: the programs to run before `program`, in this order
};

/// Is everything right except the mask or the mode that is left behind?
bool only_mask_differs(const Finding& finding);

/// The number of cases in a run that is not given another. A run of fewer cases does not claim that it covers
/// every rule.
inline constexpr std::uint64_t kFullRun = 200'000;

struct RuleCount {
  std::string id;
  std::uint64_t exercised = 0;  ///< instructions of the run that the rule applies to
  std::uint64_t broken = 0;     ///< findings that name the rule
  /// Instructions that the rule applies to, in programs that the backend does not offer.
  std::uint64_t left_out = 0;
};

/// One axis of the diversity measure: how many instructions fell on each value.
struct Axis {
  std::string name;
  std::vector<std::pair<std::string, std::uint64_t>> counts;
};

/// An instruction that has no mask certificate.
struct Uncertified {
  std::string instruction;  ///< "add.f16"
  bool diverges = false;    ///< it diverges under one of the masks; else it could not be judged
  std::string why;
  std::string finding;  ///< id of the finding that explains the divergence; else empty
};

/// What the run showed under masks that hold every combination of a few bits (fuzz/certificate).
struct MaskCertificate {
  unsigned strength = 0;               ///< of how many bits
  std::vector<std::string> certified;  ///< instructions, "add.f16"
  std::vector<Uncertified> others;
};

struct Report {
  std::string version;
  Profile profile = Profile::vmc;
  std::string backend;
  std::string about;  ///< the version of an attached backend
  bool shows_mask = true;
  std::uint64_t seed = 0, first = 0;
  std::uint64_t planned = 0, done = 0;  ///< how many cases were asked for, and how many were run
  bool interrupted = false;
  Readings readings;
  std::vector<std::pair<std::string, std::string>> pinned;  ///< readings that the user pinned
  bool compares_backends = false;  ///< the run is one of `--against`: an undecided case may be in no finding
  std::uint64_t conforms = 0, diverges = 0, undecided = 0, skipped = 0,
                errored = 0;  ///< numbers of cases by verdict
  std::uint64_t unlisted =
      0;  ///< failing cases that were not analysed: the time was over, or a limit reached
  std::uint64_t boundary = 0, decisive = 0, wild = 0,
                edge = 0;        ///< numbers of cases by kind; edge: cases at an edge of legality
  bool judges_refusals = false;  ///< the run has cases at edges of legality: the backend reports refusals
  std::uint64_t element_checks = 0;
  std::uint64_t cells_reached = 0;
  std::vector<RuleCount> rules;
  std::vector<RuleCount> legality_rules;  ///< counts of cases at their edges, and of findings that name them
  std::vector<Axis> axes;
  std::vector<Finding> findings;
  std::optional<MaskCertificate> certificate;  ///< if the user asked for it, and the run came to its end
  std::vector<std::string> skip_reasons;
  std::uint64_t instructions_left_out = 0;  ///< instructions that were left out: they are not on offer
  std::vector<std::string> not_offered;     ///< mnemonics of the instructions that are not on offer
  std::string given_up;                     ///< why the run ended early, if the backend died too often
  std::vector<BackendProcess>
      processes;        ///< the processes of an attached backend; not part of the canonical report
  double seconds = 0;   ///< how long the run took; not part of the canonical report
  bool strict = false;  ///< undecided cases count as failures
  std::vector<std::string> doctor;  ///< what the doctor found wrong before the run
  std::string stopped;              ///< why the user's options ended the run early
  bool replayed = false;            ///< case files were judged, not generated cases
  std::vector<std::string>
      arguments;  ///< the options that a command needs to reproduce a finding; may be empty
  std::vector<std::string> unreadable;  ///< replay: the files that are no case files, and why
};

/// Counts one more case with this verdict.
void count_verdict(Report& report, Verdict verdict);

/// 0: conforms. 1: diverges, also if there are failures beside, or the doctor found a mistake, or a strict
/// run has undecided cases. 3: the backend failed, a rule that the run claims to cover was never exercised,
/// or nothing was judged.
int exit_code(const Report& report);

/// The instructions that diverge under the masks of the certificate.
std::uint64_t diverging_under_masks(const Report& report);

/// Is there an instruction that diverges under the masks of the certificate, and that no finding names?
bool has_unnamed_divergence(const Report& report);

/// Rules that no case exercised, although the backend offers their instructions. Empty for case files and for
/// a run of cases at the edge of legality alone.
std::vector<std::string> not_exercised(const Report& report);

/// Rules that the run claims to cover and that no case exercised. Only a run to its end of at least kFullRun
/// cases claims to cover rules: half of the first cases are drawn and half are rows of the boundary tables,
/// so that a shorter run may miss a rule by chance.
std::vector<std::string> never_exercised(const Report& report);

}  // namespace lanecheck
