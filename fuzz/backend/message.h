// The messages of the backend protocol (fuzz/backend/protocol.md) as text, and text as messages. A backend's
// text is untrusted: whatever is wrong with it ends in a ProtocolError that says what and where.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <stdexcept>
#include <string>
#include <string_view>

#include "fuzz/backend/backend.h"
#include "fuzz/backend/encoding.h"

namespace lanecheck {

inline constexpr int kProtocol = 1;
inline constexpr std::size_t kMostLine = 16u << 20;  ///< bytes of one message
inline constexpr std::size_t kMostBatch = 64;        ///< programs in one request
inline constexpr std::size_t kMostText = 2000;       ///< bytes of a name or a reason that are kept

class ProtocolError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Hello {
  std::string name, version;
  Encoding encoding = Encoding::hex;  ///< the fastest encoding that the backend reads
  bool shows_mask = true, shows_mode = false, reports_refusals = false;
  std::vector<std::string> profiles = {"vmc"};

  std::vector<std::pair<std::string, std::string>> readings;
  Capabilities capabilities;

  Shown shown() const { return {shows_mask, shows_mode}; }
  bool operator==(const Hello&) const = default;
};

// What lanecheck sends and reads.
std::string hello_request();
Hello read_hello(std::string_view line);
/// A whole request: the line and, with Encoding::bytes, the images behind it. Ids count up from `first_id`.
std::string run_request(std::span<const Program> programs, std::uint64_t first_id, Encoding encoding);
/// Fills states and outcomes, except images that follow the line. Returns how many bytes those are.
std::size_t read_answers(std::string_view line, std::uint64_t first_id, Encoding encoding, const Batch& batch,
                         Shown shown);
/// Fills the images from `raw`, the bytes that follow the line.
void fill_images(std::string_view raw, const Batch& batch);

// What a backend in this program (`lanecheck serve`) reads and sends.
struct Request {
  bool hello = false;
  Encoding encoding = Encoding::hex;
  std::vector<std::uint64_t> ids;
  std::vector<Program> programs;
  std::vector<std::string> unreadable;  ///< for each program, why it cannot be run; empty if it can
  std::size_t raw = 0;                  ///< bytes that follow the line
};
std::string hello_answer(const Backend& backend, bool hex_only = false);
/// Reads the next line, without its end. Of a line that is too long it reads kMostLine + 1 bytes, which
/// read_request refuses. False at the end of the input.
bool next_line(std::istream& in, std::string& line);
Request read_request(std::string_view line);
void fill_images(std::string_view raw, Request& request);
std::string run_answer(const Request& request, std::span<const State> states,
                       std::span<const Outcome> outcomes, Shown shown);

}  // namespace lanecheck
