#include "reports/format.h"

#include <charconv>

namespace lanecheck {

std::string grouped(std::uint64_t n) {
  std::string text = std::to_string(n);
  for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3)
    text.insert(static_cast<std::size_t>(at), ",");
  return text;
}

std::string counted(std::uint64_t n, std::string_view noun) {
  return grouped(n).append(" ").append(noun).append(n == 1 ? "" : "s");
}

std::string cases_text(std::uint64_t cases) {
  return cases == 0 ? "seen only in cases that count elsewhere" : counted(cases, "case");
}

std::string printable(std::string_view text) {
  std::string clean(text);
  for (char& c : clean)
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e) c = '?';
  return clean;
}

std::string printable_lines(std::string_view text) {
  std::string lines = printable(text);
  for (std::size_t n = 0; n < text.size(); ++n)
    if (text[n] == '\n') lines[n] = '\n';
  return lines;
}

std::string fixed(double value, int decimals) {
  char text[400];
  return {text, std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, decimals).ptr};
}

}  // namespace lanecheck
