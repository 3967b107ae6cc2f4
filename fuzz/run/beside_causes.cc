// Further mistakes behind those that have findings. A case that looks like those of a measured cause is
// counted with it, and may show another mistake as well. So some of them are asked about again in plain forms
// in which no finding shows.
#include <algorithm>
#include <map>

#include "fuzz/explain/explain.h"
#include "fuzz/explain/measured/measured_cause.h"
#include "fuzz/explain/questions/locate.h"
#include "fuzz/explain/questions/plain_form.h"
#include "fuzz/run/case_sorter.h"
#include "spec/legality/find_fault.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr unsigned kMostNamedPlainly = 24;  // explanations of cases without a name
constexpr unsigned kMostOfOneOp = 3;        // alike cases that are kept because of one of their instructions

/// What the measured cause of a finding says of any program.
Laws laws_of_cause(const Finding& finding, AskedBackend& asked, const Documented& documented) {
  const auto cause = measure_cause(finding.program, finding.instruction, asked, documented);
  return cause ? laws_of({cause->difference}) : Laws{};
}

}  // namespace

/// Has the program an instruction that few cases of this finding had since the last search? Notes its own.
bool CaseSorter::brings_rare_instruction(const std::string& finding, const Program& program) {
  bool brings = false;
  for (const Instruction& insn : program.instructions) {
    if (row_of(insn.op).operands.empty()) continue;
    brings |= seen_of_op_[{finding, insn.op}]++ < kMostOfOneOp;
  }
  return brings;
}

/// Counts a case that looks like those of the bucket. Searches after 32 of them, and again each time that
/// there are four times as many.
Verdict CaseSorter::count_alike(Bucket& bucket, const FailedCase& failed) {
  const Verdict verdict = count(bucket, failed);
  if (!asked_.backend().recorded.empty() || failed.apart) return verdict;
  ++alike_;
  if (brings_rare_instruction(bucket.finding.id, failed.program) || alike_ + kMostBeside > next_search_)
    kept_alike_.push_back({failed.index, failed.program, bucket.finding.id});
  if (alike_ < next_search_) return verdict;
  next_search_ *= 4;
  search_beside_causes();
  return verdict;
}

void CaseSorter::search_beside_causes() {
  for (const PlainForm& form : plain_forms()) search_in(form);
  kept_alike_.clear();
  seen_of_op_.clear();
}

/// Looks for one mistake in this form. If a known one shows in it, the form does not tell them apart.
void CaseSorter::search_in(const PlainForm& form) {
  std::map<std::string, bool> hidden;  // by the id of the finding
  for (const AlikeCase& alike : kept_alike_) {
    if (asked_.ends() || is_full()) return;
    const auto [hides, is_new] = hidden.try_emplace(alike.finding, false);
    if (is_new) hides->second = hides_finding(form, alike.finding);
    if (!hides->second) continue;
    auto bucket = shown_in(form, alike.program);
    if (!bucket) continue;
    if (bucket->is_named() && !is_known(*bucket)) add(*std::move(bucket), alike.index);
    return;
  }
}

/// Is there a finding of the same cause?
bool CaseSorter::is_known(Bucket& bucket) {
  const Program& smallest = bucket.finding.program;
  return buckets_.find_id(bucket.finding.id) != nullptr || bucket_of_same_law(bucket) != nullptr ||
         bucket_whose_law_gives(bucket.finding) != nullptr ||
         bucket_of_cause(smallest, asked_.ask(smallest).state) != nullptr;
}

/// In place of a bucket that has no name, or an example for one: what its smallest program shows in a plain
/// form, or the whole one if that is a new mistake. Two mistakes at once have no name.
std::optional<Bucket> CaseSorter::named_in_plain_form(const Bucket& unnamed, const Program& whole) {
  const bool is_named = unnamed.is_named() && !unnamed.finding.is_example;
  if (is_named || unnamed.finding.repeats != Repeats::stable || buckets_.size() == 0) return {};
  for (const Program* program : {&unnamed.finding.program, &whole}) {
    const bool was_tried = program == &whole && whole == unnamed.finding.program;
    if (was_tried) break;
    for (const PlainForm& form : plain_forms()) {
      const auto hides = [&](const Bucket& each) { return hides_finding(form, each.finding.id); };
      if (asked_.ends() || named_plainly_ >= kMostNamedPlainly || buckets_.find(hides) == nullptr) continue;
      auto bucket = shown_in(form, *program);
      if (!bucket) continue;
      ++named_plainly_;
      if (bucket->is_named() && (program != &whole || !is_known(*bucket))) return bucket;
    }
  }
  return {};
}

/// The bucket whose measured cause gives what the smallest program of a new finding leaves. It then names the
/// instruction, too.
Bucket* CaseSorter::bucket_whose_law_gives(const Finding& finding) {
  const Program& smallest = finding.program;
  if (finding.instruction >= smallest.instructions.size() || !asked_.backend().recorded.empty())
    return nullptr;
  const Program part = prefix(smallest, finding.instruction + 1);
  Bucket* const same = buckets_.find([&](Bucket& known) {
    if (!known.is_measured() || &known.finding == &finding || asked_.ends()) return false;
    if (!known.laws) known.laws = laws_of_cause(known.finding, asked_, documented_);
    return known.laws->any() && laws_deviate(part, finding.instruction, *known.laws, documented_) &&
           laws_give(asked_.ask(part), part, finding.instruction, *known.laws, documented_) == true;
  });
  if (same != nullptr) Buckets::add_instruction(*same, mnemonic(smallest.instructions[finding.instruction]));
  return same;
}

/// A case may have been analysed before the causes were known that show in it together.
void CaseSorter::unite_what_plain_forms_name() {
  std::vector<std::string> gone;
  for (Bucket& unnamed : buckets_.all()) {
    const bool is_coincidence = !unnamed.finding.reading.empty();  // of one program
    if ((unnamed.is_named() && !is_coincidence) || unnamed.finding.repeats != Repeats::stable) continue;
    Bucket* known = bucket_whose_law_gives(unnamed.finding);
    if (known == nullptr)
      if (const auto named = named_in_plain_form(unnamed, unnamed.finding.program))
        known = buckets_.find_id(named->finding.id);
    if (known == nullptr) continue;
    Buckets::take_over(*known, unnamed);
    gone.push_back(unnamed.finding.id);
  }
  buckets_.drop(gone);
}

/// Does the backend conform to the smallest program of the finding if it is brought into this form, or has it
/// no such form?
bool CaseSorter::hides_finding(const PlainForm& form, const std::string& id) {
  const Bucket* const bucket = buckets_.find_id(id);
  if (bucket == nullptr) return false;
  const auto plain = form.made_of(bucket->finding.program, documented_);
  return std::ranges::all_of(plain, [&](const Program& each) {
    return find_fault(each, documented_.readings()) || !form.holds(each, asked_) ||
           says(asked_.ask(each), each, documented_, asked_.shown()) == Says::conforms;
  });
}

/// The mistake that the program shows in this form. It may be a known one, or have no name.
std::optional<Bucket> CaseSorter::shown_in(const PlainForm& form, const Program& program) {
  const Backend restricted = in_form(asked_, form);
  AskedBackend asked(restricted, documented_.profile, [this] { return asked_.ends(); });
  if (form.settable != nullptr)
    asked.set_masks_by(
        [&](const MaskWords& mask) { return form.settable(mask, documented_.profile, asked_); });
  for (const Program& each : form.made_of(program, documented_)) {
    if (find_fault(each, documented_.readings()) || proves_nothing(each, documented_)) continue;
    const BackendAnswer answer = asked.ask(each);
    if (!diverges(answer, each, documented_, asked_.shown()) ||
        reading_explains(answer, each, documented_, asked_.shown()) ||
        causes_.reproduce(each, answer.state, asked_.shown()))
      continue;
    // Known mistakes are doubted in all programs: few of the further questions have the form.
    Refined refined = refine(suspects(answer, each, documented_, asked_.shown()), asked_, documented_);
    Bucket bucket;
    bucket.finding = explain(each, refined, asked, documented_, options_.minimize,
                             [this](const std::string& id) { return buckets_.find_id(id) != nullptr; });
    if (!bucket.is_measured()) bucket.suspects = std::move(refined.suspects);
    if (bucket.names_reading() || bucket.finding.is_example) continue;
    const Program& smallest = bucket.finding.program;
    if (bucket.is_measured()) bucket.laws = laws_of_cause(bucket.finding, asked, documented_);
    bucket.symptoms = {symptom_of(smallest, asked.ask(smallest).state, documented_, asked_.shown())};
    bucket.finding.what +=
        "; found " + std::string(form.text) + ", where the smallest program of the other finding conforms";
    return bucket;
  }
  return {};
}

}  // namespace lanecheck
