#include <algorithm>
#include <ostream>
#include <span>

#include "reports/terminal.h"

namespace lanecheck {
namespace {

constexpr unsigned kMostRows = 8;
constexpr unsigned kHeadColumns = 14;

struct Mark {
  char sign;
  const char* colour;
};

Mark mark_of(const LaneRow& lane) {
  if (lane.agrees) return lane.active ? Mark{'#', "\033[32m"} : Mark{'.', "\033[2m"};
  return lane.active ? Mark{'X', "\033[1;31m"} : Mark{'!', "\033[1;35m"};
}

using LaneSpan = std::span<const LaneRow>;

/// The lanes at the front of `lanes` that belong to one repeat.
LaneSpan first_row(std::span<const LaneRow> lanes) {
  std::size_t n = 0;
  while (n < lanes.size() && lanes[n].repeat == lanes.front().repeat) ++n;
  return lanes.first(n);
}

/// Do two rows print the same?
bool alike(LaneSpan one, LaneSpan other) {
  if (one.size() != other.size()) return false;
  for (std::size_t n = 0; n < one.size(); ++n)
    if (mark_of(one[n]).sign != mark_of(other[n]).sign || one[n].block != other[n].block) return false;
  return true;
}

void print_row(std::ostream& out, LaneSpan row, unsigned last_repeat, const Style& style) {
  const unsigned repeat = row.front().repeat;
  std::string head = repeat == last_repeat
                         ? "  repeat " + std::to_string(repeat)
                         : "  repeats " + std::to_string(repeat) + "-" + std::to_string(last_repeat);
  head.resize(std::max<std::size_t>(head.size() + 1, kHeadColumns), ' ');
  out << head;
  std::size_t column = head.size();
  unsigned block = row.front().block;
  for (const LaneRow& lane : row) {
    if (lane.block != block) {
      out << '|';
      ++column;
      block = lane.block;
    }
    if (column + 2 > style.width) {
      out << '\n' << std::string(kHeadColumns, ' ');
      column = kHeadColumns;
    }
    const Mark mark = mark_of(lane);
    if (style.colour) out << mark.colour;
    out << mark.sign;
    if (style.colour) out << "\033[0m";
    ++column;
  }
  out << '\n';
}

}  // namespace

void print_lane_map(std::ostream& out, const std::vector<LaneRow>& lanes, const Style& style) {
  std::span<const LaneRow> rest(lanes);
  for (unsigned shown = 0; !rest.empty(); ++shown) {
    const LaneSpan row = first_row(rest);
    if (shown == kMostRows) {
      out << "  ... " << rest.back().repeat - row.front().repeat + 1 << " more repeats\n";
      return;
    }
    unsigned last_repeat = row.front().repeat;
    rest = rest.subspan(row.size());
    while (!rest.empty() && alike(row, first_row(rest))) {
      last_repeat = rest.front().repeat;
      rest = rest.subspan(row.size());
    }
    print_row(out, row, last_repeat, style);
  }
}

}  // namespace lanecheck
