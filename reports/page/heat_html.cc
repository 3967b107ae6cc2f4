// The heat map over the cases of a finding: a picture, its legend, and the same as a table.
#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "reports/page/escape.h"
#include "reports/page/html_parts.h"

namespace lanecheck::page {
namespace {

constexpr unsigned kLeft = 88, kTop = 14, kLine = 14, kHeight = 13;
constexpr unsigned kShades = 5;
constexpr std::size_t kMostTableRows = 96;

struct HeatRow {
  std::string name;
  std::span<const Heat> places;
};

/// Rows of places, and how they are drawn.
struct HeatGrid {
  std::string title;
  std::vector<HeatRow> rows;
  unsigned cell;          ///< width of a place
  unsigned every = 8;     ///< so many places have one number above them
  bool percents = false;  ///< with a percentage below each place
};

double share_of(const Heat& heat) {
  return heat.of == 0 ? 0 : static_cast<double>(heat.differs) / static_cast<double>(heat.of);
}

double largest_share(std::span<const HeatRow> rows) {
  double most = 0;
  for (const HeatRow& row : rows)
    for (const Heat& each : row.places) most = std::max(most, share_of(each));
  return most;
}

/// Nothing if no case has the place. 0: it differs in no case. 1 to kShades: the larger, the more often.
std::optional<unsigned> shade_of(const Heat& heat, double most) {
  if (heat.of == 0) return {};
  if (heat.differs == 0) return 0;
  return std::max(1u, static_cast<unsigned>(std::ceil(share_of(heat) / most * kShades - 1e-9)));
}

/// Neighbours of one shade.
struct HeatRun {
  std::size_t first, count;
  std::optional<unsigned> shade;
};

std::vector<HeatRun> runs_of(std::span<const Heat> places, double most) {
  std::vector<HeatRun> runs;
  for (std::size_t n = 0; n < places.size(); ++n) {
    const auto shade = shade_of(places[n], most);
    if (!runs.empty() && runs.back().shade == shade)
      ++runs.back().count;
    else
      runs.push_back({n, 1, shade});
  }
  return runs;
}

std::string number(std::size_t n) {
  return std::to_string(n);
}

/// One path for each shade of the row.
std::string row_svg(const HeatRow& row, const HeatGrid& grid, std::size_t y, double most) {
  std::string out = "<g><title>" + escaped(row.name) + "</title><text x=\"0\" y=\"" + number(y + 10) + "\">" +
                    escaped(row.name) + "</text>";
  const auto runs = runs_of(row.places, most);
  for (unsigned shade = 0; shade <= kShades; ++shade) {
    std::string path;
    for (const HeatRun& run : runs) {
      if (run.shade != shade) continue;
      const std::string width = number(run.count * grid.cell);
      path += "M" + number(kLeft + run.first * grid.cell) + " " + number(y) + "h" + width + "v" +
              number(kHeight) + "h-" + width + "z";
    }
    if (!path.empty()) out += "<path class=\"h" + number(shade) + "\" d=\"" + path + "\"/>";
  }
  return out + "</g>";
}

/// The percentages of a row, each below its place.
std::string percents_svg(const HeatRow& row, unsigned cell, std::size_t y) {
  std::string out;
  for (std::size_t n = 0; n < row.places.size(); ++n)
    out += "<text x=\"" + number(kLeft + n * cell) + "\" y=\"" + number(y + 10) + "\">" +
           fixed(share_of(row.places[n]) * 100, 0) + "</text>";
  return out;
}

std::string grid_svg(const HeatGrid& grid, double most) {
  std::size_t columns = 0;
  for (const HeatRow& row : grid.rows) columns = std::max(columns, row.places.size());
  std::string cells;
  for (std::size_t column = 0; column < columns; column += grid.every)
    cells += "<text x=\"" + number(kLeft + column * grid.cell) + "\" y=\"10\">" + number(column) + "</text>";
  std::size_t y = kTop;
  for (const HeatRow& row : grid.rows) {
    cells += row_svg(row, grid, y, most);
    y += kLine;
    if (!grid.percents) continue;
    cells += percents_svg(row, grid.cell, y);
    y += kLine;
  }
  const std::string width = number(kLeft + std::max<std::size_t>(columns * grid.cell, 24)),
                    height = number(y);
  return scroll_open("Heat map") + "<svg class=\"heat\" role=\"img\" viewBox=\"0 0 " + width + " " + height +
         "\" width=\"" + width + "\" height=\"" + height + "\"><title>" + escaped(grid.title) + "</title>" +
         cells + "</svg></div>\n";
}

std::string percent(double share, double most) {
  return fixed(share * 100, most < 0.1 ? 1 : 0) + "%";
}

std::string legend_html(double most, std::string_view of) {
  std::string out = "<ul class=\"keys\">";
  for (unsigned shade = 0; shade <= kShades; ++shade)
    out += "<li><svg width=\"14\" height=\"13\" aria-hidden=\"true\"><path class=\"h" + number(shade) +
           "\" d=\"M0 0h14v13h-14z\"/></svg>" +
           (shade == 0 ? "differs in no case" : "up to " + percent(most * shade / kShades, most)) + "</li>";
  return out + "</ul>\n<p class=\"soft\">" + std::string(of) + "</p>\n";
}

/// "3" or "3–12".
std::string range(std::uint64_t least, std::uint64_t most) {
  return least == most ? grouped(least) : grouped(least) + "–" + grouped(most);
}

std::string table_row(const HeatRow& row, const HeatRun& run) {
  const auto places = row.places.subspan(run.first, run.count);
  const auto [few, many] = std::ranges::minmax(places, {}, &Heat::differs);
  const auto [rare, common] = std::ranges::minmax(places, {}, &Heat::of);
  const auto cell = [](const std::string& text) { return "<td class=\"r n\">" + text + "</td>"; };
  return "<tr><td>" + escaped(row.name) + "</td>" + cell(range(run.first, run.first + run.count - 1)) +
         cell(range(few.differs, many.differs)) + cell(range(rare.of, common.of)) + "</tr>\n";
}

/// The places that differ, as ranges of one shade.
std::string table_html(std::span<const HeatRow> rows, double most) {
  std::string text;
  std::size_t all = 0;
  for (const HeatRow& row : rows)
    for (const HeatRun& run : runs_of(row.places, most))
      if (run.shade.value_or(0) > 0 && ++all <= kMostTableRows) text += table_row(row, run);
  std::string out =
      "<details><summary>The heat map as a table</summary>\n" + scroll_open("Heat map as a table") +
      "<table class=\"lanes\"><thead><tr><th scope=\"col\">Place</th><th class=\"r\" scope=\"col\">"
      "Lanes or slots</th><th class=\"r\" scope=\"col\">Cases in which one differs</th>"
      "<th class=\"r\" scope=\"col\">Cases that have it</th></tr></thead><tbody>\n" +
      text + "</tbody></table></div>\n";
  if (all > kMostTableRows)
    out += "<p class=\"soft\">" + grouped(all - kMostTableRows) + " more rows are in the JSON report.</p>\n";
  return out + "</details>\n";
}

/// The places up to the last one that a case has.
std::span<const Heat> in_use(std::span<const Heat> places) {
  while (!places.empty() && places.back().of == 0) places = places.first(places.size() - 1);
  return places;
}

/// The repeats that a case has. The last row stands for all later ones.
std::vector<HeatRow> repeat_rows(const HeatMap& map) {
  std::vector<HeatRow> rows;
  for (unsigned repeat = 0; repeat < HeatMap::kRepeats; ++repeat) {
    const auto places =
        in_use(std::span(map.elements).subspan(std::size_t{repeat} * HeatMap::kLanes, HeatMap::kLanes));
    const bool is_last = repeat + 1 == HeatMap::kRepeats;
    if (!places.empty())
      rows.push_back({(is_last ? "repeats ≥ " : "repeat ") + std::to_string(repeat), places});
  }
  return rows;
}

HeatGrid lane_grid(const HeatMap& map, const std::string& title) {
  const unsigned lanes = map.lanes();
  if (lanes <= 64) return {title, repeat_rows(map), 11, 8};
  if (lanes <= 128) return {title, repeat_rows(map), 6, 8};
  return {title, repeat_rows(map), 3, 16};
}

/// One row with its numbers, under a caption.
std::string strip_html(const std::string& caption, const HeatRow& row) {
  const HeatGrid strip{caption, {row}, 25, 1, true};
  return "<p class=\"soft\">" + caption + ".</p>\n" + grid_svg(strip, largest_share(strip.rows));
}

std::string elements_html(const FindingView& finding) {
  const HeatMap& map = finding.heat;
  const std::string common = common_places(map);
  const std::string sentence = "Where elements of dst differ, counted in " + grouped(map.cases) + " of " +
                               counted(finding.cases, "case") + (common.empty() ? "" : ": " + common);
  const HeatGrid grid = lane_grid(map, sentence);
  const double most = largest_share(grid.rows);
  std::string out =
      "<p>" + escaped(sentence) + ".</p>\n" + grid_svg(grid, most) +
      legend_html(most, "Of the cases that have the element. Where no case has one, there is a gap.");
  std::vector<HeatRow> rows = grid.rows;
  const HeatRow to_last{"from the end", in_use(map.to_last)}, in_block{"in data block", in_use(map.in_block)};
  if (to_last.places.size() > 1) {
    out += strip_html("Repeats counted from the last one, which is 0: in how many percent of the cases",
                      to_last);
    rows.push_back(to_last);
  }
  if (in_block.places.size() > 1) {
    out += strip_html("Lanes counted from the start of their data block: in how many percent of the cases",
                      in_block);
    rows.push_back(in_block);
  }
  return out + table_html(rows, most);
}

std::string mask_html(const FindingView& finding) {
  const HeatMap& map = finding.heat;
  std::vector<Heat> slots;
  for (const std::uint64_t differs : map.slots) slots.push_back({differs, map.mask_cases});
  const std::span<const Heat> all(slots);
  HeatGrid grid{"Slots of the mask register that differ after the program, in " + grouped(map.mask_cases) +
                    " of " + counted(finding.cases, "case"),
                {},
                6};
  for (std::size_t from = 0; from < all.size(); from += 128)
    grid.rows.push_back(
        {"slot " + number(from) + " +", all.subspan(from, std::min<std::size_t>(128, all.size() - from))});
  const double most = largest_share(grid.rows);
  return "<p>" + grid.title + ".</p>\n" + grid_svg(grid, most) + legend_html(most, "Of these cases.") +
         table_html(grid.rows, most);
}

}  // namespace

std::string heat_html(const FindingView& finding) {
  if (finding.heat.empty()) return "";
  std::string out = "<h4>Heat map over the cases</h4>\n";
  if (finding.heat.cases > 0) out += elements_html(finding);
  if (finding.heat.mask_cases > 0) out += mask_html(finding);
  return out;
}

}  // namespace lanecheck::page
