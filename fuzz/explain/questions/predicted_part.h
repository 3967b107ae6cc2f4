// A part of a program, and what a law about its earlier instructions predicts: does the backend leave that?
#pragma once

#include "fuzz/explain/questions/asked_backend.h"
#include "fuzz/explain/questions/repeatable.h"
#include "fuzz/explain/questions/suspects.h"

namespace lanecheck {

class PredictedPart {
 public:
  /// All must outlive this object. `part`: the program whose last instruction is wrong in it.
  PredictedPart(const Program& part, AskedBackend& asked, const Documented& documented)
      : part_(part), asked_(asked), documented_(documented), budget_(asked) {}
  PredictedPart(const PredictedPart&) = delete;  // its owner may hold the program, too
  PredictedPart& operator=(const PredictedPart&) = delete;

  /// The documented state after the first `count` instructions of `program`.
  State before_of(const Program& program, std::size_t count) const;

  /// Does the backend leave `predicted` after `program`? `shows` becomes true if the documents say something
  /// else.
  bool agrees(const Program& program, const State& predicted, bool& shows);

  /// Does the last instruction of `program` leave all as it is documented to be before it? True for an
  /// illegal program, which says nothing.
  bool leaves_all(const Program& program, bool& shows);

  /// Is the UB of this answer what `insn` leaves, if it runs in place of the last instruction of `program`,
  /// in the state `before`?
  bool leaves_ub_of(const Program& program, const Instruction& insn, const State& before,
                    const BackendAnswer& answer) const;

  /// Does the last instruction of a legal program leave UB as it would under this mask in the register?
  /// `before`: the documented state before it.
  bool leaves_under(const Program& program, const Mask& mask, State before, bool& shows);

  /// Would the last instruction leave another UB under this mask in the register, by the documents?
  bool would_differ_under(const Program& program, const Mask& mask) const;

  /// Does `gives(program, shows)` hold for the part and with other data, and show in one of them? What a part
  /// reads behind UB shows with other data only, if `gives` makes room for it. `shows_again`: it shows there.
  template <class Gives>
  bool holds_for_data(Gives gives, bool& shows_again) {
    bool shows = false;
    if (!gives(part_, shows)) return false;
    for (unsigned round = 1; round <= kOtherData; ++round)
      if (!gives(with_data(part_, round), shows_again)) return false;
    return shows || shows_again;
  }

  const Documented& documented() const { return documented_; }
  bool is_over() const { return budget_.is_over(); }  ///< may no more be asked?

 private:
  const Program& part_;
  AskedBackend& asked_;
  const Documented& documented_;
  QuestionBudget budget_;
};

}  // namespace lanecheck
