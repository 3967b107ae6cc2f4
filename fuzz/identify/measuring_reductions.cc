// What is measured of reductions: the part of Measuring that other instructions do not need.
#include "fuzz/identify/measuring.h"

#include <algorithm>

#include "fuzz/identify/inverted_elements.h"
#include "fuzz/identify/measured_shape.h"
#include "fuzz/identify/probes/move_map.h"
#include "fuzz/identify/probes/reduction_map.h"
#include "fuzz/identify/reductions/group_sizes.h"
#include "fuzz/identify/reductions/neutral_lanes.h"
#include "fuzz/identify/reductions/reduction_differences.h"
#include "fuzz/identify/reductions/reduction_places.h"
#include "fuzz/identify/reductions/result_laws.h"
#include "fuzz/identify/refuted.h"
#include "fuzz/identify/stride_owner.h"
#include "fuzz/identify/trials/conditional_law.h"
#include "fuzz/identify/values/value_differences.h"
#include "spec/text/program_text.h"

namespace lanecheck {

void Measuring::under_full_mask(const std::vector<Shape>& shapes) {
  if (!has_reduction_probes(row_of(shapes[0].subject.insn.op))) return;
  for (const Shape& shape : shapes) {
    if (differences_.any() || (shape.name != "strided" && shape.name != "given")) continue;
    auto law = law_of_trials(shape.subject, {}, false, ask_);
    for (const auto other : {stride_law, repeat_law})
      if (!law) law = other(shape.subject, ask_);
    if (!law) {
      add_elements_of_strides(shape);
      continue;
    }
    std::vector<Difference> said = {*std::move(law)};
    say_if_not_counted(shape.subject, said, ask_);
    differences_.add(shapes[0], std::move(said));
  }
  result.differences = differences_.sentences();
}

namespace {

/// Does each element of src count by the slot that its address would have, not by that of its lane?
bool counts_by_address(const Subject& subject, const GateMap& elements) {
  const unsigned per = per_block(subject.insn.src_type);
  const std::uint32_t stride = subject.insn.operands[1].block_stride;
  for (unsigned lane = 0; lane < elements.lanes; ++lane) {
    const unsigned block = lane / per * stride % kRepeatBlocks;
    if (elements.at(0, lane) != Gate{GateKind::slot, static_cast<std::uint8_t>(block * per + lane % per)})
      return false;
  }
  return true;
}

}  // namespace

void Measuring::add_elements_of_strides(const Shape& shape) {
  const auto measured = measure_reduction(shape.subject, ask_),
             documented = measure_reduction(shape.subject, ask_oracle());
  if (!measured.map || !documented.map) return;
  auto found = reduction_differences(shape.subject, *measured.map, *documented.map);
  if (!found.empty() && counts_by_address(shape.subject, measured.map->elements)) {
    Subject other = shape.subject;
    ++other.insn.operands[1].block_stride;
    const auto again = measure_reduction(other, ask_);
    if (again.map && counts_by_address(other, again.map->elements)) {
      found = {{found[0].map,
                mnemonic(other.insn) +
                    " counts data block b of src by the slots of block (b * the block stride of src) mod 8",
                {}}};
      found[0].of_all_shapes = true;
    }
  }
  differences_.add(shape, std::move(found));
}

void Measuring::reduction_first(const Shape& shape) {
  const Subject& subject = shape.subject;
  if (!has_reduction_probes(row_of(subject.insn.op))) return;
  const bool right_under_full_mask = places_under_full_mask(subject, ask_);
  if (!right_under_full_mask) differences_.add(shape, inverted_elements(subject, ask_));
  if (right_under_full_mask)
    if (auto law = active_lanes_in_groups(subject, ask_)) differences_.add(shape, {*std::move(law)});
  if (!differences_.any())
    for (const auto measure : {result_places_difference, group_size_difference})
      if (auto law = differences_.any() ? std::nullopt : measure(subject, ask_))
        differences_.add(shape, {*std::move(law)});
  if (!differences_.any())
    if (const auto equal = measure_equal_elements(subject, ask_); equal.map)
      equal_elements(shape, *equal.map);
  if (differences_.any()) {
    result.differences = differences_.sentences();
    result.shapes.push_back(measure(shape, ask_));
    return;
  }
  const auto contributions = measure_contributions(subject, ask_);
  std::vector<Difference> counted;
  if (contributions.map) counted = contribution_differences(subject, *contributions.map);
  const bool has_no_law =
      counted.empty() || counted[0].only_example || contributions.map->in_several_results();
  if (!right_under_full_mask && has_no_law)
    if (auto law = result_law(subject, ask_)) counted = {*std::move(law)};
  add_of_elements(shape, std::move(counted));
  if (contributions.map) {
    if (!differences_.any() && contributions.map->by_repeat) other_sources(subject, *contributions.map);
    result.differences = differences_.sentences();
    if (!result.shapes.empty()) return;
    if (differences_.any()) {
      result.shapes.push_back(measure(shape, ask_));
      return;
    }
  }
  if (!right_under_full_mask) return;
  MeasuredShape measured = measure(shape, ask_);
  if (shown_.mask)
    if (const auto wrong = wrong_register(measured, ask_); !wrong.empty()) return;
  reduction(shape);
  if (!result.differences.empty()) result.shapes.push_back(std::move(measured));
}

void Measuring::add_of_elements(const Shape& shape, std::vector<Difference> found) {
  say_if_own_mask(shape.subject, found, ask_);
  differences_.add(shape, std::move(found));
}

void Measuring::equal_elements(const Shape& shape, const EqualElements& measured) {
  if (!measured.right() && !measured.start)
    if (auto values = value_differences(shape.subject, ask_); !values.empty() && values[0].of_all_families)
      return differences_.add(shape, std::move(values));
  add_of_elements(shape, equal_elements_differences(shape.subject, measured));
}

void Measuring::other_sources(const Subject& subject, const Contributions& contributions) {
  constexpr unsigned kRepeats = 5;  // "the last repeat" and "from repeat 2 on" are not the same
  const Shape shape{"plain", "repeat 5, operands in a row", in_a_row(subject, kRepeats)};
  unsigned lane = 0;
  while (lane + 1 < contributions.lanes && contributions.at(lane, lane / group_size(subject.insn)) > 0)
    ++lane;
  const unsigned size = group_size(subject.insn), next = lane % size + per_block(subject.insn.src_type);
  if (!add_sources(shape, lane % size) && next < size) add_sources(shape, next);
}

bool Measuring::add_sources(const Shape& shape, unsigned lane) {
  const MaskWords mask = one_of_each_group(shape.subject, lane);
  MeasuredShape measured = measure(shape, ask_, mask);
  auto more = differences_of(measured, ask_);
  name_stride_owners(shape.subject, mask, more, ask_);
  const bool reads_others = !more.empty() && std::ranges::all_of(more, [](const Difference& each) {
    return is_source(each.map) && !each.only_example;
  });
  if (!reads_others || are_refuted(shape.subject, more, ask_)) return false;
  // The greatest of several repeats stands at the place of another one, too.
  if (auto law = law_of_trials(shape.subject, more, false, ask_)) more = {*std::move(law)};
  differences_.add(shape, more);
  result.shapes.push_back(std::move(measured));
  return true;
}

void Measuring::reduction(const Shape& shape) {
  result.reduction = measure_reduction(shape.subject, ask_);
  const auto documented = measure_reduction(shape.subject, ask_oracle());
  if (result.reduction->map && documented.map) {
    auto more = reduction_differences(shape.subject, *result.reduction->map, *documented.map);
    if (!more.empty() && result.reduction->map->neutral && !documented.map->neutral)
      say_neutral_lanes(shape.subject, *result.reduction->map->neutral, ask_, more[0]);
    // What other results are made of may look like a result that is kept.
    const bool may_be_more =
        !more.empty() && (more[0].only_example || (more[0].results && more[0].results->keeps));
    if (auto law = may_be_more ? result_law(shape.subject, ask_) : std::nullopt) more = {*std::move(law)};
    // If no element obeys a slot, others may win that must not: then results under a full mask are wrong.
    const auto obeys = [](const Gate& gate) { return gate.kind == GateKind::slot; };
    if (!more.empty() && std::ranges::none_of(result.reduction->map->elements.gates, obeys))
      if (auto values = value_differences(shape.subject, ask_);
          !values.empty() && values[0].map == MapKind::values)
        more = std::move(values);
    add_of_elements(shape, std::move(more));
  }
  result.differences = differences_.sentences();
}

}  // namespace lanecheck
