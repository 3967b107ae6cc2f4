// Buckets: the cases of a run by what explains them. One bucket becomes one finding.
#pragma once

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "fuzz/explain/measured/gate_prediction.h"
#include "fuzz/explain/questions/suspects.h"
#include "fuzz/identify/probes/gate_law.h"
#include "fuzz/run/symptom.h"
#include "reports/report.h"

namespace lanecheck {

/// A case that breaks the backend.
struct FailingProgram {
  std::uint64_t index;
  Program program;
  std::string what;  ///< what the backend said: others of the bucket may have other numbers in it
};

/// A finding that became a part of another one.
struct OtherPart {
  std::string lead;  ///< what stands before its text: "this may have the same cause: "
  Finding finding;
};

struct Bucket {
  Suspects suspects;    ///< what explains the cases; empty if nothing known does
  std::string failure;  ///< what the cases have in common that did not run or must not run; else empty
  Finding finding;
  std::optional<StrideLaw> law = {};            ///< of strides, if the cause is one
  std::optional<Laws> laws = {};                ///< what its measured cause says of any program; asked once
  std::optional<std::size_t> operand_law = {};  ///< of all operands (OperandLaws), if it is the cause
  std::vector<Symptom> symptoms = {};           ///< of the cases, if the cause is measured
  std::vector<FailingProgram> failing = {};     ///< the first cases, if they break the backend
  std::vector<OtherPart> other_parts = {};      ///< which may have the same cause

  /// The id of the cause that is measured where the cases show, if a mutant or a reading names them; empty if
  /// no law is measured there. Nothing as long as nobody has asked.
  std::optional<std::string> measured_id = {};

  bool is_measured() const { return !finding.cause.empty(); }
  /// A law, a hypothesis or a kind of failure names it.
  bool is_named() const { return is_measured() || !suspects.empty() || !failure.empty(); }
  bool names_mutant() const { return !suspects.empty() && suspects.front()->is_wrong(); }
  bool names_reading() const { return !suspects.empty() && !suspects.front()->is_wrong(); }
};

class Buckets {
 public:
  /// The first bucket that `matches`, in the order of arrival; null if no bucket does.
  template <class Matches>
  Bucket* find(Matches matches) {
    for (Bucket& each : list_)
      if (matches(each)) return &each;
    return nullptr;
  }
  /// The bucket whose finding has this id, else null. A law of strides may have become a part of
  /// that of all operands.
  Bucket* find_id(std::string_view id) {
    const bool is_law = id.starts_with("measured-strides-");
    return find([&](const Bucket& each) {
      return each.finding.id == id || (is_law && std::ranges::count(each.finding.united, id) > 0);
    });
  }

  /// Notes that the cause of a bucket was seen in `instruction` as well. False if that was known.
  static bool add_instruction(Bucket& bucket, const std::string& instruction);
  /// Notes that a law of strides was seen in `operand` as well.
  static void add_operand(Bucket& bucket, const std::string& operand);
  /// Notes rules that another case of the bucket breaks.
  static void add_rules(Bucket& bucket, const std::vector<std::string>& rules);

  /// Takes the cases and the broken rules of a bucket over that has the same cause.
  static void take_over(Bucket& bucket, const Bucket& other);
  /// Gives the finding another id; the list of findings names the one that was printed.
  static void rename(Bucket& bucket, std::string id);
  /// Drops the buckets whose findings have these ids.
  void drop(const std::vector<std::string>& ids);

  /// Keeps a new bucket with its first case, `index`. The reference is valid until the next call.
  Bucket& add(Bucket bucket, std::uint64_t index);
  std::size_t size() const { return list_.size(); }
  /// In the order of arrival.
  std::vector<Bucket>& all() { return list_; }
  /// How many are no reading: mistakes and failures.
  std::size_t mistakes() const;
  /// Hands over the findings, in the order of arrival. Their sentences name the other instructions.
  std::vector<Finding> take_findings();

 private:
  std::vector<Bucket> list_;
};

}  // namespace lanecheck
