// Sentences about lanes that are computed from other elements of a source than documented.
#pragma once

#include "fuzz/identify/places/move_comparison.h"

namespace lanecheck {

/// A lane that is computed from another element of a source than documented.
struct Misread {
  Lane at;
  std::int32_t place;  ///< the element of dst
  std::int32_t actual, expected;
};

/// A lane that writes a place of dst, and the element that it reads.
struct Writer {
  unsigned repeat, lane;
  std::int32_t element;
};

/// A place of dst that holds another element than that of its last writer.
struct WrongWriter {
  const std::vector<Writer>* writers;  ///< in the order of repeats and lanes
  std::int32_t actual;
};

/// "src0"
std::string bare_role(const Subject& subject, unsigned k);

/// "lane 3 of add.f16 is", "lanes 3, 5 of add.f16 are": `lanes` in any order, and each as often as it is
/// found.
std::string lanes_with_verb(const Subject& subject, const Numbers& lanes, const std::string& one,
                            const std::string& several);

/// "lanes 0..127 of add.f16 read src1 at lane 127 - L": the wrong elements as lanes of the same repeat, or of
/// another one. Nothing if no formula fits.
std::optional<Difference> by_lanes(const Subject& subject, unsigned k, const std::vector<Misread>& wrong);

/// Several lanes write one place, and the backend leaves the result of another one than the documents: of the
/// last one. Nothing if the wrong elements show something else.
std::optional<Difference> by_order(const Subject& subject, unsigned k, const std::vector<Misread>& wrong);
/// The same for places whose writers are known.
std::optional<Difference> order_of_writers(const Subject& subject, const std::vector<WrongWriter>& wrong);

}  // namespace lanecheck
