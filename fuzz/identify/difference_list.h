// The differences of several shapes as one list, in the order in which they were measured.
#pragma once

#include <algorithm>

#include "fuzz/probes/shapes.h"
#include "spec/program/instruction.h"

namespace lanecheck {

/// What the shapes show, without repetitions. A map that differs in one shape mostly differs in the next ones
/// for the same reason: of a later shape only maps that did not differ before are added. Of two differences
/// that differ only in their repeats, the one of the shape with more repeats stays.
class DifferenceList {
 public:
  void add(const Shape& shape, std::vector<Difference> more) {
    const unsigned repeats = repeats_of(shape.subject.insn);
    const bool plain = shapes_ == 0 || shape.name == first_;
    if (shapes_ == 0) first_ = shape.name;
    const std::string about = plain ? "" : " (" + shape.about + ")";
    for (Difference& difference : more) {
      const auto same = std::ranges::find_if(list_, [&](const Listed& each) {
        return each.shape != shapes_ && each.difference.what == difference.what;
      });
      if (same != list_.end() && same->repeats < repeats) {
        same->difference.where = difference.where;
        same->difference.law = difference.law;
        same->difference.places = difference.places;
        same->repeats = repeats;
      }
      const bool known = std::ranges::any_of(list_, [&](const Listed& each) {
        return difference.map == "elsewhere" ||
               (each.shape != shapes_ && each.difference.map == difference.map);
      });
      if (!known) list_.push_back({std::move(difference), repeats, about, shapes_});
    }
    ++shapes_;
  }

  bool any() const { return !list_.empty(); }
  /// Is there a difference, and is each one of all repeats?
  bool settled() const {
    return any() &&
           std::ranges::all_of(list_, [](const Listed& each) { return each.difference.where.empty(); });
  }

  std::vector<Difference> parts() const {
    std::vector<Difference> all;
    for (const Listed& each : list_) all.push_back(each.difference);
    return all;
  }

  std::vector<std::string> sentences() const {
    std::vector<std::string> texts;
    for (const Listed& each : list_) texts.push_back(each.difference.sentence() + each.about);
    return texts;
  }

 private:
  struct Listed {
    Difference difference;
    unsigned repeats;
    std::string about;
    unsigned shape;
  };
  std::vector<Listed> list_;
  unsigned shapes_ = 0;
  std::string first_;  ///< the name of the first shape
};

}  // namespace lanecheck
