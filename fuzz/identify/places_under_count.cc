#include "fuzz/identify/places_under_count.h"

#include <algorithm>

#include "fuzz/identify/difference_list.h"
#include "fuzz/identify/measured_shape.h"
#include "fuzz/identify/places/move_differences.h"
#include "fuzz/identify/places/place_differences.h"
#include "fuzz/identify/probes/move_map.h"
#include "fuzz/identify/probes/place_map.h"
#include "fuzz/identify/stride_owner.h"
#include "fuzz/identify/trials/conditional_law.h"
#include "fuzz/identify/trials/elements_of_before.h"
#include "fuzz/identify/trials/forgotten_dst.h"
#include "fuzz/identify/values/value_differences.h"
#include "spec/program/profile.h"

namespace lanecheck {

std::vector<Difference> places_under_number(const Subject& subject, const Ask& ask, bool& wrong_anyway) {
  const MaskWords full = full_mask(subject);
  if (has_move_probes(row_of(subject.insn.op)))
    return move_differences(subject, measure_moves(subject, full, ask),
                            measure_moves(subject, full, ask_oracle()));
  const PlaceMaps places = measure_places(subject, full, ask);
  auto differences = place_differences(subject, places, measure_places(subject, full, ask_oracle()), {}).list;
  const bool may_be_value = (have_unexplained_sources(differences) || computes_another_function(places)) &&
                            has_value_probes(row_of(subject.insn.op));
  if (!may_be_value) return differences;
  // Of 255 repeats, values may not be asked.
  wrong_anyway = wrong_anyway || any_wrong_value(in_a_row(under_words(subject), 2), ask);
  if (wrong_anyway) return {};
  if (auto law = value_law(subject, ask)) return {*std::move(law)};
  return differences;
}

namespace {

constexpr std::string_view kIfNotFull = "if the count does not fill the last repeat";

/// When `differences` are seen, that a count shows which leaves some elements out of the last repeat: another
/// count may show others.
std::string if_not_full(Subject subject, const std::vector<Difference>& differences, const Ask& ask,
                        bool& wrong_anyway) {
  const std::uint32_t missing = subject.missing;
  subject.missing = lanes_of(subject.insn) / 2 + 1;
  const bool same = std::ranges::equal(places_under_number(subject, ask, wrong_anyway), differences, {},
                                       &Difference::what, &Difference::what);
  return same ? std::string(kIfNotFull)
              : "if the count leaves " + std::to_string(missing) +
                    " elements out of the last repeat; another count shows others";
}

/// The places of all operands if the count covers all repeats, or `tail`: not all of the last one.
/// `before`: the shapes without a difference.
std::vector<Difference> places_under_count(const Shape& shape, MaskGiven given, bool tail,
                                           const std::vector<Shape>& before, const Ask& ask,
                                           bool& wrong_anyway) {
  Subject subject = shape.subject;
  subject.given = given;
  if (tail) subject.missing = lanes_of(subject.insn) / 4 + 3;
  const std::string by_count = given == MaskGiven::total ? ", in counter mode" : ", for a count of its own";
  if (row_of(subject.insn.op).mask == MaskUse::neutral_source) {  // its maps need one lane of each group
    auto law = tail ? elements_of_before(subject, ask) : stride_law(subject, ask);
    if (!law || (!tail && stride_law(shape.subject, ask)))
      return {};  // not of the count, if normal mode shows it too
    law->what += by_count;
    if (law->stride) law->stride->in_counter_mode = true;
    return {*std::move(law)};
  }
  if (auto law = tail ? forgotten_dst(subject, ask) : std::nullopt) {
    law->what += by_count;
    law->where = kIfNotFull;
    return {*std::move(law)};
  }
  auto differences = places_under_number(subject, ask, wrong_anyway);
  const std::string when =
      tail && !differences.empty() ? if_not_full(subject, differences, ask, wrong_anyway) : "";
  name_stride_owners(subject, full_mask(subject), differences, ask);
  constexpr std::uint32_t kMoreRepeats = 5;  // "the last repeat" and "from repeat 2 on" are not the same
  const auto of_some = [](const Difference& each) { return !each.where.empty(); };
  if (std::ranges::any_of(differences, of_some) && subject.insn.repeat < kMoreRepeats &&
      row_of(subject.insn.op).has_repeat) {
    Shape more = shape;
    more.subject.insn.repeat = kMoreRepeats;
    more.about =
        "repeat 5" +
        (shape.about.find(',') == std::string::npos ? "" : shape.about.substr(shape.about.find(',')));
    if (auto again = places_under_count(more, given, tail, before, ask, wrong_anyway); !again.empty())
      return again;
  }
  for (Difference& difference : differences) {
    if (difference.what.ends_with(',')) difference.what.pop_back();
    difference.what += by_count;
    if (tail) difference.stride.reset();
    if (difference.stride) difference.stride->in_counter_mode = true;
    if (tail) difference.where += (difference.where.empty() ? "" : ", ") + when;
    if (shape.name != "plain" && !holds_in(before, difference))
      difference.where += (difference.where.empty() ? "(" : " (") + ("seen with " + shape.about + ")");
  }
  return differences;
}

/// A wrong stride of dst hides those of the sources: the first shape that shows a stride of a source if dst
/// lies in a row.
std::vector<Difference> sources_with_dst_in_a_row(const std::vector<Shape>& shapes, MaskGiven given,
                                                  const Ask& ask, bool& wrong_anyway) {
  for (Shape shape : shapes) {
    shape.subject = with_dst_in_a_row(shape.subject);
    auto found = places_under_count(shape, given, false, {}, ask, wrong_anyway);
    const auto is_right = [](const Difference& each) { return is_source(each.map) && each.stride; };
    if (!found.empty()) return std::ranges::all_of(found, is_right) ? found : std::vector<Difference>{};
  }
  return {};
}

bool is_stride_of_dst(const std::vector<Difference>& differences) {
  return differences.size() == 1 && differences[0].map == MapKind::dst && differences[0].stride;
}

/// A difference that was seen in one repeat, with the strides of the case: which operands show it with
/// strides of their own, and is a second repeat right?
std::vector<Difference> in_one_repeat(const Shape& seen, MaskGiven given, std::vector<Difference> found,
                                      const Ask& ask, bool& wrong_anyway) {
  const Shape one = shape_of_one_repeat(seen.subject);
  if (auto again = places_under_count(one, given, false, {one}, ask, wrong_anyway); !again.empty())
    found = std::move(again);
  if (is_stride_of_dst(found))
    std::ranges::copy(sources_with_dst_in_a_row({one}, given, ask, wrong_anyway), std::back_inserter(found));
  Shape two = one;
  two.subject.insn.repeat = 2;
  if (!places_under_count(two, given, false, {}, ask, wrong_anyway).empty()) return found;
  for (Difference& difference : found) {
    difference.where = "if the count fits into one repeat";
    difference.stride.reset();
  }
  return found;
}

}  // namespace

Subject under_words(Subject subject) {
  if (subject.insn.mask_from == MaskFrom::count)
    subject.insn.mask_from = row_of(subject.profile).sets_mask ? MaskFrom::reg : MaskFrom::bitwise;
  subject.given = MaskGiven::words;
  subject.missing = 0;
  return subject;
}

std::vector<Difference> places_in_shapes(const std::vector<Shape>& shapes, MaskGiven given, const Ask& ask) {
  std::vector<Difference> differences;
  bool wrong_anyway = false;
  for (const bool tail : {false, true}) {
    std::vector<Shape> before;
    for (const Shape& shape : shapes) {
      if (differences.empty()) {
        differences = places_under_count(shape, given, tail, before, ask, wrong_anyway);
        if (!differences.empty() && !tail && row_of(shape.subject.insn.op).has_repeat &&
            repeats_of(shape.subject.insn) == 1)
          differences = in_one_repeat(shape, given, std::move(differences), ask, wrong_anyway);
      }
      before.push_back(shape);
    }
    if (!tail && is_stride_of_dst(differences))
      std::ranges::copy(sources_with_dst_in_a_row(shapes, given, ask, wrong_anyway),
                        std::back_inserter(differences));
  }
  if (differences.empty() || given != MaskGiven::count) return differences;
  // With a count of its own all operands lie in a row: counter mode tells more.
  auto more = places_in_shapes(shapes_of(shapes[0].subject), MaskGiven::total, ask);
  return !more.empty() && more[0].map == differences[0].map ? more : differences;
}

}  // namespace lanecheck
