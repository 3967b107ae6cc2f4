#include "fuzz/generate/edge.h"

#include <array>
#include <stdexcept>
#include <vector>

#include "fuzz/generate/draws.h"
#include "spec/legality/find_fault.h"
#include "spec/program/profile.h"

namespace lanecheck {
namespace {

/// A program before an edge move. UB is not copied: a move appends to it, and says what it overwrites.
class BeforeEdge {
 public:
  explicit BeforeEdge(const Program& program)
      : allocations_(program.allocations),
        instructions_(program.instructions),
        ub_bytes_(program.ub.size()) {}

  /// Undoes in `program` what a move did to `subject`.
  void restore(Program& program, const EdgeSubject& subject) const {
    if (subject.overwritten) store(program.ub.data() + subject.overwritten->at, subject.overwritten->word);
    program.ub.resize(ub_bytes_);
    program.allocations = allocations_;
    program.instructions = instructions_;
  }

 private:
  std::vector<Allocation> allocations_;
  std::vector<Instruction> instructions_;
  std::size_t ub_bytes_;
};

/// Steps the first instruction that can be stepped; false, and `program` as it was, if none can.
bool step_to_edge(const EdgeCase& edge, Draws& draws, Program& program) {
  const auto below = [&draws](unsigned n) { return draws.below(n); };
  const BeforeEdge legal(program);
  for (std::size_t n = 0; n < program.instructions.size(); ++n) {
    EdgeSubject subject{program, program.instructions[n], edge.outside, below};
    if (edge.rule->edge(subject)) {
      const auto fault = find_fault(program);
      if (edge.outside ? fault && fault->rule == edge.rule : !fault) return true;
    }
    legal.restore(program, subject);
  }
  return false;
}

/// Generates legal programs until one of them can be stepped to the edge.
bool search_edge(const EdgeCase& edge, Draws& draws, std::uint64_t index, const Mix& mix,
                 const BeforeStep& before, Program& program) {
  constexpr unsigned kMostAttempts = 4000;
  for (unsigned attempt = 0; attempt < kMostAttempts; ++attempt) {
    generate(draws.word(), index, mix, program);
    if (before && !before(program)) continue;
    if (step_to_edge(edge, draws, program)) return true;
  }
  return false;
}

Mix without_boundaries(Mix mix, unsigned most_instructions) {
  mix.with_boundaries = false;
  mix.most_instructions = most_instructions;
  return mix;
}

}  // namespace

const std::vector<const LegalityRule*>& rules_with_edge(Profile profile) {
  static const auto lists = [] {
    std::array<std::vector<const LegalityRule*>, kProfiles> all;
    for (const Profile each : kEveryProfile)
      for (const LegalityRule& rule : legality_rules())
        if (rule.edge != nullptr && rule.holds_in(each)) all[static_cast<std::size_t>(each)].push_back(&rule);
    return all;
  }();
  return lists[static_cast<std::size_t>(profile)];
}

EdgeCase generate_at_edge(std::uint64_t seed, std::uint64_t index, const Mix& mix, Program& program) {
  constexpr std::uint64_t kOwnDraws = 0xb0de;  // apart from those of generate()
  Draws draws(seed ^ kOwnDraws, index);
  const auto& rules = rules_with_edge(mix.profile);
  const EdgeCase edge = {rules[draws.below(static_cast<unsigned>(rules.size()))], draws.one_in(2)};
  if (search_edge(edge, draws, index, without_boundaries(mix, 4), {}, program)) return edge;
  throw std::logic_error("no program at the edge of " + std::string(edge.rule->id));
}

bool generate_at(const EdgeCase& edge, std::uint64_t seed, std::uint64_t index, const Mix& mix,
                 const BeforeStep& before, Program& program) {
  constexpr std::uint64_t kOwnDraws = 0xe3a3;
  Draws draws(seed ^ kOwnDraws ^ (std::uint64_t{edge.rule->position} << 32), index);
  return search_edge(edge, draws, index, without_boundaries(mix, mix.most_instructions), before, program);
}

}  // namespace lanecheck
