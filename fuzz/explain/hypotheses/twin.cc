#include "fuzz/explain/hypotheses/twin.h"

#include <algorithm>

#include "fuzz/generate/generate.h"
#include "oracle/execute/execute.h"

namespace lanecheck {
namespace {

/// Do the two differ after some programs, and only in what is not shown?
bool differ_unseen(const Hypothesis& one, const Hypothesis& other, Profile profile, Shown shown) {
  constexpr std::uint64_t kSeed = 0x7477696e, kPrograms = 150;
  Mix mix;
  mix.profile = profile;
  Program program;
  State a, b;
  bool differ = false;
  for (std::uint64_t index = 0; index < kPrograms; ++index) {
    generate(kSeed, index, mix, program);
    execute(program, one.semantics, a);
    execute(program, other.semantics, b);
    if (!identical(a, b, shown)) return false;
    differ |= !identical(a, b, true);
  }
  return differ;
}

}  // namespace

const Hypothesis* twin_of_first(const Suspects& suspects, const Documented& documented, Shown shown) {
  if (shown.mask || suspects.size() < 2 || suspects.front()->wrong == nullptr) return nullptr;
  const auto twin = std::ranges::find_if(suspects.begin() + 1, suspects.end(), [&](const Hypothesis* each) {
    return each->wrong != nullptr && differ_unseen(*suspects.front(), *each, documented.profile, shown);
  });
  return twin == suspects.end() ? nullptr : *twin;
}

}  // namespace lanecheck
