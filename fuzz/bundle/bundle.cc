#include "fuzz/bundle/bundle.h"

#include <algorithm>

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

/// A folder in `folder` that is not there yet: its name, or "name-N".
std::filesystem::path free_place(const std::filesystem::path& folder, const std::string& name) {
  std::filesystem::path place = folder / name;
  for (unsigned n = 2; std::filesystem::exists(place); ++n) place = folder / (name + "-" + std::to_string(n));
  return place;
}

void write(const std::filesystem::path& file, const std::string& text) {
  OutputFile(file).write(text);
}

}  // namespace

std::size_t write_bundles(const std::filesystem::path& folder, std::string_view text,
                          const std::string& name) {
  const page::ReportView report = page::read_report(text, name);
  const SavedCases cases = parse_saved_cases(text, name);
  std::error_code error;
  if (std::filesystem::exists(folder, error) && !std::filesystem::is_empty(folder, error))
    throw InputError(folder.string(), "exists and is not an empty folder; name a new one");
  make_folder(folder);
  for (std::size_t n = 0; n < cases.findings.size(); ++n) {
    const SavedCase& each = cases.findings[n];
    const std::filesystem::path place = free_place(folder, folder_name(each.id));
    make_folder(place);
    const std::string& what = report.findings.at(n).what;
    write(place / "case.json", print_case(each.smallest));
    write(place / "finding.txt", page::finding_text(report, report.findings.at(n)));
    write(place / "test_finding.py", python_snippet(each, what));
    write(place / "finding_test.cc", cpp_snippet(each, what));
  }
  return cases.findings.size();
}

}  // namespace lanecheck
