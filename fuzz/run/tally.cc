#include "fuzz/run/tally.h"

#include <numeric>

namespace lanecheck {
namespace {

constexpr std::size_t kMostSkipReasons = 64;

}  // namespace

void Tally::count(const CaseRecord& record) {
  if (record.verdict) count(*record.verdict);
  if (record.kind) ++kinds_[static_cast<std::size_t>(*record.kind)];
  if (record.legality != nullptr) ++legality_[record.legality];
  element_checks_ += record.element_checks;
  for (const std::uint64_t cell : record.cells) coverage_.count(cell);
  for (const std::uint64_t cell : record.left_out_cells) coverage_.count_left_out(cell);
  not_offered_ += record.not_offered.size();
  mnemonics_.insert(record.not_offered.begin(), record.not_offered.end());
  if (record.skipped.empty()) return;
  skip_reasons_.insert(record.skipped);  // the first ones of the alphabet stay, whatever came first
  if (skip_reasons_.size() > kMostSkipReasons) skip_reasons_.erase(std::prev(skip_reasons_.end()));
}

std::uint64_t Tally::done() const {
  return std::accumulate(verdicts_.begin(), verdicts_.end(), std::uint64_t{0});
}

void Tally::write_into(Report& report) const {
  const auto verdicts = [this](Verdict each) { return verdicts_[static_cast<std::size_t>(each)]; };
  report.done = done();
  report.conforms = verdicts(Verdict::conforms);
  report.diverges = verdicts(Verdict::diverges);
  report.undecided = verdicts(Verdict::undecided);
  report.skipped = verdicts(Verdict::skipped);
  report.errored = verdicts(Verdict::errored);
  const auto kinds = [this](Kind each) { return kinds_[static_cast<std::size_t>(each)]; };
  report.boundary = kinds(Kind::boundary);
  report.decisive = kinds(Kind::decisive);
  report.wild = kinds(Kind::wild);
  report.edge = kinds(Kind::edge);
  for (RuleCount& rule : report.legality_rules)
    for (const auto& [tried, times] : legality_)
      if (rule.id == tried->id) rule.exercised += times;
  report.element_checks = element_checks_;
  report.instructions_left_out = not_offered_;
  report.not_offered.assign(mnemonics_.begin(), mnemonics_.end());
  report.skip_reasons.assign(skip_reasons_.begin(), skip_reasons_.end());
}

}  // namespace lanecheck
