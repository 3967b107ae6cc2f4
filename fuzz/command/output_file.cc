#include "fuzz/command/output_file.h"

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "spec/text/input_error.h"

namespace lanecheck {

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error || !std::filesystem::is_directory(folder))
    throw InputError(folder.string(),
                     "cannot be made a folder" + (error ? ": " + error.message() : std::string()));
}

OutputFile::OutputFile(std::filesystem::path place) : place_(std::move(place)), draft_(place_) {
  if (std::filesystem::is_directory(place_)) throw InputError(place_.string(), "is a folder; name a file");
  draft_ += ".part";
  errno = 0;
  if (!std::ofstream(draft_))
    throw InputError(place_.string(), std::string("cannot be written: ") + std::strerror(errno) +
                                          "; name a file in a folder that exists and is yours");
}

OutputFile::~OutputFile() {
  std::error_code ignored;
  std::filesystem::remove(draft_, ignored);
}

void OutputFile::write(const std::string& text) {
  errno = 0;
  std::ofstream out(draft_, std::ios::binary | std::ios::trunc);
  out << text << std::flush;
  if (!out)
    throw std::runtime_error(place_.string() + ": could not be written whole: " + std::strerror(errno) +
                             "; free some room and run again");
  out.close();
  std::filesystem::rename(draft_, place_);
}

}  // namespace lanecheck
