#include "reports/page/escape.h"

namespace lanecheck::page {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

bool is_control(char c) {
  return (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7f;
}

std::string entity(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return is_control(c) ? std::string(kReplacement) : std::string(1, c);
  }
}

/// U+FFFE and U+FFFF, which XML does not allow.
bool is_no_character(std::string_view text) {
  return text.starts_with("\xef\xbf\xbe") || text.starts_with("\xef\xbf\xbf");
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t n = 0; n < text.size(); ++n) {
    if (is_no_character(text.substr(n))) {
      out += kReplacement;
      n += 2;
    } else {
      out += entity(text[n]);
    }
  }
  return out;
}

std::string markdown_text(std::string_view text) {
  constexpr std::string_view kMarkup = "\\`*_{}[]()#+!|~@:$^";
  std::string out;
  for (const char c : text) {
    if (c == '\n' || c == '\t')
      out += ' ';
    else if (kMarkup.find(c) != std::string_view::npos)
      out += "&#" + std::to_string(static_cast<int>(c)) + ";";
    else
      out += entity(c);
  }
  return out;
}

std::string markdown_code(std::string_view text) {
  return "<code>" + markdown_text(text) + "</code>";
}

std::string shell_word(std::string_view word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,@%+-";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) return std::string(word);
  std::string out = "'";
  for (const char c : word) {
    if (c == '\'')
      out += "'\"'\"'";  // not '\'': backends named "cmd: ..." are split by quotes alone
    else
      out += c;
  }
  return out + "'";
}

std::string cut(std::string text, std::size_t bytes, std::string_view end) {
  if (text.size() <= bytes) return text;
  std::size_t at = bytes > end.size() ? bytes - end.size() : 0;
  while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) --at;
  text.resize(at);
  return text.append(end);
}

}  // namespace lanecheck::page
