// Small pieces of text that all renderers share. Independent of the locale.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lanecheck {

/// 1234567 -> "1,234,567".
std::string grouped(std::uint64_t n);

/// "1 case", "1,234 cases".
std::string counted(std::uint64_t n, std::string_view noun);

/// How many cases a finding has, each counted in one finding: "3 cases". A reading that shows beside others
/// may have none of its own.
std::string cases_text(std::uint64_t cases);

/// Text that may come from a backend: control characters and bytes beyond ASCII become '?'.
std::string printable(std::string_view text);
/// The same for text of several lines, whose line breaks stay.
std::string printable_lines(std::string_view text);

/// 12.345 -> "12.3" with one decimal.
std::string fixed(double value, int decimals);

}  // namespace lanecheck
