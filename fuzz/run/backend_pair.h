// Two backends that are compared with each other: in what do their answers differ, and does it matter?
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "fuzz/explain/questions/suspects.h"
#include "fuzz/run/block.h"

namespace lanecheck {

/// What both backends did with one program.
using AnswerViews = std::span<const AnswerView>;

template <class Kind>
bool either(AnswerViews answers) {
  return std::ranges::any_of(
      answers, [](const AnswerView& each) { return std::holds_alternative<Kind>(each.outcome); });
}

class BackendPair {
 public:
  /// With `bitwise` every differing bit matters. The backends must outlive the pair.
  BackendPair(const Backend& one, const Backend& other, Profile profile, bool bitwise)
      : backends_{&one, &other}, profile_(profile), bitwise_(bitwise) {}

  const Backend& operator[](unsigned side) const { return *backends_[side]; }
  /// The part of a final state that both backends show.
  Shown shown() const;
  bool differ(AnswerViews answers) const;
  /// Do the answers differ in more than the documents leave open?
  bool matters(const Program& program, AnswerViews answers, const Semantics& documented) const;
  bool documents_allow(const Program& program, const AnswerView& answer, unsigned side,
                       const Semantics& documented) const;
  /// The backend's name. Two backends of one name are told apart by their order.
  std::string name_of(unsigned side) const;

 private:
  std::array<const Backend*, 2> backends_;
  Profile profile_;
  bool bitwise_;
};

/// Did both backends run the program?
bool both_ran(AnswerViews answers);

}  // namespace lanecheck
