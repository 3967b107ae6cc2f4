#include "fuzz/recorded/lines.h"

#include "fuzz/backend/message.h"

namespace lanecheck {
namespace {

constexpr std::uint64_t kMostDropped = 256u << 20;  // bytes of a line that is too long: then it may never end

}  // namespace

LineReader::LineReader(const std::string& path)
    : name_(path == "-" ? "standard input" : path), in_(path == "-" ? "/dev/stdin" : path, name_) {}

bool LineReader::next(std::string& line) {
  line.clear();
  whole_ = false;
  std::uint64_t dropped = 0;
  bool some = false;
  while (!whole_ && !is_endless()) {
    if (unread_.empty()) unread_ = {buffer_.data(), in_.read(buffer_.data(), buffer_.size())};
    if (unread_.empty()) return some;
    some = true;
    const std::size_t end = unread_.find('\n');
    whole_ = end != std::string_view::npos;
    const std::string_view piece = unread_.substr(0, end);
    unread_.remove_prefix(whole_ ? end + 1 : piece.size());
    const std::string_view kept = piece.substr(0, kMostLine + 1 - line.size());
    line.append(kept);
    dropped += piece.size() - kept.size();
    is_endless_ = dropped > kMostDropped;
  }
  return some;
}

bool is_blank(const std::string& line) {
  return line.find_first_not_of(" \t\r") == std::string::npos;
}

}  // namespace lanecheck
