// Text from a report, written into HTML, XML, Markdown and a shell so that it stays text.
#pragma once

#include <string>
#include <string_view>

namespace lanecheck::page {

/// For HTML and XML, in text and in quoted attributes. Control characters, which XML does not allow, become
/// U+FFFD; line breaks and tabs stay.
std::string escaped(std::string_view text);

/// For a line of Markdown on GitHub and GitLab: no markup, no HTML, no mention, no table cell ends inside.
std::string markdown_text(std::string_view text);
/// As code in a line of Markdown. HTML, because backticks cannot hold every text.
std::string markdown_code(std::string_view text);

/// One word of a command for a POSIX shell, in quotes if it needs them.
std::string shell_word(std::string_view word);

/// At most `bytes` of UTF-8 text; a cut ends in `end` and does not split a character.
std::string cut(std::string text, std::size_t bytes, std::string_view end);

}  // namespace lanecheck::page
