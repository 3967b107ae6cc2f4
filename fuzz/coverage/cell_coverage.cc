#include "fuzz/coverage/cell_coverage.h"

#include <map>

#include "spec/program/profile.h"
#include "spec/rules/rule.h"

namespace lanecheck {
namespace {

void add(Axis& axis, std::string_view value, std::uint64_t count) {
  for (auto& [name, total] : axis.counts)
    if (name == value) {
      total += count;
      return;
    }
  axis.counts.emplace_back(value, count);
}

/// The axes of the diversity measure.
struct Axes {
  Axis ops{"instruction", {}}, types{"element type", {}}, masks{"mask", {}}, origins{"mask origin", {}},
      repeats{"repeat times", {}}, strides{"strides", {}}, operands{"mask operand", {}},
      modes{"mask mode", {}};

  void count(const Cell& cell, std::uint64_t times) {
    add(ops, row_of(cell.op).name, times);
    if (row_of(cell.op).typed()) add(types, name_of(cell.src_type), times);
    add(masks, kMaskClassNames[static_cast<std::size_t>(cell.mask)], times);
    add(origins, kMaskOriginNames[static_cast<std::size_t>(cell.origin)], times);
    add(repeats, kRepeatClassNames[static_cast<std::size_t>(cell.repeat)], times);
    add(operands, kMaskFromNames[static_cast<std::size_t>(cell.from)], times);
    add(modes, kModeNames[static_cast<std::size_t>(cell.mode)], times);
    add(strides, kStrideClassNames[static_cast<std::size_t>(cell.stride)], times);
  }
};

}  // namespace

void CellCoverage::add(const CellCoverage& other) {
  other.cells_.for_each([this](std::uint64_t key, std::uint64_t times) { count(key, times); });
  other.left_out_.for_each([this](std::uint64_t key, std::uint64_t times) { count_left_out(key, times); });
}

void CellCoverage::write_into(Report& report) const {
  const auto all = rules(profile_);
  for (const Rule& rule : all) report.rules.push_back({std::string(rule.id)});
  struct Counts {
    std::uint64_t judged = 0, left_out = 0;
  };
  std::map<std::uint64_t, Counts> cells;  // sorted by key: the order is the same on every machine
  cells_.for_each([&](std::uint64_t key, std::uint64_t count) { cells[key].judged = count; });
  left_out_.for_each([&](std::uint64_t key, std::uint64_t count) { cells[key].left_out = count; });
  Axes axes;
  for (const auto& [key, counts] : cells) {
    const Cell cell = cell_at(key);
    for (std::size_t n = 0; n < all.size(); ++n)
      if (all[n].applies(cell)) {
        report.rules[n].exercised += counts.judged;
        report.rules[n].left_out += counts.left_out;
      }
    if (counts.judged == 0) continue;
    ++report.cells_reached;
    axes.count(cell, counts.judged);
  }
  report.axes = {axes.ops, axes.types, axes.masks, axes.origins, axes.repeats, axes.strides};
  if (row_of(profile_).mask_operands != MaskOperands::never)
    report.axes.insert(report.axes.end(), {axes.operands, axes.modes});
}

}  // namespace lanecheck
