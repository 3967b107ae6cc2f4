// Sorts the failing cases of a run into buckets. The first case of a bucket is explained and minimized; the
// others are only counted.
#pragma once

#include <functional>
#include <map>
#include <set>

#include "fuzz/explain/hypotheses/followed_readings.h"
#include "fuzz/explain/measured/mask_laws.h"
#include "fuzz/explain/measured/operand_laws.h"
#include "fuzz/explain/questions/plain_form.h"
#include "fuzz/identify/element_laws/measured_element_law.h"
#include "fuzz/run/failure_sorter.h"
#include "fuzz/run/known_causes.h"
#include "fuzz/run/unstable_cases.h"
#include "spec/legality/find_fault.h"

namespace lanecheck {

class CaseSorter final : public FailureSorter {
 public:
  CaseSorter(const RunOptions& options, const Backend& backend, const RunHooks& hooks)
      : FailureSorter(options, hooks),
        documented_(options.mix.profile, options.readings, options.pinned),
        asked_(backend, options.mix.profile, end_of_analysis(options, hooks)),
        followed_(asked_, documented_),
        causes_(documented_),
        operand_laws_(documented_),
        unstable_(options, asked_, documented_) {}

  /// A case that diverged, broke the backend, was refused although it is legal, or ran although it is not.
  Verdict sort(const FailedCase& failed) override;

 protected:
  void complete_findings() override {
    search_beside_causes();
    unite_what_plain_forms_name();
    unite_with_known_causes();
    count_failures_by_law();
    measure_other_types();
    unite_same_mistakes();
    unite_what_may_be_one();
  }

 private:
  Verdict sort_accepted(const FailedCase& failed);
  std::optional<Verdict> sort_into_known(const FailedCase& failed);
  Bucket* bucket_of_mask_law(const FailedCase& failed);
  Bucket* bucket_of_element_law(const FailedCase& failed);
  Bucket* bucket_of_element_law(const Bucket& bucket, std::uint64_t index);
  const MeasuredElementLaw* element_law_of(const Program& program, const State& actual) const;
  void measure_element_laws(const Program& program, const State& actual);
  bool is_known(const MeasuredElementLaw& law);
  std::vector<std::string> rules_of_mask(const MeasuredElementLaw& law);
  Finding element_law_finding(const MeasuredElementLaw& law, const Program& program);
  Verdict analyse(const FailedCase& failed);
  std::optional<FailedCase> without_chance(const FailedCase& failed);
  std::optional<FailedCase> without_known_causes(const FailedCase& failed);
  Bucket explained(const FailedCase& failed, bool repeats, Refined refined);
  void name_right_families(const Hypothesis& mistake, Finding& finding);
  std::optional<Verdict> sort_by_causes(const FailedCase& failed);
  Verdict count_by_cause(Bucket& bucket, const FailedCase& failed);
  bool analyses_no_more();
  void learn(const Hypothesis& cause);
  Bucket* known_bucket(const std::string& failure, const Program& program, const State& actual);
  void narrow(Bucket& bucket, const Program& program, const State& actual);
  Bucket* measured_bucket(const Program& program, const State& actual);
  bool may_measure_one_more();
  Bucket* bucket_of_cause(const Program& program, const State& actual);
  std::optional<Verdict> count_carried(const FailedCase& failed);
  bool has_cause_as(const Finding& finding, const TypePair& types);
  bool reads_behind_known_addresses(const Bucket& bucket);
  Bucket* bucket_of_stride_law(const Program& program, const State& actual);
  bool explains_by_law(std::size_t law, const Finding& finding);
  bool covers_by_law(std::size_t law, const Finding& finding);
  bool obeys(std::size_t law, const std::set<Op>& ops);
  std::vector<std::size_t> laws_that_give(const Finding& finding);
  std::vector<std::pair<std::size_t, std::set<Op>>> laws_of_several(const std::vector<Bucket*>& all);
  void unite_by_law(std::size_t law, const std::vector<Bucket*>& all);
  void find_operand_law();
  void say_operand_law(Bucket& bucket, std::size_t law);
  void name_by_operand_law(Bucket& bucket);
  Bucket* bucket_of_operand_law(const Program& program, const State& actual);
  Bucket* bucket_of_operand_law(const Bucket& bucket);
  void measure(Bucket& bucket);
  Bucket* bucket_of_same_law(Bucket& bucket);
  static bool says_more(const Finding& law, const Hypothesis& known);
  Verdict unite(Bucket& known, Bucket more, const FailedCase& failed);
  Verdict join(Bucket& bucket, const Finding& finding, const FailedCase& failed);
  Verdict count(Bucket& bucket, const FailedCase& failed);
  Bucket* several_readings(std::uint64_t index, const Program& program);
  bool learns_readings(const Bucket& unnamed, std::uint64_t index);
  Bucket* bucket_of_forbidding(const Program& program);
  std::optional<FailedCase> shown_by_forbidding(const FailedCase& failed);
  Bucket* count_for_readings(const Program& program, const State& actual);
  std::optional<Verdict> sort_unstable(const FailedCase& failed, bool afresh);
  Verdict add_unstable(Finding finding, const FailedCase& failed);
  bool repeats_itself(const Program& program, const BackendAnswer& first);
  bool brings_rare_instruction(const std::string& finding, const Program& program);
  Verdict count_alike(Bucket& bucket, const FailedCase& failed);
  void search_beside_causes();
  void search_in(const PlainForm& form);
  std::optional<Bucket> named_in_plain_form(const Bucket& unnamed, const Program& whole);
  void unite_what_plain_forms_name();
  Bucket* bucket_whose_law_gives(const Finding& finding);
  bool is_known(Bucket& bucket);
  bool hides_finding(const PlainForm& form, const std::string& id);
  std::optional<Bucket> shown_in(const PlainForm& form, const Program& program);
  std::vector<std::uint32_t> compare_bytes(const Program& program, const State& state) const;
  Verdict add(Bucket bucket, std::uint64_t index);
  Verdict add_case(Bucket bucket, const FailedCase& failed);
  static void keep_failing(Bucket& bucket, const FailedCase& failed);
  std::function<Program(const Program&)> law_of_places(const Bucket& bucket);
  std::optional<std::size_t> breaks_after(const Program& program);
  bool leads_outside(const Program& changed, const Program& program);
  std::pair<Bucket*, std::string_view> bucket_of_failing(const Program& program);
  static void move_failures(Bucket& cause, Bucket& failure, const std::vector<FailingProgram>& moved,
                            std::string_view why);
  void show_first_failing(Bucket& failure, const std::string& printed_counts_with);
  void count_failures_by_law();
  void measure_other_types();
  void unite_with_known_causes();
  void unite_same_mistakes();
  void unite_what_may_be_one();
  Refined refined_suspects(const Program& program);
  Suspects suspects_of(const Program& program);

  static constexpr std::size_t kMostBeside = 32;  ///< cases that one search beside known causes asks about

  /// A case that was counted with a measured cause because it looks like its cases.
  struct AlikeCase {
    std::uint64_t index;
    Program program;
    std::string finding;  ///< its id
  };

  Documented documented_;
  AskedBackend asked_;
  FollowedReadings followed_;
  KnownCauses causes_;  ///< of all buckets, and of cases for which there was no more bucket
  OperandLaws operand_laws_;
  UnstableCases unstable_;
  bool mask_law_is_measured_ = false;
  std::optional<MaskLaw> mask_law_;  ///< if instructions run under another mask of the program
  std::vector<MeasuredElementLaw> element_laws_;
  std::set<std::string> element_laws_asked_;  ///< the texts of the laws that were measured
  std::uint64_t diverging_ = 0;               ///< cases that ran and diverged so far
  unsigned unexplained_ = 0;                  ///< cases without suspects so far
  unsigned measured_ = 0;                 ///< cases whose cause was measured in order to find their bucket
  std::uint64_t unstable_explained_ = 0;  ///< cases that are not always wrong and that no bucket explained
  std::vector<AlikeCase> kept_alike_;
  std::map<std::pair<std::string, Op>, unsigned> seen_of_op_;  ///< of a finding, since the last search
  std::uint64_t alike_ = 0, next_search_ = kMostBeside;
  unsigned named_plainly_ = 0;    ///< explanations of cases without a name in plain forms
  std::uint64_t past_limit_ = 0;  ///< cases of no known cause since no finding is listed any more
};

}  // namespace lanecheck
