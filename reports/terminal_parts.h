// The parts that the terminal output is put together from. For the files of reports/ only.
#pragma once

#include <ostream>
#include <string>
#include <string_view>

#include "reports/terminal.h"

namespace lanecheck {

inline constexpr unsigned kMostLanes = 12;  ///< how many lanes or slots one line lists

/// Writes text in a colour if the style has colours.
class Painter {
 public:
  Painter(std::ostream& out, const Style& style) : out_(out), style_(style) {}
  void bold(std::string_view text) { paint("\033[1m", text); }
  void red(std::string_view text) { paint("\033[1;31m", text); }
  void dim(std::string_view text) { paint("\033[2m", text); }

 private:
  void paint(const char* code, std::string_view text) {
    if (style_.colour) out_ << code;
    out_ << text;
    if (style_.colour) out_ << "\033[0m";
  }
  std::ostream& out_;
  const Style& style_;
};

/// Rule, claim and source; then what the backend does.
void print_headline(std::ostream& out, const Finding& finding, Painter& paint);

/// Which lanes the diverging instruction sees on, or off if those are fewer.
void print_active_lanes(std::ostream& out, const Finding& finding);

}  // namespace lanecheck
