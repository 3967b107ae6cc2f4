#include "fuzz/recorded/folder.h"

#include "fuzz/backend/message_json.h"
#include "spec/program/input_error.h"
#include "spec/text/input_file.h"
#include "spec/text/json_reader.h"

namespace lanecheck {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostBytes = 1u << 30;  // of one file of the folder

std::optional<std::span<const std::byte>> piece(const std::string& file, std::uint64_t offset,
                                                std::uint64_t bytes) {
  if (offset > file.size() || bytes > file.size() - offset) return {};
  return std::as_bytes(std::span(file)).subspan(offset, bytes);
}

/// The manifest and the two images of a folder.
struct Folder {
  std::filesystem::path path;
  std::string input, output;

  void read_entry(RecordingReader& reader, const Json& entry, std::size_t number, std::uint64_t& end) const {
    const std::string place = (path / kManifest).string() + ": /programs/" + std::to_string(number);
    try {
      JsonObject object(entry, place);
      const std::uint64_t offset = object.number("offset", kMostBytes);
      const std::uint64_t bytes = object.number("ub_bytes", kMaxUbBytes);
      const auto before = piece(input, offset, bytes);
      if (!before) throw InputError(place, "input.bin ends before the UB of this program (is it truncated?)");
      end = std::max(end, offset + bytes);
      reader.add_entry(entry, place, *before, piece(output, offset, bytes));
    } catch (const InputError& error) {
      reader.add_fault(error.what());
    }
  }
};

}  // namespace

void FolderQuestions::add(const Program& program, std::uint64_t id, std::uint64_t of) {
  entries_.append(entries_.empty() ? "\n" : ",\n").append(open_question(program, id, of, Encoding::bytes));
  entries_.append(",\"offset\":").append(std::to_string(input_.size())).append("}");
  input_.append(reinterpret_cast<const char*>(program.ub.data()), program.ub.size());
}

std::string FolderQuestions::manifest() const {
  return "{\"schema\":\"" + std::string(kFolderSchema) + "\",\"programs\":[" + entries_ + "\n]}\n";
}

Recording read_folder(const std::filesystem::path& folder, std::optional<Profile> profile) {
  const std::string where = (folder / kManifest).string();
  const Json manifest = parse_json(read_input_file(folder / kManifest, kMostBytes), where);
  JsonObject object(manifest, where);
  if (const std::string schema = object.text("schema"); schema != kFolderSchema)
    object.wrong("schema", "this lanecheck reads \"" + std::string(kFolderSchema) + "\", the file says \"" +
                               schema.substr(0, 80) + "\"");
  const Json& programs = object.at("programs");
  if (!programs.is_array() || programs.empty()) object.wrong("programs", "expected a list of programs");
  const Folder files{folder, read_input_file(folder / kInput, kMostBytes),
                     read_input_file(folder / kOutput, kMostBytes)};
  RecordingReader reader(folder.string(), profile);
  std::uint64_t end = 0;
  std::size_t number = 0;
  for (const Json& entry : programs) files.read_entry(reader, entry, number++, end);
  if (files.output == files.input)
    reader.add_fault((folder / kOutput).string() +
                     ": has the same bytes as input.bin (did the programs run?)");
  if (files.output.size() > end)
    reader.add_fault((folder / kOutput).string() + ": has " + std::to_string(files.output.size()) +
                     " bytes, the programs of the manifest end at " + std::to_string(end) +
                     " (does it belong to other questions?)");
  return reader.take();
}

}  // namespace lanecheck
