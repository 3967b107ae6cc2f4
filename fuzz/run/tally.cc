#include "fuzz/run/tally.h"

#include <numeric>

namespace lanecheck {
namespace {

constexpr std::size_t kMostSkipReasons = 64;

/// The first ones of the alphabet stay, whatever came first.
void keep_first(std::set<std::string>& reasons) {
  while (reasons.size() > kMostSkipReasons) reasons.erase(std::prev(reasons.end()));
}

}  // namespace

std::vector<RuleCount> rules_tried(Profile profile) {
  std::vector<RuleCount> list;
  for (const LegalityRule& rule : legality_rules())
    if (rule.tried() && rule.holds_in(profile)) list.push_back({std::string(rule.id)});
  return list;
}

void Tally::count(const CaseRecord& record) {
  if (record.verdict) count(*record.verdict);
  if (record.kind) ++kinds[static_cast<std::size_t>(*record.kind)];
  if (record.legality != nullptr) count_edge(record.legality->id);
  element_checks += record.element_checks;
  for (const std::uint64_t cell : record.cells) coverage.count(cell);
  for (const std::uint64_t cell : record.left_out_cells) coverage.count_left_out(cell);
  instructions_left_out += record.not_offered.size();
  not_offered.insert(record.not_offered.begin(), record.not_offered.end());
  if (record.skipped.empty()) return;
  skip_reasons.insert(record.skipped);
  keep_first(skip_reasons);
}

void Tally::count_edge(std::string_view rule) {
  const auto known = legality.find(rule);
  if (known != legality.end())
    ++known->second;
  else
    legality.emplace(rule, 1);
}

void Tally::add(const Tally& other) {
  for (std::size_t n = 0; n < verdicts.size(); ++n) verdicts[n] += other.verdicts[n];
  for (std::size_t n = 0; n < kinds.size(); ++n) kinds[n] += other.kinds[n];
  for (const auto& [rule, count] : other.legality) legality[rule] += count;
  element_checks += other.element_checks;
  coverage.add(other.coverage);
  instructions_left_out += other.instructions_left_out;
  not_offered.insert(other.not_offered.begin(), other.not_offered.end());
  skip_reasons.insert(other.skip_reasons.begin(), other.skip_reasons.end());
  keep_first(skip_reasons);
}

std::uint64_t Tally::done() const {
  return std::accumulate(verdicts.begin(), verdicts.end(), std::uint64_t{0});
}

void Tally::write_into(Report& report) const {
  const auto judged = [this](Verdict each) { return verdicts[static_cast<std::size_t>(each)]; };
  report.done = done();
  report.conforms = judged(Verdict::conforms);
  report.diverges = judged(Verdict::diverges);
  report.undecided = judged(Verdict::undecided);
  report.skipped = judged(Verdict::skipped);
  report.errored = judged(Verdict::errored);
  const auto of_kind = [this](Kind each) { return kinds[static_cast<std::size_t>(each)]; };
  report.boundary = of_kind(Kind::boundary);
  report.decisive = of_kind(Kind::decisive);
  report.wild = of_kind(Kind::wild);
  report.edge = of_kind(Kind::edge);
  for (RuleCount& rule : report.legality_rules)
    if (const auto tried = legality.find(rule.id); tried != legality.end()) rule.exercised += tried->second;
  report.element_checks = element_checks;
  report.instructions_left_out = instructions_left_out;
  report.not_offered.assign(not_offered.begin(), not_offered.end());
  report.skip_reasons.assign(skip_reasons.begin(), skip_reasons.end());
}

}  // namespace lanecheck
