#include "fuzz/recorded/recording.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "fuzz/backend/message_json.h"
#include "fuzz/recorded/folder.h"
#include "fuzz/recorded/lines.h"
#include "spec/program/input_error.h"
#include "spec/text/number.h"
#include "spec/text/program_json.h"

namespace lanecheck {
namespace {

using Json = nlohmann::json;

std::string name_of_profile(Profile profile) {
  return std::string(row_of(profile).name);
}

}  // namespace

RecordingReader::RecordingReader(std::string name, std::optional<Profile> profile, std::size_t most)
    : profile_(profile), most_(most) {
  recording_.name = std::move(name);
}

/// One record that cannot be read does not lose the others.
template <class Read>
void RecordingReader::attempt(const std::string& place, Read read) {
  ++seen_;
  try {
    read();
  } catch (const ProtocolError& error) {
    add_fault(place + ": " + error.what());
  } catch (const InputError& error) {
    add_fault(error.what());
  }
}

void RecordingReader::add_line(std::string_view line, const std::string& place) {
  attempt(place, [&] {
    const Json json = parse_line(line);
    auto [id, of, program] = read_fields(json, place, Encoding::hex);
    Record record{id, place, {}, {}};
    check_order(id);
    check_program(json, program);
    check_shown(json);
    record.outcome =
        read_outcome(json, Encoding::hex, record.state, program.ub.size(), shown_.value_or(Shown(false)));
    keep(of, std::move(program), std::move(record));
  });
}

void RecordingReader::add_entry(const Json& entry, const std::string& place,
                                std::span<const std::byte> before,
                                std::optional<std::span<const std::byte>> after) {
  attempt(place, [&] {
    if (!entry.is_object()) throw ProtocolError("not an object");
    auto [id, of, program] = read_fields(entry, place, Encoding::bytes);
    Record record{id, place, {}, {}};
    check_order(id);
    std::ranges::copy(before, program.ub.begin());
    check_program(entry, program);
    Json answer = entry;
    const bool answered =
        std::ranges::any_of(kOutcomeFields, [&](const char* field) { return entry.contains(field); });
    if (!answered) answer["ran"] = Json::object();
    check_shown(answer);
    record.outcome =
        read_outcome(answer, Encoding::bytes, record.state, program.ub.size(), shown_.value_or(Shown(false)));
    if (std::holds_alternative<Ran>(record.outcome)) {
      if (!after) throw ProtocolError("output.bin ends before the UB of this program (is it truncated?)");
      std::ranges::copy(*after, record.state.ub.begin());
    }
    keep(of, std::move(program), std::move(record));
  });
}

void RecordingReader::add_fault(const std::string& what) {
  if (recording_.faults.size() < kMostFaults)
    recording_.faults.push_back(what);
  else
    ++more_faults_;
}

void RecordingReader::refuse_rest(const std::string& place) {
  is_cut_ = true;
  recording_.faults.push_back(place + ": the rest is not read: programs and results of more than " +
                              std::to_string(most_ >> 20) + " MiB do not fit (split the recording)");
}

Recording RecordingReader::take() {
  if (more_faults_ > 0)
    recording_.faults.push_back(recording_.name + ": " + std::to_string(more_faults_) + " more of the kind");
  if (seen_ < announced_ && !is_cut_)
    recording_.faults.push_back(recording_.name + ": ends after " + std::to_string(seen_) + " of " +
                                std::to_string(announced_) + " records (is it truncated?)");
  recording_.profile = profile_.value_or(kDefaultProfile);
  recording_.shown = shown_.value_or(Shown(false));
  return std::move(recording_);
}

void RecordingReader::check_order(std::uint64_t id) {
  const std::uint64_t before = std::exchange(previous_, id);
  if (ids_.contains(id)) throw ProtocolError("id " + std::to_string(id) + " was answered before");
  if (seen_ > 1 && id < before)
    throw ProtocolError("id " + std::to_string(id) + " comes after id " + std::to_string(before) +
                        ": the records are not in the order of the questions");
}

/// The program must be the one that was asked, and one of the recording's profile.
void RecordingReader::check_program(const Json& json, const Program& program) {
  check_digest(json, program);
  if (!profile_) profile_ = program.profile;
  if (program.profile != *profile_)
    throw ProtocolError("a program of profile " + name_of_profile(program.profile) +
                        " in a recording that is judged by " + name_of_profile(*profile_) +
                        " (a recording has one profile, and --profile must name it)");
}

/// All records show the mask and its mode, or none does.
void RecordingReader::check_shown(const Json& json) {
  const auto ran = json.find("ran");
  if (ran == json.end() || !ran->is_object()) return;
  const Shown shown(ran->contains("mask"), ran->contains("mode"));
  if (!shown_) shown_ = shown;
  if (shown.mask != shown_->mask)
    throw ProtocolError(shown.mask ? "\"ran\" has a \"mask\", which the records before it lack"
                                   : "\"ran\" lacks \"mask\", which the records before it have");
  if (shown.mode != shown_->mode)
    throw ProtocolError(shown.mode ? "\"ran\" has a \"mode\", which the records before it lack"
                                   : "\"ran\" lacks \"mode\", which the records before it have");
}

void RecordingReader::keep(std::uint64_t of, Program program, Record record) {
  announced_ = std::max(announced_, of);
  ids_.insert(record.id);
  kept_ += sizeof(Program) + sizeof(Record) + program.ub.size() + record.state.ub.size() +
           program.instructions.size() * sizeof(Instruction) +
           program.allocations.size() * sizeof(Allocation);
  recording_.programs.push_back(std::move(program));
  recording_.records.push_back(std::move(record));
}

Recording read_recording(const std::string& path, std::optional<Profile> profile) {
  if (std::error_code none; std::filesystem::is_directory(path, none)) return read_folder(path, profile);
  LineReader in(path);
  const std::string& name = in.name();
  RecordingReader reader(name, profile);
  std::string line;
  std::uint64_t number = 0;
  while (in.next(line)) {
    const std::string place = name + ":" + std::to_string(++number);
    if (is_blank(line)) continue;
    if (reader.is_full()) {
      reader.refuse_rest(place);
      break;
    }
    if (in.is_endless())
      reader.add_fault(place + ": does not end after 256 MiB; what follows is not read");
    else if (!in.whole() && !nlohmann::json::accept(line))
      reader.add_fault(place + ": ends in the middle of a record (the file is truncated)");
    else
      reader.add_line(line, place);
  }
  Recording recording = reader.take();
  if (recording.records.empty() && recording.faults.empty()) throw InputError(name, "holds no records");
  return recording;
}

}  // namespace lanecheck
