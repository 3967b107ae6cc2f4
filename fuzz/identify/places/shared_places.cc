#include "fuzz/identify/places/shared_places.h"

#include <algorithm>
#include <map>

#include "fuzz/identify/places/misread.h"
#include "fuzz/identify/probes/move_map.h"
#include "fuzz/identify/probes/place_map.h"
#include "fuzz/identify/probes/shapes.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace {

/// What the lanes that write one place, by repeats and lanes, make it of.
using Writers = std::map<std::int32_t, std::vector<Writer>>;

/// `apart`: the subject with dst in a row, which shows what each lane has by the documents.
Writers writers_of(const Subject& subject, const Subject& apart, const SourceMap& elements) {
  Writers writers;
  for (unsigned r = 0; r < repeats_of(subject.insn); ++r)
    for (unsigned lane = 0; lane < lanes_of(subject.insn); ++lane)
      if (const std::int32_t element = elements.at(element_at(apart.insn, 0, r, lane)); element != kKept)
        writers[element_at(subject.insn, 0, r, lane)].push_back({r, lane, element});
  return writers;
}

}  // namespace

std::optional<Difference> earlier_lane_stays(const Subject& subject, const MaskWords& mask,
                                             const PlaceMaps& measured, const PlaceMaps& documented) {
  const Row& row = row_of(subject.insn.op);
  if (row.operands[0].walk != Walk::blocks || !shares_places(subject.insn)) return {};
  const Subject apart = with_dst_in_a_row(subject);
  const PlaceMaps of_lanes = measure_moves(apart, mask, ask_oracle());
  std::optional<Difference> found;
  for (std::size_t k = 0; k < measured.sources.size(); ++k) {
    const auto &is = measured.sources[k].map, &should = documented.sources[k].map,
               &of_lane = of_lanes.sources[k].map;
    if (!is || !should || !of_lane || is->sources == should->sources) continue;
    const Writers writers = writers_of(subject, apart, *of_lane);
    std::vector<WrongWriter> wrong;
    for (const auto& [place, all] : writers)
      if (is->at(place) != should->at(place)) wrong.push_back({&all, is->at(place)});
    auto law = wrong.empty() ? std::nullopt : order_of_writers(subject, wrong);
    if (!law || (found && found->what != law->what)) return {};
    found = std::move(law);
  }
  return found;
}

}  // namespace lanecheck
