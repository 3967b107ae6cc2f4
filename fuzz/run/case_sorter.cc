#include "fuzz/run/case_sorter.h"

#include <algorithm>
#include <bit>

#include "fuzz/explain/explain.h"
#include "fuzz/explain/hypotheses/unconfirmed_reading.h"
#include "fuzz/explain/measured/measured_cause.h"
#include "fuzz/explain/name_finding.h"
#include "fuzz/explain/questions/locate.h"
#include "fuzz/explain/questions/repeatable.h"
#include "fuzz/run/differing_places.h"
#include "oracle/execute/execute.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

// A broken backend produces many programs with several faults at once. A few of them, minimized, suffice.
constexpr unsigned kMostUnexplained = 40;
constexpr std::uint64_t kMostNarrowing = 64;  // cases of a bucket that may narrow down its suspects
// So many diverging cases are first compared with each bucket. Later ones are first compared with all known
// causes together, because that is cheap.
constexpr std::uint64_t kMostOneByOne = 200;
// A mistake that shows beside known causes is looked for alone in so many generated cases, and the backend is
// asked about so many of them.
constexpr std::uint64_t kMostSearchedApart = 4'000;
constexpr unsigned kMostAskedApart = 12;
// When no further finding is listed, so many cases are analysed still, and later fewer and fewer.
constexpr std::uint64_t kMostUnlisted = 64;

Verdict verdict_without_finding(const Outcome& outcome, const Suspects& suspects) {
  if (std::holds_alternative<Errored>(outcome)) return Verdict::errored;
  if (suspects.empty() || suspects.front()->is_wrong()) return Verdict::diverges;
  return Verdict::undecided;
}

}  // namespace

Verdict CaseSorter::sort(const FailedCase& failed) {
  if (failed.accepted) return sort_accepted(failed);
  if (Bucket* of_reading = bucket_of_forbidding(failed.program)) return count_again(*of_reading);
  if (const auto verdict = sort_into_known(failed)) return *verdict;
  return analyse(failed);
}

/// Recognizes the case by what is known already, without a question to the backend. Nothing if that fails and
/// the case is worth an analysis.
std::optional<Verdict> CaseSorter::sort_into_known(const FailedCase& failed) {
  const Program& program = failed.program;
  const State& actual = failed.answers.front().state;
  const std::string failure = failure_kind(failed.answers.front().outcome);
  if (failure.empty()) {
    if (Bucket* of_law = bucket_of_mask_law(failed)) return count(*of_law, failed);
    if (Bucket* of_law = bucket_of_element_law(failed)) return count(*of_law, failed);
  }
  const bool often = failure.empty() && ++diverging_ > kMostOneByOne;
  if (often)
    if (const auto verdict = sort_by_causes(failed)) return verdict;
  if (Bucket* known = known_bucket(failure, program, actual)) {
    if (failure.empty() && known->finding.cases < kMostNarrowing) narrow(*known, program, actual);
    return count(*known, failed);
  }
  if (!failure.empty()) return {};
  if (!often)
    if (const auto verdict = sort_by_causes(failed)) return verdict;
  if (Bucket* of_law = bucket_of_operand_law(program, actual)) return count(*of_law, failed);
  if (Bucket* measured = measured_bucket(program, actual)) return count_alike(*measured, failed);
  if (Bucket* of_law = bucket_of_stride_law(program, actual)) return count(*of_law, failed);
  if (analyses_no_more()) return Verdict::diverges;
  return {};
}

/// The bucket of a backend that lets instructions run under another mask of the program, if that gives the
/// output. Measured once, before any other cause is named: on such a backend, most instructions look as if
/// they ignored the mask.
Bucket* CaseSorter::bucket_of_mask_law(const FailedCase& failed) {
  if (!mask_law_is_measured_) mask_law_ = measure_mask_law(asked_, documented_);
  mask_law_is_measured_ = true;
  const BackendAnswer& answer = failed.answers.front();
  if (!mask_law_ || !answer.ran() ||
      !mask_law_->gives(failed.program, documented_.semantics, answer.state, asked_.shown()))
    return nullptr;
  if (Bucket* known = buckets_.find_id(mask_law_->id)) return known;
  if (is_full()) return nullptr;
  add({{}, {}, mask_law_finding(*mask_law_, asked_, documented_)}, failed.index);
  Bucket* const added = buckets_.find_id(mask_law_->id);
  added->finding.cases = 0;  // the caller counts the case
  return added;
}

/// Asks the backend for the cause of the case, and sorts it into the bucket of this cause, which may be new.
Verdict CaseSorter::analyse(const FailedCase& failed) {
  const Program& program = failed.program;
  const BackendAnswer& first = failed.answers.front();
  if (asked_.ends())  // the run ends: the backend is asked no more
    return not_listed(
        verdict_without_finding(first.outcome, suspects(first, program, documented_, asked_.shown())));
  if (const auto allowed = shown_by_forbidding(failed)) return analyse(*allowed);
  // A new process costs much: only if there may be a finding of one, and before a new finding is made.
  const auto is_unstable = [](const Bucket& each) { return each.finding.repeats != Repeats::stable; };
  const bool may_be_known = buckets_.find(is_unstable) != nullptr;
  for (const bool afresh : {false, true})
    if (!afresh || may_be_known)
      if (const auto verdict = sort_unstable(failed, afresh)) return *verdict;
  const bool repeats = repeats_itself(program, first);
  if (const auto padded = repeats ? std::nullopt : without_chance(failed)) return analyse(*padded);
  const bool may_be_blamed = repeats && failure_kind(first.outcome).empty();
  Refined refined;
  if (may_be_blamed) {
    refined = refined_suspects(program);
    // The case that this program was found for has confirmed the mistake, beside the known causes.
    if (failed.apart && !refined.suspects.empty()) refined.confirming.push_back(program);
    const bool is_reading = !refined.suspects.empty() && !refined.suspects.front()->is_wrong();
    if (!is_reading && refined.confirming.empty()) {
      if (Bucket* same = bucket_of_cause(program, first.state)) return count_alike(*same, failed);
      if (const auto verdict = count_carried(failed)) return *verdict;
    }
    if (refined.suspects.empty()) {
      if (Bucket* of_readings = several_readings(failed.index, program)) return of_readings->finding.verdict;
      if (const auto apart = without_known_causes(failed)) return analyse(*apart);
    }
  }
  const bool enough = may_be_blamed && refined.suspects.empty() && ++unexplained_ > kMostUnexplained;
  if (enough || is_full()) {
    if (!refined.suspects.empty()) learn(*refined.suspects.front());
    return not_listed(verdict_without_finding(first.outcome, refined.suspects));
  }
  if (!may_be_known)
    if (const auto verdict = sort_unstable(failed, true)) return *verdict;
  Bucket bucket = explained(failed, repeats, std::move(refined));
  if (learns_readings(bucket, failed.index)) return analyse(failed);
  if (auto named = named_in_plain_form(bucket, program)) bucket = *std::move(named);
  name_by_operand_law(bucket);
  // A case with several faults at once may shrink into a finding that is there already.
  if (Bucket* same = buckets_.find_id(bucket.finding.id)) return join(*same, bucket.finding, failed);
  if (Bucket* same = bucket_whose_law_gives(bucket.finding)) return count(*same, failed);
  if (Bucket* same = bucket_of_element_law(bucket, failed.index)) return count(*same, failed);
  if (Bucket* same = bucket_of_same_law(bucket)) return unite(*same, std::move(bucket), failed);
  if (Bucket* same = bucket_of_operand_law(bucket)) return join(*same, bucket.finding, failed);
  // If the time ended the analysis, an unnamed bucket may repeat an earlier finding. So it is kept only if
  // there is no finding yet.
  if (!bucket.is_named() && buckets_.size() > 0 && end_of_analysis(options_, hooks_)())
    return not_listed(bucket.finding.verdict);
  if (reads_behind_known_addresses(bucket)) return not_listed(bucket.finding.verdict);
  if (repeats && asked_.backend().recorded.empty())  // the smaller program may need what an earlier one left
    if (auto unstable = unstable_.explain_part(bucket.finding.program, failed))
      return add_unstable(std::move(*unstable), failed);
  return add_case(std::move(bucket), failed);
}

/// If one or two further mistakes beside the known causes give the output: another program, on which the
/// backend shows one of them and none of the known causes.
std::optional<FailedCase> CaseSorter::without_known_causes(const FailedCase& failed) {
  if (failed.apart || !asked_.backend().recorded.empty()) return {};
  const Suspects missing = causes_.missing(failed.program, failed.answers.front().state, asked_.shown());
  if (missing.empty()) return {};
  Program program;
  unsigned asked = 0;
  for (std::uint64_t index = 0; index < kMostSearchedApart && !asked_.ends(); ++index) {
    generate(options_.seed, index, options_.mix, program);
    const auto shown = std::ranges::find_if(
        missing, [&](const Hypothesis* each) { return causes_.shows_alone(*each, program, asked_.shown()); });
    if (shown == missing.end() || !asked_.backend().capabilities.include_all_of(program) ||
        find_fault(program, documented_.readings()) || proves_nothing(program, documented_))
      continue;
    if (++asked > kMostAskedApart) break;
    BackendAnswer answer = asked_.ask(program);
    if (!diverges(answer, program, documented_, asked_.shown()) ||
        !explains(**shown, program, answer.state, asked_.shown()))
      continue;
    FailedCase apart(failed.index, program, {});
    apart.answers.push_back(std::move(answer));
    apart.apart = true;
    return apart;
  }
  return {};
}

/// The case explained and minimized, as a bucket of its own.
Bucket CaseSorter::explained(const FailedCase& failed, bool repeats, Refined refined) {
  const Program& program = failed.program;
  const BackendAnswer& first = failed.answers.front();
  Bucket bucket{{}, failure_kind(first.outcome), {}};
  const auto is_listed = [this](const std::string& id) { return buckets_.find_id(id) != nullptr; };
  bucket.finding = repeats ? explain(program, refined, asked_, documented_, options_.minimize, is_listed)
                           : explain_not_repeated(program, first, asked_, documented_);
  if (bucket.finding.id == kNotRepeatable && repeats && first.ran()) {
    const Program smallest = bucket.finding.program;
    Finding again = unstable_.explain(smallest, asked_.ask(smallest), failed.index);
    if (again.repeats != Repeats::unknown && again.repeats != Repeats::stable)
      bucket.finding = std::move(again);
  }
  if (bucket.is_measured()) {  // what seemed to explain the case was a coincidence
    bucket.symptoms = {symptom_of(program, first.state, documented_, asked_.shown())};
    refined = {};
  } else if (repeats && bucket.failure.empty() && refined.knows_nothing()) {
    refined = refined_suspects(bucket.finding.program);
  }
  const bool names_mutant = !refined.suspects.empty() && refined.suspects.front()->is_wrong();
  if (names_mutant && end_of_analysis(options_, hooks_)()) {  // nothing has confirmed the mutant
    refined.suspects.clear();
    name_finding(bucket.finding, {}, asked_, documented_);
  } else if (names_mutant) {
    name_right_families(*refined.suspects.front(), bucket.finding);
  }
  if (failed.edge != nullptr) bucket.finding.rules.emplace_back(failed.edge->id);
  bucket.suspects = std::move(refined.suspects);
  if (!bucket.is_named() && bucket.finding.repeats == Repeats::stable && end_of_analysis(options_, hooks_)())
    bucket.finding.what += "; the analysis ended before its cause was asked for";
  return bucket;
}

/// Counts a case whose smallest program shows what a bucket shows already.
Verdict CaseSorter::join(Bucket& bucket, const Finding& finding, const FailedCase& failed) {
  for (const std::string& each : finding.instructions) Buckets::add_instruction(bucket, each);
  for (const std::string& each : finding.operands) Buckets::add_operand(bucket, each);
  if (bucket.is_measured()) {
    Buckets::add_rules(bucket, finding.rules);
    if (failed.answers.front().ran())
      bucket.symptoms.push_back(
          symptom_of(failed.program, failed.answers.front().state, documented_, asked_.shown()));
    return count_alike(bucket, failed);
  }
  return count(bucket, failed);
}

/// Is it a case that nothing names, which depends on the bytes behind UB, of instructions whose wrong
/// addresses have a finding? Those may lead there: the case says nothing more.
bool CaseSorter::reads_behind_known_addresses(const Bucket& bucket) {
  if (!bucket.finding.id.ends_with(kReadsBehindUb)) return false;
  const auto family = [&](const Finding& finding) {
    return family_of(finding.program.instructions[finding.instruction], documented_);
  };
  return buckets_.find([&](const Bucket& each) {
    return each.finding.matter == Matter::address && (each.is_measured() || each.names_mutant()) &&
           family(each.finding) == family(bucket.finding);
  }) != nullptr;
}

/// Was the law seen in another instruction than the only one that the mutant changes? A reading has no such
/// instruction.
bool CaseSorter::says_more(const Finding& law, const Hypothesis& known) {
  if (known.wrong == nullptr || !known.wrong->only_in) return true;
  const std::string only = std::string(row_of(*known.wrong->only_in).name) + ".";
  return !std::ranges::all_of(law.instructions,
                              [&](const std::string& each) { return each.starts_with(only); });
}

/// Joins the cases of a mutant or a reading with those of the law that is measured where it shows. The law
/// names them if it says more.
Verdict CaseSorter::unite(Bucket& known, Bucket more, const FailedCase& failed) {
  const bool knows_law = !known.finding.cause.empty();
  const Bucket &law = knows_law ? known : more, &other = knows_law ? more : known;
  if (says_more(law.finding, *other.suspects.front()) != knows_law) {
    std::swap(known.finding, more.finding);
    std::swap(known.finding.cases, more.finding.cases);
    std::swap(known.finding.first_case, more.finding.first_case);
    std::swap(known.finding.heat, more.finding.heat);
    known.finding.united = more.finding.united;
    known.finding.united.push_back(more.finding.id);
  }
  if (known.suspects.empty() && more.names_mutant()) {
    known.suspects = {more.suspects.front()};
    learn(*more.suspects.front());
  }
  // What a mutant breaks beside the law was seen of none of the cases.
  const bool law_names = !known.finding.cause.empty();
  if (!law_names || known.finding.rules.empty()) Buckets::add_rules(known, more.finding.rules);
  return join(known, more.finding, failed);
}

/// Counts one case more, and where its answer differs.
Verdict CaseSorter::count(Bucket& bucket, const FailedCase& failed) {
  keep_failing(bucket, failed);
  count_places(bucket.finding, failed, documented_, asked_.shown());
  if (bucket.is_measured())
    if (const Instruction* only = instruction_seen(bucket.finding, failed.program, [&] {
          return !compare_bytes(failed.program, failed.answers.front().state).empty();
        }))
      Buckets::add_instruction(bucket, mnemonic(*only));
  return count_again(bucket);
}

/// Counts a case that several causes may have changed: its places only if the cause of `bucket` alone gives
/// the output.
Verdict CaseSorter::count_by_cause(Bucket& bucket, const FailedCase& failed) {
  const bool alone =
      counts_next_places(bucket.finding) &&
      explains(*bucket.suspects.front(), failed.program, failed.answers.front().state, asked_.shown());
  return alone ? count(bucket, failed) : count_again(bucket);
}

/// No further finding is listed, and enough cases were analysed: counts the case without a bucket.
bool CaseSorter::analyses_no_more() {
  const bool listed = !is_full() && unexplained_ <= kMostUnexplained;
  if (listed || ++past_limit_ <= kMostUnlisted || std::has_single_bit(past_limit_)) return false;
  not_listed(Verdict::diverges);
  return true;
}

/// Further cases of this cause are recognized without an analysis.
void CaseSorter::learn(const Hypothesis& cause) {
  causes_.add(cause);
  if (cause.is_wrong()) return;
  followed_.add(cause);
  documented_.followed = followed_.semantics();
}

/// Does the backend do the same when it is asked alone? If it does not run the program again, the answer of
/// the run is all there is, and it counts.
bool CaseSorter::repeats_itself(const Program& program, const BackendAnswer& first) {
  const BackendAnswer again = asked_.ask(program);
  const bool failed = !failure_kind(first.outcome).empty();
  if (failed) return !failure_kind(again.outcome).empty();
  if (!again.ran()) {
    asked_.remember(program, first);
    return true;
  }
  if (!diverges(again, program, documented_, asked_.shown())) return false;
  if (identical_but_for_nans(program, again.state, first.state, asked_.shown())) return true;
  // Two different states. They may differ in what the documents leave open.
  const Suspects some = suspects(first, program, documented_, asked_.shown());
  return some.empty() ? compare_bytes(program, first.state) == compare_bytes(program, again.state)
                      : reproduces(some, again, program, asked_.shown());
}

std::vector<std::uint32_t> CaseSorter::compare_bytes(const Program& program, const State& state) const {
  return compare(program, documented_.semantics, state, asked_.shown()).bytes;
}

/// A case that must be refused, but ran.
Verdict CaseSorter::sort_accepted(const FailedCase& failed) {
  const Fault& fault = *failed.accepted;
  // One reading may make programs legal that break several rules, and not all programs that break one of
  // them.
  if (Bucket* same = buckets_.find_id(id_of_accepted(failed.program, fault, documented_)))
    return count_again(*same);
  return add({{},
              "accepts-illegal-" + std::string(fault.rule->id),
              explain_accepted(failed.program, fault, asked_, documented_, options_.minimize)},
             failed.index);
}

Verdict CaseSorter::add(Bucket bucket, std::uint64_t index) {
  if (!bucket.suspects.empty()) learn(*bucket.suspects.front());
  return keep(std::move(bucket), index);
}

/// A new bucket with its first case.
Verdict CaseSorter::add_case(Bucket bucket, const FailedCase& failed) {
  keep_failing(bucket, failed);
  count_places(bucket.finding, failed, documented_, asked_.shown());
  const Verdict verdict = add(std::move(bucket), failed.index);
  find_operand_law();
  return verdict;
}

/// Further questions are not about programs on which the causes of other buckets show too.
Refined CaseSorter::refined_suspects(const Program& program) {
  Refined refined = refine(suspects_of(program), asked_, documented_,
                           [this](const Program& probe) { return causes_.touch(probe, asked_.shown()); });
  if (refined.suspects.empty() || refined.suspects.front()->is_wrong() || !refined.confirming.empty())
    return refined;
  const Hypothesis& reading = *refined.suspects.front();
  if (!is_refuted_under_full_masks(reading, program, asked_, documented_)) return refined;
  return {.suspects = {}, .refuted_reading = &reading};
}

Suspects CaseSorter::suspects_of(const Program& program) {
  return suspects(asked_.ask(program), program, documented_, asked_.shown());
}

}  // namespace lanecheck
