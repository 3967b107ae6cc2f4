#include "fuzz/trace/replay_trace.h"

#include <algorithm>
#include <cstring>

#include "fuzz/coverage/cell_counts.h"
#include "oracle/compare/compare.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/program/profile.h"

namespace lanecheck {
namespace {

constexpr unsigned kWitnesses = 16;  ///< steps of one instruction and type that conform and are kept

}  // namespace

TraceReplay::TraceReplay(const TraceReader& reader, const Readings& readings)
    : reader_(reader),
      readings_(readings),
      semantics_(readings),
      whole_(reader.start()),
      expected_{whole_.ub},
      tally_(whole_.profile) {
  if (reader.start_mask()) start_with(*reader.start_mask());
  recording_.name = reader.recorded().empty() ? reader.name() : reader.recorded();
  recording_.profile = whole_.profile;
}

void TraceReplay::judge(const TraceStep& step, const std::optional<GivenMask>& after) {
  if (step.number == 0 && step.mask) start_with(*step.mask);
  if (step.insn) return judge_instruction(step, after);
  write(step);  // something else changed UB, which is not judged
  for (const Range& each : step.wrote) expect_recorded(each);
  if (after) follow_mask({}, after);
}

Recording TraceReplay::take() {
  recording_.shown = reader_.shown();
  return std::move(recording_);
}

void TraceReplay::judge_instruction(const TraceStep& step, const std::optional<GivenMask>& after) {
  const Instruction& insn = *step.insn;
  if (skips(insn, reader_.place(step.line))) {
    write(step);
    for (const Range& each : step.wrote) expect_recorded(each);
    return follow_mask(insn, after);
  }
  const std::vector<Touched> touched = touched_by(whole_, insn, mask_, readings_);
  execute_one(whole_, insn, semantics_, expected_);
  write(step);
  const bool agrees = is_as_expected(touched, step, after);
  bool kept = false;
  if (!agrees || keeps_as_witness(insn)) kept = cut_and_compare(step, touched, after, agrees);
  if (!kept) count(insn, Verdict::conforms);
  if (!agrees) {
    for (const Touched& each : touched) expect_recorded(each.range);
    for (const Range& each : step.wrote) expect_recorded(each);
  }
  knows_cmpmask_ = knows_cmpmask_ || row_of(insn.op).compare_mask == CompareMaskUse::loads;
  follow_mask(insn, after);
}

/// The next step is judged from what the recording has.
void TraceReplay::expect_recorded(const Range& range) {
  std::memcpy(expected_.ub.data() + range.from, whole_.ub.data() + range.from, range.to - range.from);
}

/// Does the instruction break a rule of legality, so that nothing is expected of it? Then counts it.
bool TraceReplay::skips(const Instruction& insn, const std::string& place) {
  auto setting = instructions_that_set(mask_, whole_.profile);
  if (!setting) {
    count(insn, Verdict::skipped, "the mask before the step has zeros that no program can set");
    return true;
  }
  whole_.instructions = *std::move(setting);
  whole_.instructions.push_back(insn);
  const auto fault = find_fault(whole_, readings_);
  if (!fault || is_legal_when_cut(insn, *fault)) return false;
  std::string& why = first_illegal_[std::string(fault->rule->id)];
  if (why.empty())
    why = "the step is illegal: " + std::string(fault->rule->id) + ", first at " + place + ": " + fault->what;
  count(insn, Verdict::skipped, why);
  return true;
}

/// A kernel may keep offsets in one allocation with what it writes, which a program of a run must not.
bool TraceReplay::is_legal_when_cut(const Instruction& insn, const Fault& fault) const {
  if (fault.rule->id != "LAW-offsets") return false;
  return cut_out(whole_, insn, touched_by(whole_, insn, mask_, readings_), {}, {mask_, nullptr}, readings_)
      .has_value();
}

/// Did the step leave what the oracle leaves, to the last bit?
bool TraceReplay::is_as_expected(std::span<const Touched> touched, const TraceStep& step,
                                 const std::optional<GivenMask>& after) const {
  const auto same = [this](const Range& range) {
    return std::memcmp(expected_.ub.data() + range.from, whole_.ub.data() + range.from,
                       range.to - range.from) == 0;
  };
  for (const Touched& each : touched)
    if (each.is_written && !same(each.range)) return false;
  if (!std::ranges::all_of(step.wrote, same)) return false;
  if (!after) return true;
  return after->mask == expected_.mask && (!reader_.shown().mode || after->mode == expected_.mode);
}

/// Steps that conform tell causes apart. Those before the first wrong step do not count: perhaps the fault
/// was not there yet. If a wrong mask was left somewhere, neither do those that need instructions to set the
/// mask.
bool TraceReplay::keeps_as_witness(const Instruction& insn) {
  if (wrong_ == 0) return false;
  const bool is_default = mask_.words == MaskBits().words && mask_.mode == Mode::normal;
  if (leaves_wrong_mask_ && !is_default) return false;
  return ++witnesses_[{insn.op, insn.dst_type, insn.src_type}] <= kWitnesses;
}

/// Cuts the step out and compares it as the documents allow. True if it is kept as a record; the recording
/// then counts it. False if it conforms and is not needed.
bool TraceReplay::cut_and_compare(const TraceStep& step, std::span<const Touched> touched,
                                  const std::optional<GivenMask>& after, bool is_witness) {
  take_back();
  const bool needs_cmpmask = row_of(step.insn->op).compare_mask == CompareMaskUse::reads;
  const RegistersBefore before{mask_, needs_cmpmask && knows_cmpmask_ ? &expected_.cmpmask : nullptr};
  auto cut = cut_out(whole_, *step.insn, touched, step.wrote, before, readings_);
  write(step);
  if (!cut) {
    if (is_witness) return false;
    ++wrong_;
    count(*step.insn, Verdict::diverges);
    add_fault(reader_.place(step.line) + ": the step is wrong, and cannot be cut out to be explained");
    return true;
  }
  State state{cut->image(whole_.ub), expected_.mask, expected_.mode, {}};
  if (after) state.mask = after->mask;
  if (after && reader_.shown().mode) state.mode = after->mode;
  if (!is_witness && agrees(cut->program, semantics_, state, reader_.shown())) return false;
  if (!is_witness) {
    ++wrong_;
    leaves_wrong_mask_ = leaves_wrong_mask_ || state.mask != expected_.mask || state.mode != expected_.mode;
    wrong_bytes_ += 2 * cut->program.ub.size() + sizeof(State) + sizeof(Program);
  }
  keep(*std::move(cut), std::move(state), step);
  return true;
}

void TraceReplay::keep(Cut cut, State state, const TraceStep& step) {
  recording_.programs.push_back(std::move(cut.program));
  recording_.records.push_back({step.number, reader_.place(step.line), Ran{}, std::move(state)});
}

void TraceReplay::count(const Instruction& insn, std::optional<Verdict> verdict, std::string skipped) {
  counted_.clear();
  counted_.verdict = verdict;
  counted_.skipped = std::move(skipped);
  if (verdict != Verdict::skipped) {
    MaskBits mask = mask_;
    mask.load(insn, readings_);
    counted_.cells.push_back(key_of(cell_of(resolve(insn, mask, readings_), mask)));
    counted_.element_checks = element_slots(insn);
  }
  tally_.count(counted_);
}

/// Writes the bytes of the step into the recorded UB, and keeps what stood there.
void TraceReplay::write(const TraceStep& step) {
  replaced_.clear();
  replaced_at_ = step.wrote;
  std::size_t at = 0;
  for (const Range& each : step.wrote) {
    std::byte* const place = whole_.ub.data() + each.from;
    const std::size_t bytes = each.to - each.from;
    replaced_.insert(replaced_.end(), place, place + bytes);
    std::memcpy(place, step.bytes.data() + at, bytes);
    at += bytes;
  }
}

/// Puts back what write() replaced, the last range first, because ranges may overlap.
void TraceReplay::take_back() {
  std::size_t end = replaced_.size();
  for (std::size_t n = replaced_at_.size(); n-- > 0;) {
    const std::size_t bytes = replaced_at_[n].to - replaced_at_[n].from;
    end -= bytes;
    std::memcpy(whole_.ub.data() + replaced_at_[n].from, replaced_.data() + end, bytes);
  }
}

/// The register after the step: as the trace shows it, else as the documents say.
void TraceReplay::follow_mask(const std::optional<Instruction>& insn, const std::optional<GivenMask>& after) {
  if (insn) mask_.apply(*insn, readings_);
  GivenMask next{{}, mask_.mode};
  for (unsigned w = 0; w < mask_.words.size(); ++w) set_mask_word(next.mask, w, mask_.words[w]);
  if (after) next.mask = after->mask;
  if (after && reader_.shown().mode) next.mode = after->mode;
  expected_.mask = next.mask;
  expected_.mode = next.mode;
  const MaskBits bits = bits_of(next.mask, next.mode, mask_.origin);
  if (bits.words != mask_.words || bits.mode != mask_.mode) mask_ = bits;
}

void TraceReplay::start_with(const GivenMask& given) {
  expected_.mask = given.mask;
  expected_.mode = given.mode;
  mask_ = bits_of(given.mask, given.mode, MaskOrigin::set);
}

}  // namespace lanecheck
