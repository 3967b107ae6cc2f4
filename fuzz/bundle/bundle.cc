#include "fuzz/bundle/bundle.h"

#include <algorithm>
#include <limits>
#include <set>

#include "fuzz/backend/encoding.h"
#include "fuzz/bundle/snippets.h"
#include "reports/output_file.h"
#include "reports/page/text.h"
#include "reports/page/view.h"
#include "spec/program/input_error.h"

namespace lanecheck {

std::string identifier_of(const std::string& id) {
  std::string name;
  for (const char c : id) {
    const bool takes = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (takes) name += c;
    if (!takes && !name.empty() && name.back() != '_') name += '_';
  }
  return name.empty() || (name[0] >= '0' && name[0] <= '9') ? "finding_" + name : name;
}

std::string quoted_hex(const std::vector<std::byte>& bytes, const std::string& indent) {
  constexpr std::size_t kLine = 32;
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += kLine) {
    text += indent + "\"";
    append_hex(text, bytes.data() + at, std::min(kLine, bytes.size() - at));
    text += "\"\n";
  }
  return text;
}

std::vector<std::byte> mask_bytes(const Mask& mask) {
  std::vector<std::byte> bytes;
  for (const std::uint8_t slot : mask) bytes.push_back(std::byte{slot});
  return bytes;
}

std::string comment_text(const std::string& text) {
  std::string plain;
  for (const char c : text) {
    const bool printable = c >= ' ' && c <= '~' && c != '"' && c != '\\';
    plain += printable ? c : '.';
  }
  return plain;
}

namespace {

constexpr std::size_t kLongestName = 100;
constexpr std::string_view kNoTests =
    "\nThere is no pytest and no GoogleTest: the backend is not always wrong about this program, so a test "
    "that\n"
    "runs it once may pass. Ask again with `lanecheck recheck`.\n";

/// A name for the folder of a finding; ids of failures hold words of the backend.
std::string folder_name(const std::string& id) {
  std::string name = id.substr(0, kLongestName);
  for (char& c : name) {
    const bool takes = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '_' || c == '=';
    if (!takes) c = '-';
  }
  return name;
}

/// A name that is not taken yet: `name`, or "name-N".
std::string free_name(const std::string& name, std::set<std::string>& taken) {
  std::string free = name;
  for (unsigned n = 2; !taken.insert(free).second; ++n) free = name + "-" + std::to_string(n);
  return free;
}

}  // namespace

std::vector<Bundle> bundles_of(std::string_view text, const std::string& name, std::size_t most) {
  const page::ReportView report = page::read_report(text, name);
  const SavedCases cases = parse_saved_cases(text, name);
  std::set<std::string> taken;
  std::vector<Bundle> bundles;
  for (std::size_t n = 0; n < std::min(most, cases.findings.size()); ++n) {
    const SavedCase& each = cases.findings[n];
    const page::FindingView& finding = report.findings.at(n);
    Bundle bundle{
        free_name(folder_name(each.id), taken),
        {{"case.json", print_case(each.smallest)}, {"finding.txt", page::finding_text(report, finding)}}};
    if (each.repeats.empty()) {
      bundle.files.emplace_back("test_finding.py", python_snippet(each, finding.what));
      bundle.files.emplace_back("finding_test.cc", cpp_snippet(each, finding.what));
    } else {
      bundle.files.back().second += std::string(kNoTests);
    }
    bundles.push_back(std::move(bundle));
  }
  return bundles;
}

std::size_t write_bundles(const std::filesystem::path& folder, std::string_view text,
                          const std::string& name) {
  const std::vector<Bundle> bundles = bundles_of(text, name, std::numeric_limits<std::size_t>::max());
  std::error_code error;
  if (std::filesystem::exists(folder, error) && !std::filesystem::is_empty(folder, error))
    throw InputError(folder.string(), "exists and is not an empty folder; name a new one");
  make_folder(folder);
  for (const Bundle& bundle : bundles) {
    make_folder(folder / bundle.folder);
    for (const auto& [file, content] : bundle.files) OutputFile(folder / bundle.folder / file).write(content);
  }
  return bundles.size();
}

}  // namespace lanecheck
