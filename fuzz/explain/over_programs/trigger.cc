#include "fuzz/explain/over_programs/trigger.h"

#include <algorithm>

#include "fuzz/explain/questions/repeatable.h"
#include "spec/legality/find_fault.h"

namespace lanecheck {
namespace {

constexpr std::size_t kMostShrunk =
    8;  ///< if there are more earlier programs, their instructions are not shrunk

class Search {
 public:
  Search(const Program& program, AskAgain& ask) : ask_(ask), program_(program) {}

  /// Tries the last 1, 4, 16, ... programs of the history, then programs made from the program itself.
  bool find(const History& history) {
    std::size_t tried = 0;
    for (std::size_t count = 1; count <= kMostHistory && !ask_.is_over(); count *= 4) {
      std::vector<Program> before = history(count);
      if (before.size() == tried) break;
      tried = before.size();
      if (take(std::move(before))) return true;
    }
    for (unsigned round = 0; round < kRoundsBetween && !ask_.is_over(); ++round)
      if (Program between = to_run_between(program_, round);
          !find_fault(between) && take({std::move(between)}))
        return true;
    return false;
  }

  void shrink() {
    drop_programs();
    if (before_.size() <= kMostShrunk) drop_instructions_before();
    drop_instructions();
  }

  /// The trigger, if the backend is wrong each time after the programs, and right each time without them.
  std::optional<Trigger> confirmed() {
    const Asks alone = ask_.ask_afresh(program_, kAsks);
    Asks after = ask_.ask_afresh(program_, kAsks, before_);
    if (alone.asked < kAsks || !alone.never_wrong() || after.asked < kAsks || !after.always_wrong())
      return {};
    return Trigger{std::move(before_), std::move(program_), std::move(*after.first_wrong)};
  }

 private:
  bool shows(const Program& program, const std::vector<Program>& before) {
    return ask_.ask_afresh(program, 1, before).wrong == 1;
  }

  bool take(std::vector<Program> before) {
    if (!shows(program_, before)) return false;
    before_ = std::move(before);
    return true;
  }

  /// Leaves out parts of the list, first halves, then smaller ones.
  void drop_programs() {
    for (std::size_t part = before_.size() / 2; part > 0; part /= 2)
      for (std::size_t at = 0; at + part <= before_.size() && before_.size() > part && !ask_.is_over();) {
        std::vector<Program> fewer = before_;
        const auto from = fewer.begin() + static_cast<std::ptrdiff_t>(at);
        fewer.erase(from, from + static_cast<std::ptrdiff_t>(part));
        if (!take(std::move(fewer))) at += part;
      }
  }

  void drop_instructions_before() {
    for (std::size_t n = 0; n < before_.size(); ++n)
      for (std::size_t at = before_[n].instructions.size(); at-- > 0 && !ask_.is_over();) {
        std::vector<Program> fewer = before_;
        drop(fewer[n], at);
        if (!find_fault(fewer[n], ask_.documented().readings())) take(std::move(fewer));
      }
  }

  void drop_instructions() {
    for (std::size_t at = program_.instructions.size(); at-- > 0 && !ask_.is_over();) {
      Program fewer = program_;
      drop(fewer, at);
      if (find_fault(fewer, ask_.documented().readings()) || !shows(fewer, before_)) continue;
      if (ask_.ask_afresh(fewer, 1).wrong == 0) program_ = std::move(fewer);
    }
  }

  static void drop(Program& program, std::size_t at) {
    program.instructions.erase(program.instructions.begin() + static_cast<std::ptrdiff_t>(at));
  }

  AskAgain& ask_;
  Program program_;
  std::vector<Program> before_;
};

}  // namespace

std::optional<Trigger> find_trigger(const Program& program, const History& history, AskAgain& ask,
                                    bool shrink) {
  if (!ask.can_start_afresh()) return {};
  Search search(program, ask);
  if (!search.find(history)) return {};
  if (!shrink) return search.confirmed();
  Search whole = search;
  search.shrink();
  if (auto smaller = search.confirmed()) return smaller;
  return whole.confirmed();  // too much was left out
}

bool brings_about(const std::vector<Program>& before, const Program& program, AskAgain& ask) {
  const Asks after = ask.ask_afresh(program, 1, before);
  return after.wrong == 1 && ask.ask_afresh(program, 1).never_wrong();
}

}  // namespace lanecheck
