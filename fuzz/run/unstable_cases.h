// Failing cases about which the backend is not always wrong: it is random, or its programs leave something.
//
// A case is asked about 5 times. Earlier cases are generated again, to find what brings the fault about. Of a
// state-dependent bucket, 16 further cases are asked about after its programs, and later ones fewer and
// fewer.
#pragma once

#include "fuzz/explain/over_programs/unstable.h"
#include "fuzz/run/buckets.h"
#include "fuzz/run/conformance_checker.h"

namespace lanecheck {

class UnstableCases {
 public:
  /// All must outlive the object.
  UnstableCases(const RunOptions& options, AskedBackend& asked, const Documented& documented)
      : options_(options), asked_(asked), documented_(documented), maker_(options, asked.backend()) {}

  /// See is_stable() of fuzz/explain/over_programs/unstable.h.
  bool is_stable(const Program& program, bool afresh);
  /// The bucket that an unstable case belongs to; null if no bucket fits yet. The first cases of a
  /// state-dependent bucket are asked about after its programs; later ones are only counted, except a few.
  Bucket* bucket_of(const FailedCase& failed, Buckets& buckets);
  /// The finding of an unstable case. The backend starts a new process afterwards, so that later cases run
  /// after cases only, and not after questions.
  Finding explain(const Program& program, const BackendAnswer& first, std::uint64_t index);
  /// The finding of `part`, a smaller program of the case that the backend is wrong about here and not in a
  /// new process: the case itself may bring it about. Nothing if it is wrong there, too.
  std::optional<Finding> explain_part(const Program& part, const FailedCase& failed);

 private:
  std::vector<Program> cases_before(std::uint64_t index, std::size_t count);
  Finding explain_after(const History& history, const Program& program, const BackendAnswer& first);
  bool is_of_family(const Bucket& bucket, const FailedCase& failed) const;

  const RunOptions& options_;
  AskedBackend& asked_;
  const Documented& documented_;
  ConformanceChecker maker_;    ///< makes earlier cases again
  std::uint64_t compared_ = 0;  ///< cases that were compared with state-dependent buckets
};

}  // namespace lanecheck
