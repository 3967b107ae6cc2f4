// A trace: the vector instructions that a kernel executed, one on each line, and the bytes of UB that each of
// them wrote (format.md). It is read line by line, because a trace may be long.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/recorded/lines.h"
#include "spec/program/program.h"
#include "spec/program/state.h"

namespace lanecheck {

inline constexpr std::string_view kTraceSchema = "lanecheck-trace-1";

/// Bytes of UB: from `from` to before `to`.
struct Range {
  std::size_t from = 0, to = 0;
};

/// The mask register as a line gives it.
struct GivenMask {
  Mask mask{};
  Mode mode = Mode::normal;  ///< meaningful if the trace shows the mode
};

/// One line of a trace.
struct TraceStep {
  std::uint64_t number = 0;
  std::uint64_t line = 0;           ///< the line's number in the file
  std::optional<Instruction> insn;  ///< nothing: something else changed UB, a copy for example
  std::optional<GivenMask> mask;    ///< the register before the step
  std::vector<Range> wrote;         ///< places in UB, in the order of the line
  std::vector<std::byte> bytes;     ///< what was written there, one range after the other
};

class TraceReader {
 public:
  /// Opens a trace ("-": standard input) and reads its first line. Throws InputError if it is not a trace, or
  /// if its profile is not `profile`.
  TraceReader(const std::string& path, std::optional<Profile> profile);

  const std::string& name() const { return in_.name(); }     ///< what messages call the file
  const std::string& recorded() const { return recorded_; }  ///< what was recorded, if the trace says it
  /// The profile, the allocations, and UB before the first step; without instructions.
  const Program& start() const { return start_; }
  const std::optional<GivenMask>& start_mask() const { return start_mask_; }
  Shown shown() const { return shown_.value_or(Shown(false)); }  ///< what the steps read so far show

  /// Reads the next step. False after the last one. Throws InputError, which names the line, if the rest of
  /// the trace cannot be read.
  bool next(TraceStep& step);
  const std::optional<GivenMask>& end_mask() const { return end_mask_; }  ///< after the last step

  std::string place(std::uint64_t line) const { return in_.name() + ":" + std::to_string(line); }

 private:
  bool read_line();
  nlohmann::json parsed_line() const;
  void read_start(const nlohmann::json& json, std::optional<Profile> profile);
  void read_step(const nlohmann::json& json, TraceStep& step);
  void read_end(const nlohmann::json& json);
  void check_shown(const nlohmann::json& json);

  std::string recorded_;
  LineReader in_;
  std::string line_;         ///< the line that was read last
  std::uint64_t lines_ = 0;  ///< the number of that line
  Program start_;
  std::optional<GivenMask> start_mask_, end_mask_;
  std::optional<Shown> shown_;
  std::uint64_t steps_ = 0;  ///< how many steps were read
};

}  // namespace lanecheck
