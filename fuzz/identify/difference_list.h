// The differences of several shapes as one list, in the order in which they were measured.
#pragma once

#include <algorithm>

#include "fuzz/identify/probes/shapes.h"
#include "spec/program/instruction.h"

namespace lanecheck {

/// Does the law of a difference say what `measured` have shown: nothing? Then it holds for these shapes too.
inline bool holds_in(const std::vector<Shape>& measured, const Difference& difference) {
  return difference.places && std::ranges::all_of(measured, [&](const Shape& shape) {
           Instruction insn = shape.subject.insn;  // the probes give each operand an offset
           for (Operand& operand : insn.operands) operand.offset = kBlockBytes;
           return difference.places(insn) == insn;
         });
}

/// What the shapes show, without repetitions. A map that differs in one shape mostly differs in the next ones
/// for the same reason: of a later shape only maps that did not differ before are added. Of two differences
/// that differ only in their repeats, the one of the shape with more repeats stays.
class DifferenceList {
 public:
  void add(const Shape& shape, std::vector<Difference> more) {
    const unsigned repeats = repeats_of(shape.subject.insn);
    const bool plain = measured_.empty() || shape.name == measured_.front().name;
    for (Difference& difference : more) {
      const std::string about = plain || difference.of_all_shapes || holds_in(measured_, difference)
                                    ? ""
                                    : " (seen with " + shape.about + ")";
      const auto same = std::ranges::find_if(list_, [&](const Listed& each) {
        return each.shape != measured_.size() && each.difference.what == difference.what;
      });
      if (same != list_.end() && same->repeats < repeats) {
        same->difference.where = difference.where;
        same->difference.law = difference.law;
        same->difference.places = difference.places;
        same->repeats = repeats;
      }
      if (difference.says_all)  // the sources share the code that walks over them
        std::erase_if(list_, [&](const Listed& each) {
          return each.difference.map == difference.map ||
                 (is_source(each.difference.map) && is_source(difference.map));
        });
      const bool known = std::ranges::any_of(list_, [&](const Listed& each) {
        return difference.map == MapKind::elsewhere ||
               (each.shape != measured_.size() && each.difference.map == difference.map);
      });
      if (!known) list_.push_back({std::move(difference), repeats, about, measured_.size()});
    }
    measured_.push_back(shape);
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
    std::size_t shape;  ///< its number
  };

  std::vector<Listed> list_;
  std::vector<Shape> measured_;  ///< what was measured before
};

}  // namespace lanecheck
