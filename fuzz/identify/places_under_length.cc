#include "fuzz/identify/places_under_length.h"

#include <algorithm>
#include <array>

#include "fuzz/identify/places_under_count.h"
#include "fuzz/identify/stride_owner.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace {

/// How many lanes a length leaves out: none, whole data blocks, and others.
struct Left {
  bool is_full, is_whole;
  std::uint32_t lanes;
};

std::array<Left, 4> lengths_of(const Subject& subject) {
  const std::uint32_t half = lanes_of(subject.insn) / 2;
  return {{{true, true, 0}, {false, true, half}, {false, false, 3}, {false, false, half + 3}}};
}

/// When a difference is seen, if these lengths show it.
std::string condition_of(const std::array<Left, 4>& lengths, const std::array<bool, 4>& shows) {
  const auto is = [&](auto holds) { return std::ranges::equal(lengths, shows, {}, holds); };
  if (is([](const Left&) { return true; })) return "";
  if (is([](const Left& each) { return each.is_full; })) return "if the length takes in all lanes";
  if (is([](const Left& each) { return !each.is_full; })) return "if the length does not take in all lanes";
  if (is([](const Left& each) { return each.is_whole; })) return "if the length fills whole data blocks";
  if (is([](const Left& each) { return !each.is_whole; }))
    return "if the length does not fill whole data blocks";
  return "for some lengths";
}

Subject with_length(Subject subject, MaskGiven given, std::uint32_t left) {
  subject.given = given;
  subject.missing = left;
  return subject;
}

}  // namespace

std::vector<Difference> places_under_length(const std::vector<Shape>& shapes, MaskGiven given,
                                            const Ask& ask) {
  if (row_of(shapes[0].subject.insn.op).mask != MaskUse::gates_writeback) return {};
  const auto lengths = lengths_of(shapes[0].subject);
  bool wrong_anyway = false;
  for (const Left& length : {lengths[0], lengths[2]})
    for (const Shape& shape : shapes) {
      const auto places = [&](const Left& left) {
        return places_under_number(with_length(shape.subject, given, left.lanes), ask, wrong_anyway);
      };
      auto found = places(length);
      if (found.empty()) continue;
      if (!places_under_number(under_words(shape.subject), ask, wrong_anyway).empty()) return {};
      name_stride_owners(with_length(shape.subject, given, length.lanes), full_mask(shape.subject), found,
                         ask);
      std::array<bool, 4> shows{};
      std::ranges::transform(lengths, shows.begin(), [&](const Left& left) {
        return left.lanes == length.lanes || !places(left).empty();
      });
      const std::string when = condition_of(lengths, shows);
      for (Difference& difference : found) {
        if (difference.what.ends_with(',')) difference.what.pop_back();
        difference.what += ", under a contiguous mask";
        difference.where += (difference.where.empty() || when.empty() ? "" : ", ") + when;
        if (!when.empty()) difference.stride.reset();
      }
      return found;
    }
  return {};
}

}  // namespace lanecheck
