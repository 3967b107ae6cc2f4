#include "fuzz/recorded/lines.h"

#include "fuzz/backend/message.h"
#include "spec/program/input_error.h"

namespace lanecheck {

std::ifstream open_lines(const std::string& path, std::string& name) {
  const bool piped = path == "-";
  name = piped ? "standard input" : path;
  std::ifstream in(piped ? "/dev/stdin" : path, std::ios::binary);
  if (!in) throw InputError(name, "cannot be opened");
  return in;
}

bool next_line(std::istream& in, std::string& line, bool& whole) {
  line.clear();
  std::streambuf& from = *in.rdbuf();
  constexpr auto kEnd = std::char_traits<char>::eof();
  int c = from.sbumpc();
  if (c == kEnd) return false;
  for (; c != kEnd && c != '\n'; c = from.sbumpc())
    if (line.size() <= kMostLine) line.push_back(static_cast<char>(c));
  whole = c == '\n';
  return true;
}

bool is_blank(const std::string& line) {
  return line.find_first_not_of(" \t\r") == std::string::npos;
}

}  // namespace lanecheck
