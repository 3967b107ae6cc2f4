#include "fuzz/run/buckets.h"

namespace lanecheck {

Bucket& Buckets::add(Bucket bucket, std::uint64_t index) {
  bucket.finding.cases = 1;
  bucket.finding.first_case = index;
  list_.push_back(std::move(bucket));
  return list_.back();
}

std::vector<Finding> Buckets::take_findings() {
  std::vector<Finding> findings;
  for (Bucket& each : list_) findings.push_back(std::move(each.finding));
  list_.clear();
  return findings;
}

}  // namespace lanecheck
