#include <algorithm>
#include <ostream>

#include "reports/terminal.h"

namespace lanecheck {
namespace {

constexpr unsigned kMostRepeats = 8;

struct Mark {
  char sign;
  const char* colour;
};

Mark mark_of(const LaneRow& lane) {
  if (lane.agrees) return lane.active ? Mark{'#', "\033[32m"} : Mark{'.', "\033[2m"};
  return lane.active ? Mark{'X', "\033[1;31m"} : Mark{'!', "\033[1;35m"};
}

}  // namespace

void print_lane_map(std::ostream& out, const std::vector<LaneRow>& lanes, const Style& style) {
  unsigned repeat = ~0u, block = 0, shown = 0, column = 0;
  for (const LaneRow& lane : lanes) {
    if (lane.repeat != repeat) {
      if (shown == kMostRepeats) {
        out << "\n  ... " << lanes.back().repeat - repeat << " more repeats";
        break;
      }
      if (shown++ > 0) out << '\n';
      std::string head = "  repeat " + std::to_string(lane.repeat);
      head.resize(14, ' ');
      out << head;
      repeat = lane.repeat;
      column = 14;
      block = lane.block;
    } else if (lane.block != block) {
      out << '|';
      ++column;
      block = lane.block;
    }
    if (column + 2 > style.width) {
      out << '\n' << std::string(14, ' ');
      column = 14;
    }
    const Mark mark = mark_of(lane);
    if (style.colour) out << mark.colour;
    out << mark.sign;
    if (style.colour) out << "\033[0m";
    ++column;
  }
  if (!lanes.empty()) out << '\n';
}

}  // namespace lanecheck
