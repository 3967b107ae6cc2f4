// Replays a trace step by step, each step from the state that the recording had before it, and collects the
// steps that are wrong as records of a recording (fuzz/recorded).
#pragma once

#include <map>
#include <string>
#include <tuple>

#include "fuzz/recorded/recording.h"
#include "fuzz/run/tally.h"
#include "fuzz/trace/cut.h"
#include "oracle/execute/semantics.h"
#include "spec/legality/find_fault.h"

namespace lanecheck {

/// The replay ends after so many wrong steps, or when they take so many bytes of memory.
inline constexpr std::size_t kMostWrongSteps = 10'000;
inline constexpr std::size_t kMostWrongBytes = std::size_t{256} << 20;

class TraceReplay {
 public:
  TraceReplay(const TraceReader& reader, const Readings& readings);

  /// Judges one step. `after` is the mask register after it, if the trace shows it.
  void judge(const TraceStep& step, const std::optional<GivenMask>& after);
  void add_fault(const std::string& what) { recording_.faults.push_back(what); }

  /// Too many steps are wrong.
  bool is_full() const { return wrong_ >= kMostWrongSteps || wrong_bytes_ >= kMostWrongBytes; }
  /// The steps that conform, are skipped, or cannot be cut out.
  const Tally& tally() const { return tally_; }
  /// The wrong steps as programs, and some that conform, to tell causes apart. Ids are numbers of steps.
  Recording take();

 private:
  void judge_instruction(const TraceStep& step, const std::optional<GivenMask>& after);
  bool skips(const Instruction& insn, const std::string& place);
  bool is_legal_when_cut(const Instruction& insn, const Fault& fault) const;
  bool is_as_expected(std::span<const Touched> touched, const TraceStep& step,
                      const std::optional<GivenMask>& after) const;
  bool keeps_as_witness(const Instruction& insn);
  bool cut_and_compare(const TraceStep& step, std::span<const Touched> touched,
                       const std::optional<GivenMask>& after, bool is_witness);
  void keep(Cut cut, State state, const TraceStep& step);
  void count(const Instruction& insn, std::optional<Verdict> verdict, std::string skipped = {});
  void write(const TraceStep& step);
  void take_back();
  void expect_recorded(const Range& range);
  void follow_mask(const std::optional<Instruction>& insn, const std::optional<GivenMask>& after);
  void start_with(const GivenMask& given);

  const TraceReader& reader_;
  Readings readings_;
  Semantics semantics_;
  Program whole_;   ///< the allocations, and UB as the recording had it at the step at hand
  State expected_;  ///< UB as in `whole_`, except while a step is judged
  MaskBits mask_;   ///< before the step at hand
  bool knows_cmpmask_ = false;
  std::vector<std::byte> replaced_;  ///< what the step at hand wrote over
  std::vector<Range> replaced_at_;
  Recording recording_;
  Tally tally_;
  CaseRecord counted_;
  std::size_t wrong_ = 0, wrong_bytes_ = 0;
  bool leaves_wrong_mask_ = false;  ///< of a wrong step so far
  std::map<std::tuple<Op, Element, Element>, unsigned> witnesses_;
  std::map<std::string, std::string, std::less<>> first_illegal_;  ///< by rule: why its steps are skipped
};

}  // namespace lanecheck
