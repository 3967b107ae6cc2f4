#include "fuzz/identify/lengths/elements_behind.h"

#include <algorithm>
#include <limits>

#include "fuzz/identify/probes/move_map.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

/// Results of which some elements lie before the number and some behind it, and those of which all lie behind
/// it, in the last repeat.
struct Seen {
  std::optional<std::uint64_t> value;    ///< what one element behind the number acts like
  std::optional<std::uint64_t> empty;    ///< the same, of results of which no element takes part
  std::optional<std::uint64_t> written;  ///< what such a result holds
  unsigned partial = 0, wrong_partial = 0;
  unsigned empties = 0, wrong_empties = 0;
  std::string example;
};

/// Compares results; the elements of all of them are `losing`.
class Behind {
 public:
  Behind(const Subject& subject, const LengthMap& measured, const LengthMap& documented)
      : insn_(subject.insn),
        measured_(measured),
        documented_(documented),
        losing_(losing_number(insn_)),
        size_(group_size(insn_)) {}

  /// What is wrong of all results, if nothing is wrong except these two kinds.
  std::optional<Seen> see() const {
    Seen seen;
    for (std::size_t k = 0; k < measured_.answers.size(); ++k)
      for (std::uint32_t n = 0; n < measured_.answers[k].results.size(); ++n)
        if (!see(k, n, seen)) return {};
    if (seen.wrong_partial + seen.wrong_empties == 0 || !explains_reach(seen)) return {};
    return seen;
  }

 private:
  bool see(std::size_t k, std::uint32_t n, Seen& seen) const {
    const LengthAnswer& answer = measured_.answers[k];
    const std::uint64_t is = answer.results[n], should = documented_.answers[k].results[n];
    const std::uint32_t first = n * size_, length = answer.length;
    const std::uint32_t on = std::min(size_, length - std::min(length, first));
    const bool in_last = first < (length + measured_.lanes - 1) / measured_.lanes * measured_.lanes;
    if (on == size_ || !in_last) return is == should;
    (on > 0 ? seen.partial : seen.empties) += 1;
    if (is == should) return true;
    if (is == measured_.old_dst) return false;
    (on > 0 ? seen.wrong_partial : seen.wrong_empties) += 1;
    const std::uint64_t value = losing_ == 0 ? of_one(is, size_ - on) : is;
    std::optional<std::uint64_t>& known = on > 0 ? seen.value : seen.empty;
    if (known && *known != value) return false;
    if (on > 0 && losing_ != 0 && !beats(value, losing_)) return false;
    known = value;
    if (on == 0) seen.written = is;
    if (seen.example.empty())
      seen.example = " is " + std::to_string(length) + ": result " + std::to_string(n) + " is " +
                     show_element(insn_.dst_type, is) + " instead of " + show_element(insn_.dst_type, should);
    return true;
  }

  /// What each of `count` elements adds to a sum of zeros.
  std::uint64_t of_one(std::uint64_t sum, std::uint32_t count) const {
    return nearest(insn_.dst_type, value_of(insn_.dst_type, sum) / count);
  }

  bool beats(std::uint64_t value, double other) const {
    const double is = value_of(insn_.dst_type, value);
    return losing_ > 0 ? is < other : is > other;
  }

  /// Elements that win against the marks of the probes hide those of results that are not full.
  bool explains_reach(const Seen& seen) const {
    const bool hides = seen.value && losing_ != 0 &&
                       !beats(nearest(insn_.dst_type, -losing_), value_of(insn_.dst_type, *seen.value));
    return std::ranges::all_of(measured_.answers, [&](const LengthAnswer& answer) {
      const std::uint32_t shown = hides ? answer.length / size_ * size_ : answer.length;
      return answer.reach == shown;
    });
  }

  const Instruction& insn_;
  const LengthMap &measured_, &documented_;
  double losing_;
  std::uint32_t size_;
};

std::uint64_t neutral_element(const Instruction& insn) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const Neutral neutral = row_of(insn.op).neutral;
  return nearest(insn.dst_type, neutral == Neutral::lowest    ? -kInfinity
                                : neutral == Neutral::highest ? kInfinity
                                                              : 0);
}

}  // namespace

std::optional<BehindText> elements_behind(const Subject& subject, const LengthMap& measured,
                                          const LengthMap& documented) {
  const auto seen = Behind(subject, measured, documented).see();
  if (!seen) return {};
  const bool all = (seen->wrong_partial == 0 || seen->wrong_partial == seen->partial) &&
                   (seen->wrong_empties == 0 || seen->wrong_empties == seen->empties);
  const std::string example = all ? "" : ", for example if n" + seen->example;
  const auto text_of = [&](std::uint64_t bits) { return show_element(subject.insn.dst_type, bits); };
  if (!seen->value) {
    const std::string where = " to the results of the last repeat whose elements all lie behind ";
    const bool is_neutral = *seen->written == neutral_element(subject.insn);
    BehindText said{"writes " + text_of(*seen->written) + where, example};
    if (is_neutral) {
      said.text = "writes its neutral element, " + text_of(*seen->written) + "," + where;
      said.general = "writes its neutral element" + where;
    }
    said.only_example = !all;
    return said;
  }
  if (seen->empty && seen->empty != seen->value) return {};
  const std::string written = seen->empty ? ", and also writes results whose elements all lie there" : "";
  return BehindText{"takes " + text_of(*seen->value) + " for the elements of the last repeat behind ",
                    written + example, "", !all};
}

}  // namespace lanecheck
