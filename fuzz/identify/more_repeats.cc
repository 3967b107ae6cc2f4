#include "fuzz/identify/more_repeats.h"

#include <algorithm>

#include "fuzz/identify/measured_shape.h"

namespace lanecheck {

std::vector<Difference> with_more_repeats(const Shape& shape, std::vector<Difference> differences,
                                          const Ask& ask) {
  constexpr unsigned kFew = 8, kLeast = 6;
  const unsigned repeats = repeats_of(shape.subject.insn);
  if (differences.size() != 1 || repeats < 2 || repeats > kFew || !row_of(shape.subject.insn.op).has_repeat)
    return differences;
  const Difference& first = differences[0];
  const bool of_some = first.of_repeats || first.moves_on ||
                       ((is_source(first.map) || first.map == MapKind::control) && !first.where.empty());
  if (!of_some || first.places || first.only_example) return differences;
  const unsigned more = std::max(kLeast, 2 * repeats);
  Subject with_strides = shape.subject;  // operands in a row may show nothing
  with_strides.insn.repeat = more;
  for (const Subject& subject : {in_a_row(shape.subject, more), with_strides}) {
    auto of_more = differences_of(measure({"more", "", subject}, ask), ask);
    if (of_more.empty()) continue;
    const bool same =
        of_more.size() == 1 && of_more[0].map == first.map && of_more[0].of_repeats == first.of_repeats;
    const bool tells = same && (!of_more[0].only_example || of_more[0].where != first.where);
    return tells ? std::move(of_more) : std::move(differences);
  }
  return differences;
}

}  // namespace lanecheck
