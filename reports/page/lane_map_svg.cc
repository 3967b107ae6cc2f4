#include <algorithm>

#include "reports/page/escape.h"
#include "reports/page/html_parts.h"

namespace lanecheck::page {
namespace {

constexpr unsigned kColumns = 64;  ///< lanes in one line of the map
constexpr unsigned kCell = 11, kMapLine = 16, kMapLeft = 99, kMapTop = 18,
                   kGap = 6;  // kMapLeft is a multiple of kCell
constexpr std::size_t kMostLines = 12;
constexpr std::size_t kMostMapRows = 96;

std::string attribute(std::string_view name, unsigned value) {
  return " " + std::string(name) + "=\"" + std::to_string(value) + "\"";
}

std::string repeats_of(const LaneLine& line) {
  const std::string first = std::to_string(line.repeat);
  return line.repeats == 1 ? first : first + "–" + std::to_string(line.repeat + line.repeats - 1);
}

std::string lanes_of(const LaneRun& run) {
  const std::string first = std::to_string(run.first);
  return run.count == 1 ? first : first + "–" + std::to_string(run.first + run.count - 1);
}

std::string describe(const LaneLine& line, const LaneRun& run) {
  return (line.repeats == 1 ? "repeat " : "repeats ") + repeats_of(line) +
         (run.count == 1 ? ", lane " : ", lanes ") + lanes_of(run) + ", " + std::string(name_of(run.lane)) +
         ": old " + run.old + ", expected " + run.expected + ", actual " + run.actual;
}

/// The lines that are shown: those with wrong lanes first, then the others, in order.
std::vector<const LaneLine*> chosen_lines(const FindingView& finding) {
  std::vector<const LaneLine*> lines;
  for (const bool wrong : {true, false})
    for (const LaneLine& line : finding.lanes)
      if (line.has_wrong() == wrong && lines.size() < kMostLines) lines.push_back(&line);
  std::ranges::sort(lines, {}, [](const LaneLine* line) { return line->repeat; });
  return lines;
}

unsigned columns_of(const LaneLine& line) {
  return line.runs.empty() ? 0 : line.runs.back().column + line.runs.back().count;
}

/// The cells of one line, which wraps after kColumns lanes. `y` moves down by the lines that it took.
void append_line(std::string& out, const LaneLine& line, unsigned& y) {
  const unsigned wraps = (columns_of(line) + kColumns - 1) / kColumns;
  out += "<text x=\"0\"" + attribute("y", y + 11) + ">" + (line.repeats == 1 ? "repeat " : "repeats ") +
         repeats_of(line) + "</text>";
  for (unsigned n = 1; n < wraps; ++n)
    out += "<text x=\"" + std::to_string(kMapLeft - 6) + "\"" + attribute("y", y + n * kMapLine + 11) +
           " text-anchor=\"end\">+" + std::to_string(n * kColumns) + "</text>";
  for (const LaneRun& run : line.runs) {
    for (unsigned at = run.column; at < run.column + run.count;) {
      const unsigned wrap = at / kColumns;
      const unsigned end = std::min(run.column + run.count, (wrap + 1) * kColumns);
      out += "<rect class=\"l" + std::to_string(static_cast<unsigned>(run.lane)) + "\"" +
             attribute("x", kMapLeft + at % kColumns * kCell) + attribute("y", y + wrap * kMapLine) +
             attribute("width", (end - at) * kCell) + attribute("height", kMapLine) + "><title>" +
             escaped(describe(line, run)) + "</title></rect>";
      at = end;
    }
  }
  y += wraps * kMapLine;
}

std::string counts_of(const FindingView& finding) {
  std::string text;
  for (const Lane lane : kEveryLane)
    if (const auto count = count_of(finding, lane); count > 0)
      text += (text.empty() ? "" : ", ") + grouped(count) + " " + std::string(name_of(lane));
  return text;
}

std::string legend_html(const FindingView& finding) {
  std::string out = "<ul class=\"keys\">";
  for (const Lane lane : kEveryLane)
    if (const auto count = count_of(finding, lane); count > 0)
      out += "<li><svg width=\"11\" height=\"16\" aria-hidden=\"true\"><rect class=\"l" +
             std::to_string(static_cast<unsigned>(lane)) + "\" width=\"11\" height=\"16\"/></svg>" +
             grouped(count) + " " + std::string(name_of(lane)) + "</li>";
  return out + "</ul>\n";
}

std::string table_row(const LaneLine& line, const LaneRun& run) {
  const auto cell = [](const std::string& text) { return "<td class=\"r n\">" + escaped(text) + "</td>"; };
  return std::string(is_wrong(run.lane) ? "<tr class=\"wrong\">" : "<tr>") + cell(repeats_of(line)) +
         cell(lanes_of(run)) + "<td>" + (run.mask ? "yes" : "no") + "</td><td>" +
         std::string(name_of(run.lane)) + "</td>" + cell(run.old) + cell(run.expected) + cell(run.actual) +
         "</tr>\n";
}

/// The wrong lanes first, then what surrounds them.
std::string table_html(const FindingView& finding) {
  std::string rows;
  std::size_t shown = 0, all = 0;
  for (const bool wrong : {true, false})
    for (const LaneLine& line : finding.lanes)
      for (const LaneRun& run : line.runs)
        if (is_wrong(run.lane) == wrong && ++all <= kMostMapRows) {
          rows += table_row(line, run);
          ++shown;
        }
  std::string out = "<details><summary>The lanes as a table: old, expected, actual</summary>\n" +
                    scroll_open("Lanes") +
                    "<table class=\"lanes\"><thead><tr><th class=\"r\" scope=\"col\">Repeat</th>"
                    "<th class=\"r\" scope=\"col\">Lane</th><th scope=\"col\">Active</th><th "
                    "scope=\"col\">What happened</th>"
                    "<th class=\"r\" scope=\"col\">Old</th><th class=\"r\" scope=\"col\">Expected</th>"
                    "<th class=\"r\" scope=\"col\">Actual</th></tr></thead><tbody>\n" +
                    rows + "</tbody></table></div>\n";
  if (shown < all)
    out += "<p class=\"soft\">" + grouped(all - shown) + " more rows are in the JSON report.</p>\n";
  return out + "</details>\n";
}

}  // namespace

std::uint64_t count_of(const FindingView& finding, Lane lane) {
  std::uint64_t count = 0;
  for (const LaneLine& line : finding.lanes)
    for (const LaneRun& run : line.runs)
      if (run.lane == lane) count += std::uint64_t{run.count} * line.repeats;
  return count;
}

std::string lane_patterns_html() {
  constexpr std::string_view kSigns[] = {"", "", "M3 7h5", "M2.7 7h5.6M5.5 4.2v5.6", "M3 4.5l5 5M8 4.5l-5 5"};
  std::string out = "<svg class=\"defs\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>";
  for (const Lane lane : kEveryLane) {
    const auto n = static_cast<std::size_t>(lane);
    const std::string number = std::to_string(n);
    out += "<pattern id=\"p" + number +
           "\" patternUnits=\"userSpaceOnUse\" width=\"11\" height=\"16\"><rect class=\"f" + number +
           "\" x=\".5\" y=\".5\" width=\"10\" height=\"13\" rx=\"1.5\"/>";
    if (!kSigns[n].empty()) out += "<path class=\"s" + number + "\" d=\"" + std::string(kSigns[n]) + "\"/>";
    out += "</pattern>";
  }
  return out + "</defs></svg>\n";
}

std::string lane_map_html(const FindingView& finding) {
  if (finding.lanes.empty()) return "";
  const auto lines = chosen_lines(finding);
  unsigned columns = 0, y = kMapTop - kMapTop % kMapLine + kMapLine;  // patterns start at multiples of a line
  for (const LaneLine* line : lines) columns = std::max(columns, columns_of(*line));
  columns = std::min(columns, kColumns);
  std::string cells;
  for (unsigned column = 0; column < columns; column += 8)
    cells += "<text" + attribute("x", kMapLeft + column * kCell) + " y=\"26\">" + std::to_string(column) +
             "</text>";
  unsigned gaps = 0;  // between lines that wrap; a shift keeps the cells on the grid of the patterns
  for (const LaneLine* line : lines) {
    cells += "<g transform=\"translate(0 " + std::to_string(gaps) + ")\">";
    append_line(cells, *line, y);
    cells += "</g>";
    if (columns_of(*line) > kColumns) gaps += kGap;
  }
  y += gaps;
  const std::string width = std::to_string(kMapLeft + std::max(columns, 4U) * kCell);
  std::string out = "<h4>Lane map of dst, " +
                    std::string(finding.lanes.size() > 1 || finding.lanes[0].repeats > 1 ? "repeats by lanes"
                                                                                         : "one repeat") +
                    "</h4>\n" + scroll_open("Lane map") + "<svg class=\"map\" role=\"img\" viewBox=\"0 14 " +
                    width + " " + std::to_string(y - 14) + "\" width=\"" + width + "\" height=\"" +
                    std::to_string(y - 14) + "\"><title>Lanes: " + escaped(counts_of(finding)) + "</title>" +
                    cells + "</svg></div>\n" + legend_html(finding);
  if (lines.size() < finding.lanes.size())
    out += "<p class=\"soft\">The map leaves out " + grouped(finding.lanes.size() - lines.size()) +
           " other lines. The JSON report has them all.</p>\n";
  return out + table_html(finding);
}

}  // namespace lanecheck::page
