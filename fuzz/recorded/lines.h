// Lines of a file that was written elsewhere: of any length, and the last one perhaps without its end.
#pragma once

#include <fstream>
#include <string>

namespace lanecheck {

/// Opens a file of lines ("-": standard input) and sets `name`, which messages give it. Throws InputError if
/// it cannot be opened.
std::ifstream open_lines(const std::string& path, std::string& name);

/// Reads one line without its end, at most kMostLine + 1 bytes of it; drops the rest. False at the end of the
/// file. `whole` says whether the line has an end.
bool next_line(std::istream& in, std::string& line, bool& whole);

/// Is there nothing in the line?
bool is_blank(const std::string& line);

}  // namespace lanecheck
